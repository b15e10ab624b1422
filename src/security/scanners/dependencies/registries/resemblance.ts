import { editDistance } from '../../../../lib/text/edit-distance.ts';
import { foldLetters } from '../../../../lib/text/fold-letters.ts';
import { normalisePackageName } from '../advisories/advisory.ts';
import { type Ecosystem, familyOf } from '../ecosystem.ts';
import written from './famous-names.json' with { type: 'json' };
import looks from './look-alikes.json' with { type: 'json' };

export type NameResemblance = NonNullable<ReturnType<typeof findResemblance>>;

interface FamousNames {
  readonly names: ReadonlySet<string>;
  readonly honest: ReadonlySet<string>;
  /** Scopes and vendors of famous packages, such as `@babel`. Only the owner of a scope can publish in it. */
  readonly owners: ReadonlySet<string>;
  readonly bySkeleton: ReadonlyMap<string, string>;
  /** Famous names by each form with at most one letter removed: `lodash`, `odash`, `ldash` and so on. */
  readonly byShortened: ReadonlyMap<string, readonly string[]>;
}

/** Minimum lengths to compare simplified names and edited names. Short names often look alike by chance. */
const [MIN_SKELETON_LENGTH, MIN_EDITED_LENGTH] = [4, 6];
const MAX_NAME_LENGTH = 100;
const LETTERS: ReadonlyMap<string, string> = new Map(Object.entries(looks.letters));
const AFFIX = new RegExp(
  `^(?:${looks.prefixes.join('|')})[-_.]?|[-_.]?(?:${looks.suffixes.join('|')})$`,
  'g',
);
const famousByFamily = new Map<string, FamousNames>();

/** `isWeak`: the difference is one that many legitimate names have, such as a plural. It is not reported alone. */
export function findResemblance(ecosystem: Ecosystem, stated: string) {
  const known = famousNamesOf(ecosystem);
  if (!known || stated.length > MAX_NAME_LENGTH) return undefined;
  const name = normalisePackageName(ecosystem, stated);
  if (known.names.has(name) || known.honest.has(name) || known.owners.has(ownerOf(name))) return undefined;
  const skeleton = skeletonOf(name);
  const alike = skeleton.length >= MIN_SKELETON_LENGTH ? known.bySkeleton.get(skeleton) : undefined;
  if (alike !== undefined) return { famous: alike, isWeak: false };
  const near = nearestOf(name, known);
  if (near !== undefined) return { famous: near, isWeak: isHonestVariant(name, near) };
  const bare = name.replace(AFFIX, '');
  return bare !== name && bare.length >= MIN_SKELETON_LENGTH && known.names.has(bare)
    ? { famous: bare, isWeak: true }
    : undefined;
}

export const isFamousName = (ecosystem: Ecosystem, name: string): boolean =>
  famousNamesOf(ecosystem)?.names.has(normalisePackageName(ecosystem, name)) === true;

function famousNamesOf(ecosystem: Ecosystem): FamousNames | undefined {
  const family = familyOf(ecosystem);
  const list = (written as Readonly<Record<string, readonly string[]>>)[family];
  if (!list) return undefined;
  const known = famousByFamily.get(family) ?? indexNames(ecosystem, list);
  famousByFamily.set(family, known);
  return known;
}

function indexNames(ecosystem: Ecosystem, list: readonly string[]): FamousNames {
  const namesIn = (lines: readonly string[]) =>
    lines.flatMap((line) => line.split(' ')).map((name) => normalisePackageName(ecosystem, name));
  const all = namesIn(list);
  const honest = (looks.honest as Readonly<Record<string, readonly string[]>>)[familyOf(ecosystem)] ?? [];
  const byShortened = new Map<string, string[]>();
  for (const name of all.filter(({ length }) => length >= MIN_EDITED_LENGTH))
    for (const key of shortenedForms(name)) byShortened.set(key, [...(byShortened.get(key) ?? []), name]);
  return {
    names: new Set(all),
    honest: new Set(namesIn(honest)),
    owners: new Set(all.map(ownerOf).filter((owner) => owner !== '')),
    bySkeleton: new Map(all.map((name) => [skeletonOf(name), name])),
    byShortened,
  };
}

/** Returns the owner in a name, such as `@babel` or `github.com/gorilla`. Returns '' if there is none. */
const ownerOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')));

/** Removes separators and doubled letters, and unifies look-alike letters. Similar names become equal. */
function skeletonOf(name: string): string {
  const letters = [...foldLetters(name.normalize('NFKC'))].map((one) => LETTERS.get(one) ?? one).join('');
  return letters
    .replace(/[-_./@\p{Cf}]/gu, '')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/([a-z])\1+/g, '$1');
}

function shortenedForms(name: string): string[] {
  return [name, ...Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1))];
}

function nearestOf(name: string, { byShortened }: FamousNames): string | undefined {
  if (name.length < MIN_EDITED_LENGTH) return undefined;
  for (const key of shortenedForms(name)) {
    const near = byShortened.get(key)?.find((famous) => editDistance(famous, name) === 1);
    if (near !== undefined) return near;
  }
  return undefined;
}

function isHonestVariant(name: string, famous: string): boolean {
  const [short = '', long = ''] = [name, famous].sort((a, b) => a.length - b.length);
  const withoutDigits = (text: string) => text.replace(/\d/g, '');
  return (
    withoutDigits(name) === withoutDigits(famous) || (long.length > short.length && long === `${short}s`)
  );
}
