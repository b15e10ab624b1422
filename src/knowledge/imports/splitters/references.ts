import { asObject, asTrimmedText, type ImportFields } from '../../importing/import-values.ts';
import { findField, rankField, toPlainFieldName } from '../../importing/known-fields.ts';
import type { FoundRecord } from '../linked-items.ts';

export type RecordList = readonly [name: string, records: readonly unknown[]];

const ID = /^(?:id|uuid|uid|guid)$/;
const PARENT = /^parent(?:id|uuid)?$/;
/** Matches an id that no other value equals by chance. */
const LONG_ID = /^(?=.*\d)[\w-]{8,}$/;
/** Matches names of fields that say nothing about a record, in the form of `toPlainFieldName`. */
const DETAIL =
  /id$|ids$|^(?:icon|emoji|colou?r|type|kind|slug|position|order|sort.*|rank|is.*|.*count|query|parent.*)$/;
const MAX_PARENTS = 20;

interface Target {
  readonly list: string;
  readonly record: ImportFields;
  readonly name: string;
}

const idOf = (record: ImportFields): string | undefined =>
  Object.entries(record).flatMap(([name, id]) =>
    ID.test(toPlainFieldName(name)) ? (asTrimmedText(id) ?? []) : [],
  )[0];

const titleOf = (record: ImportFields) => findField('title', Object.entries(record), asTrimmedText);

/** Returns true for a folder, a tag or another record with nothing but a name. */
function isBare(record: ImportFields, isRead: (name: string) => boolean): boolean {
  return Object.entries(record).every(
    ([name, value]) =>
      isRead(name) ||
      DETAIL.test(toPlainFieldName(name)) ||
      (['made', 'changed'] as const).some((kind) => rankField(kind, name) >= 0) ||
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
  const all = lists.map(([list, records]) => ({ list, records: records.map(asObject) }));
  const targets = Map.groupBy(
    all.flatMap(({ list, records }) =>
      records.map((record): Target => ({ list, record, name: titleOf(record)?.value ?? '' })),
    ),
    ({ record }) => idOf(record),
  );
  const findTarget = (field: string, value: unknown, own = ''): Target | undefined => {
    const [inner, ...more] = Object.values(asObject(value));
    const id = asTrimmedText(inner !== undefined && more.length === 0 ? inner : value);
    const isParent = PARENT.test(toPlainFieldName(field));
    const isMeant = ({ list }: Target) =>
      stemOf(field).endsWith(stemOf(list)) || LONG_ID.test(id ?? '') || (isParent && list === own);
    return id === undefined || ID.test(toPlainFieldName(field)) ? undefined : targets.get(id)?.find(isMeant);
  };
  const isNames = (record: ImportFields) => isBare(record, (name) => name === titleOf(record)?.name);
  const isReferred = new Set(
    all.flatMap(({ list, records }) => {
      const ids = records.flatMap((record) => Object.entries(record));
      const found = ids.flatMap(([field, ones]) => [ones].flat().map((one) => findTarget(field, one)?.list));
      return found.filter((other) => other !== list);
    }),
  );
  const hasWords = all.some(({ records }) => !records.every(isNames));
  const isNameList = ({ list, records }: (typeof all)[number]) =>
    hasWords && (isReferred.has(list) || records.every(isNames));
  const named = new Set(all.filter(isNameList).flatMap(({ records }) => records.filter(isNames)));
  const links = linksOf(named, findTarget);
  for (const { list, records } of all)
    for (const record of records)
      if (!named.has(record))
        yield { record: { ...resolve(record, list, findTarget), ...links.get(record) }, list: `${list}/` };
  if (named.size > 0)
    yield { skipped: 'a record that is only the name of a folder or tag', count: named.size };
}

type FindTarget = (field: string, value: unknown, own?: string) => Target | undefined;

/** Returns the name of a record behind the names of those that it is in: `Garden/Trees`. */
function pathOf(target: Target, findTarget: FindTarget, below: readonly Target[] = []): string {
  const { record, list, name } = target;
  const [parent] = Object.entries(record).flatMap(([field, value]) =>
    PARENT.test(toPlainFieldName(field)) ? (findTarget(field, value, list) ?? []) : [],
  );
  const isEnd = parent === undefined || [target, ...below].includes(parent) || below.length > MAX_PARENTS;
  return isEnd ? name : `${pathOf(parent, findTarget, [target, ...below])}/${name}`;
}

function resolve(record: ImportFields, list: string, findTarget: FindTarget): ImportFields {
  const fields = Object.entries(record).map(([field, value]): [string, unknown] => {
    const nameOf = (one: unknown) => {
      const target = findTarget(field, one, list);
      return target && target.name !== '' ? pathOf(target, findTarget) : one;
    };
    const names = Array.isArray(value) ? value.map(nameOf) : nameOf(value);
    const plain = field.replace(/(?<=.)[_-]?(?:ids?|uuids?)$/i, '');
    const isSame = [names].flat().every((one, at) => one === [value].flat()[at]);
    return [isSame || plain in record ? field : plain, names];
  });
  return Object.fromEntries(fields);
}

/** Finds records that only link two others, such as a note and its tag, and returns the names for each note. */
function linksOf(named: ReadonlySet<ImportFields>, findTarget: FindTarget) {
  const links = new Map<ImportFields, Record<string, string[]>>();
  for (const link of named) {
    const ends = Object.entries(link).flatMap(([field, one]) => findTarget(field, one) ?? []);
    const owners = ends.filter(({ record }) => !named.has(record));
    for (const { record } of owners)
      for (const end of ends.filter((end) => named.has(end.record) && end.record !== link)) {
        const { [end.list]: names = [], ...others } = links.get(record) ?? {};
        links.set(record, { ...others, [end.list]: [...names, pathOf(end, findTarget)] });
      }
  }
  return links;
}
