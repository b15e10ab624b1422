import { parse } from 'csv-parse/sync';
import { markdownTable } from './markdown.ts';

/** Maximum characters of a row. A longer row indicates a quotation mark that is never closed. */
const RECORD_CHARACTERS = 1_000_000;
const DELIMITERS = ['\t', ';', '|', ','] as const;
/** Beginning of a file, in characters and lines, by which its delimiter is guessed. */
const HEAD_CHARACTERS = 10_000;
const HEAD_LINES = 50;

/** Converts values separated by comma, semicolon, tab or bar to a table whose header is the first row. */
export function readCsv(text: string): string {
  const [line = '', declared] = DECLARATION.exec(text) ?? [];
  const rows = text.slice(line.length);
  const delimiter = declared ?? delimiterOf(rows);
  return markdownTable(strict(rows, delimiter) ?? split(rows, delimiter));
}

/** Matches a first line such as `sep=;`. The line names the delimiter for Excel and is not data. */
const DECLARATION = /^\ufeff?\s{0,20}"?sep=([^\r\n"])"?[;,\t]*(?:\r\n|\n|\r|$)/i;

function strict(text: string, delimiter: string): string[][] | undefined {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      bom: true,
      ltrim: delimiter !== '\t',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: RECORD_CHARACTERS,
    });
  } catch {
    return undefined;
  }
}

/** Makes every line a row and ignores quotation marks. Used for a file whose quotation marks are invalid. */
function split(text: string, delimiter: string): string[][] {
  const lines = text.split(/\r?\n|\r/).filter((line) => line.trim());
  return lines.map((line) => line.split(delimiter));
}

/**
 * Returns the delimiter that most lines contain equally often. The number of commas in values differs from line to line.
 * A date such as `April 9, 2023` has one in each line, so of two delimiters in all lines the more frequent one counts.
 */
function delimiterOf(text: string): string {
  const head = text.slice(0, HEAD_CHARACTERS).replace(/"[^"]*"/g, '');
  const lines = head.split(/\r\n|\n|\r/, HEAD_LINES).filter(Boolean);
  // Leaves out the last line if it was cut.
  if (text.length > HEAD_CHARACTERS && lines.length > 1) lines.pop();
  let best = { delimiter: ',', least: 0, lines: 0, count: 0 };
  for (const delimiter of DELIMITERS) {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    for (const [count, { length: equal }] of Map.groupBy(counts, (one) => one)) {
      const least = equal > lines.length / 2 ? Math.min(...counts) : 0;
      const difference = least - best.least || equal - best.lines || count - best.count;
      if (count > 0 && difference > 0) best = { delimiter, least, lines: equal, count };
    }
  }
  return best.delimiter;
}
