const MAX_ROWS = 2000;
const MAX_COLUMNS = 200;

export function markdownTable(rows: readonly (readonly string[])[], whole = true): string {
  const widest = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (widest === 0) return '';
  const columns = Math.min(widest, MAX_COLUMNS);
  const cell = (text = '') =>
    text
      .split(/[\n\r]+/)
      .map(oneLine)
      .filter(Boolean)
      .join('<br>')
      .replaceAll('|', '\\|');
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, i) => cell(row[i])).join(' | ')} |`;
  const above = countTitles(rows);
  const titles = rows.slice(0, above).map(([title = '']) => escapeBlockStart(oneLine(title)));
  const [head = [], ...body] = rows.slice(above);
  const shown = body.slice(0, MAX_ROWS);
  const lines = [line(head), `|${' --- |'.repeat(columns)}`, ...shown.map(line)];
  const left = body.length - shown.length;
  const notes = [
    (left > 0 || !whole) && `${whole ? `${left} more` : 'More'} rows are not shown.`,
    widest > columns && `${widest - columns} more columns are not shown.`,
  ].filter(Boolean);
  return [...titles, lines.join('\n'), ...notes].join('\n\n');
}

/** Counts the titles above the row that names the columns. Of two columns, all but the name have figures below. */
export function countTitles(rows: readonly (readonly string[])[]): number {
  const above = rows.findIndex(([title, ...others]) => !title || others.some(Boolean));
  const [names = [], ...body] = above > 0 ? rows.slice(above) : [];
  const isFigure = ([, value = '']: readonly string[]) => /\d/.test(value);
  if (names.filter(Boolean).length > 2) return above;
  return body.length > 1 && !isFigure(names) && body.every(isFigure) ? above : 0;
}

export const HIDDEN_NOTE = 'Hidden rows, columns and cells are not shown.';
export const MAX_TABLE_ROWS = MAX_ROWS + 1;
export const MAX_TABLE_COLUMNS = MAX_COLUMNS;

export function writeCodeFence(text: string, language: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export function formatFileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function escapeBlockStart(line: string): string {
  return line.replace(
    /^(?=#{1,6}\s|>|`{3}|~{3}|([-*_=])(?:[ \t]{0,3}\1){2,200}[ \t]{0,9}$|\|[^|\n]{0,2000}\|)/,
    '\\',
  );
}

export function escapeHeadings(text: string): string {
  let [isCode, above] = [false, ''];
  const escaped = (line: string) => {
    const own = line.replace(/^(?: {0,3}>){1,50}/, '').trimEnd();
    const isHeading =
      /^ {0,3}(?:#{1,6}(?:\s|$)|(?:=+|-+)$)/.test(own) && (above !== '' || /^ {0,3}#/.test(own));
    if (/^ {0,3}(?:```|~~~)/.test(own)) isCode = !isCode;
    above = own;
    return isHeading && !isCode ? line.replace(/[#=-]/, '\\$&') : line;
  };
  return text.split('\n').map(escaped).join('\n');
}
