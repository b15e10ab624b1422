import { maxOf } from '../../../../lib/long-lists.ts';
import { countTitles } from '../../markdown.ts';
import { type HtmlElement, textsOf } from '../parsing/node.ts';
import { HEADING_TAGS } from '../parsing/tags.ts';
import { codeText } from './code.ts';

const MAX_WIDTH = 200;
const MAX_COLUMNS = 50;
const MAX_ROWS = 500;
const MAX_REPEATED_CHARS = 80;
const MAX_HEADS = 4;
/** A table that contains a longer cell and a nested table is used for layout. */
const MAX_CELL_CHARS = 400;
const MAX_CODE_LINES = 12;
/** A table is used for layout if a longer cell has most (`POST_SHARE`) of its text, as in old forums. */
const MIN_POST_CHARS = 600;
const POST_SHARE = 0.7;

export interface HtmlRow {
  readonly cells: readonly HtmlElement[];
  readonly head: boolean;
}

/** Returns a table's rows in browser order (`<thead>` first, `<tfoot>` last), without nested tables. */
export function rowsOf(table: HtmlElement): HtmlRow[] {
  const groups: [HtmlRow[], HtmlRow[], HtmlRow[]] = [[], [], []];
  const add = (cells: readonly HtmlElement[], group: string) => {
    if (cells.length === 0) return;
    const at = group === 'thead' ? 0 : group === 'tfoot' ? 2 : 1;
    groups[at].push({ cells, head: group === 'thead' || cells.every(({ tag }) => tag === 'th') });
  };
  const addRows = (holder: HtmlElement, group: string) => {
    // Collects successive cells outside of a `<tr>`. They form one row, as in browsers.
    let loose: HtmlElement[] = [];
    for (const child of holder.children) {
      if (isCell(child)) loose.push(child);
      else if (child.tag === 'tr') {
        add(loose, group);
        loose = [];
        add(child.children.filter(isCell), group);
      } else if (holder === table && /^t(?:head|body|foot)$/.test(child.tag)) addRows(child, child.tag);
    }
    add(loose, group);
  };
  addRows(table, 'tbody');
  return groups.flat();
}

/** Counts the rows that name columns. A single cell below them names the rows that follow it. */
export function countHeads(rows: readonly HtmlRow[]): number {
  let isNamed = false;
  for (const [at, { cells, head }] of rows.entries()) {
    if (!head || (isNamed && cells.length === 1)) return at;
    // A single cell beside a cell of a row above is a part of the names.
    isNamed = cells.length > 1 && cells.every((cell) => span(cell, 'rowspan') === 1);
  }
  return rows.length;
}

const isCell = ({ tag }: HtmlElement): boolean => tag === 'td' || tag === 'th';

export function isLayout(table: HtmlElement, rows: readonly HtmlRow[]): boolean {
  if (/^(?:presentation|none)$/.test(table.attributes.role ?? '')) return true;
  if (table.getElementsByTagName('table').length > 0 && !holdsSmall(table, rows)) return true;
  const widths = rows.map(({ cells }) => cells.reduce((sum, cell) => sum + span(cell, 'colspan'), 0));
  if (maxOf(widths) < 2) return true;
  const cells = rows.flatMap((row) => row.cells);
  const holdsCode = (cell: HtmlElement) =>
    cell.getElementsByTagName('pre').some((pre) => linesOf(pre).length > MAX_CODE_LINES);
  if (cells.some((cell) => holdsText(cell) || holdsCode(cell)) || holdsPost(cells)) return true;
  if (table.getElementsByTagName('th').length > 0 || table.getElementsByTagName('caption').length > 0)
    return false;
  if (rows.length < 2) return true;
  const empty = cells.filter(({ textContent }) => textContent.trim() === '').length;
  return empty > cells.length * 0.4;
}

function holdsSmall(table: HtmlElement, rows: readonly HtmlRow[]): boolean {
  const cells = rows.flatMap((row) => row.cells);
  return (
    rows.length > 1 &&
    (table.attributes.role === 'table' || cells.some(({ tag }) => tag === 'th')) &&
    cells.every((cell) => textLength(cell) <= MAX_CELL_CHARS)
  );
}

function textLength(element: HtmlElement): number {
  return textsOf(element).reduce((sum, text) => sum + text.trim().length, 0);
}

function holdsPost(cells: readonly HtmlElement[]): boolean {
  const lengths = cells.map(({ textContent }) => textContent.trim().length);
  const most = lengths.reduce((a, b) => Math.max(a, b), 0);
  return most > MIN_POST_CHARS && most > lengths.reduce((a, b) => a + b, 0) * POST_SHARE;
}

export const linesOf = (pre: HtmlElement): string[] => codeText(pre).trim().split('\n');

function holdsText(cell: HtmlElement): boolean {
  let paragraphs = 0;
  for (const { tag, chars } of cell.children) {
    if (HEADING_TAGS.has(tag) || tag === 'article' || tag === 'section') return true;
    if (tag === 'p' && chars > 200) paragraphs++;
  }
  return paragraphs > 1;
}

function span(cell: HtmlElement, name: 'colspan' | 'rowspan', most = MAX_COLUMNS): number {
  const value = Number.parseInt(cell.attributes[name] ?? '', 10);
  return value > 1 ? Math.min(value, most) : 1;
}

interface RowLine {
  readonly texts: string[];
  readonly head: boolean;
}

export function writeTable(rows: readonly HtmlRow[], textOf: (cell: HtmlElement) => string): string {
  const lines = withoutEmpty(layOut(rows, textOf));
  const width = Math.max(0, maxOf(lines.map(({ texts }) => texts.length)));
  const heads = lines.findIndex(({ head }) => !head);
  const count = heads < 0 ? Math.min(1, lines.length) : Math.min(heads, MAX_HEADS);
  let above = heads === 0 && rows[0]?.cells.length === 1 ? countTitles(lines.map(({ texts }) => texts)) : 0;
  while (above < count - 1 && isTitle(lines[above], width)) above++;
  const titles = lines.slice(0, above).map(({ texts }) => texts[0] ?? '');
  const named = lines.slice(above, count).map(({ texts }) => texts);
  const body = lines.slice(Math.max(above, count)).map(({ texts }) => texts);
  const first = named.length > 0 ? mergeNames(named, width) : (body.shift() ?? []);
  // The first row is data, not a header, if it is the only row or if every row starts with a `<th>`.
  const isNamed = ({ cells: [name, ...values] }: HtmlRow) => name?.tag === 'th' && values.length > 0;
  const unnamed = first.length > 0 && named.length === 0 && (body.length === 0 || rows.every(isNamed));
  const grid = unnamed ? [[], first, ...body] : [first, ...body];
  const written = grid.map(
    (texts) => `| ${Array.from({ length: width }, (_, i) => texts[i] ?? '').join(' | ')} |`,
  );
  written.splice(1, 0, `|${' --- |'.repeat(width)}`);
  return [...titles.map((title) => `${title}\n`), ...written].join('\n');
}

interface SpanningCell {
  left: number;
  readonly text: string;
  readonly head: boolean;
}

function layOut(rows: readonly HtmlRow[], textOf: (cell: HtmlElement) => string): RowLine[] {
  const taken = new Map<number, SpanningCell>();
  return rows.map(({ cells, head }) => {
    const texts: string[] = [];
    for (const cell of cells) {
      addAbove(texts, head, taken);
      addCell(cell, cellText(textOf(cell)), {
        texts,
        taken,
        names: head,
        alone: cells.length === 1 && texts.length === 0,
      });
    }
    addAbove(texts, head, taken);
    return { texts, head };
  });
}

function addAbove(texts: string[], head: boolean, taken: ReadonlyMap<number, SpanningCell>): void {
  for (let above = taken.get(texts.length); above && above.left > 0; above = taken.get(texts.length)) {
    above.left--;
    texts.push(above.head && !head ? '' : above.text);
  }
}

interface CellPlace {
  readonly texts: string[];
  readonly taken: Map<number, SpanningCell>;
  readonly names: boolean;
  readonly alone: boolean;
}

function addCell(cell: HtmlElement, text: string, { texts, taken, names, alone }: CellPlace): void {
  const [wide, high] = [span(cell, 'colspan'), span(cell, 'rowspan', MAX_ROWS)];
  const repeated = text.length <= MAX_REPEATED_CHARS ? text : '';
  for (let i = 0; i < wide && (i === 0 || texts.length < MAX_WIDTH); i++) {
    if (high > 1 && texts.length < MAX_WIDTH)
      taken.set(texts.length, { left: high - 1, text: i === 0 || names ? repeated : '', head: names });
    // A header cell over several columns is repeated, because it names each column.
    texts.push(i === 0 ? text : names && !alone ? repeated : '');
  }
}

function withoutEmpty(lines: readonly RowLine[]): RowLine[] {
  const full = new Set<number>();
  for (const { texts } of lines) for (const [i, text] of texts.entries()) if (text) full.add(i);
  return lines
    .map(({ texts, head }) => ({ texts: texts.filter((_, i) => full.has(i)), head }))
    .filter(({ texts }) => texts.some(Boolean));
}

function isTitle(line: RowLine | undefined, width: number): boolean {
  return (
    line !== undefined &&
    width > 1 &&
    line.texts.slice(1).every((text) => text === '' || text === line.texts[0]) &&
    line.texts[0] !== ''
  );
}

function mergeNames(heads: readonly (readonly string[])[], width: number): string[] {
  return Array.from({ length: width }, (_, i) =>
    [...new Set(heads.map((texts) => texts[i] ?? '').filter(Boolean))].join(' / '),
  );
}

function cellText(markdown: string): string {
  return markdown
    .trim()
    .replace(/\s+/g, (space) => (space.includes('\n') ? '<br>' : space))
    .replace(/(?<!\\)\|/g, '\\|');
}
