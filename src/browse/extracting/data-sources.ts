import { createNameLookup, type PropertyNameLookup } from './data-names.ts';
import { collectNestedItems, groupItemsByPath } from './nested-items.ts';
import type { DataItem, DataPage } from './structured.ts';
import { parseTables, tableToPairs } from './table-items.ts';

export const JSON_LD_LABEL = 'JSON-LD';
export const MICRODATA_LABEL = 'microdata';
export const TABLE_LABEL = 'a table';
export const REPEATED_ELEMENTS_LABEL = 'repeated elements';

export interface DataSource {
  readonly from: string;
  readonly things: readonly DataItem[];
  readonly language?: string | undefined;
  /** The list can fill an array of the schema, but its items cannot fill an object. */
  readonly isList?: boolean;
  /** The items can fill an object of the schema, but not an array. Lists of such items are separate sources. */
  readonly isSingle?: boolean;
  readonly isWay?: boolean;
}

export type ValueOrigin = Pick<DataSource, 'from' | 'language'>;

export interface DataSources {
  readonly all: readonly DataSource[];
  readonly own: readonly DataSource[];
  readonly namesOf: PropertyNameLookup;
}

export function collectDataSources({ structured, markdown, facts, language }: DataPage): DataSources {
  const {
    linked = [],
    items = [],
    meta = {},
    pairs = {},
    whole,
    records = [],
    classed = {},
    labelled = {},
  } = structured ?? {};
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
      { from: 'meta', things: [meta] },
      { from: 'the head of the answer', things: [facts], ...written },
      { from: 'names of classes', things: [classed], ...written },
    ],
    namesOf: createNameLookup(),
  };
}

/** Names in breadcrumbs belong to other pages, so they are a separate source. */
function apart(from: string, things: readonly DataItem[]): DataSource[] {
  const isWay = (thing: DataItem) => /Breadcrumb(?:List)?$/.test(String(thing['@type'] ?? ''));
  return [
    { from, things: collectNestedItems(things.filter((thing) => !isWay(thing))) },
    { from, things: collectNestedItems(things.filter(isWay)), isList: true, isWay: true },
  ];
}

function fileSources(whole: unknown): DataSource[] {
  const from = 'the file';
  return [
    { from, things: collectNestedItems([whole]), isSingle: true },
    ...groupItemsByPath(whole).map((things) => ({ from, things, isList: true })),
  ];
}
