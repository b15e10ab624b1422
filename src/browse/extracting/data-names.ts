import { mapWordsToKeys } from '../../lib/text/word-table.ts';
import names from './data-names.json' with { type: 'json' };
import type { DataItem } from './structured.ts';

/** Maps a property name to the schema.org paths and `<meta>` names that can hold its value. */
const SYNONYMS: Readonly<Record<string, string>> = names.paths;

const SAME = mapWordsToKeys(names.otherNames);

export function normalizePropertyName(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Lists paths to a property, such as `offers.price` for `price`, best first. Names are normalized. */
export function listPropertyPaths(name: string): string[][] {
  const own = normalizePropertyName(name);
  const meant = SAME.get(own) ?? own;
  const synonyms = Object.hasOwn(SYNONYMS, meant) ? (SYNONYMS[meant] ?? '').split(' ') : [];
  const paths = [own, meant, ...synonyms, ...otherNumber(own)].map((path) =>
    path.split('.').map(normalizePropertyName),
  );
  return paths.filter((path) => path.every((part) => part !== ''));
}

function otherNumber(own: string): string[] {
  if (own.length <= 3 || !own.endsWith('s')) return [`${own}s`, own.replace(/y$/, 'ies')];
  return own.endsWith('ies') ? [own.slice(0, -1), `${own.slice(0, -3)}y`] : [own.slice(0, -1)];
}

export function getValueAtPath(
  thing: DataItem,
  path: readonly string[],
  namesOf: PropertyNameLookup,
): unknown {
  let at: unknown = thing;
  for (const part of path) {
    const one = Array.isArray(at) ? at[0] : at;
    if (typeof one !== 'object' || one === null) return undefined;
    const key = namesOf(one as DataItem).get(part);
    at = key === undefined ? undefined : (one as DataItem)[key];
  }
  return at;
}

export type PropertyNameLookup = (thing: DataItem) => ReadonlyMap<string, string>;

export function createNameLookup(): PropertyNameLookup {
  const known = new WeakMap<DataItem, ReadonlyMap<string, string>>();
  return (thing) => {
    let names = known.get(thing);
    if (!names) {
      const found = new Map<string, string>();
      for (const key of Object.keys(thing)) {
        const own = normalizePropertyName(key);
        if (!key.startsWith('@') && !found.has(own)) found.set(own, key);
      }
      names = found;
      known.set(thing, names);
    }
    return names;
  };
}
