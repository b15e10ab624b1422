import { asObject, asTrimmedText, type ImportFields, toListOrEmpty } from '../../importing/import-values.ts';
import type { FoundRecord } from '../linked-items.ts';
import { nameAndAddress, recordOf } from './record.ts';

/** Makes records of Trello's cards. Lists, check lists, members and comments are beside the cards in its JSON. */
export function* splitBoard(file: unknown): Generator<FoundRecord> {
  const { id, name: board, desc, url, ...whole } = asObject(file);
  const listOf = (field: string) => toListOrEmpty(whole[field]).map(asObject);
  const namesOf = (field: string) =>
    new Map(listOf(field).map(({ id, name, fullName = name }) => [id, asTrimmedText(fullName)]));
  const choices = listOf('customFields').flatMap(({ options }) => toListOrEmpty(options).map(asObject));
  const names = new Map([
    ...namesOf('customFields'),
    ...choices.map(({ id, value }) => [id, value] as const),
  ]);
  const [lists, members] = [namesOf('lists'), namesOf('members')];
  const checks = Map.groupBy(listOf('checklists'), ({ idCard }) => idCard);
  const said = listOf('actions').filter(({ data }) => asObject(data).text !== undefined);
  const comments = Map.groupBy(said, ({ data }) => asObject(asObject(data).card).id);
  if (asTrimmedText(desc)) yield { record: { id, title: board, text: desc, url } };
  for (const card of listOf('cards')) {
    const { id, name, desc: text, idList, idMembers, customFieldItems, attachments, labels, ...rest } = card;
    const { due, start, dueComplete, address, locationName, coordinates, closed, url, ...more } = rest;
    const { dateLastActivity: updated, idLabels: _, idChecklists: __, ...details } = more;
    const made = /^[\da-f]{24}$/.test(String(id)) ? Number.parseInt(String(id).slice(0, 8), 16) : undefined;
    yield* recordOf(
      {
        ...{ id, title: name, text, url, created: made, updated, archived: closed, board },
        ...{ list: lists.get(idList), start, due, done: dueComplete, locationName, address, coordinates },
        members: toListOrEmpty(idMembers).flatMap((one) => members.get(one) ?? []),
        labels: toListOrEmpty(labels).map((one) => asObject(one).name || asObject(one).color),
        ...Object.fromEntries(
          toListOrEmpty(customFieldItems).map((one) => customField(asObject(one), names)),
        ),
        links: toListOrEmpty(attachments).map((one) => nameAndAddress(asObject(one))),
        children: (checks.get(id) ?? []).map((list) => ({ text: list.name, children: itemsOf(list) })),
        comments: (comments.get(id) ?? []).map(({ date, memberCreator, data }) => ({
          text: asObject(data).text,
          author: asObject(memberCreator).fullName,
          date,
        })),
      },
      details,
    );
  }
  const cards = new Set(listOf('cards').map(({ id }) => id));
  const gone = [...comments].flatMap(([id, list]) => (cards.has(id) ? [] : list)).length;
  if (gone > 0) yield { skipped: 'a comment on a card that is not in the file', count: gone };
  const others = listOf('actions').length - said.length;
  if (others > 0) yield { skipped: 'an event of the board, such as a card that was moved', count: others };
}

function itemsOf({ checkItems }: ImportFields) {
  return toListOrEmpty(checkItems)
    .map(asObject)
    .map(({ name, state, due }) => ({
      text: name,
      checked: state === 'complete',
      ...(due !== null && { due }),
    }));
}

function customField({ idCustomField, idValue, value }: ImportFields, names: ReadonlyMap<unknown, unknown>) {
  return [names.get(idCustomField) ?? 'field', Object.values(asObject(value ?? names.get(idValue)))[0]];
}
