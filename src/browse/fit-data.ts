import { splitBlocks } from './blocks.ts';
import { scalarOf, typeOf } from './coerce.ts';
import { createNames, folded, type NamesOf, pathsOf, valueAt } from './data-names.ts';
import { plainText } from './plain-text.ts';
import type { DataSchema, FittedData, Structured, Thing } from './structured.ts';

/**
 * What a page has of what a schema asks for, by names: from JSON-LD, microdata and RDFa, names in <meta>, and tables and lists of
 * names with values. One thing answers for one object, the one that has most of it; only what the page says of itself fills
 * what that lacks, since a page has prices of other things too.
 */

/** Things that are compared, items of a list, and names that are missing and named. */
const MAX_THINGS = 2000;
const MAX_ITEMS = 1000;
const MAX_MISSING = 50;
/** Tables of a page, their rows and columns. */
const MAX_TABLES = 30;
const MAX_ROWS = 1000;
const MAX_COLUMNS = 50;

const TABLE = 'a table';

interface Source {
  readonly from: string;
  readonly things: readonly Thing[];
}

interface Fitting {
  readonly sources: readonly Source[];
  /** What the page says of itself: <meta>, and its pairs. */
  readonly own: readonly Source[];
  readonly namesOf: NamesOf;
  readonly missing: string[];
  readonly from: Set<string>;
  chars: number;
}

export function fitData(
  structured: Structured | undefined,
  markdown: string,
  schema: DataSchema,
  mostChars: number,
): FittedData {
  const { linked = [], items = [], meta = {}, pairs = {} } = structured ?? {};
  const tables = tablesOf(markdown);
  const fitting: Fitting = {
    sources: [
      { from: 'JSON-LD', things: withInner(linked) },
      { from: 'microdata', things: withInner(items) },
      ...tables.map((things) => ({ from: TABLE, things })),
    ],
    own: [
      { from: 'a list of names and values', things: [pairs, ...tables.flatMap(pairsOf)] },
      { from: 'meta', things: [meta] },
    ],
    namesOf: createNames(),
    missing: [],
    from: new Set(),
    chars: mostChars,
  };
  const data =
    typeOf(schema) === 'array'
      ? fitList(undefined, schema, '', fitting)
      : fitObject(bestThing(schema, '', fitting), schema, '', fitting);
  return {
    ...(data !== undefined && { data }),
    missing: fitting.missing.slice(0, MAX_MISSING),
    from: [...fitting.from],
  };
}

interface Found {
  readonly thing: Thing;
  readonly from: string;
}

/** An object by the schema from one thing; at the top the page's own facts fill what it lacks. */
function fitObject(
  found: Found | undefined,
  schema: DataSchema,
  path: string,
  fitting: Fitting,
): Thing | undefined {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const value = fitMember(found, name, inner, at, fitting);
    if (value === undefined) fitting.missing.push(at);
    return value === undefined ? [] : [[name, value] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function fitMember(
  found: Found | undefined,
  name: string,
  schema: DataSchema,
  path: string,
  fitting: Fitting,
): unknown {
  const type = typeOf(schema);
  const isTop = !path.includes('.');
  const own = isTop
    ? fitting.own.flatMap(({ from, things }) => things.map((thing) => ({ thing, from })))
    : [];
  for (const { thing, from } of [...(found ? [found] : []), ...own]) {
    for (const value of valuesOf(thing, name, fitting.namesOf)) {
      const fitted = fitValue({ value, from }, schema, path, fitting);
      if (fitted !== undefined) return fitted;
    }
  }
  if (!isTop || (type !== 'object' && type !== 'array')) return undefined;
  return type === 'array' ? fitList(undefined, schema, path, fitting) : fitNamed(name, schema, path, fitting);
}

/** An object of another thing of the page: one of that type, or the one that has most of it. */
function fitNamed(name: string, schema: DataSchema, path: string, fitting: Fitting): unknown {
  const best = bestThing(schema, name, fitting);
  return best && tried(fitting, () => fitObject(best, schema, path, fitting));
}

function fitValue(
  { value, from }: { readonly value: unknown; readonly from: string },
  schema: DataSchema,
  path: string,
  fitting: Fitting,
): unknown {
  const type = typeOf(schema);
  if (type === 'array') return fitList({ value, from }, schema, path, fitting);
  if (type === 'object') {
    const one = Array.isArray(value) ? value[0] : value;
    if (!isThing(one)) return undefined;
    return tried(fitting, () => fitObject({ thing: one, from }, schema, path, fitting));
  }
  const scalar = scalarOf(value, schema);
  if (scalar === undefined) return undefined;
  fitting.chars -= typeof scalar === 'string' ? scalar.length + 1 : 1;
  if (fitting.chars < 0) return undefined;
  fitting.from.add(from);
  return scalar;
}

/** A list: of what stands there, or else of the things of the page that fit its items. */
function fitList(
  given: { readonly value: unknown; readonly from: string } | undefined,
  schema: DataSchema,
  path: string,
  fitting: Fitting,
): unknown {
  const items = schema.items ?? {};
  const isObjects = typeOf(items) === 'object';
  const source = given
    ? { from: given.from, values: listOf(given.value, isObjects) }
    : bestList(items, fitting);
  if (!source) return undefined;
  const list = quietly(fitting, () => {
    const fitted = source.values
      .slice(0, MAX_ITEMS)
      .map((value) => fitValue({ value, from: source.from }, items, `${path}.`, fitting));
    return fitted.filter((one) => one !== undefined);
  });
  return list.length > 0 ? list : undefined;
}

/** What single items lack is not named: a list has what it has. */
function quietly<T>(fitting: Fitting, work: () => T): T {
  const before = fitting.missing.length;
  const result = work();
  fitting.missing.length = before;
  return result;
}

/** What an object lacks is named where it has anything at all. */
function tried<T>(fitting: Fitting, work: () => T | undefined): T | undefined {
  const before = fitting.missing.length;
  const result = work();
  if (result === undefined) fitting.missing.length = before;
  return result;
}

/** A value as a list: the elements of an ItemList are its items, and words between commas are some. */
function listOf(value: unknown, isObjects: boolean): unknown[] {
  const list = Array.isArray(value) ? value : [value];
  const inner = list.flatMap((one) => {
    if (!isThing(one))
      return typeof one === 'string' && list.length === 1 && !isObjects ? one.split(/[,;\n]/) : [one];
    const elements = one.itemListElement;
    return elements === undefined ? [one] : Array.isArray(elements) ? elements : [elements];
  });
  return inner.map((one) => (isThing(one) && isThing(one.item) ? { ...one, ...one.item } : one));
}

/** The thing with most of what the schema asks for, or one that is called so; the first of several. */
function bestThing(schema: DataSchema, name: string, fitting: Fitting): Found | undefined {
  let best: (Found & { readonly score: number }) | undefined;
  for (const { from, things } of fitting.sources) {
    for (const thing of things) {
      // Rows of two cells are names with values, whatever the first of them is.
      if (from === TABLE && Object.keys(thing).length < 3) continue;
      const score =
        scoreOf(thing, schema, fitting.namesOf) + (name !== '' && isOfType(thing, name) ? 100 : 0);
      if (score > (best?.score ?? 0)) best = { thing, from, score };
    }
  }
  return best;
}

/** The things of one kind that have most of what the items need: at least half of it. */
function bestList(items: DataSchema, { sources, namesOf }: Fitting) {
  const wanted = Object.keys(items.properties ?? {}).length;
  if (wanted === 0) return undefined;
  let best: { readonly from: string; readonly values: Thing[]; readonly score: number } | undefined;
  for (const { from, things } of sources) {
    for (const group of Map.groupBy(things, (thing) => String(thing['@type'] ?? '')).values()) {
      const fit = group.map((thing) => ({ thing, score: scoreOf(thing, items, namesOf) }));
      const good = fit.filter(({ score }) => score * 2 >= wanted);
      const score = Math.max(0, ...good.map((one) => one.score)) * 1000 + Math.min(good.length, 999);
      if (good.length > 0 && score > (best?.score ?? 0))
        best = { from, values: good.map(({ thing }) => thing), score };
    }
  }
  return best;
}

/** How many of the schema's properties a thing has. */
function scoreOf(thing: Thing, { properties = {} }: DataSchema, namesOf: NamesOf): number {
  return Object.keys(properties).filter((name) => valuesOf(thing, name, namesOf).length > 0).length;
}

function valuesOf(thing: Thing, name: string, namesOf: NamesOf): unknown[] {
  return pathsOf(name)
    .map((path) => valueAt(thing, path, namesOf))
    .filter((value) => value !== undefined);
}

function isOfType(thing: Thing, name: string): boolean {
  const types = Array.isArray(thing['@type']) ? thing['@type'] : [thing['@type']];
  return types.some(
    (type) => typeof type === 'string' && folded(type.replace(/^.*[/#:]/, '')) === folded(name),
  );
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Things, and those in them. */
function withInner(things: readonly Thing[]): Thing[] {
  const all: Thing[] = [];
  const waiting: unknown[] = [...things];
  for (let at = 0; at < waiting.length && all.length < MAX_THINGS; at++) {
    const one = waiting[at];
    if (isThing(one)) all.push(one);
    if (typeof one === 'object' && one !== null) {
      for (const inner of Object.values(one).slice(0, MAX_ITEMS)) {
        if (typeof inner === 'object' && waiting.length < 4 * MAX_THINGS) waiting.push(inner);
      }
    }
  }
  return all;
}

/** The rows of a page's tables as things with the names of their columns. */
function tablesOf(markdown: string): Thing[][] {
  const tables: { readonly head: readonly string[]; readonly rows: Thing[] }[] = [];
  for (const { kind, text } of splitBlocks(markdown)) {
    if (kind === 'head' && tables.length < MAX_TABLES) {
      tables.push({ head: cellsOf(text.split('\n', 1)[0] ?? ''), rows: [] });
    }
    const table = tables.at(-1);
    if (kind !== 'rows' || !table) continue;
    for (const line of text.split('\n')) {
      if (table.rows.length >= MAX_ROWS) break;
      const cells = cellsOf(line);
      const row = cells.flatMap((cell, at) =>
        cell === '' ? [] : [[table.head[at] || `column ${at + 1}`, cell]],
      );
      table.rows.push(Object.fromEntries(row) as Thing);
    }
  }
  return tables.map(({ rows }) => rows);
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner
    .split(/(?<!\\)\|/)
    .slice(0, MAX_COLUMNS)
    .map((cell) => plainText(cell.replaceAll('\\|', '|')));
}

/** A table of two columns says a value for each name. */
function pairsOf(rows: readonly Thing[]): Thing[] {
  const pairs = rows.map((row) => Object.values(row)).filter((cells) => cells.length === 2);
  if (pairs.length < rows.length || rows.length === 0) return [];
  return [Object.fromEntries(pairs.map(([name, value]) => [String(name), value]))];
}
