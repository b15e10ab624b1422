import { minOf } from '../../../lib/long-lists.ts';
import { writeCodeFence } from '../markdown.ts';
import type { PdfLine } from './pdf-lines.ts';

export const MONOSPACE = 'monospace';
/** Minimum share of letters that are not monospaced. With fewer, monospaced text need not be code. */
const MIN_TEXT_SHARE = 0.15;
const MIN_LINES = 2;
/** Maximum distance of two lines of code, in font sizes. A larger distance ends the code. */
const MAX_STEP_SIZES = 4;
const BLANK_STEPS = 1.7;

/** `SIGN` matches characters typical of code. `SENTENCE` matches five words in a row outside of comments. */
const SIGN = /[{}\\|=]|;$|\w\(|\w_\w|::|->|^[$#>]|^<\w|(?:^| )\/\//;
const SENTENCE = /^(?!\/\/|[#*$>]|--)(?:.{0,200} )?(?:\p{L}{2,20}[,.]? ){5}/u;
const MIN_SIGNS = 2;
/** Minimum and maximum indentation, in letters, of a code line relative to the line above. */
const INDENTATION = [1.5, 8.5] as const;

/** True for a line in a monospaced font, except in Chinese or Japanese, whose fonts are all monospaced. */
function isCode({ font, cells }: PdfLine): boolean {
  return (
    font === MONOSPACE &&
    !/[\p{Script=Han}\p{Script=Kana}\p{Script=Hira}\p{Script=Hang}]/u.test(cells.join(''))
  );
}

function hasCode(lines: readonly PdfLine[]): boolean {
  let [code, all] = [0, 0];
  for (const line of lines) {
    const { length } = line.isField ? '' : line.cells.join('');
    all += length;
    if (isCode(line)) code += length;
  }
  return code > 0 && all - code > MIN_TEXT_SHARE * all;
}

function looksLikeCode(block: readonly PdfLine[], letter: number): boolean {
  const texts = block.map(({ cells }) => cells.join(' '));
  const isSentence = texts.map((text) => SENTENCE.test(text));
  const signs = texts.filter((text, at) => !isSentence[at] && SIGN.test(text));
  const isIndented = block.some(({ left }, at) => {
    const step = (left - (block[at - 1]?.left ?? left)) / letter;
    return !isSentence[at] && !isSentence[at - 1] && step > INDENTATION[0] && step < INDENTATION[1];
  });
  return 2 * isSentence.filter(Boolean).length < block.length && (isIndented || signs.length >= MIN_SIGNS);
}

/** Returns a function that finds the code that begins at a line. Calls must have ascending line numbers. */
export function codeFinder(
  lines: readonly PdfLine[],
): (from: number) => { readonly text: string; readonly lines: number } | undefined {
  const isCoded = hasCode(lines);
  let plainTo = 0;
  return (from) => {
    const { text, lines: count } = (isCoded && from >= plainTo && blockAt(lines, from)) || { lines: 0 };
    // The end of the block is stored, so that the block's other lines are not examined again.
    if (count > 0) plainTo = from + count;
    return text === undefined ? undefined : { text, lines: count };
  };
}

function blockAt(lines: readonly PdfLine[], from: number) {
  const stepTo = (at: number) => (lines[at - 1]?.y ?? 0) - (lines[at]?.y ?? 0);
  let end = from;
  for (let line = lines[from]; line && isCode(line); line = lines[++end]) {
    if (end > from && (stepTo(end) <= 0 || stepTo(end) > MAX_STEP_SIZES * line.size)) break;
  }
  if (end - from < MIN_LINES) return undefined;
  const block = lines.slice(from, end);
  const left = minOf(block.map((line) => line.left));
  const least = minOf(block.slice(1).map((_, at) => stepTo(from + at + 1)));
  const letter = minOf(
    block.map(
      ({ cells: [cell = ''], spans: [span] }) => ((span?.right ?? 1) - (span?.left ?? 0)) / cell.length,
    ),
  );
  if (!looksLikeCode(block, letter)) return { text: undefined, lines: block.length };
  const texts = block.map(({ cells, spans }, at) => {
    const isBelowBlank = at > 0 && stepTo(from + at) > BLANK_STEPS * least;
    const column = (cell: number) => Math.min(200, Math.round(((spans[cell]?.left ?? left) - left) / letter));
    const text = cells.reduce((line, cell, index) => line.padEnd(column(index)) + cell, '');
    return isBelowBlank ? `\n${text}` : text;
  });
  return { text: writeCodeFence(texts.join('\n'), ''), lines: block.length };
}
