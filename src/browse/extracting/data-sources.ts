import { splitBlocks } from '../reducing/blocks.ts';
import { markdownToPlainText } from '../reducing/plain-text.ts';
import { createNameLookup, type PropertyNameLookup } from './data-names.ts';
import { collectNestedItems, groupItemsByPath } from './nested-items.ts';
import type { DataItem, DataPage } from './structured.ts';

export const JSON_LD_LABEL = 'JSON-LD';
export const MICRODATA_LABEL = 'microdata';
export const TABLE_LABEL = 'a table';
export const REPEATED_ELEMENTS_LABEL = 'repeated elements';
export const META_LABEL = 'meta';
export const FACTS_LABEL = 'the head of the answer';

export interface PageDataSource {
  readonly from: string;
  readonly things: readonly DataItem[];
  readonly language?: string | undefined;
  /** True if the items may fill only an array of the schema, not a single object. */
  readonly isList?: boolean;
  readonly isSingle?: boolean;
  readonly isWay?: boolean;
}

export type ValueOrigin = Pick<PageDataSource, 'from' | 'language'>;

export interface DataSources {
  readonly all: readonly PageDataSource[];
  readonly own: readonly PageDataSource[];
  readonly namesOf: PropertyNameLookup;
  /** Maps an `@id` to its JSON-LD item, because other items refer to this item only by `@id`. */
  readonly referenced: ReadonlyMap<unknown, DataItem>;
}

export function collectDataSources({ structured, markdown, facts, language }: DataPage): DataSources {
  const { linked = [], items = [], records = [], whole } = structured ?? {};
  const { meta = {}, pairs = {}, classed = {}, labelled = {} } = structured ?? {};
  const tables = whole === undefined ? parseTables(markdown) : [];
  const written = { language: language ?? 'en' };
  return {
    all: [
      ...(whole === undefined ? [] : fileSources(whole)),
      ...apart(JSON_LD_LABEL, linked),
      ...apart(MICRODATA_LABEL, items),
      ...tables.map((things) => ({ from: TABLE_LABEL, things, ...written })),
      ...records.map((things) => ({ from: REPEATED_ELEMENTS_LABEL, things, isList: true, ...written })),
    ],
    own: [
      {
        from: 'a list of names and values',
        things: [pairs, labelled, ...tables.flatMap(tableToPairs)],
        ...written,
      },
      { from: META_LABEL, things: [meta] },
      { from: FACTS_LABEL, things: [facts], ...written },
      { from: 'names of classes', things: [classed], ...written },
    ],
    namesOf: createNameLookup(),
    referenced: new Map(
      collectNestedItems(linked)
        .toReversed()
        .flatMap((one) => (typeof one['@id'] !== 'string' || isReference(one) ? [] : [[one['@id'], one]])),
    ),
  };
}

export function isReference(item: DataItem): boolean {
  const names = Object.keys(item);
  return names.includes('@id') && names.every((name) => name === '@id' || name === '@type');
}

/** Separates breadcrumbs from other items, because breadcrumbs name other pages. */
function apart(from: string, things: readonly DataItem[]): PageDataSource[] {
  const isWay = (thing: DataItem) => /Breadcrumb(?:List)?$/.test(String(thing['@type'] ?? ''));
  return [
    { from, things: collectNestedItems(things.filter((thing) => !isWay(thing))) },
    { from, things: collectNestedItems(things.filter(isWay)), isList: true, isWay: true },
  ];
}

function fileSources(whole: unknown): PageDataSource[] {
  const from = 'the file';
  return [
    { from, things: collectNestedItems([whole]), isSingle: true },
    ...groupItemsByPath(whole).map((things) => ({ from, things, isList: true })),
  ];
}

const MAX_TABLES = 30;
const MAX_ROWS = 1000;
const MAX_COLUMNS = 50;

function parseTables(markdown: string): DataItem[][] {
  const tables: { readonly names: readonly (readonly string[])[]; readonly rows: DataItem[] }[] = [];
  for (const { kind, text } of splitBlocks(markdown)) {
    if (kind === 'head' && tables.length < MAX_TABLES) {
      tables.push({ names: namesOf(cellsOf(text.split('\n', 1)[0] ?? '')), rows: [] });
    }
    const table = tables.at(-1);
    if (kind !== 'rows' || !table) continue;
    for (const line of text.split('\n')) {
      if (table.rows.length >= MAX_ROWS) break;
      const row = cellsOf(line).flatMap((cell, at) =>
        cell === '' ? [] : (table.names[at] ?? [`column ${at + 1}`]).map((name) => [name, cell] as const),
      );
      table.rows.push(Object.fromEntries(row) as DataItem);
    }
  }
  return tables.map(({ rows }) => rows);
}

/** Returns each column's names. `Size / Width (cm)` is also `Width (cm)` and `Width`, if these are unique. */
function namesOf(heads: readonly string[]): string[][] {
  const names = heads.map((head, at) => [head || `column ${at + 1}`]);
  // A table of two columns lists names and values, so its columns get no further names.
  if (heads.length < 3) return names;
  const short = heads.map((head) => {
    const last = head.slice(head.lastIndexOf(' / ') + 1).replace(/^\/ /, '');
    const bare = last.replace(/\s?[([][^()[\]]{0,40}[)\]]$/, '').trim();
    return [...new Set([last, bare])].filter((name) => name !== '' && name !== head);
  });
  const count = new Map<string, number>();
  for (const name of [...heads, ...short.flat()]) count.set(name, (count.get(name) ?? 0) + 1);
  return names.map((own, at) => [...own, ...(short[at] ?? []).filter((name) => count.get(name) === 1)]);
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner
    .split(/(?<!\\)\|/)
    .slice(0, MAX_COLUMNS)
    .map((cell) => markdownToPlainText(cell.replaceAll('\\|', '|')));
}

function tableToPairs(rows: readonly DataItem[]): DataItem[] {
  const pairs = rows.map((row) => Object.values(row)).filter((cells) => cells.length === 2);
  if (pairs.length < rows.length || rows.length === 0) return [];
  return [Object.fromEntries(pairs.map(([name, value]) => [String(name), value]))];
}
