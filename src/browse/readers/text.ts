import type { Page } from '../page.ts';

/** Rows of a table shown; the rest is counted. */
const ROWS = 2000;

/** Text that needs little: Markdown as it is, plain text in paragraphs, JSON, CSV, XML and code as blocks. */
export function readText(text: string, url: string, kind: Page['kind']): { title: string; markdown: string } {
  const title = nameOf(url);
  switch (kind) {
    case 'markdown':
      return { title: /^#\s+(.+)$/m.exec(text)?.[1]?.trim() ?? title, markdown: text };
    case 'json':
      return { title, markdown: fenced(pretty(text), 'json') };
    case 'csv':
      return { title, markdown: table(text) };
    case 'xml':
      return { title, markdown: fenced(text, 'xml') };
    default:
      return { title, markdown: plain(text, url) };
  }
}

/** Last part of the path, else the host. */
export function nameOf(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? '';
  try {
    return decodeURIComponent(last) || hostname;
  } catch {
    return last || hostname;
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const CODE = /\.(js|mjs|ts|tsx|jsx|py|rb|go|rs|java|kt|c|h|cpp|cs|php|sh|sql|css|ya?ml|toml|ini|lua|swift)$/i;

function plain(text: string, url: string): string {
  const code = CODE.exec(new URL(url).pathname)?.[1];
  return code ? fenced(text, code.toLowerCase()) : text;
}

/** A fence longer than any inside. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

function table(text: string): string {
  const rows = parseCsv(text, ROWS + 1);
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]) => `| ${head.map((_, i) => cell(cells[i] ?? '')).join(' | ')} |`;
  const lines = [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...body.map(line)];
  const note = rows.length > ROWS ? `\n\nOnly the first ${ROWS} rows are shown.` : '';
  return lines.join('\n') + note;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
}

/** RFC 4180, with the delimiter that the first line has most of. */
function parseCsv(text: string, most: number): string[][] {
  const first = text.slice(0, text.indexOf('\n') >>> 0);
  const delimiter = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length)[0] ?? ',';
  const rows: string[][] = [];
  let row: string[] = [];
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\\r\\n]*))(${delimiter}|\\r?\\n|\\r|$)`, 'y');
  for (let at = 0; at < text.length && rows.length < most; at = field.lastIndex) {
    field.lastIndex = at;
    const match = field.exec(text);
    if (!match) break;
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] !== delimiter) {
      rows.push(row);
      row = [];
    }
  }
  return rows.filter((cells) => cells.some(Boolean));
}
