import { createNames, type NamesOf } from './data-names.ts';
import type { DataPage, Thing } from './structured.ts';
import { pairsOf, tablesOf } from './table-things.ts';
import { byPath, withInner } from './things.ts';

/** Where a page's data stands, the surest first. */

export const LINKED = 'JSON-LD';
export const MICRODATA = 'microdata';
export const TABLE = 'a table';
export const RECORDS = 'repeated elements';

export interface Source {
  readonly from: string;
  readonly things: readonly Thing[];
  /** Of what is written for people. */
  readonly language?: string | undefined;
  /** One list of things of one kind, and no single thing that may be meant. */
  readonly isList?: boolean;
  /** Things that are compared one by one, whose lists are other sources. */
  readonly isSingle?: boolean;
  /** Breadcrumbs. */
  readonly isWay?: boolean;
}

/** Where a value is from. */
export type Origin = Pick<Source, 'from' | 'language'>;

export interface Sources {
  readonly all: readonly Source[];
  /** What the page says of itself. */
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
  // What people write is read as they do, also where the page does not say its language.
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

/** Breadcrumbs stand apart from the things that a page is about: their names are of other pages. */
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
