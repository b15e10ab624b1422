import names from './zone-names.json' with { type: 'json' };

const NAMES: Readonly<Record<string, string>> = names;
const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([zone, names]) =>
    names.split(' ').map((name): [string, string] => [name, zone]),
  ),
);
const PAIRS: Readonly<Record<string, string>> = {
  'new york': 'America/New_York',
  'nueva york': 'America/New_York',
  'nova york': 'America/New_York',
  'los angeles': 'America/Los_Angeles',
  'san francisco': 'America/Los_Angeles',
  'são paulo': 'America/Sao_Paulo',
  'sao paulo': 'America/Sao_Paulo',
  'hong kong': 'Asia/Hong_Kong',
  'buenos aires': 'America/Argentina/Buenos_Aires',
  'mexico city': 'America/Mexico_City',
};
const PLAIN = new Set(
  'utc gmt cet cest mez mesz bst msk мск est edt cst cdt mst mdt pst pdt jst sgt kst aest aedt brt'.split(
    ' ',
  ),
);

export function findTimeZone(words: string): string | undefined {
  const name = words.toLowerCase();
  return PAIRS[name] ?? BY_NAME.get(name);
}

export function isZoneAbbreviation(word: string): boolean {
  return PLAIN.has(word.toLowerCase());
}
