export interface MarkdownBlock {
  /** `head` is a table's header and delimiter line, `rows` up to ten table rows. `code` may be a formula. */
  readonly kind: 'heading' | 'text' | 'item' | 'head' | 'rows' | 'code' | 'quote' | 'note';
  readonly text: string;
  readonly level: number;
  /** White space and empty quote lines after the block. Blocks and gaps together are the whole text. */
  readonly gap: string;
}

const ROWS_PER_BLOCK = 10;
const MATH_LINES = 200;
/** Approximate maximum of blocks, for hostile pages. Further text is split into groups of lines. */
const MAX_BLOCKS = 200_000;
const RUN_LINES = 500;
const FENCE = /^[ \t]*(?:>[ \t]*)*(?:(`{3,})[^`]*|(~{3,})(?:[^~].*)?)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const NOTE = /^ {0,3}\[\^[^\]\s]{1,100}\]:/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;

export function splitBlocks(markdown: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  const lines = linesOf(markdown);
  for (let at = 0; at < lines.length; ) {
    const { kind, end } =
      blocks.length < MAX_BLOCKS
        ? blockAt(lines, at, blocks.at(-1))
        : { kind: 'text' as const, end: at + RUN_LINES };
    const whole = lines.slice(at, end).join('');
    const text = kind === 'quote' ? withoutLooseMarks(whole.trimEnd()) : whole.trimEnd();
    const first = lines[at] ?? '';
    at = end;
    while (at < lines.length && isBlank(lines[at])) at++;
    const gap = whole.slice(text.length) + lines.slice(end, at).join('');
    if (text !== '') blocks.push({ kind, text, level: levelOf(kind, text, first), gap });
    else if (blocks.length > 0 || gap) addGap(blocks, gap);
  }
  return blocks;
}

function linesOf(text: string): string[] {
  const lines: string[] = [];
  let from = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
    lines.push(text.slice(from, end + 1));
    from = end + 1;
  }
  if (from < text.length || from === 0) lines.push(text.slice(from));
  return lines;
}

function withoutLooseMarks(quote: string): string {
  return quote.endsWith('>') ? quote.replace(/\n[ \t>]{1,100}$/, '') : quote;
}

function addGap(blocks: MarkdownBlock[], gap: string): void {
  const last = blocks.pop();
  blocks.push(last ? { ...last, gap: last.gap + gap } : { kind: 'text', text: '', level: 0, gap });
}

function levelOf(kind: MarkdownBlock['kind'], text: string, first: string): number {
  if (kind !== 'heading') return first.length - first.trimStart().length;
  return HEADING.exec(first)?.[1]?.length ?? (text.endsWith('=') ? 1 : 2);
}

function blockAt(
  lines: readonly string[],
  at: number,
  last: MarkdownBlock | undefined,
): { kind: MarkdownBlock['kind']; end: number } {
  const first = lines[at] ?? '';
  if (isBlank(first) || RULE.test(trimmed(first))) return { kind: 'text', end: at + 1 };
  if (HEADING.test(first)) return { kind: 'heading', end: at + 1 };
  if (first.trimStart().startsWith('>')) return { kind: 'quote', end: endOfQuote(lines, at) };
  // Code may be the first thing in a list item.
  if (FENCE.test(trimmed(first).replace(ITEM, '')))
    return { kind: kindOf(first, 'code'), end: endOfFence(lines, at) };
  const math = first.trimStart().startsWith('$$') ? endOfMath(lines, at) : 0;
  if (math > 0) return { kind: 'code', end: math };
  if (isHead(lines, at)) return { kind: 'head', end: at + 2 };
  const inTable = last !== undefined && (last.kind === 'head' || last.kind === 'rows');
  if (isRow(first) && (first.trimStart().startsWith('|') || (inTable && !last.gap.includes('\n\n'))))
    return { kind: 'rows', end: endOfRows(lines, at) };
  const underline = lines[at + 1];
  if (!ITEM.test(first) && underline !== undefined && UNDERLINE.test(trimmed(underline)))
    return { kind: 'heading', end: at + 2 };
  return { kind: kindOf(first, 'text'), end: endOfText(lines, at) };
}

function kindOf(first: string, otherwise: 'code' | 'text'): MarkdownBlock['kind'] {
  return ITEM.test(first) ? 'item' : NOTE.test(first) ? 'note' : otherwise;
}

function endOfFence(lines: readonly string[], at: number): number {
  const opening = FENCE.exec(trimmed(lines[at] ?? '').replace(ITEM, ''));
  const fence = opening?.[1] ?? opening?.[2] ?? '';
  for (let i = at + 1; i < lines.length; i++) {
    const line = (lines[i] ?? '').trim();
    if (line.startsWith(fence) && line.replaceAll(fence.charAt(0), '') === '') return i + 1;
  }
  return lines.length;
}

function endOfQuote(lines: readonly string[], at: number): number {
  let code = false;
  for (let i = at; i < lines.length; i++) {
    const line = trimmed(lines[i] ?? '');
    if (!line.trimStart().startsWith('>')) return i;
    if (FENCE.test(line)) code = !code;
    if (!code && i > at && /^[\s>]+$/.test(line)) return i + 1;
  }
  return lines.length;
}

/** Returns the index after a formula in `$$`, or 0 if the formula has no end within `MATH_LINES` lines. */
function endOfMath(lines: readonly string[], at: number): number {
  const first = (lines[at] ?? '').trim();
  if (first.length > 3 && first.endsWith('$$')) return at + 1;
  for (let i = at + 1; i < Math.min(lines.length, at + MATH_LINES); i++) {
    if ((lines[i] ?? '').trimEnd().endsWith('$$')) return i + 1;
  }
  return 0;
}

function isHead(lines: readonly string[], at: number): boolean {
  const under = trimmed(lines[at + 1] ?? '');
  return isRow(lines[at] ?? '') && /^[\s|:-]+$/.test(under) && under.includes('-') && under.includes('|');
}

const isRow = (line: string): boolean => line.includes('|') && !ITEM.test(line);

function endOfRows(lines: readonly string[], at: number): number {
  let i = at + 1;
  while (
    i < lines.length &&
    i - at < ROWS_PER_BLOCK &&
    isRow(lines[i] ?? '') &&
    !HEADING.test(lines[i] ?? '')
  )
    i++;
  return i;
}

function endOfText(lines: readonly string[], at: number): number {
  for (let i = at + 1; i < lines.length; i++) {
    const line = trimmed(lines[i] ?? '');
    if (isBlank(line) || HEADING.test(line) || ITEM.test(line) || FENCE.test(line) || NOTE.test(line))
      return i;
    if (line.trimStart().startsWith('>') || line.startsWith('|') || RULE.test(line) || isHead(lines, i))
      return i;
  }
  return lines.length;
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

function trimmed(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1).replace(/\r$/, '') : line;
}
