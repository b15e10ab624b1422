import { compareEach, compareValues } from './compare-each.ts';
import words from './version-words.json' with { type: 'json' };

/** A Maven version: numbers and words in nested lists. Source: "Version Order Specification" in Maven's manual. */
type MavenItem = bigint | string | readonly MavenItem[];

/** Known words in versions, oldest first. '' is a release. Unknown words are newer, in alphabetical order. */
const QUALIFIERS = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const RELEASE = '5';
const SAME: ReadonlyMap<string, string> = new Map(Object.entries(words.mavenSame));
const SHORT: ReadonlyMap<string, string> = new Map(Object.entries(words.mavenShort));

export function parseMaven(version: string): MavenItem | undefined {
  const text = version.toLowerCase();
  const root: MavenItem[] = [];
  const lists = [root];
  let list = root;
  let start = 0;
  let digits = false;
  const put = (end: number, beforeDigit: boolean) => {
    const piece = text.slice(start, end);
    if (digits) list.push(BigInt(piece));
    else list.push(word(piece, beforeDigit));
  };
  const deeper = () => {
    const inner: MavenItem[] = [];
    list.push(inner);
    lists.push(inner);
    list = inner;
  };
  /** Starts a nested list for a word after a dot. Maven treats `1.0.rc1` like `1.0-rc1`. */
  const setApart = () => {
    if (!digits && list.length > 0) deeper();
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    const isDigit = letter >= '0' && letter <= '9';
    if (letter === '.' || letter === '-' || letter === '_') {
      if (at === start) list.push(0n);
      else put(at, false);
      start = at + 1;
      if (letter === '-') deeper();
    } else if (isDigit !== digits) {
      if (at > start) {
        setApart();
        put(at, isDigit);
        start = at;
        deeper();
      }
      digits = isDigit;
    }
  }
  setApart();
  put(text.length, false);
  for (const one of lists) trim(one);
  return root;
}

function word(piece: string, beforeDigit: boolean): string {
  const whole = beforeDigit ? (SHORT.get(piece) ?? piece) : piece;
  return SAME.get(whole) ?? whole;
}

function trim(list: MavenItem[]): void {
  for (let at = list.length - 1; at >= 0; at--) {
    const item = list[at];
    if (item === 0n || item === '') list.splice(at, 1);
    else if (!Array.isArray(item)) break;
  }
}

export function compareMaven(a: MavenItem | undefined, b: MavenItem | undefined): number {
  if (a === undefined) return -compareMaven(b, undefined);
  if (typeof a === 'bigint') return typeof b === 'bigint' ? compareValues(a, b) : 1;
  if (typeof a === 'string') return compareWord(a, b);
  if (typeof b === 'bigint') return -1;
  if (typeof b === 'string') return 1;
  return compareEach(a, b ?? [], compareMaven);
}

function compareWord(a: string, b: MavenItem | undefined): number {
  if (b === undefined) return compareValues(rank(a), RELEASE);
  return typeof b === 'string' ? compareValues(rank(a), rank(b)) : -1;
}

function rank(qualifier: string): string {
  const at = QUALIFIERS.indexOf(qualifier);
  return at < 0 ? `${QUALIFIERS.length}-${qualifier}` : String(at);
}
