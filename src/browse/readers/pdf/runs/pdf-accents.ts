import { sameLine } from '../pdf-segments.ts';
import accents from './combining-accents.json' with { type: 'json' };
import type { PdfRun } from './pdf-run.ts';

const COMBINING: Readonly<Record<string, string>> = accents;
const BELOW = '¸˛';
const DOTLESS: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };

/** Minimum overlap of an accent and its letter, in font sizes. */
const MIN_OVERLAP_SIZES = 0.1;
const WIDE_OVERLAP_SIZES = 0.42;
const MAX_NAME_CHARS = 6;
const NAME_BEGINS = /(^|\P{L})\p{Lu}\p{Ll}* $/u;

const WITHIN = /(?<=\p{L}|^)([´ˆ˜˘˙¨˚˝ˇ])(\p{L})/gu;
const APART = /[`´ˆ˜¯˘˙¨˚˝ˇ¸˛]/;

export function withAccents(runs: readonly PdfRun[]): readonly PdfRun[] {
  if (!runs.some(({ text }) => APART.test(text))) return runs;
  const result: PdfRun[] = [];
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
    letter = next && overlaps(run, next) ? composed(next.text[0], run.text.at(-1)) : undefined;
    if (letter !== undefined && next) run = withoutMark(run, next);
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
  const combining = mark === undefined ? undefined : COMBINING[mark];
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

function withoutMark(run: PdfRun, next: PdfRun): PdfRun {
  const text = run.text.slice(0, -1);
  const isWide = run.x + run.width - next.x > WIDE_OVERLAP_SIZES * next.size;
  const isMadeUp = isWide && NAME_BEGINS.test(text.slice(-MAX_NAME_CHARS - 1)) && !/^\s/.test(next.text);
  return { ...run, text: isMadeUp ? text.trimEnd() : text, width: Math.max(0, next.x - run.x) };
}

/** Joins an accent and the letter behind it within a run: `´e` becomes `é`. */
function joinedWithin(text: string): string {
  if (!APART.test(text)) return text;
  const letters = text.replace('/˜', '/~');
  return letters.replace(WITHIN, (pair, mark: string, letter: string) => composed(letter, mark) ?? pair);
}
