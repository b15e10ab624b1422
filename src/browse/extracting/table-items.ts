import { splitBlocks } from '../reducing/blocks.ts';
import { markdownToPlainText } from '../reducing/plain-text.ts';
import type { DataItem } from './structured.ts';

const MAX_TABLES = 30;
const MAX_ROWS = 1000;
const MAX_COLUMNS = 50;

export function parseTables(markdown: string): DataItem[][] {
  const tables: { readonly names: readonly (readonly string[])[]; readonly rows: DataItem[] }[] = [];
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
      table.rows.push(Object.fromEntries(row) as DataItem);
    }
  }
  return tables.map(({ rows }) => rows);
}

/** Returns each column's names: its header and, if unambiguous, the header's part after the last ` / `, with and without unit. */
function namesOf(heads: readonly string[]): string[][] {
  const names = heads.map((head, at) => [head || `column ${at + 1}`]);
  // In a table of two columns, each column keeps one name, because such a table contains names and values.
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
    .map((cell) => markdownToPlainText(cell.replaceAll('\\|', '|')));
}

export function tableToPairs(rows: readonly DataItem[]): DataItem[] {
  const pairs = rows.map((row) => Object.values(row)).filter((cells) => cells.length === 2);
  if (pairs.length < rows.length || rows.length === 0) return [];
  return [Object.fromEntries(pairs.map(([name, value]) => [String(name), value]))];
}
