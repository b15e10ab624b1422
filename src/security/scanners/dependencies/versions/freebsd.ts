import { compareEach } from './compare-each.ts';

/** A version of FreeBSD's pkg: `<version>[_<revision>][,<epoch>]`. Source: pkg-version(8) and the Porter's Handbook. */
type FreebsdVersion = NonNullable<ReturnType<typeof parseFreebsd>>;
type FreebsdComponent = readonly [number: number, letter: number, patch: number];

const VERSION = /^([\w.:*+-]+?)(?:_(\d{1,9}))?(?:,(\d{1,9}))?$/;
/** Words, and the letters like which they sort: `alpha` sorts like `a`. `pl` sorts before all letters. */
const STAGES: ReadonlyMap<string, number> = new Map([
  ['pl', 0],
  ['alpha', letterOf('a')],
  ['beta', letterOf('b')],
  ['pre', letterOf('p')],
  ['rc', letterOf('r')],
]);
const [LEAST, NO_NUMBER] = [-2, -1];
const NOTHING: FreebsdComponent = [0, 0, 0];

export function parseFreebsd(text: string) {
  const [, version, revision = '0', epoch = '0'] = VERSION.exec(text.trim()) ?? [];
  if (version === undefined || !/^[\d*]/.test(version)) return undefined;
  return {
    epoch: Number(epoch),
    parts: version.toLowerCase().split('+').map(componentsOf),
    revision: Number(revision),
  };
}

function componentsOf(text: string): FreebsdComponent[] {
  const found: FreebsdComponent[] = [];
  for (const [, star, number = '', word = '', patch = ''] of text.matchAll(
    /(\*)|(?=[\da-z])(\d{0,15})([a-z]{0,50})(\d{0,15})/g,
  )) {
    if (star !== undefined) return [...found, [LEAST, 0, 0]];
    const stage = word.length > 1 ? STAGES.get(word) : undefined;
    const level = patch === '' ? -1 : Number(patch);
    if (number !== '' && (word === '' || stage !== undefined)) found.push([Number(number), 0, 0]);
    if (word === '') continue;
    if (stage !== undefined) found.push([NO_NUMBER, stage, level]);
    else found.push([number === '' ? NO_NUMBER : Number(number), letterOf(word), level]);
  }
  return found;
}

function letterOf(word: string): number {
  return word.charCodeAt(0) - 'a'.charCodeAt(0) + 1;
}

export function compareFreebsd(a: FreebsdVersion, b: FreebsdVersion): number {
  const parts = compareEach(a.parts, b.parts, (left = [], right = []) => compareComponents(left, right));
  return a.epoch - b.epoch || parts || a.revision - b.revision;
}

function compareComponents(a: readonly FreebsdComponent[], b: readonly FreebsdComponent[]): number {
  return compareEach(
    a,
    b,
    (left = NOTHING, right = NOTHING) => left[0] - right[0] || left[1] - right[1] || left[2] - right[2],
  );
}
