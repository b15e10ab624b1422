import {
  asObject,
  asTrimmedText,
  type ImportFields,
  parseTimeMicros,
} from '../../importing/import-values.ts';
import { findField, rankField, toPlainFieldName } from '../../importing/known-fields.ts';
import type { FoundRecord } from '../linked-items.ts';
import { CHECKED } from '../record-entry.ts';

export interface RecordList {
  readonly name: string;
  /** Names of the objects around the list and its name: `data.notes`. */
  readonly path: string;
  /** Beginning of the keys of the list's records. */
  readonly prefix: string;
  readonly records: readonly unknown[];
}

const ID = /^(?:id|uuid|uid|guid)$/;
const ID_SUFFIX = /(?<=.)[_-]?(?:ids?|uuids?)$/i;
/** Matches names of fields that say nothing about a record, as they are written: `noteCount`, but not `account`. */
const DETAIL =
  /^(?:icon|emoji|colou?r|type|kind|slug|position|order|sort\w{0,20}|rank|query|parent\w{0,20})$|(?:_id|Id|_count|Count)s?$/;

const titleOf = (record: ImportFields) => findField('title', Object.entries(record), asTrimmedText);
const idOf = (record: ImportFields): string | undefined =>
  asTrimmedText(Object.entries(record).find(([name]) => ID.test(toPlainFieldName(name)))?.[1]);

/** Returns true for a folder, a tag or another record with nothing but a name. */
function isOnlyName(record: ImportFields): boolean {
  const title = titleOf(record)?.name;
  return Object.entries(record).every(
    ([name, value]) =>
      name === title ||
      ID.test(toPlainFieldName(name)) ||
      DETAIL.test(name) ||
      rankField('made', name) + rankField('changed', name) > -2 ||
      (typeof value === 'object' ? Object.keys(value ?? {}).length === 0 : value === '') ||
      (value === false && !CHECKED.test(toPlainFieldName(name))),
  );
}

/** Returns the stem of a name, which `folderId`, `folder_ids` and `folders` have in common. */
const stemOf = (name: string): string =>
  toPlainFieldName(name.replace(ID_SUFFIX, '')).replace(/ies$/, 'y').replace(/s$/, '');

/**
 * Yields the records of several lists. In a field that is named after a list, the id of a record of that list becomes
 * the record's name. Lists with nothing but names to which other lists refer, such as tags, are only counted.
 */
export function* joinLists(lists: readonly RecordList[]): Generator<FoundRecord> {
  const all = lists.map(({ records, ...list }) => {
    const objects = records.map(asObject);
    const byId = new Map(objects.map((record) => [idOf(record), record]));
    return { ...list, place: list.path.slice(0, -list.name.length), objects, byId };
  });
  const byStem = Map.groupBy(all, ({ name }) => stemOf(name));
  const referred = new Set<unknown>();
  const nameOf = (field: string, own: (typeof all)[number], value: unknown, isInList: boolean): unknown => {
    const inner = asObject(value);
    const id = asTrimmedText(value) ?? (Object.keys(inner).length === 1 ? idOf(inner) : undefined);
    if (id === undefined || ID.test(toPlainFieldName(field))) return value;
    // A date is not an id, and a number is one only in a list or in a field such as `folderId`.
    const isNumber = Number.isFinite(Number(id));
    if (isNumber ? !isInList && !ID_SUFFIX.test(field) : parseTimeMicros(id) !== undefined) return value;
    const known = (byStem.get(stemOf(field)) ?? []).filter((one) => one !== own && one.byId.has(id));
    const list =
      known.find(({ place }) => place === own.place) ?? (known.length === 1 ? known[0] : undefined);
    const title = titleOf(list?.byId.get(id) ?? {})?.value;
    if (title !== undefined) referred.add(list);
    return title ?? value;
  };
  const withNames = (record: ImportFields, list: (typeof all)[number]): ImportFields => {
    const fields = new Map<string, unknown>();
    for (const [field, value] of Object.entries(record)) {
      const [given, isInList] = [[value].flat(), Array.isArray(value)];
      const names = given.map((one) => nameOf(field, list, one, isInList));
      const plain = field.replace(ID_SUFFIX, '');
      const isSame = plain in record || fields.has(plain) || names.every((name, at) => name === given[at]);
      fields.set(isSame ? field : plain, isInList ? names : names[0]);
    }
    return Object.fromEntries(fields);
  };
  const named = all.map((list) => ({ list, records: list.objects.map((record) => withNames(record, list)) }));
  const isNames = ({ list }: (typeof named)[number]) => referred.has(list) && list.objects.every(isOnlyName);
  const skipped = new Set(named.every(isNames) ? [] : named.filter(isNames));
  for (const one of named)
    if (!skipped.has(one)) for (const record of one.records) yield { record, list: one.list.prefix };
  const count = [...skipped].flatMap(({ records }) => records).length;
  if (count > 0) yield { skipped: 'a record that is only the name of a folder or tag', count };
}
