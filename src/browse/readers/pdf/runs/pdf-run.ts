/** A run of text at its position on the page. Units are points, and y grows upwards. */
export interface PdfRun {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly font?: string;
  readonly url?: string;
  readonly joins?: boolean;
  readonly isField?: boolean;
  readonly row?: RuledRow;
}

export interface RuledRow {
  readonly cells: readonly string[];
  readonly table: number;
}

/** Maximum offset, in font sizes, of text that is drawn twice to appear bold. */
const DOUBLE_SIZES = 0.1;
const MAX_PLACES = 16;

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

/** Minimum and maximum overlap, in font sizes, of letters that are drawn twice. Kerning overlaps less. */
const REPEAT_SIZES = [0.15, 1] as const;
const MAX_REPEAT = 60;
const MAX_NARROW = 7;

function withoutRepeat(run: PdfRun, before: PdfRun | undefined): PdfRun {
  if (!before || Math.abs(before.y - run.y) >= DOUBLE_SIZES * run.size) return run;
  const right = before.x + before.width;
  const overlap = (right - run.x) / run.size;
  const [least, most] = REPEAT_SIZES;
  const letter = run.width / run.size / (run.text.length || 1);
  for (let count = Math.min(run.text.length, MAX_REPEAT); count >= 1 && overlap > least; count--) {
    const letters = run.text.slice(0, count);
    const isWidth = count === 1 ? overlap < most : Math.abs(overlap - count * letter) < 0.4 * count * letter;
    if (!isWidth || letters.trim() === '' || !before.text.endsWith(letters)) continue;
    // A narrow letter may be drawn twice within one run: `ii` becomes `i`.
    const text = run.text.slice(count);
    const once = count === 1 && text.length < MAX_NARROW ? text.replace(/([fijlrtI.,:;'!|])\1/g, '$1') : text;
    return { ...run, text: once, x: right, width: run.x + run.width - right };
  }
  return run;
}

function isDouble(one: PdfRun | undefined, other: PdfRun): boolean {
  const reach = DOUBLE_SIZES * other.size;
  if (!one || Math.abs(one.x - other.x) > reach || Math.abs(one.y - other.y) > reach) return false;
  return one.text.startsWith(other.text) || other.text.startsWith(one.text);
}
