import { createNames, type NamesOf } from './data-names.ts';
import type { DataPage, Thing } from './structured.ts';
import { pairsOf, tablesOf } from './table-things.ts';
import { byPath, withInner } from './things.ts';


export const LINKED = 'JSON-LD';
export const MICRODATA = 'microdata';
export const TABLE = 'a table';
export const RECORDS = 'repeated elements';

export interface Source {
  readonly from: string;
  readonly things: readonly Thing[];
  /** Language of the values, only set for text that is written for people. */
  readonly language?: string | undefined;
  /** Set if the source is a list of items of one type, none of which is taken alone. */
  readonly isList?: boolean;
  /** Set for items that are only compared one by one; their lists are separate sources. */
  readonly isSingle?: boolean;
  readonly isWay?: boolean;
}

export type Origin = Pick<Source, 'from' | 'language'>;

export interface Sources {
  readonly all: readonly Source[];
  readonly own: readonly Source[];
  readonly namesOf: NamesOf;
}

export function sourcesOf({ structured, markdown, facts, language }: DataPage): Sources {
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
  const tables = whole === undefined ? tablesOf(markdown) : [];
  // Text for people is parsed by the conventions of its language; English is assumed if the page names none.
  const written = { language: language ?? 'en' };
  return {
    all: [
      ...(whole === undefined ? [] : fileSources(whole)),
      ...apart(LINKED, linked),
      ...apart(MICRODATA, items),
      ...tables.map((things) => ({ from: TABLE, things, ...written })),
      ...records.map((things) => ({ from: RECORDS, things, isList: true, ...written })),
    ],
    own: [
      {
        from: 'a list of names and values',
        things: [pairs, labelled, ...tables.flatMap(pairsOf)],
        ...written,
      },
      { from: 'meta', things: [meta] },
      { from: 'the head of the answer', things: [facts], ...written },
      { from: 'names of classes', things: [classed], ...written },
    ],
    namesOf: createNames(),
  };
}

/** Separates breadcrumbs from the page's own items: their names belong to other pages. */
function apart(from: string, things: readonly Thing[]): Source[] {
  const isWay = (thing: Thing) => /Breadcrumb(?:List)?$/.test(String(thing['@type'] ?? ''));
  return [
    { from, things: withInner(things.filter((thing) => !isWay(thing))) },
    { from, things: withInner(things.filter(isWay)), isList: true, isWay: true },
  ];
}

function fileSources(whole: unknown): Source[] {
  const from = 'the file';
  return [
    { from, things: withInner([whole]), isSingle: true },
    ...byPath(whole).map((things) => ({ from, things, isList: true })),
  ];
}
