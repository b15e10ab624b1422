import { markdownTable } from '../markdown.ts';
import type { Line } from './pdf-lines.ts';
import { tableAt } from './pdf-tables.ts';

/** A page's head and foot, as shares of its height. */
const EDGE_SHARE = 0.1;
/** Pages that a line has to stand on, at the same place, to be a running head or foot. */
const MIN_REPEATS = 3;
/** Letters over the size of the body's that make a heading. */
const HEADING_SIZE_RATIO = 1.14;
const HEADING_CHARACTERS = 200;
/** Letters' sizes by which lines of one paragraph, and of one heading, are apart at most where the page's usual step is less. */
const TEXT_STEP_SIZES = 1.15;
const HEADING_STEP_SIZES = 1.3;

/** Pages of lines as one Markdown text: headings, paragraphs, lists, tables; `heading` is the first large one. */
export function pdfMarkdown(pages: readonly (readonly Line[])[]): { markdown: string; heading: string } {
  const { lines, sizes } = bodyOf(pages);
  const blocks: string[] = [];
  let heading = '';
  for (const page of lines) heading = addBlocks(blocks, page, sizes, heading, page === lines[0]);
  return { markdown: withTightLists(blocks), heading };
}

/** The same, each page on its own: what the end of a page breaks stays broken, so that a page is where it is. */
export function pdfPages(pages: readonly (readonly Line[])[]): { pages: string[]; heading: string } {
  const { lines, sizes } = bodyOf(pages);
  let heading = '';
  const texts = lines.map((page) => {
    const blocks: string[] = [];
    heading = addBlocks(blocks, page, sizes, heading, page === lines[0]);
    return withTightLists(blocks);
  });
  return { pages: texts, heading };
}

/** Lines without running heads and feet, and the sizes that headings have. */
function bodyOf(pages: readonly (readonly Line[])[]): { lines: Line[][]; sizes: number[] } {
  const repeated = repeatedLines(pages);
  const kept = pages.map((page) => page.filter((line) => !isRepeated(line, repeated)));
  // Where nothing else stands on any page, the heads are the text.
  const lines = kept.some((page) => page.length > 0) ? kept : pages.map((page) => [...page]);
  const all = lines.flat();
  return { lines, sizes: headingSizes(all, usualSize(all)) };
}

/** Adds a page's blocks to those before it; the first heading of all is passed on. */
function addBlocks(
  blocks: string[],
  page: readonly Line[],
  sizes: readonly number[],
  heading: string,
  isFirst: boolean,
): string {
  let first = heading;
  const all = blocksOf(page, sizes);
  for (const { text: plain, level, atTop } of isFirst ? withoutAuthors(all) : all) {
    const text = level > 0 ? `${'#'.repeat(level)} ${plain}` : plain;
    if (level > 0) first ||= plain;
    // A sentence that the end of a page or column breaks is continued.
    const before = blocks.at(-1);
    if (atTop && level === 0 && before && goesOn(before, text))
      blocks[blocks.length - 1] = joined(before, text);
    else blocks.push(text);
  }
  return first;
}

function withTightLists(blocks: readonly string[]): string {
  return blocks
    .map((text, index) => {
      const tight = text.startsWith('- ') && blocks[index - 1]?.startsWith('- ');
      return (index === 0 ? '' : tight ? '\n' : '\n\n') + text;
    })
    .join('');
}

interface Block {
  readonly text: string;
  /** 1 to 6 for a heading, else 0. */
  readonly level: number;
  /** Whether it begins a page or a column. */
  readonly atTop: boolean;
}

function blocksOf(lines: readonly Line[], sizes: readonly number[]): Block[] {
  const blocks: Block[] = [];
  const pitch = usualPitch(lines);
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (!line) break;
    const atTop = line.y > (lines[at - 1]?.y ?? 0);
    const table = tableAt(lines, at);
    if (table) {
      blocks.push({ text: markdownTable(table.rows), level: 0, atTop });
      at += table.lines;
      continue;
    }
    const level = levelOf(line, sizes);
    let text = textOf(line);
    let last = line;
    let next = lines[++at];
    const goesOn = (to: Line) =>
      belongs(last, to, pitch, level, sizes) || hangs(line, last, to, pitch, sizes);
    while (next && goesOn(next) && !tableAt(lines, at)) {
      text = joined(text, textOf(next));
      last = next;
      next = lines[++at];
    }
    const isBox = line.isField && /^\[[ x]\] /.test(text);
    const clean = isBox ? `- ${text}` : text.replace(BULLET, '- ');
    blocks.push({
      text: level > 0 ? text : clean,
      level: text.length > HEADING_CHARACTERS ? 0 : level,
      atTop,
    });
  }
  return blocks;
}

/** What a paper begins with, below its title and authors. */
const OPENING =
  /^((\d|[IVX]{1,4})[.:]?\s+)?(abstract|summary|introduction|zusammenfassung|einleitung|résumé|resumen|resumo|riassunto|摘要|概要|초록)(?!\p{L})/iu;

/** Blocks with the authors, below a title and above what the paper begins with, as plain text. */
function withoutAuthors(blocks: Block[]): Block[] {
  const title = blocks.findIndex(({ level }) => level > 0);
  const opening = blocks.findIndex(({ text }, at) => at > title && OPENING.test(text));
  const isAuthor = ({ level }: Block, at: number) =>
    at > title && at < opening && level > (blocks[title]?.level ?? 0);
  return blocks.map((block, at) => (isAuthor(block, at) ? { ...block, level: 0 } : block));
}

const BULLET = /^[•▪●◦‣·∙■□➢✓–—-]\s+/;
const ITEM = /^([•▪●◦‣·∙■□➢✓–—-]|\d{1,3}[.)]|[a-z]\)|\(\w{1,3}\))\s+/;
/** A heading with the number of its section. */
const NUMBERED = /^(\d{1,2}(\.\d{1,2}){0,4}\.?|[A-Z]\.(\d{1,2}\.?){0,3}|[IVX]{1,5}\.)\s/;
/** An entry of a list of references: `[12]`, `[Knu84]`. */
const REFERENCE = /^\[(\d{1,3}|\p{L}[\p{L}+]{1,12}\d{0,4}[a-z]?)\]\s+\S/u;

function textOf({ cells }: Line): string {
  const text = cells.join(' ');
  return contentsLine(text) ?? text;
}

/** A line of a table of contents without the dots between its title and its page; undefined for other lines. */
function contentsLine(text: string): string | undefined {
  const page = /[\divxlc]{1,6}$/i.exec(text)?.[0];
  if (page === undefined) return undefined;
  let end = text.length - page.length;
  let dots = 0;
  for (; end > 0 && ' .…·'.includes(text[end - 1] ?? ''); end--) if (text[end - 1] !== ' ') dots++;
  return dots >= 5 && end > 0 ? `- ${text.slice(0, end)} … ${page}` : undefined;
}

/** Whether the line below continues the same block. */
function belongs(last: Line, next: Line, pitch: number, level: number, sizes: readonly number[]): boolean {
  const step = last.y - next.y;
  if (last.isField || next.isField) return false;
  if (levelOf(next, sizes) !== level || Math.abs(last.size - next.size) > 0.15 * last.size) return false;
  const furthest = level > 0 ? HEADING_STEP_SIZES : TEXT_STEP_SIZES;
  if (step <= 0 || step > Math.max(1.45 * pitch, furthest * next.size)) return false;
  if (level > 0) return !NUMBERED.test(textOf(next));
  if (beginsReference(last, next)) return false;
  if (ITEM.test(textOf(next)) || contentsLine(last.cells.join(' ')) !== undefined) return false;
  const ended = /[.!?:;。！？…"”)]$/.test(textOf(last));
  if (ended && next.left - last.left > 0.9 * next.size) return false;
  return !(ended && last.right < next.right - 0.2 * (next.right - next.left));
}

/** Whether the line below continues an item whose lines but the first are indented. */
function hangs(first: Line, last: Line, next: Line, pitch: number, sizes: readonly number[]): boolean {
  const isItem = ITEM.test(textOf(first)) || REFERENCE.test(textOf(first));
  if (!isItem || next.left - first.left < 0.5 * next.size || next.isField) return false;
  const step = last.y - next.y;
  if (step <= 0 || step > Math.max(1.45 * pitch, TEXT_STEP_SIZES * next.size)) return false;
  if (levelOf(first, sizes) > 0 || levelOf(next, sizes) > 0) return false;
  return !ITEM.test(textOf(next)) && !REFERENCE.test(textOf(next));
}

/** A line of running text may begin with a citation: an entry stands further to the left, or behind the end of a sentence. */
function beginsReference(last: Line, next: Line): boolean {
  if (!REFERENCE.test(textOf(next))) return false;
  return last.left - next.left > 0.5 * next.size || /[.!?)\]]$/.test(textOf(last));
}

const UNSPACED = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}、。]';
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');

/** Words that the end of a line parts are whole again. */
function joined(before: string, after: string): string {
  // Only the end is read: a paragraph may have grown long.
  const end = before.slice(-4);
  const parted = /\p{L}\u00ad$/u.test(end) || (/\p{Ll}-$/u.test(end) && /^\p{Ll}/u.test(after));
  if (parted) return before.slice(0, -1) + after;
  return ENDS_UNSPACED.test(end) && STARTS_UNSPACED.test(after) ? before + after : `${before} ${after}`;
}

function goesOn(before: string, after: string): boolean {
  return !/^(#|- |\|)/.test(before) && /[\p{Ll},-]$/u.test(before.slice(-4)) && /^\p{Ll}/u.test(after);
}

/** The size that most characters are set in. */
function usualSize(lines: readonly Line[]): number {
  return mostOf(lines.map((line) => [rounded(line.size), textOf(line).length]));
}

function usualPitch(lines: readonly Line[]): number {
  const steps = lines.flatMap((line, index): [number, number][] => {
    const next = lines[index + 1] ?? line;
    const step = line.y - next.y;
    // A figure's labels are many, and short.
    return step > 0 ? [[rounded(step), Math.min(textOf(line).length, textOf(next).length)]] : [];
  });
  return mostOf(steps);
}

function mostOf(entries: readonly (readonly [number, number])[]): number {
  const sums = new Map<number, number>();
  for (const [value, weight] of entries) sums.set(value, (sums.get(value) ?? 0) + weight);
  let [best, most] = [0, 0];
  for (const [value, sum] of sums) if (sum > most) [best, most] = [value, sum];
  return best;
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2;
}

/** Sizes of headings, the largest first; its place is its level. */
function headingSizes(lines: readonly Line[], body: number): number[] {
  const large = lines.filter((line) => line.size > HEADING_SIZE_RATIO * body && isWords(textOf(line)));
  return [...new Set(large.map(({ size }) => rounded(size)))].sort((a, b) => b - a).slice(0, 5);
}

function levelOf(line: Line, sizes: readonly number[]): number {
  return isWords(textOf(line)) ? sizes.indexOf(rounded(line.size)) + 1 : 0;
}

/** A formula, an address, or a line of a program. */
const NO_HEADING = /[=≤≥∑∫∈→←{}]|\S@\S|https?:\/\/|^[#|]/;
const WORDS = /\p{L}{2,}|\p{Script=Han}/gu;
/** Share of a heading's characters that are letters of words, at least. */
const HEADING_LETTERS = 0.4;

function isWords(text: string): boolean {
  if (text.length > HEADING_CHARACTERS || text.startsWith('- ') || NO_HEADING.test(text)) return false;
  const letters = text.match(WORDS)?.join('').length ?? 0;
  return letters >= HEADING_LETTERS * text.replace(/\s/g, '').length;
}

/** Running heads and feet by their text, the page's number apart, and their height on the page. */
function repeatedLines(pages: readonly (readonly Line[])[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const key of new Set(page.filter(isEdge).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = Math.max(MIN_REPEATS, pages.length * 0.1);
  return new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key));
}

function isEdge({ height }: Line): boolean {
  return height < EDGE_SHARE || height > 1 - EDGE_SHARE;
}

function isRepeated(line: Line, repeated: ReadonlySet<string>): boolean {
  return isEdge(line) && repeated.has(keyOf(line));
}

function keyOf(line: Line): string {
  const text = textOf(line).replace(/^\d+\b|\b\d+$/g, '#');
  return `${Math.round(line.height * 50)} ${text.replace(/\b(page|seite|p\.)\s?\d+/i, '#')}`;
}
