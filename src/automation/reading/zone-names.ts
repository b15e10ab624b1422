import { readFileSync } from 'node:fs';

const TABLES: Readonly<Record<'names' | 'pairs', Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(new URL('./zone-names.json', import.meta.url), 'utf8'),
);
const NAMES = TABLES.names;
const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([zone, names]) =>
    names.split(' ').map((name): [string, string] => [name, zone]),
  ),
);
const PAIRS = TABLES.pairs;
/** Abbreviations that always mean a time zone after a time. */
const PLAIN = new Set(
  'utc gmt cet cest mez mesz bst msk мск est edt cst cdt mst mdt pst pdt jst sgt kst aest aedt brt'.split(
    ' ',
  ),
);

export function zoneNamed(words: string): string | undefined {
  const name = words.toLowerCase();
  return PAIRS[name] ?? BY_NAME.get(name);
}

/** True for an abbreviation that means a time zone even without a word like `time` beside it. */
export function isZoneAbbreviation(word: string): boolean {
  return PLAIN.has(word.toLowerCase());
}
