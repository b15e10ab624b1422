import { findContradiction, readTextStatements, type TextStatements } from '../entries/contradiction.ts';
import type { FoundPassage } from '../store.ts';
import type { PassageMatch } from '../types.ts';
import WORDS from './change-words.json' with { type: 'json' };
import { dotProduct } from './smooth-by-neighbours.ts';

export interface OrderedPassage extends Pick<PassageMatch, 'replaces' | 'supersededBy' | 'ended'> {
  readonly one: FoundPassage;
  readonly score: number;
  readonly weak: boolean;
}

const [COMPARED, MAX_CHANGES] = [20, 4];
const MIN_LIKENESS = 0.55;
/** A text on the same as the first one has at least this share of its score, and is as short. */
const [SAME_PART, MAX_CHANGE_CHARS] = [0.5, 200];
/** Matches words such as `now` and `moved`, with which a text says that what was before holds no longer. */
const CHANGE = new RegExp(`(?<!\\p{L})(?:${WORDS.spaced.join('|')})(?!\\p{L})|${WORDS.unspaced}`, 'iu');

/** Matches a question about the latest of several like events, such as `when did I last change the filter`. */
const LAST_TIME =
  /(?<!\p{L})(?:last time|most recent|latest|newest|neueste[mnrs]?|(?:le|la) plus récente?|más reciente|più recente|mais recente|nieuwste|najnowsz\p{L}{1,3}|(?:did|have|has|was|were)(?: \S{1,30}){1,4} last(?= )|letzte[ns]? mal|zuletzt|dernière fois|última vez|ultima volta|laatste keer|voor het laatst|ostatni raz|ostatnio|последний раз|senast|sidste gang)|最後に|最新|最近一次|上次|上一次|最后一次/iu;

/** Puts the newest first among the leading passage and others that say as many of the question's words. */
export function raiseLatestEvent<T extends OrderedPassage>(
  candidates: readonly T[],
  question: string,
  findWords: (text: string) => ReadonlySet<string>,
): readonly T[] {
  const [best, ...others] = candidates.slice(0, COMPARED);
  if (!best || !LAST_TIME.test(question) || isOfFile(best)) return candidates;
  const asked = [...findWords(best.one.passage.text)];
  const says = ({ one }: T) => {
    const words = findWords(one.passage.text);
    return asked.every((word) => words.has(word));
  };
  const alike = [best, ...others.filter((one) => !isOfFile(one) && says(one))];
  const newest = alike.toSorted((a, b) => b.one.createdAt - a.one.createdAt);
  const places = new Map(alike.map((one, at) => [one, newest[at] ?? one]));
  return candidates.map((one) => {
    const { score, weak } = one;
    return { ...(places.get(one) ?? one), score, weak };
  });
}

/** Puts a newer text that says of the question's subject that it has changed before the leading, older text. */
export function raiseChange<T extends OrderedPassage>(
  candidates: readonly T[],
  findWords: (text: string) => ReadonlySet<string>,
  vectorOf: (place: number) => Float32Array | undefined,
): readonly T[] {
  const [first, ...others] = candidates.slice(0, MAX_CHANGES);
  if (!first || CHANGE.test(first.one.passage.text) || first.one.passage.text.length > MAX_CHANGE_CHARS)
    return candidates;
  const asked = findWords(first.one.passage.text);
  const newer = others.findLast(({ one, score }) => {
    const { text, page } = one.passage;
    if (page !== undefined || text.length > MAX_CHANGE_CHARS || score < first.score * SAME_PART) return false;
    const isSame = [...findWords(text)].some((word) => asked.has(word));
    if (!isSame || !isOlder(first.one, one) || !isOfOneSubject(first.one, one) || !CHANGE.test(text))
      return false;
    const [here, near] = [vectorOf(one.place), vectorOf(first.one.place)];
    if (!here || !near) return false;
    const likeness = dotProduct(here, near);
    const isNearer = (other: T) =>
      other.one !== one && dotProduct(here, vectorOf(other.one.place) ?? near) > likeness;
    return likeness >= MIN_LIKENESS && !candidates.slice(0, COMPARED).some(isNearer);
  });
  if (!newer) return candidates;
  const { score, weak } = first;
  return [{ ...newer, score, weak }, ...candidates.filter((one) => one !== newer)];
}

const isOfFile = ({ one }: OrderedPassage): boolean => one.passage.page !== undefined;

/** Moves a newer passage before the older passage that it contradicts, with the older passage's score. */
export function raiseNewerContradiction<T extends OrderedPassage>(candidates: readonly T[]): T[] {
  const order = [...candidates];
  const newest = findNewest(readLeading(order));
  if (newest.size === 0) return order;
  const replaced = new Map<string, string[]>();
  for (const [{ passage }, newer] of newest) {
    replaced.set(newer.passage.of, [...(replaced.get(newer.passage.of) ?? []), passage.of]);
    const to = order.findIndex(({ one }) => one.passage === passage);
    const from = order.findIndex(({ one }) => one === newer);
    const [older, moved] = [order[to], order[from]];
    if (!older || !moved || from <= to) continue;
    order.splice(from, 1);
    order.splice(to, 0, { ...moved, score: older.score, weak: older.weak });
  }
  return order.map((one) => withMarks(one, replaced, newest));
}

function findNewest(read: ReadonlyMap<FoundPassage, TextStatements>): Map<FoundPassage, FoundPassage> {
  const newest = new Map<FoundPassage, FoundPassage>();
  for (const [older, before] of read) {
    for (const [newer, after] of read) {
      const known = newest.get(older);
      const isLater = isOlder(older, newer) && (!known || isOlder(known, newer));
      if (isLater && isOfOneSubject(older, newer) && findContradiction(before, after))
        newest.set(older, newer);
    }
  }
  return newest;
}

function withMarks<T extends OrderedPassage>(
  candidate: T,
  replaced: ReadonlyMap<string, readonly string[]>,
  newest: ReadonlyMap<FoundPassage, FoundPassage>,
): T {
  const { one } = candidate;
  const [replaces, supersededBy] = [replaced.get(one.passage.of), newest.get(one)?.passage.of];
  return { ...candidate, ...(replaces && { replaces }), ...(supersededBy !== undefined && { supersededBy }) };
}

function readLeading(order: readonly OrderedPassage[]): Map<FoundPassage, TextStatements> {
  const read = new Map<FoundPassage, TextStatements>();
  for (const { one } of order.slice(0, COMPARED)) {
    // Skips pages of files: a file describes its own time, so a newer text does not contradict it.
    if (one.passage.page !== undefined) continue;
    const text = readTextStatements(one.passage.text);
    if (text) read.set(one, text);
  }
  return read;
}

/** Returns true if `a` is older. If creation time and passage number disagree, the time of change decides. */
function isOlder(a: FoundPassage, b: FoundPassage): boolean {
  if (a.passage.of === b.passage.of) return false;
  const isEarlier = a.createdAt < b.createdAt;
  return isEarlier === a.place < b.place ? isEarlier : a.updatedAt < b.updatedAt;
}

function isOfOneSubject(a: FoundPassage, b: FoundPassage): boolean {
  return a.collection === b.collection && titleOf(a) === titleOf(b);
}

function titleOf({ passage: { title, text } }: FoundPassage): string {
  return text.startsWith(title) ? '' : title;
}
