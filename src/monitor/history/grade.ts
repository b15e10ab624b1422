import type { Grade } from '../types.ts';

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
const EXTRA_POINTS_SCORE = 90;

/** Computes the HTTP Observatory's grade: 100 minus all penalties, plus bonus points if at least 90 remain. */
export function computeGrade(points: Iterable<number>): Grade {
  let [taken, added] = [0, 0];
  for (const count of points) {
    if (count < 0) taken += count;
    else added += count;
  }
  const base = 100 + taken;
  const score = Math.max(0, base >= EXTRA_POINTS_SCORE ? base + added : base);
  return { score, grade: GRADES.find(([least]) => score >= least)?.[1] ?? 'F' };
}
