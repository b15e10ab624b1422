import { findContradiction, readTextStatements, type TextStatements } from '../entries/contradiction.ts';
import type { FoundPassage } from '../store.ts';
import type { PassageMatch } from '../types.ts';

export interface OrderedPassage extends Pick<PassageMatch, 'replaces' | 'supersededBy'> {
  readonly one: FoundPassage;
  readonly score: number;
  readonly weak: boolean;
}

const COMPARED = 20;

/** Moves a newer passage before an older one that it contradicts, and gives it the older passage's score. */
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
    // Skips pages of files: an old file is right about its time, so a newer text does not contradict it.
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
