import { chooseItem, chooseItemList, type FoundItem, findValuesByName } from './choose-items.ts';
import { coerceToScalar, resolveSchemaType } from './coerce.ts';
import { normalizePropertyName } from './data-names.ts';
import {
  collectDataSources,
  type DataSources,
  FACTS_LABEL,
  isReference,
  META_LABEL,
  type ValueOrigin,
} from './data-sources.ts';
import { isDataItem, MAX_LIST_ITEMS } from './nested-items.ts';
import type { DataItem, DataPage, DataSchema, SchemaFittedData } from './structured.ts';

const MAX_MISSING = 50;
interface Fit extends DataSources {
  readonly missing: string[];
  readonly required: Map<string, string>;
  readonly from: Map<string, Set<string>>;
  chars: number;
}

export function fitData(page: DataPage, schema: DataSchema, mostChars: number): SchemaFittedData {
  const fitting: Fit = {
    ...collectDataSources(page),
    missing: [],
    required: new Map(),
    from: new Map(),
    chars: mostChars,
  };
  const data =
    resolveSchemaType(schema) === 'array'
      ? fitList(undefined, schema, '', fitting)
      : fitObject(chooseItem(schema, '', fitting), schema, '', fitting);
  return {
    ...(data !== undefined && { data }),
    missing: fitting.missing.slice(0, MAX_MISSING),
    required: [...fitting.required.values()].slice(0, MAX_MISSING),
    from: [...fitting.from].map(([from, names]) => ({ from, names: [...names] })),
  };
}

interface FitValue extends ValueOrigin {
  readonly value: unknown;
}

function fitObject(
  found: FoundItem | undefined,
  schema: DataSchema,
  path: string,
  fitting: Fit,
): DataItem | undefined {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const value = fitMember(found, name, inner, at, fitting);
    if (value === undefined) {
      fitting.missing.push(at);
      if (schema.required?.includes(name)) fitting.required.set(at, at);
    }
    return value === undefined ? [] : [[name, value] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function fitMember(
  found: FoundItem | undefined,
  name: string,
  schema: DataSchema,
  path: string,
  fitting: Fit,
): unknown {
  const type = resolveSchemaType(schema);
  const isTop = !path.includes('.');
  for (const { thing, ...origin } of isTop ? itemsFor(name, found, fitting) : found ? [found] : []) {
    const values = findValuesByName(thing, name, fitting.namesOf);
    const isName = isTop && isAuthor(name) && resolveSchemaType(schema.items ?? schema) !== 'object';
    for (const value of isName ? values.filter((one) => !isAddress(one, fitting)) : values) {
      const fitted = fitValue({ value, ...origin }, schema, path, fitting);
      if (fitted !== undefined) return fitted;
    }
  }
  if (!isTop || (type !== 'object' && type !== 'array')) return undefined;
  return type === 'array' ? fitList(undefined, schema, path, fitting) : fitNamed(name, schema, path, fitting);
}

function isAuthor(name: string): boolean {
  return /^(?:authors?|writer|byline|creator)$/.test(normalizePropertyName(name));
}

function isAddress(value: unknown, fitting: Fit): boolean {
  const text = coerceToScalar(resolveReference(value, fitting), { type: 'string' });
  return /^(?:https?:|[/@#])/.test(String(text ?? ''));
}

/** Returns the items that may have a property, best first. An article's author is read from `facts` first. */
function itemsFor(name: string, found: FoundItem | undefined, fitting: Fit): readonly FoundItem[] {
  const own = fitting.own.flatMap(({ things, ...origin }) => things.map((thing) => ({ thing, ...origin })));
  const items = [...(found ? [found] : []), ...own];
  if (!isAuthor(name)) return items;
  const isText = /(?:Article|Posting|Report|Page|Recipe)$/.test(String(found?.thing['@type'] ?? ''));
  const rankOf = ({ from }: FoundItem) =>
    from === FACTS_LABEL ? (isText ? 0 : 2) : from === META_LABEL ? 3 : 1;
  return items.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Takes the first of several values. If the value is a reference by `@id`, returns the item with this id. */
function resolveReference(value: unknown, { referenced }: Fit): unknown {
  const one = Array.isArray(value) ? value[0] : value;
  return isDataItem(one) && isReference(one) ? (referenced.get(one['@id']) ?? one) : one;
}

function fitNamed(name: string, schema: DataSchema, path: string, fitting: Fit): unknown {
  const best = chooseItem(schema, name, fitting);
  return best && tried(fitting, () => fitObject(best, schema, path, fitting));
}

function fitValue({ value, ...origin }: FitValue, schema: DataSchema, path: string, fitting: Fit): unknown {
  const type = resolveSchemaType(schema);
  if (type === 'array') return fitList({ value, ...origin }, schema, path, fitting);
  const one = resolveReference(value, fitting);
  if (type === 'object') {
    if (!isDataItem(one)) return undefined;
    return tried(fitting, () => fitObject({ thing: one, ...origin }, schema, path, fitting));
  }
  const scalar = coerceToScalar(one, schema, origin.language);
  if (scalar === undefined) return undefined;
  fitting.chars -= String(scalar).length;
  if (fitting.chars < 0) return undefined;
  const names = fitting.from.get(origin.from) ?? new Set();
  fitting.from.set(origin.from, names.add(path.split('.', 1)[0] ?? ''));
  return scalar;
}

function fitList(given: FitValue | undefined, schema: DataSchema, path: string, fitting: Fit): unknown {
  const items = schema.items ?? {};
  const isObjects = resolveSchemaType(items) === 'object';
  const source = given
    ? { ...given, values: listOf(given.value, isObjects) }
    : chooseItemList(items, path, fitting);
  if (!source) return undefined;
  const { from, language, values } = source;
  const lacking = new Map<string, number>();
  const list = quietly(fitting, () => {
    const fitted = values.slice(0, MAX_LIST_ITEMS).map((value) => {
      const item = fitValue({ value, from, language }, items, `${path}.`, fitting);
      if (isDataItem(item))
        for (const name of items.required ?? [])
          if (!Object.hasOwn(item, name)) lacking.set(name, (lacking.get(name) ?? 0) + 1);
      return item;
    });
    return fitted.filter((one) => one !== undefined);
  });
  for (const [name, count] of lacking)
    fitting.required.set(`${path}[].${name}`, `${path}[].${name} (in ${count} of ${list.length})`);
  return list.length > 0 ? list : undefined;
}

function quietly<T>(fitting: Fit, work: () => T): T {
  const [before, known] = [fitting.missing.length, new Set(fitting.required.keys())];
  const result = work();
  fitting.missing.length = before;
  for (const name of fitting.required.keys()) if (!known.has(name)) fitting.required.delete(name);
  return result;
}

function tried<T>(fitting: Fit, work: () => T | undefined): T | undefined {
  const before = fitting.missing.length;
  const result = work();
  if (result === undefined) fitting.missing.length = before;
  return result;
}

function listOf(value: unknown, isObjects: boolean): unknown[] {
  const list = Array.isArray(value) ? value : [value];
  const inner = list.flatMap((one) => {
    if (!isDataItem(one))
      return typeof one === 'string' && list.length === 1 && !isObjects
        ? one.split(one.includes(';') ? ';' : /[,\n]/)
        : [one];
    const elements = one.itemListElement;
    return elements === undefined ? [one] : Array.isArray(elements) ? elements : [elements];
  });
  return inner.map((one) => (isDataItem(one) && isDataItem(one.item) ? { ...one, ...one.item } : one));
}
