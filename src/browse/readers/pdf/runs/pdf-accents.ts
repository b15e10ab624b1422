import { sameLine } from '../pdf-segments.ts';
import type { PdfRun } from './pdf-run.ts';

/** Accents, and their combining characters in the same order. */
const ACCENTS = '`´ˆ˜¯˘˙¨˚˝ˇ¸˛';
const COMBINING = '\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327\u0328';
const BELOW = '¸˛';
const DOTLESS: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };

/** Minimum overlap of an accent and its letter, in font sizes. */
const MIN_OVERLAP_SIZES = 0.1;
/** Minimum overlap, in font sizes, at which pdf.js added the blank before an accent. For TeX: `TEX_SIZES`. */
const WIDE_OVERLAP_SIZES = 0.42;
const TEX_SIZES = 0.6;
const MAX_NAME_CHARS = 6;
const NAME_BEGINS = /(^|\P{L})\p{Lu}\p{Ll}* $/u;

const WITHIN = /(?<=\p{L}|^)([´ˆ˜˘˙¨˚˝ˇ])(\p{L})/gu;
const APART = new RegExp(`[${ACCENTS}]`);

export function withAccents(runs: readonly PdfRun[]): readonly PdfRun[] {
  if (!runs.some(({ text }) => APART.test(text))) return runs;
  const result: PdfRun[] = [];
  // A wide accent directly after a letter shows that the file is from TeX, for which `TEX_SIZES` applies.
  const isWide = (run: PdfRun, next: PdfRun | undefined) =>
    /\p{L}.$/u.test(run.text) && letterBelow(run, next) && overlapSizes(run, next) > WIDE_OVERLAP_SIZES;
  const least = runs.some((run, at) => isWide(run, runs[at + 1])) ? TEX_SIZES : WIDE_OVERLAP_SIZES;
  let letter: string | undefined;
  for (const [at, plain] of runs.entries()) {
    let run = { ...plain, text: joinedWithin((letter ?? '') + plain.text.slice(letter?.length ?? 0)) };
    const before = result.at(-1);
    const below =
      before && !isAbove(run, runs[at + 1]) && overlaps(before, run)
        ? composed(before.text.at(-1), run.text[0])
        : undefined;
    if (before && below) {
      result[result.length - 1] = { ...before, text: before.text.slice(0, -1) + below };
      const x = before.x + before.width;
      run = { ...run, text: run.text.slice(1), x, width: Math.max(0, run.x + run.width - x) };
    }
    const next = runs[at + 1];
    letter = letterBelow(run, next);
    if (letter !== undefined && next) run = withoutMark(run, next, least);
    if (run.text !== '') result.push(run);
  }
  return result;
}

function isAbove(run: PdfRun, next: PdfRun | undefined): boolean {
  if (BELOW.includes(run.text[0] ?? '')) return false;
  const letter = run.text[1] ?? (next && overlaps(run, next) ? next.text[0] : undefined);
  return composed(letter, run.text[0]) !== undefined;
}

function composed(letter: string | undefined, mark: string | undefined): string | undefined {
  const combining = COMBINING[mark ? ACCENTS.indexOf(mark) : -1];
  if (letter === undefined || combining === undefined || !/\p{Script=Latin}/u.test(letter)) return undefined;
  const whole = ((DOTLESS[letter] ?? letter) + combining).normalize('NFC');
  return whole.length === 1 ? whole : undefined;
}

function overlaps(one: PdfRun, next: PdfRun): boolean {
  const [end, nextEnd] = [one.x + one.width, next.x + next.width];
  return (
    Math.min(end, nextEnd) - Math.max(one.x, next.x) > MIN_OVERLAP_SIZES * next.size && sameLine(one, next)
  );
}

/** Returns the accented letter if the run ends with an accent over the next run's first letter. */
function letterBelow(run: PdfRun, next: PdfRun | undefined): string | undefined {
  return next && overlaps(run, next) ? composed(next.text[0], run.text.at(-1)) : undefined;
}

function overlapSizes(run: PdfRun, next: PdfRun | undefined): number {
  return next ? (run.x + run.width - next.x) / next.size : 0;
}

function withoutMark(run: PdfRun, next: PdfRun, least: number): PdfRun {
  const text = run.text.slice(0, -1);
  const isName = NAME_BEGINS.test(text.slice(-MAX_NAME_CHARS - 1)) && !/^\s/.test(next.text);
  const isWord = /\p{Ll} $/u.test(text) && /^\p{Lu}/u.test(next.text);
  const isMadeUp = overlapSizes(run, next) > least && isName && !isWord;
  return { ...run, text: isMadeUp ? text.trimEnd() : text, width: Math.max(0, next.x - run.x) };
}

/** Joins an accent and the letter behind it within a run: `´e` becomes `é`. */
function joinedWithin(text: string): string {
  if (!APART.test(text)) return text;
  const letters = text.replace('/˜', '/~');
  return letters.replace(WITHIN, (pair, mark: string, letter: string) => composed(letter, mark) ?? pair);
}
