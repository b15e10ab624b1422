/** A run of text at its position in the file. Units are points, and y grows upwards. */
export interface PdfRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly url?: string;
  /** True if this text run continues the previous run, even after a wide gap. */
  readonly joins?: boolean;
  readonly isField?: boolean;
}

/** Maximum offset of text that is drawn twice to appear bold, as a multiple of the font size. */
const DOUBLE_SIZES = 0.1;
const MAX_PLACES = 16;

/** Removes text that is drawn twice in one place. Keeps the longer of two such runs. */
export function withoutDoubles(runs: readonly PdfRun[]): PdfRun[] {
  const result: PdfRun[] = [];
  const places = new Map<string, number[]>();
  for (const [index, given] of runs.entries()) {
    const run = withoutRepeat(given, runs[index - 1]);
    if (run.text === '') continue;
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

/** Minimum and maximum width of a letter that is drawn again, as multiples of the font size. Kerning is less. */
const REPEAT_SIZES = [0.15, 1] as const;

/** Removes a run's first letter if it lies on the last letter of the run before, as where each letter is drawn twice. */
function withoutRepeat(run: PdfRun, before: PdfRun | undefined): PdfRun {
  const [letter = ''] = run.text;
  if (!before || letter.trim() === '' || !before.text.endsWith(letter)) return run;
  const right = before.x + before.width;
  const overlap = (right - run.x) / run.size;
  const [least, most] = REPEAT_SIZES;
  const isRepeat = Math.abs(before.y - run.y) < DOUBLE_SIZES * run.size && overlap > least && overlap < most;
  if (!isRepeat) return run;
  return { ...run, text: run.text.slice(letter.length), x: right, width: run.x + run.width - right };
}

function isDouble(one: PdfRun | undefined, other: PdfRun): boolean {
  const reach = DOUBLE_SIZES * other.size;
  if (!one || Math.abs(one.x - other.x) > reach || Math.abs(one.y - other.y) > reach) return false;
  return one.text.startsWith(other.text) || other.text.startsWith(one.text);
}
