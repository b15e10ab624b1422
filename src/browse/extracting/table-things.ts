import { splitBlocks } from '../reducing/blocks.ts';
import { plainText } from '../reducing/plain-text.ts';
import type { Thing } from './structured.ts';

/** The tables of a text as things. */

/** Tables of a page, their rows and columns. */
const MAX_TABLES = 30;
const MAX_ROWS = 1000;
const MAX_COLUMNS = 50;

/** The rows of a page's tables as things with the names of their columns. */
export function tablesOf(markdown: string): Thing[][] {
  const tables: { readonly names: readonly (readonly string[])[]; readonly rows: Thing[] }[] = [];
  for (const { kind, text } of splitBlocks(markdown)) {
    if (kind === 'head' && tables.length < MAX_TABLES) {
      tables.push({ names: namesOf(cellsOf(text.split('\n', 1)[0] ?? '')), rows: [] });
    }
    const table = tables.at(-1);
    if (kind !== 'rows' || !table) continue;
    for (const line of text.split('\n')) {
      if (table.rows.length >= MAX_ROWS) break;
      const row = cellsOf(line).flatMap((cell, at) =>
        cell === '' ? [] : (table.names[at] ?? [`column ${at + 1}`]).map((name) => [name, cell] as const),
      );
      table.rows.push(Object.fromEntries(row) as Thing);
    }
  }
  return tables.map(({ rows }) => rows);
}

/** What a column is called: as it is headed, and where no other is called so without unit, or as its last row of heads says. */
function namesOf(heads: readonly string[]): string[][] {
  const names = heads.map((head, at) => [head || `column ${at + 1}`]);
  // Rows of two cells are names with values: these keep one name a cell.
  if (heads.length < 3) return names;
  const short = heads.map((head) => {
    const last = head.slice(head.lastIndexOf(' / ') + 1).replace(/^\/ /, '');
    const bare = last.replace(/\s?[([][^()[\]]{0,40}[)\]]$/, '').trim();
    return [...new Set([last, bare])].filter((name) => name !== '' && name !== head);
  });
  const count = new Map<string, number>();
  for (const name of [...heads, ...short.flat()]) count.set(name, (count.get(name) ?? 0) + 1);
  return names.map((own, at) => [...own, ...(short[at] ?? []).filter((name) => count.get(name) === 1)]);
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner
    .split(/(?<!\\)\|/)
    .slice(0, MAX_COLUMNS)
    .map((cell) => plainText(cell.replaceAll('\\|', '|')));
}

/** A table of two columns says a value for each name. */
export function pairsOf(rows: readonly Thing[]): Thing[] {
  const pairs = rows.map((row) => Object.values(row)).filter((cells) => cells.length === 2);
  if (pairs.length < rows.length || rows.length === 0) return [];
  return [Object.fromEntries(pairs.map(([name, value]) => [String(name), value]))];
}
