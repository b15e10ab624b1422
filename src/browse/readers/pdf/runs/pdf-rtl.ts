import { maxOf, minOf } from '../../../../lib/long-lists.ts';
import type { PdfRun } from './pdf-run.ts';

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;
const LETTER = /\p{L}/gu;
/** Minimum gap between words, as a multiple of the font size. */
const WORD_GAP_SIZES = 0.15;
const TEXT_GAP_SIZES = 1.1;

export function isRightToLeft(text: string): boolean {
  const right = text.match(RTL)?.length ?? 0;
  return right > 0 && right * 2 > (text.match(LETTER)?.length ?? 0);
}

export function mergeRightToLeftRuns(runs: readonly PdfRun[]): readonly PdfRun[] {
  if (!runs.some(({ text }) => text.search(RTL) >= 0)) return runs;
  const result: PdfRun[] = [];
  let group: PdfRun[] = [];
  let [left, right] = [0, 0];
  const flush = () => {
    const isRight = isRightToLeft(group.map(({ text }) => text).join(''));
    for (const run of isRight && !group[0]?.row ? [merged(group)] : group) result.push(run);
    group = [];
  };
  for (const run of runs) {
    const [first] = group;
    if (run.row || first?.row) flush();
    const gap = Math.max(run.x - right, left - (run.x + run.width));
    if (first && (Math.abs(first.y - run.y) >= 0.5 * first.size || gap >= TEXT_GAP_SIZES * run.size)) flush();
    left = group.length === 0 ? run.x : Math.min(left, run.x);
    right = group.length === 0 ? run.x + run.width : Math.max(right, run.x + run.width);
    group.push(run);
  }
  flush();
  return result;
}

function merged(group: readonly PdfRun[]): PdfRun {
  const ordered = withoutTurns([...group].sort((a, b) => b.x + b.width - (a.x + a.width)));
  let text = '';
  let last: PdfRun | undefined;
  for (const run of ordered) {
    const gap = last ? Math.max(last.x - (run.x + run.width), run.x - (last.x + last.width)) : 0;
    const space = gap > WORD_GAP_SIZES * run.size && !/\s$/.test(text) && !/^\s/.test(run.text);
    text += space ? ` ${run.text}` : run.text;
    last = run;
  }
  const left = minOf(ordered.map(({ x }) => x));
  const right = maxOf(ordered.map(({ x, width }) => x + width));
  const [first] = ordered;
  const url = ordered.every((run) => run.url === first?.url) ? first?.url : undefined;
  return {
    text: withOpenBrackets(text),
    x: left,
    y: first?.y ?? 0,
    width: right - left,
    size: first?.size ?? 0,
    url,
  };
}

/** Turns `)a(` into `(a)`, because some fonts mirror the brackets of right-to-left text. */
function withOpenBrackets(text: string): string {
  const marks = text.replace(/[^()[\]]/g, '');
  const isTurned = /^[)\]]/.test(marks) && /[([]$/.test(marks);
  return isTurned ? text.replace(/[()[\]]/g, (mark) => '()[]'['()[]'.indexOf(mark) ^ 1] ?? mark) : text;
}

function withoutTurns(ordered: readonly PdfRun[]): PdfRun[] {
  const result: PdfRun[] = [];
  let turned: PdfRun[] = [];
  const flush = () => {
    const words = turned.findLastIndex(({ text }) => text.trim() !== '') + 1;
    for (const run of [...turned.slice(0, words).reverse(), ...turned.slice(words)]) result.push(run);
    turned = [];
  };
  for (const run of ordered) {
    const other = run.text.search(RTL) < 0 && (turned.length > 0 || run.text.trim() !== '');
    if (other) turned.push(run);
    else {
      flush();
      result.push(run);
    }
  }
  flush();
  return result;
}
