import { maxOf, minOf } from '../../../lib/long-lists.ts';
import { escapeBlockStart, markdownTable } from '../markdown.ts';
import { codeFinder, MONOSPACE } from './pdf-code.ts';
import { isPdfComment } from './pdf-comments.ts';
import type { OutlineHeading, PdfLine } from './pdf-lines.ts';
import { tableAt } from './pdf-tables.ts';
import { isRightToLeft } from './runs/pdf-rtl.ts';

const EDGE_SHARE = 0.1;
/** Minimum indentation of a list item below the item around it. */
const NESTED_POINTS = 4;
const MAX_DEPTH = 9;
const LIST_ITEM = /^ {0,18}- /;
/** A line at the edge of at least this many pages, and of a tenth of the pages, is a header or footer. */
const MIN_REPEATS = 3;
const HEADING_SIZE_RATIO = 1.14;
/** Minimum font size of a numbered heading such as `2.1 Aims`, as a multiple of the text's font size. */
const NUMBERED_SIZE_RATIO = 1.05;
/** Maximum width of a heading such as `2.1 Aims` in the usual font, as a share of the next line's width. */
const NUMBERED_SHARE = 0.7;
const HEADING_CHARACTERS = 200;
const MAX_LEVEL = 6;
/** Maximum distance between lines of a paragraph, in font sizes, unless the usual distance is larger. */
const TEXT_STEP_SIZES = 1.15;
const HEADING_STEP_SIZES = 1.3;
/** Usual distance of a heading's lines, in font sizes, if the next line's first word did not fit in the last one. */
const FULL_PITCH_SIZES = 1.1;
const MAX_PITCH_SIZES = 2.6;
const PROSE_SHARE = 0.2;

export function pdfMarkdown(pages: readonly (readonly PdfLine[])[]): { markdown: string; heading: string } {
  const body = bodyOf(pages);
  const blocks: string[] = [];
  let heading = '';
  for (const page of body.lines) heading = addBlocks(blocks, page, body, heading);
  return { markdown: withTightLists(blocks), heading: withWholeLetters(heading) };
}

/** Returns the Markdown of each page. Paragraphs are not joined across pages. */
export function pdfPages(pages: readonly (readonly PdfLine[])[]): { pages: string[]; heading: string } {
  const body = bodyOf(pages);
  let heading = '';
  const texts = body.lines.map((page) => {
    const blocks: string[] = [];
    heading = addBlocks(blocks, page, body, heading);
    return withTightLists(blocks);
  });
  return { pages: texts, heading: withWholeLetters(heading) };
}

interface PageBody {
  readonly lines: readonly (readonly PdfLine[])[];
  readonly sizes: readonly number[];
  readonly hyphenated: ReadonlySet<string>;
}

const HYPHENATED = /(?<!\p{L})\p{L}{2,40}-\p{Ll}{2,40}(?!\p{L})/gu;

function bodyOf(pages: readonly (readonly PdfLine[])[]): PageBody {
  const repeated = repeatedLines(pages);
  const usual = usualSize(pages.flat().filter(({ isField }) => !isField));
  const kept = pages.map((page, at) => {
    const known = page.filter((line) => isEdge(line) && keysOf(line, at).some((key) => repeated.has(key)));
    const heads = known.filter((line) => repeated.has(keysOf(line, at)[0] ?? ''));
    const gone = new Set(
      known.filter((line) => heads.includes(line) || !isCountedHeading(line, heads, usual)),
    );
    return page.filter((line) => !gone.has(line));
  });
  // If all lines are repeated headers and footers, they are kept as the text.
  const lines = kept.some((page) => page.length > 0) ? kept : pages.map((page) => [...page]);
  const all = lines.flat();
  // Leaves out form fields: their font sizes come from the program that shows the form, not from the author.
  const printed = all.filter(({ isField }) => !isField);
  const words = printed.flatMap((line) => textOf(line).toLowerCase().match(HYPHENATED) ?? []);
  const prose = printed.filter(({ font }) => font !== MONOSPACE);
  const body = usualSize(prose.length > PROSE_SHARE * printed.length ? prose : printed);
  const sizes = headingSizes(printed, body);
  return { lines: withFittingLevels(lines, sizes), sizes, hyphenated: new Set(words) };
}

/** Shifts the heading levels of the outline, so that they agree with the heading levels from font sizes. */
function withFittingLevels(pages: readonly (readonly PdfLine[])[], sizes: readonly number[]) {
  const all = pages.flat();
  const known = all.find((line) => line.heading && sizes.includes(rounded(line.size)));
  const offset = known?.heading
    ? sizes.indexOf(rounded(known.size)) + 1 - known.heading[0]
    : Math.min(sizes.length, 1);
  const fitting = ([level, entry]: OutlineHeading): OutlineHeading => [level + offset, entry];
  return pages.map((page) =>
    page.map((line) => (line.heading ? { ...line, heading: fitting(line.heading) } : line)),
  );
}

function addBlocks(blocks: string[], page: readonly PdfLine[], body: PageBody, heading: string): string {
  let first = heading;
  const all = blocksOf(page, body);
  for (const { text: plain, level, atTop } of page === body.lines[0] ? withoutAuthors(all) : all) {
    const text = level > 0 ? `${'#'.repeat(level)} ${plain}` : plain;
    if (level > 0) first ||= plain;
    const last = blocks.findLastIndex((block) => !isPdfComment(block));
    // The paragraph above the footnotes of a column or page may continue here.
    let above = last;
    while (FOOTNOTE.test(blocks[above] ?? '')) above--;
    const open = atTop && level === 0 && [above, last].find((at) => goesOn(blocks[at] ?? '', text));
    if (typeof open === 'number') blocks[open] = joinTextLines(blocks[open] ?? '', text, body);
    else blocks.push(text);
  }
  return first;
}

function withTightLists(blocks: readonly string[]): string {
  return blocks
    .map((text, index) => {
      const tight = LIST_ITEM.test(text) && LIST_ITEM.test(blocks[index - 1] ?? '');
      return (index === 0 ? '' : tight ? '\n' : '\n\n') + withWholeLetters(text);
    })
    .join('');
}

/** Matches Thai and Lao sara am as two signs, and a blank between a letter and its mark. */
const SARA_AM = /[\u0e4d\u0ecd]([\u0e48-\u0e4b\u0ec8-\u0ecb]?)([\u0e32\u0eb2])/g;
const BLANK_BEFORE_MARK = /(?<=[\p{Lo}\p{Mn}]) (?=\p{Mn})/gu;

function withWholeLetters(text: string): string {
  return text
    .replace(/\u00ad(?: |<br>)?/g, '')
    .replace(BLANK_BEFORE_MARK, '')
    .replace(SARA_AM, (_, tone: string, aa: string) => tone + String.fromCharCode(aa.charCodeAt(0) + 1));
}

interface PdfBlock {
  readonly text: string;
  readonly level: number;
  readonly atTop: boolean;
  readonly left?: number;
}

function blocksOf(drawn: readonly PdfLine[], body: PageBody): PdfBlock[] {
  const { sizes } = body;
  const blocks: PdfBlock[] = [];
  // The edges of a line from right to left are mirrored, so that `left` is where it begins.
  const lines = drawn.map((line) =>
    isRightToLeft(textOf(line)) ? { ...line, left: -line.right, right: -line.left } : line,
  );
  const [pitch, codeAt] = [usualPitch(lines), codeFinder(drawn)];
  const texts = lines.filter((one) => levelOf(one, sizes) === 0);
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (!line) break;
    const atTop = line.y > (lines[at - 1]?.y ?? 0);
    const code = codeAt(at);
    if (code) {
      blocks.push({ text: code.text, level: 0, atTop: false });
      at += code.lines;
      continue;
    }
    const table = tableAt(drawn, at);
    if (table) {
      blocks.push({ text: markdownTable(table.rows.map((row) => row.map(withoutDots))), level: 0, atTop });
      at += table.lines;
      continue;
    }
    const level = levelOf(line, sizes);
    let text = textOf(line);
    let last = line;
    let next = lines[++at];
    const least = (to: PdfLine) => (level > 0 && isFull(last, to, texts) ? FULL_PITCH_SIZES * to.size : 0);
    const pitchTo = (to: PdfLine) => Math.max(least(to), nearPitch(lines, line, at, pitch));
    const goesOn = (to: PdfLine) =>
      ((level > 0 || !ITEM.test(textOf(to)) || isOrdinal(line, last, to)) &&
        belongs(last, to, pitchTo(to), level, sizes)) ||
      hangs(line, last, to, pitch, sizes);
    while (next && goesOn(next) && !isParted(line, last, next, lines[at + 1]) && !tableAt(drawn, at)) {
      text = joinTextLines(text, textOf(next), body);
      last = next;
      next = lines[++at];
    }
    const isBox = line.isField && /^\[[ x]\] /.test(text);
    const clean = isBox ? `- ${text}` : escapeBlockStart(text).replace(BULLET, '- ').replace(SIGN, '- ');
    blocks.push({
      text: level > 0 ? text : clean,
      level: text.length > HEADING_CHARACTERS ? 0 : level,
      atTop,
      left: line.left,
    });
  }
  return withNestedItems(blocks);
}

function withNestedItems(blocks: readonly PdfBlock[]): PdfBlock[] {
  let lefts: number[] = [];
  return blocks.map((block) => {
    const { text, level, atTop, left = 0 } = block;
    const isItem = level === 0 && text.startsWith('- ');
    lefts = isItem && !atTop ? lefts.filter((one) => one < left - NESTED_POINTS) : [];
    const indent = '  '.repeat(Math.min(lefts.length, MAX_DEPTH));
    if (isItem) lefts.push(left);
    return isItem ? { ...block, text: indent + text } : block;
  });
}

const OPENING =
  /^((\d|[IVX]{1,4})[.:]?\s+)?(abstract|summary|introduction|zusammenfassung|einleitung|résumé|resumen|resumo|riassunto|摘要|概要|초록)(?!\p{L})/iu;

/** Turns headings between a paper's title and its abstract into plain text, because they name authors. */
function withoutAuthors(blocks: PdfBlock[]): PdfBlock[] {
  const title = blocks.findIndex(({ level }) => level > 0);
  const opening = blocks.findIndex(({ text }, at) => at > title && OPENING.test(text));
  const isAuthor = ({ level }: PdfBlock, at: number) =>
    at > title && at < opening && level > (blocks[title]?.level ?? 0);
  return blocks.map((block, at) => (isAuthor(block, at) ? { ...block, level: 0 } : block));
}

const MARK = '(?:[•▪●◦‣∙■➢▸►▶❖➤❍❏❐❑❒◆◇○➔➜\\ue000-\\uf8ff]\\s*(?=\\S)|[·□–—-]\\s+)';
const BULLET = new RegExp(`^${MARK}`);
/** Matches the place of a sign such as a check mark before a list item. The sign stays, as it has a meaning. */
const SIGN = /^(?=[★☎☐-☒☛☞♠-♧✁-➿]\s)/;
const ITEM = new RegExp(
  `${SIGN.source}|^(${MARK}|(\\d{1,3}[.)]|[A-Za-z]\\)|(?:i{1,3}|iv|vi{1,3}|ix)\\.|\\(\\w{1,3}\\)|[*»]|[QA]:)\\s+)`,
);
const FOOTNOTE = /^(?:\d{1,3}|[¹²³⁴-⁹]{1,3}|[*†‡§]) [^\s\d]/;
/** Matches the number or letter of a list item, for example `12`, `.3`, `1.4`, `1bis` or `B.`. */
const LABEL = /^(\.?(?:\d{1,3}\.){0,3})(?:(\d{1,3})(?:bis|ter|[a-z])?[.)]?|([A-Za-z])[.)])(?=\s+\S)/;
const NUMBERED = /^(\d{1,2}(\.\d{1,2}){0,4}\.?|[A-Z]\.(\d{1,2}\.?){0,3}|[IVX]{1,5}\.)\s/;
/** Matches the beginning of an entry in a reference list, for example `[12]` or `[Knu84]`. */
const REFERENCE = /^\[(\d{1,3}|\p{L}[\p{L}+]{1,12}\d{0,4}[a-z]?)\]\s+\S/u;

function textOf({ cells }: PdfLine): string {
  const text = cells.join(' ');
  return contentsLine(text) ?? text;
}

function contentsLine(text: string): string | undefined {
  const page = /[\divxlc]{1,6}$/i.exec(text)?.[0];
  if (page === undefined) return undefined;
  const dotted = text.slice(0, -page.length);
  const title = withoutDots(dotted);
  return title !== dotted && title !== '' ? `- ${title} … ${page}` : undefined;
}

function withoutDots(text: string): string {
  let [end, dots] = [text.length, 0];
  for (; end > 0 && ' .…·'.includes(text[end - 1] ?? ''); end--) if (text[end - 1] !== ' ') dots++;
  return dots >= 5 ? text.slice(0, end) : text;
}

/** Returns the smallest of the usual line distance (`pitch`) and the line distances beside line `at`. */
function nearPitch(lines: readonly PdfLine[], first: PdfLine, at: number, pitch: number): number {
  const steps = [at - 1, at + 1].map((below) => {
    const [one, next] = [lines[below - 1], lines[below]];
    if (!one || !next || next === first || Math.abs(one.size - next.size) > 0.15 * one.size) return pitch;
    return one.y - next.y < one.size ? pitch : one.y - next.y;
  });
  return Math.min(pitch, ...steps);
}

function belongs(last: PdfLine, next: PdfLine, pitch: number, level: number, sizes: readonly number[]) {
  const step = last.y - next.y;
  if (last.isField || next.isField || last.heading?.[1] !== next.heading?.[1]) return false;
  if (levelOf(next, sizes) !== level || Math.abs(last.size - next.size) > 0.15 * last.size) return false;
  const furthest = level > 0 ? HEADING_STEP_SIZES : TEXT_STEP_SIZES;
  if (step <= 0 || step > Math.max(1.45 * pitch, furthest * next.size)) return false;
  if (level > 0) return !NUMBERED.test(textOf(next));
  if (beginsReference(last, next)) return false;
  if (contentsLine(last.cells.join(' ')) !== undefined) return false;
  const ended = ENDED.test(textOf(last).replace(LINK_END, ''));
  if (ended && next.left - last.left > 0.9 * next.size) return false;
  return !(ended && last.right < next.right - 0.2 * (next.right - next.left));
}

/** True if the first word of a heading's next line did not fit in the line above it. */
function isFull(last: PdfLine, next: PdfLine, texts: readonly PdfLine[]): boolean {
  const widest = maxOf(texts.map(({ left, right }) => right - left));
  // A heading in a box is as far from the right edge of the text as it is from the left one.
  const indent = last.left - minOf(texts.map(({ left }) => left));
  const room = indent > 0 && indent < 2 * next.size ? widest - 2 * indent : widest;
  const [text, word] = [textOf(next), textOf(next).split(' ', 1)[0] ?? ''];
  const needed = last.right - last.left + ((next.right - next.left) * (word.length + 1)) / text.length;
  return texts.length > 0 && next.cells.length === 1 && styleOf(last) === styleOf(next) && needed > room;
}

/** True for a line of a sentence that begins with an ordinal, for example `14. května 2026`. */
function isOrdinal(first: PdfLine, last: PdfLine, next: PdfLine): boolean {
  const number = /^(\d{1,2})\. \p{Ll}/u.exec(textOf(next))?.[1];
  if (number === undefined || number === '1' || ITEM.test(textOf(first))) return false;
  const isFull = last.right > next.right - 0.2 * (next.right - next.left);
  return isFull && /[\p{Ll},]$/u.test(textOf(last));
}

/** True for a line with a label and a value, for example `Company: North Yard`. */
function isLabelled({ cells: [first = '', second] }: PdfLine): boolean {
  return second === undefined ? /^\p{Lu}[^:.,;]{0,30}: \S/u.test(first) : /^\p{Lu}[^:]{0,40}:$/u.test(first);
}

function isParted(first: PdfLine, last: PdfLine, next: PdfLine, after: PdfLine | undefined): boolean {
  const [label, below] = [LABEL.exec(textOf(first)), LABEL.exec(textOf(next))];
  if (label && below && label[1] === below[1] && label[0] !== below[0]) {
    const [number = 0, other = 0] = [label, below].map(
      ([, , digits, letter]) => digits ?? letter?.charCodeAt(0),
    );
    if (Number(other) - Number(number) === 1 || (other === number && label[2])) return true;
  }
  // An unindented line that is far below a list item does not belong to the item.
  if (
    ITEM.test(textOf(first)) &&
    last.y - next.y > 1.7 * next.size &&
    next.left < first.left + 0.5 * next.size
  )
    return true;
  const isWhole = last === first || /[.!?;]$/.test(textOf(last));
  if (isWhole && isLabelled(first) && isLabelled(next)) return true;
  if (last === first && isNumberedHeading(last, next)) return true;
  if (styleOf(last) === styleOf(next)) return false;
  if (styleOf(first) === styleOf(last) && isSubheading(last, next)) return true;
  return ENDED.test(textOf(last)) && after !== undefined && isSubheading(next, after);
}

function isNumberedHeading(line: PdfLine, below: PdfLine): boolean {
  const text = textOf(line);
  if (!/^\d{1,2}(?:\.\d{1,2}){1,4}\.? \p{Lu}[^.:,;]{1,200}$/u.test(text) || !isWords(text)) return false;
  const isShort = line.right - line.left < NUMBERED_SHARE * (below.right - below.left);
  return isShort && /^\p{Lu}/u.test(textOf(below));
}

const LINK_END = /\]\([^()\s]{1,2000}\)$/;
/** Matches the end of a sentence, also before the mark of a footnote. */
const ENDED = /[.!?:;。！？…؟۔"”)](?:\^\d{1,3}|[*†‡§¹²³⁴-⁹]{1,3})?$/;
const styleOf = (line: PdfLine): string => `${line.font} ${!/\p{Ll}/u.test(textOf(line))}`;

function isSubheading(line: PdfLine, below: PdfLine): boolean {
  const [text, { size }] = [textOf(line), line];
  if (!line.font || !below.font || !isWords(text) || /[,;-]$/.test(text)) return false;
  if (styleOf(line) === styleOf(below)) return false;
  return line.right < below.right - 2 * size && [text, textOf(below)].every((one) => /^[^\p{Ll}]/u.test(one));
}

function hangs(first: PdfLine, last: PdfLine, next: PdfLine, pitch: number, sizes: readonly number[]) {
  const isItem = ITEM.test(textOf(first)) || REFERENCE.test(textOf(first));
  if (!isItem || next.left - first.left < 0.5 * next.size || next.isField) return false;
  const step = last.y - next.y;
  if (step <= 0 || step > Math.max(1.45 * pitch, TEXT_STEP_SIZES * next.size)) return false;
  if (levelOf(first, sizes) > 0 || levelOf(next, sizes) > 0) return false;
  return !ITEM.test(textOf(next)) && !REFERENCE.test(textOf(next));
}

function beginsReference(last: PdfLine, next: PdfLine): boolean {
  if (!REFERENCE.test(textOf(next))) return false;
  return last.left - next.left > 0.5 * next.size || /[.!?)\]]$/.test(textOf(last));
}

const UNSPACED = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}、。]';
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');

export function joinTextLines(
  before: string,
  after: string,
  { hyphenated }: Pick<PageBody, 'hyphenated'>,
): string {
  const end = before.slice(-4);
  const [, url] = /\]\((https?:[^()\s]{1,2000})\)$/.exec(before) ?? [];
  if (url && after.startsWith('[') && after.slice(after.indexOf('](')).startsWith(`](${url})`))
    return `${before.slice(0, -url.length - 3)} ${after.slice(1)}`;
  const isAddress = /^\(?(?:https?:\/\/|www\.)\S/.test(before.slice(before.lastIndexOf(' ') + 1));
  const isPart = /[/=&_?#-]$/.test(end) && /^[\p{Ll}\d][^\s:]*[./_=&?%-][^\s:]/u.test(after);
  if (isAddress) return isPart ? before + after : `${before} ${after}`;
  const [start = ''] = /\p{L}{2,40}-$/u.exec(before.slice(-41)) ?? [];
  const word = start && `${start}${/^\p{Ll}{2,40}/u.exec(after)?.[0] ?? ''}`.toLowerCase();
  if (hyphenated.has(word)) return before + after;
  if (/\p{Ll}[-\u2010]$/u.test(end) && /^(?!(?:and|or|und|oder|bzw|et|ou)(?!\p{L}))\p{Ll}/u.test(after))
    return before.slice(0, -1) + after;
  const touches =
    /[\p{L}\d][-\u2010\u2011\u2013\u2014]$/u.test(end) &&
    /^[\p{Lu}\d]|^(?!(?:and|or|und|oder|bzw|et|ou)(?!\p{L}))\p{L}/u.test(after);
  return touches || (ENDS_UNSPACED.test(end) && STARTS_UNSPACED.test(after))
    ? before + after
    : `${before} ${after}`;
}

function goesOn(before: string, after: string): boolean {
  return (
    !/^(#| {0,18}- |\|)/.test(before) &&
    /[\p{Ll},\u00ad-](?:\^\d{1,3})?$/u.test(before.slice(-8)) &&
    /^\p{Ll}/u.test(after)
  );
}

function usualSize(lines: readonly PdfLine[]): number {
  return mostOf(lines.map((line) => [rounded(line.size), textOf(line).length]));
}

function usualPitch(lines: readonly PdfLine[]): number {
  const steps = (afterEnds: boolean) =>
    lines.flatMap((line, index): [number, number][] => {
      const [text, next] = [textOf(line), lines[index + 1] ?? line];
      const step = line.y - next.y;
      // Distances between long lines count more, because short labels in a figure have unusual distances.
      const weight = Math.min(text.length, textOf(next).length);
      const isText = step > 0 && Math.abs(line.size - next.size) < 0.15 * line.size;
      return isText && ENDED.test(text) === afterEnds ? [[rounded(step), weight]] : [];
    });
  // The distance after the end of a sentence may be that of paragraphs.
  const size = usualSize(lines);
  const pitch = mostOf(steps(false)) || Math.min(mostOf(steps(true)), HEADING_STEP_SIZES * size);
  return Math.min(pitch, MAX_PITCH_SIZES * size);
}

function mostOf(entries: readonly (readonly [number, number])[]): number {
  const sums = new Map<number, number>();
  for (const [value, weight] of entries) sums.set(value, (sums.get(value) ?? 0) + weight);
  let [best, most] = [0, 0];
  for (const [value, sum] of sums) if (sum > most) [best, most] = [value, sum];
  return best;
}

const rounded = (size: number): number => Math.round(size * 2) / 2;

function headingSizes(lines: readonly PdfLine[], body: number): number[] {
  const sizes = Map.groupBy(lines, ({ size }) => rounded(size));
  const isHeading = (line: PdfLine) => line.size > HEADING_SIZE_RATIO * body && isWords(textOf(line));
  const isNumbered = (line: PdfLine) => NUMBERED.test(textOf(line)) && isWords(textOf(line));
  const hasParts = (line: PdfLine) => /^\d{1,2}\.\d/.test(textOf(line));
  const isOfHeadings = ([size, all]: [number, PdfLine[]]) =>
    all.some(isHeading) || (size > NUMBERED_SIZE_RATIO * body && all.every(isNumbered) && all.some(hasParts));
  return [...sizes]
    .filter(isOfHeadings)
    .map(([size]) => size)
    .sort((a, b) => b - a)
    .slice(0, 5);
}

function levelOf(line: PdfLine, sizes: readonly number[]): number {
  const level = !line.isField && isWords(textOf(line)) ? sizes.indexOf(rounded(line.size)) + 1 : 0;
  return level || Math.min(Math.max(line.heading?.[0] ?? 0, 0), MAX_LEVEL);
}

const NO_HEADING = /[=≤≥∑∫∈→←{}]|\S@\S|https?:\/\/|^[#|]/;
const WORDS = /\p{L}{2,}|\p{Script=Han}/gu;
const HEADING_LETTERS = 0.4;

function isWords(text: string): boolean {
  if (text.length > HEADING_CHARACTERS || text.startsWith('- ') || NO_HEADING.test(text)) return false;
  const letters = text.match(WORDS)?.join('').length ?? 0;
  return letters >= HEADING_LETTERS * text.replace(/\s/g, '').length;
}

function repeatedLines(pages: readonly (readonly PdfLine[])[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const [at, page] of pages.entries()) {
    const keys = page.filter(isEdge).flatMap((line) => keysOf(line, at));
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = Math.max(MIN_REPEATS, pages.length * 0.1);
  // Two occurrences are enough for a line with the number of its page, and for its number alone in two pages.
  // The numbers of years, bills or tickets may follow each other too.
  const hasWords = (key: string) => (key.includes(PAGE_SIGN) ? /\p{L}{4}/u : /\p{L}{2}/u).test(key);
  const isRepeated = ([key, count]: [string, number]) =>
    count >= least || (count > 1 && COUNTED.test(key) && (pages.length > 2 || !hasWords(key)));
  return new Set([...counts].filter(isRepeated).map(([key]) => key));
}

/** True for a heading such as `Lesson 3` at the top, whose number alone differs from page to page. */
function isCountedHeading(line: PdfLine, heads: readonly PdfLine[], usual: number): boolean {
  if (line.height < 0.5 || line.cells.length > 1 || !isWords(textOf(line))) return false;
  const isBelowHead = heads.some(({ y, size }) => y > line.y && size < line.size);
  return line.size > (isBelowHead ? usual - 0.25 : HEADING_SIZE_RATIO * usual);
}

/** Replaces words such as `page 3`, so that such lines have equal keys on all pages. */
const PAGE_SIGN = '\ue000';
const COUNTED = /#1 -?\d{1,3}#|\ue000/;
const isEdge = ({ height }: PdfLine): boolean => height < EDGE_SHARE || height > 1 - EDGE_SHARE;

/** Returns keys that all pages with the same header or footer share, although their page numbers differ. */
function keysOf(line: PdfLine, page: number): string[] {
  const cells = line.cells.map((cell) => cell.replace(/^[ivxlc]{1,7}$/i, '#'));
  const text = textOf({ ...line, cells })
    .slice(0, HEADING_CHARACTERS)
    .replace(/\b(page|seite|p\.)\s?\d+/i, PAGE_SIGN);
  // Only the first two and last two numbers of a line may be page numbers.
  const numbers = [...text.matchAll(/(?<![\d.,])\d{1,6}(?![.,]?\d)/g)];
  const outer = numbers.filter((_, at) => at < 2 || at > numbers.length - 3);
  const counted = outer.flatMap(({ 0: number, index }) => {
    const [before, after] = [text.slice(0, index), text.slice(index + number.length)];
    return [1, 2].map((step) => `${before}#${step} ${Number(number) - step * page}#${after}`);
  });
  return [text, ...counted].map((one) => `${Math.round(line.height * 50)} ${one}`);
}
