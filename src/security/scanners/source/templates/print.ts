/** What a template prints without escaping is given to a function of this name. */
export const RAW = '$raw';
/** What it prints, where the program says whether that is escaped. */
export const PRINT = '$print';

/** The same in Ruby, whose names have no `$` of their own. */
export const RUBY_PRINT = 'erb_print';

/** Longer code in one mark is left out. */
const MAX_CODE_CHARACTERS = 5000;

/** The line breaks of a text alone, so that lines of code keep their numbers. */
export function linesOnly(text: string): string {
  return text.replace(/[^\n]+/g, '');
}

/** Code that was changed, on one line, with the line breaks of its mark behind it. */
export function onOneLine(code: string, mark: string): string {
  return ` ${code.replaceAll('\n', ' ')}${linesOnly(mark)}`;
}

export interface Mark {
  /** What opens it. */
  readonly open: string;
  readonly inner: string;
  /** All of it. */
  readonly text: string;
}

export interface Around {
  /** Longer code in one mark is left out; in characters. */
  readonly longest?: number;
  /** What becomes of the text around marks: its line breaks, most often. */
  readonly between?: (text: string) => string;
}

/**
 * A text with each mark written as code; of all else the line breaks stay. Marks are pairs of what opens and closes them, the
 * longer before the shorter. Linear: what opens and is not closed is searched for once.
 */
export function withMarks(
  text: string,
  pairs: readonly (readonly [open: string, close: string])[],
  write: (mark: Mark) => string,
  { longest = MAX_CODE_CHARACTERS, between = linesOnly }: Around = {},
): string {
  const next = pairs.map(([open]) => text.indexOf(open));
  const out: string[] = [];
  let at = 0;
  for (;;) {
    const from = Math.min(...next.filter((one) => one >= 0));
    const kind = next.indexOf(from);
    const [open, close] = pairs[kind] ?? [];
    if (open === undefined || close === undefined) break;
    const end = text.indexOf(close, from + open.length);
    if (end < 0) {
      next[kind] = -1;
      continue;
    }
    const mark = {
      open,
      inner: text.slice(from + open.length, end),
      text: text.slice(from, end + close.length),
    };
    out.push(between(text.slice(at, from)));
    out.push(mark.inner.length > longest ? linesOnly(mark.text) : write(mark));
    at = end + close.length;
    for (const [index, place] of next.entries())
      if (place >= 0 && place < at) next[index] = text.indexOf(pairs[index]?.[0] ?? '', at);
  }
  out.push(between(text.slice(at)));
  return out.join('');
}
