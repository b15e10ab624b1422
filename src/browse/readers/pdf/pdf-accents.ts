import type { Run } from './pdf-run.ts';
import { sameLine } from './pdf-segments.ts';

/** Marks that fonts of TeX and others draw apart from their letters, with the mark that Unicode puts behind a letter. */
const COMBINING: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '¨': '\u0308',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
  '¸': '\u0327',
  '˛': '\u0328',
};
const BELOW = '¸˛';
const DOTLESS: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };

/** Letters' sizes by which a mark and the letter that it belongs to lie over each other at least. */
const MIN_OVERLAP_SIZES = 0.1;
/** The same of letters so wide that the library takes the place before their mark for a blank. */
const WIDE_OVERLAP_SIZES = 0.42;
const MAX_NAME_CHARS = 6;
const NAME_BEGINS = /(^|\P{L})\p{Lu}\p{Ll}* $/u;

const WITHIN = /(?<=\p{L}|^)([´ˆ˜˘˙¨˚˝ˇ])(\p{L})/gu;
const APART = /[`´ˆ˜¯˘˙¨˚˝ˇ¸˛]/;

/** Runs with each mark that lies over a letter put on it: `Andr´` and `e` are `André`. Signs of formulas that make no letter stay. */
export function withAccents(runs: readonly Run[]): readonly Run[] {
  if (!runs.some(({ text }) => APART.test(text))) return runs;
  const result: Run[] = [];
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

/** Whether a run begins with a mark that may belong to the letter behind it, as it does more often. */
function isAbove(run: Run, next: Run | undefined): boolean {
  if (BELOW.includes(run.text[0] ?? '')) return false;
  const letter = run.text[1] ?? (next && overlaps(run, next) ? next.text[0] : undefined);
  return composed(letter, run.text[0]) !== undefined;
}

/** The letter with its mark as one character; undefined where there is none, or what should be marks is not. */
function composed(letter: string | undefined, mark: string | undefined): string | undefined {
  const combining = mark === undefined ? undefined : COMBINING[mark];
  if (letter === undefined || combining === undefined || !/\p{Script=Latin}/u.test(letter)) return undefined;
  const whole = ((DOTLESS[letter] ?? letter) + combining).normalize('NFC');
  return whole.length === 1 ? whole : undefined;
}

function overlaps(one: Run, next: Run): boolean {
  const [end, nextEnd] = [one.x + one.width, next.x + next.width];
  return (
    Math.min(end, nextEnd) - Math.max(one.x, next.x) > MIN_OVERLAP_SIZES * next.size && sameLine(one, next)
  );
}

/** A run without the mark that it ends with, and without the blank before it where a wide letter made one of a place. */
function withoutMark(run: Run, next: Run): Run {
  const text = run.text.slice(0, -1);
  const isWide = run.x + run.width - next.x > WIDE_OVERLAP_SIZES * next.size;
  const isMadeUp = isWide && NAME_BEGINS.test(text.slice(-MAX_NAME_CHARS - 1)) && !/^\s/.test(next.text);
  return { ...run, text: isMadeUp ? text.trimEnd() : text, width: Math.max(0, next.x - run.x) };
}

/** Marks within one run have no place of their own: between two letters, they are drawn before theirs. */
function joinedWithin(text: string): string {
  if (!APART.test(text)) return text;
  const letters = text.replace('/˜', '/~');
  return letters.replace(WITHIN, (pair, mark: string, letter: string) => composed(letter, mark) ?? pair);
}
