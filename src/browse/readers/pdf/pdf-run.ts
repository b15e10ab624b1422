/** A run of text on a page, as the file places it; units are points, y grows upwards. */
export interface Run {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Of the letters. */
  readonly size: number;
  readonly url?: string;
  /** Whether it goes on with the run before it, however wide the gap between them is. */
  readonly joins?: boolean;
  /** Whether it is a form's value. */
  readonly isField?: boolean;
}

/** Letters' sizes that a text which is drawn twice to look bold is moved by at most. */
const DOUBLE_SIZES = 0.1;
/** Runs of one first letter that a run is compared with, the last ones. */
const MAX_PLACES = 16;

/** Runs without those that are drawn once more at the same place; the later one may go on. */
export function withoutDoubles(runs: readonly Run[]): Run[] {
  const result: Run[] = [];
  const places = new Map<string, number[]>();
  for (const run of runs) {
    const letter = run.text.trim() && run.text.slice(0, 1);
    const drawn = places.get(letter) ?? [];
    const double = letter && drawn.find((at) => isDouble(result[at], run));
    if (typeof double === 'number') {
      if (run.text.length > (result[double]?.text.length ?? 0)) result[double] = run;
      continue;
    }
    drawn.push(result.length);
    if (drawn.length > MAX_PLACES) drawn.shift();
    places.set(letter, drawn);
    result.push(run);
  }
  return result;
}

function isDouble(one: Run | undefined, other: Run): boolean {
  const reach = DOUBLE_SIZES * other.size;
  if (!one || Math.abs(one.x - other.x) > reach || Math.abs(one.y - other.y) > reach) return false;
  return one.text.startsWith(other.text) || other.text.startsWith(one.text);
}
