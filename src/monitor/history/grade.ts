import type { Grade } from '../types.ts';

/** Least score of each grade. */
const GRADES: readonly (readonly [number, string])[] = [
  [100, 'A+'],
  [90, 'A'],
  [85, 'A-'],
  [80, 'B+'],
  [70, 'B'],
  [65, 'B-'],
  [60, 'C+'],
  [50, 'C'],
  [45, 'C-'],
  [40, 'D+'],
  [30, 'D'],
  [25, 'D-'],
  [0, 'F'],
];
/** Extra points count from this score on. */
const EXTRA_POINTS_SCORE = 90;

/**
 * From 100: what is wrong is taken off, and what is more than asked for is added where that leaves 90 or more
 * (https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring).
 */
export function gradeOf(points: Iterable<number>): Grade {
  let [taken, added] = [0, 0];
  for (const count of points) {
    if (count < 0) taken += count;
    else added += count;
  }
  const base = 100 + taken;
  const score = Math.max(0, base >= EXTRA_POINTS_SCORE ? base + added : base);
  return { score, grade: GRADES.find(([least]) => score >= least)?.[1] ?? 'F' };
}
