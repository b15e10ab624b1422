import cities from './city-zones.json' with { type: 'json' };
import names from './zone-names.json' with { type: 'json' };

const NAMES: Readonly<Record<string, string>> = names;
const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([zone, names]) =>
    names.split(' ').map((name): [string, string] => [name, zone]),
  ),
);
const PAIRS: Readonly<Record<string, string>> = cities;
const PLAIN = new Set(
  'utc gmt cet cest mez mesz bst msk мск est edt cst cdt mst mdt pst pdt jst sgt kst aest aedt brt'.split(
    ' ',
  ),
);

export function findTimeZone(words: string): string | undefined {
  const name = words.toLowerCase();
  return PAIRS[name] ?? BY_NAME.get(name);
}

export const isZoneAbbreviation = (word: string): boolean => PLAIN.has(word.toLowerCase());
