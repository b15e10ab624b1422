import { asObject, asTrimmedText, type ImportFields, toListOrEmpty } from '../importing/import-values.ts';

export type FoundRecord =
  | { readonly record: ImportFields }
  | { readonly problem: string }
  | { readonly skipped: string; readonly count: number };

/** Numbers of the kinds of Joplin's items, by the names that Standard Notes has for such kinds. */
const KINDS: Readonly<Record<string, string>> = { 1: 'Note', 2: 'Tag', 4: 'File', 5: 'Tag', 6: 'Link' };

/**
 * Yields the notes of a list of items as Joplin and Standard Notes write them: tags and folders are items of
 * their own, and become tags of the notes that they are linked with. Other records stay as they are.
 */
export function* tagLinkedNotes(items: readonly ImportFields[]): Generator<FoundRecord> {
  const links = findLinks(items);
  for (const item of items) {
    const kind = kindOf(item);
    if (kind === undefined) yield { record: item };
    else if (kind === 'File') yield { skipped: 'an attachment', count: 1 };
    else if (kind === 'Note')
      yield { record: { ...item, tags: namesLinkedWith(item.uuid ?? item.id, links) } };
    else if (kind !== 'Tag' && kind !== 'Link')
      yield { skipped: 'an item that is no note, such as a setting', count: 1 };
  }
}

function kindOf({ content_type: kind, type_: number }: ImportFields): string | undefined {
  return asTrimmedText(kind) ?? (number === undefined ? undefined : (KINDS[String(number)] ?? 'Other'));
}

function findLinks(items: readonly ImportFields[]) {
  const names = new Map<unknown, string>();
  const links = new Map<unknown, unknown[]>();
  const link = (from: unknown, to: unknown) => {
    if (from !== undefined && to !== undefined)
      links
        .set(from, links.get(from) ?? [])
        .get(from)
        ?.push(to);
  };
  for (const item of items) {
    const { title = item.title, references } = asObject(item.content);
    const id = item.uuid ?? item.id;
    if (kindOf(item) === 'Tag') names.set(id, asTrimmedText(title) ?? '');
    link(id, item.parent_id);
    link(item.note_id, item.tag_id);
    for (const { uuid, content_type: kind } of toListOrEmpty(references).map(asObject))
      link(kind === 'Tag' ? id : uuid, kind === 'Tag' ? uuid : id);
  }
  return { names, links };
}

/** Returns the names of the tags and folders of a note, and of the folders around those. */
function namesLinkedWith(id: unknown, { names, links }: ReturnType<typeof findLinks>): string[] {
  const found = new Set([id]);
  // A set yields what is added to it while it is read.
  for (const one of found) for (const other of links.get(one) ?? []) if (names.has(other)) found.add(other);
  return [...found].flatMap((one) => names.get(one) || []);
}
