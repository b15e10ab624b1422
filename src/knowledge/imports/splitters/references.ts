import { asObject, asTrimmedText, type ImportFields } from '../../importing/import-values.ts';
import { findField, rankField, toPlainFieldName } from '../../importing/known-fields.ts';
import type { FoundRecord } from '../linked-items.ts';

export type RecordList = readonly [name: string, records: readonly unknown[]];

const ID = /^(?:id|uuid|uid|guid)$/;
/** Matches an id that no other value equals by chance. */
const LONG_ID = /^(?=.*\d)[\w-]{8,}$/;
/** Matches names of fields that say nothing about a record, in the form of `toPlainFieldName`. */
const DETAIL =
  /id$|ids$|^(?:icon|emoji|colou?r|type|kind|slug|position|order|sort.*|rank|is.*|.*count|query|parent.*)$/;

const titleOf = (record: ImportFields) => findField('title', Object.entries(record), asTrimmedText);

/** Returns true for a folder, a tag or another record with nothing but a name. */
function isOnlyName(record: ImportFields): boolean {
  const title = titleOf(record)?.name;
  return Object.entries(record).every(
    ([name, value]) =>
      name === title ||
      DETAIL.test(toPlainFieldName(name)) ||
      rankField('made', name) + rankField('changed', name) > -2 ||
      (typeof value === 'object' ? Object.keys(value ?? {}).length === 0 : value === false || value === ''),
  );
}

/** Returns the stem of a name, which `folderId`, `folder_ids` and `folders` have in common. */
const stemOf = (name: string): string =>
  toPlainFieldName(name)
    .replace(/(?<=.)(?:ids?|uuids?|refs?)$/, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');

/**
 * Yields the records of several lists. An id of a record of another list becomes the name of that record, and lists
 * with nothing but names, such as those of folders and tags, are only counted.
 */
export function* joinLists(lists: readonly RecordList[]): Generator<FoundRecord> {
  const all = lists.flatMap(([list, records]) => records.map((one) => ({ list, record: asObject(one) })));
  const byId = Map.groupBy(all, ({ record }) =>
    asTrimmedText(Object.entries(record).find(([name]) => ID.test(toPlainFieldName(name)))?.[1]),
  );
  const nameOf = (field: string, own: string, value: unknown): unknown => {
    const [inner, ...more] = Object.values(asObject(value));
    const id = asTrimmedText(inner !== undefined && more.length === 0 ? inner : value);
    const isMeant = ({ list }: { readonly list: string }) =>
      stemOf(field).endsWith(stemOf(list)) ||
      LONG_ID.test(id ?? '') ||
      (list === own && /^parent/i.test(field));
    const isOwn = id === undefined || ID.test(toPlainFieldName(field));
    return titleOf((isOwn ? undefined : byId.get(id)?.find(isMeant))?.record ?? {})?.value ?? value;
  };
  const named = new Set(lists.filter(([, records]) => records.map(asObject).every(isOnlyName)));
  const skipped = new Set(named.size < lists.length ? [...named].map(([list]) => list) : []);
  for (const { list, record } of all.filter((one) => !skipped.has(one.list))) {
    const fields = Object.entries(record).map(([field, value]): [string, unknown] => {
      const names = Array.isArray(value)
        ? value.map((one) => nameOf(field, list, one))
        : nameOf(field, list, value);
      const plain = field.replace(/(?<=.)[_-]?(?:ids?|uuids?)$/i, '');
      const isSame = [names].flat().every((name, at) => name === [value].flat()[at]);
      return [isSame || plain in record ? field : plain, names];
    });
    yield { record: Object.fromEntries(fields), list: `${list}/` };
  }
  const count = all.filter(({ list }) => skipped.has(list)).length;
  if (count > 0) yield { skipped: 'a record that is only the name of a folder or tag', count };
}
