import type { HtmlElement } from './node.ts';
import { HEADING } from './tags.ts';

/** Columns and rows that one cell may span, whatever it says. */
const MAX_SPAN = 50;

export interface TableRow {
  readonly cells: readonly HtmlElement[];
  readonly head: boolean;
}

/** The rows of a table itself, not those of tables in it; <thead> first, <tfoot> last, as browsers show them. */
export function rowsOf(table: HtmlElement): TableRow[] {
  const groups: [TableRow[], TableRow[], TableRow[]] = [[], [], []];
  const add = (row: HtmlElement, group: string) => {
    const cells = row.children.filter(({ tag }) => tag === 'td' || tag === 'th');
    if (cells.length === 0) return;
    const at = group === 'thead' ? 0 : group === 'tfoot' ? 2 : 1;
    groups[at].push({ cells, head: group === 'thead' || cells.every(({ tag }) => tag === 'th') });
  };
  for (const child of table.children) {
    if (child.tag === 'tr') add(child, 'tbody');
    if (!/^t(?:head|body|foot)$/.test(child.tag)) continue;
    for (const row of child.children) if (row.tag === 'tr') add(row, child.tag);
  }
  return groups.flat();
}

/** Whether a table is there for the layout and not for data, judged by what it says and by what stands in it. */
export function isLayout(table: HtmlElement, rows: readonly TableRow[]): boolean {
  if (/^(?:presentation|none)$/.test(table.attributes.role ?? '')) return true;
  if (table.getElementsByTagName('table').length > 0) return true;
  const widths = rows.map(({ cells }) => cells.reduce((sum, cell) => sum + span(cell, 'colspan'), 0));
  if (Math.max(0, ...widths) < 2) return true;
  const cells = rows.flatMap((row) => row.cells);
  if (cells.some((cell) => holdsText(cell))) return true;
  if (table.getElementsByTagName('th').length > 0 || table.getElementsByTagName('caption').length > 0)
    return false;
  if (rows.length < 2) return true;
  const empty = cells.filter(({ textContent }) => textContent.trim() === '').length;
  return empty > cells.length * 0.4;
}

/** A cell with headings or several paragraphs is a part of the page, and no value. */
function holdsText(cell: HtmlElement): boolean {
  let paragraphs = 0;
  for (const { tag, chars } of cell.children) {
    if (HEADING.has(tag) || tag === 'article' || tag === 'section') return true;
    if (tag === 'p' && chars > 200) paragraphs++;
  }
  return paragraphs > 1;
}

function span(cell: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(cell.attributes[name] ?? '', 10);
  return value > 1 ? Math.min(value, MAX_SPAN) : 1;
}

/**
 * A table in GitHub's Markdown. A cell over several columns or rows stands in the first of them; the first
 * row is the head where none says so, since the format has no table without one.
 */
export function writeTable(rows: readonly TableRow[], textOf: (cell: HtmlElement) => string): string {
  const grid: string[][] = [];
  const taken = new Map<number, number>();
  for (const { cells } of rows) {
    const line: string[] = [];
    const skip = () => {
      for (let left = taken.get(line.length) ?? 0; left > 0; left = taken.get(line.length) ?? 0) {
        taken.set(line.length, left - 1);
        line.push('');
      }
    };
    for (const cell of cells) {
      skip();
      const [wide, high] = [span(cell, 'colspan'), span(cell, 'rowspan')];
      for (let i = 0; i < wide; i++) {
        if (high > 1) taken.set(line.length, high - 1);
        line.push(i === 0 ? cellText(textOf(cell)) : '');
      }
    }
    skip();
    if (line.some(Boolean)) grid.push(line);
  }
  const width = Math.max(0, ...grid.map(({ length }) => length));
  if (!rows[0]?.head && grid.length > 0 && grid.length === 1) grid.unshift([]);
  const lines = grid.map(
    (line) => `| ${Array.from({ length: width }, (_, i) => line[i] ?? '').join(' | ')} |`,
  );
  lines.splice(1, 0, `|${' --- |'.repeat(width)}`);
  return lines.join('\n');
}

function cellText(markdown: string): string {
  return markdown
    .trim()
    .replace(/\s+/g, (space) => (space.includes('\n') ? '<br>' : space))
    .replace(/(?<!\\)\|/g, '\\|');
}
