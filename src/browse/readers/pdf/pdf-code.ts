import { minOf } from '../../../lib/long-lists.ts';
import { writeCodeFence } from '../markdown.ts';
import type { PdfLine } from './pdf-lines.ts';

export const MONOSPACE = 'monospace';
/** Minimum share of a page's letters in other fonts, without which lines in a monospaced font are text and not code. */
const MIN_TEXT_SHARE = 0.15;
const MIN_LINES = 2;
/** Maximum step between two lines as a multiple of the font size, and minimum step over a blank line as a multiple of the least step. */
const MAX_STEP_SIZES = 4;
const BLANK_STEPS = 1.7;

/** True for a line in a monospaced font. Chinese and Japanese fonts are always monospaced. */
function isCode({ font, cells }: PdfLine): boolean {
  return (
    font === MONOSPACE &&
    !/[\p{Script=Han}\p{Script=Kana}\p{Script=Hira}\p{Script=Hang}]/u.test(cells.join(''))
  );
}

/** True if a page has lines in a monospaced font among text in other fonts. */
export function hasCode(lines: readonly PdfLine[]): boolean {
  let [code, all] = [0, 0];
  for (const line of lines) {
    const { length } = line.isField ? '' : line.cells.join('');
    all += length;
    if (isCode(line)) code += length;
  }
  return code > 0 && all - code > MIN_TEXT_SHARE * all;
}

/** Returns the code block that begins at line `from`, with the indentation of its lines. */
export function codeAt(lines: readonly PdfLine[], from: number): { text: string; lines: number } | undefined {
  const stepTo = (at: number) => (lines[at - 1]?.y ?? 0) - (lines[at]?.y ?? 0);
  let end = from;
  for (let line = lines[from]; line && isCode(line); line = lines[++end]) {
    if (end > from && (stepTo(end) <= 0 || stepTo(end) > MAX_STEP_SIZES * line.size)) break;
  }
  if (end - from < MIN_LINES) return undefined;
  const block = lines.slice(from, end);
  const [left, least] = [
    minOf(block.map((line) => line.left)),
    minOf(block.slice(1).map((_, at) => stepTo(from + at + 1))),
  ];
  const letter = minOf(
    block.map(
      ({ cells: [cell = ''], spans: [span] }) => ((span?.right ?? 1) - (span?.left ?? 0)) / cell.length,
    ),
  );
  const texts = block.map(({ cells, spans }, at) => {
    const isBelowBlank = at > 0 && stepTo(from + at) > BLANK_STEPS * least;
    const column = (cell: number) => Math.min(200, Math.round(((spans[cell]?.left ?? left) - left) / letter));
    return cells.reduce((text, cell, index) => text.padEnd(column(index)) + cell, isBelowBlank ? '\n' : '');
  });
  return { text: writeCodeFence(texts.join('\n'), ''), lines: block.length };
}
