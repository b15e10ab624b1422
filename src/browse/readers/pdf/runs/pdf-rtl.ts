import { minOf } from '../../../../lib/long-lists.ts';
import { sameLine } from '../pdf-segments.ts';
import type { PdfRun } from './pdf-run.ts';

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;
const LETTER = /\p{L}/gu;
/** Minimum gap between words, as a multiple of the font size. */
const WORD_GAP_SIZES = 0.15;
const TEXT_GAP_SIZES = 1.1;
const MIRRORED = '()[]{}<>«»‹›≤≥';
const mirrored = (sign: string): string => MIRRORED[MIRRORED.indexOf(sign) ^ 1] ?? sign;

/** True if most letters or most words of a text are written from right to left. An address is one word. */
export function isRightToLeft(text: string): boolean {
  const right = text.match(RTL)?.length ?? 0;
  if (right === 0 || right * 2 > (text.match(LETTER)?.length ?? 0)) return right > 0;
  const words = text.split(/\s/).filter((word) => word.search(LETTER) >= 0);
  return words.filter((word) => word.search(RTL) >= 0).length * 2 > words.length;
}

export function mergeRightToLeftRuns(runs: readonly PdfRun[]): readonly PdfRun[] {
  if (!runs.some(({ text }) => text.search(RTL) >= 0)) return runs;
  const groups: PdfRun[][] = [];
  let [left, right] = [0, 0];
  for (const run of runs) {
    const [first] = groups.at(-1) ?? [];
    const gap = Math.max(run.x - right, left - (run.x + run.width));
    const isNear = first && sameLine(first, run) && gap < TEXT_GAP_SIZES * run.size;
    const isBeside = isNear && !run.row && !first.row;
    if (isBeside) groups.at(-1)?.push(run);
    else groups.push([run]);
    left = isBeside ? Math.min(left, run.x) : run.x;
    right = isBeside ? Math.max(right, run.x + run.width) : run.x + run.width;
  }
  const isPage = isRightToLeft(runs.map(({ text }) => text).join(' '));
  const isTurned = (text: string) => isRightToLeft(text) || (isPage && text.search(RTL) >= 0);
  const texts = groups.map((group) =>
    !group[0]?.row && isTurned(group.map(({ text }) => text).join('')) ? textsOf(group) : [],
  );
  // Most files contain mirrored brackets as they are drawn. A line with one bracket follows the others.
  const [drawn, meant] = [0, 1].map((at) => texts.reduce((sum, both) => sum + turnedIn(both[at]), 0));
  return groups.flatMap((group, at) => {
    const [asDrawn, asMeant] = texts[at] ?? [];
    if (asDrawn === undefined || asMeant === undefined) return group;
    const more = turnedIn(asDrawn) - turnedIn(asMeant) || (drawn ?? 0) - (meant ?? 0);
    return [merged(group, more > 0 ? asMeant : asDrawn)];
  });
}

function merged(group: readonly PdfRun[], text: string): PdfRun {
  const x = minOf(group.map((run) => run.x));
  const first = group.reduce((one, run) => (run.x + run.width > one.x + one.width ? run : one));
  const url = group.every((run) => run.url === first.url) ? first.url : undefined;
  return { text, x, y: first.y, width: first.x + first.width - x, size: first.size, url };
}

/** First of the private-use characters that stand for the runs from right to left of a line. */
const FIRST_HELD = 0xf0000;
const NUMBER = `[#$€₪£¥]{0,3}\\p{Nd}{1,40}(?:[.,:/+-]\\p{Nd}{1,40}){0,20}(?!\\p{L})[#%‰°$€₪£¥]{0,3}`;
const WORD = '\\p{Nd}{0,40}\\p{L}[\\p{L}\\p{M}\\p{Nd}]{0,200}';
const BETWEEN = '(?:(?!\\s[,.;:!?])[^\\p{L}\\p{Nd}\\p{Co}()[\\]]){0,20}';
const WORDS = `${WORD}(?:${BETWEEN}${NUMBER})?`;
/**
 * Matches what is read from left to right in such a line, or one character. By the Unicode bidirectional
 * algorithm, brackets, and numbers that follow no Latin letter, stand from right to left.
 */
const PARTS = new RegExp(
  `(?:${NUMBER}${BETWEEN})?${WORD}(?:\\s?[([]${WORDS}[)\\]]|${BETWEEN}(?:${WORD}|${NUMBER})){0,120}|${NUMBER}|[^]`,
  'gu',
);

/** Returns a line's text twice: its brackets are mirrored in the file, or they are already meant so. */
function textsOf(group: readonly PdfRun[]): readonly string[] {
  const held = new Map<string, string>();
  let [drawn, last]: [string, PdfRun | undefined] = ['', undefined];
  for (const run of [...group].sort((a, b) => a.x + a.width - (b.x + b.width))) {
    const isRight = run.text.search(RTL) >= 0;
    const text = isRight ? String.fromCodePoint(FIRST_HELD + held.size) : run.text;
    if (isRight) held.set(text, run.text);
    const gap = last ? Math.max(run.x - (last.x + last.width), last.x - (run.x + run.width)) : 0;
    const isSpaced = [last?.text ?? ' ', run.text].some((one) => /^\s|\s$|^$/.test(one));
    drawn += gap > WORD_GAP_SIZES * run.size && !isSpaced ? ` ${text}` : text;
    last = run;
  }
  const parts = (drawn.match(PARTS) ?? []).reverse();
  const meant = parts.map((part) => held.get(part) ?? part);
  const turned = (text: string) => text.replace(/[()[\]{}<>«»‹›≤≥]/g, mirrored);
  const shown = meant.map((text, at) => (/[\p{L}\p{Nd}]/u.test(parts[at] ?? '') ? text : turned(text)));
  return [shown.join(''), meant.join('')];
}

/** Counts brackets that are probably turned: outermost ones that open outwards, and those open to a blank. */
function turnedIn(text = ''): number {
  const outer = text.replace(/[^()[\]{}]/g, '').match(/^[)\]}]|[([{]$/g);
  const open = text.match(/[([{](?=\s|$)|(?<=\s|^)[)\]}]/g);
  return (outer?.length ?? 0) + (open?.length ?? 0);
}
