import { findContradiction, readTextStatements, type TextStatements } from '../entries/contradiction.ts';
import type { FoundPassage } from '../store.ts';
import type { PassageMatch } from '../types.ts';

export interface OrderedPassage extends Pick<PassageMatch, 'replaces' | 'supersededBy' | 'ended'> {
  readonly one: FoundPassage;
  readonly score: number;
  readonly weak: boolean;
}

const COMPARED = 20;

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
