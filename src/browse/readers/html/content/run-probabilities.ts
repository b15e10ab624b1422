import type { PageTextRuns, TextRun } from './runs.ts';

/** Weight (0 to 1) of the mean probability of a table row or list in the probability of its text runs. */
const SHARED: ReadonlyMap<string, number> = new Map([
  ['tr', 1],
  ['ul', 0.5],
  ['ol', 0.5],
  ['dl', 0.5],
]);
const LEAST_WORDS = 1e-3;

export function smoothProbabilities({ runs, boxes }: PageTextRuns, chances: ArrayLike<number>): Float64Array {
  const groups = new Int32Array(boxes.length);
  const words = new Float64Array(boxes.length);
  const right = new Float64Array(boxes.length);
  for (const { index, up, element } of boxes)
    groups[index] = SHARED.has(element.tag) ? index : up ? (groups[up.index] as number) : -1;
  for (const run of runs) {
    const group = groups[run.box.index] as number;
    const count = run.words + LEAST_WORDS;
    words[group] = (words[group] ?? 0) + count;
    right[group] = (right[group] ?? 0) + count * (chances[run.index] as number);
  }
  return Float64Array.from(runs, ({ index, box }) => {
    const own = chances[index] as number;
    const group = groups[box.index] as number;
    const shared = group < 0 ? 0 : (SHARED.get(boxes[group]?.element.tag ?? '') ?? 0);
    return shared === 0 ? own : own + shared * ((right[group] as number) / (words[group] as number) - own);
  });
}

/** Repeated texts with fewer words are labels such as "Reply", and are not merged. */
const COPY_WORDS = 5;

/** Adds the probabilities of copies that the heuristics remove to the kept copies. Removed copies get 0. */
export function mergeCopyProbabilities(runs: readonly TextRun[], chances: Float64Array): void {
  const best = new Map<number, number>();
  const rest = new Map<number, number>();
  const copies = runs.filter(({ words }) => words >= COPY_WORDS);
  for (const { index, hash, kept } of copies) {
    const chance = chances[index] as number;
    if (kept > 0) best.set(hash, Math.max(best.get(hash) ?? 0, chance));
    else rest.set(hash, (rest.get(hash) ?? 0) + chance);
  }
  for (const { index, hash, kept } of copies) {
    const most = best.get(hash);
    if (most !== undefined) chances[index] = kept > 0 ? Math.min(1, most + (rest.get(hash) ?? 0)) : 0;
  }
}

/** Returns the probability threshold with the highest expected F1, where each word counts once. */
export function findBestThreshold(runs: readonly TextRun[], chances: ArrayLike<number>): number {
  const order = Int32Array.from(runs, ({ index }) => index);
  order.sort((a, b) => (chances[b] as number) - (chances[a] as number) || a - b);
  let wanted = 0;
  for (const { index, words } of runs) wanted += words * (chances[index] as number);
  let [words, right, best, cut] = [0, 0, 0, 1];
  for (const i of order) {
    const { words: count } = runs[i] as TextRun;
    words += count;
    right += count * (chances[i] as number);
    const f1 = words > 0 ? (2 * right) / (words + wanted) : 0;
    if (f1 > best) {
      best = f1;
      cut = chances[i] as number;
    }
  }
  return cut;
}

export function expectedF1(
  runs: readonly TextRun[],
  chances: ArrayLike<number>,
  isTaken: (run: TextRun) => boolean,
): number {
  let [words, right, wanted] = [0, 0, 0];
  for (const run of runs) {
    const expected = run.words * (chances[run.index] as number);
    wanted += expected;
    if (!isTaken(run)) continue;
    words += run.words;
    right += expected;
  }
  return words + wanted > 0 ? (2 * right) / (words + wanted) : 0;
}
