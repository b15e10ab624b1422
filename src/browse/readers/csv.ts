import { parse } from 'csv-parse/sync';
import { markdownTable } from './markdown.ts';

/** Maximum characters of a row. A longer row indicates a quotation mark that is never closed. */
const RECORD_CHARACTERS = 1_000_000;

/** Converts values separated by comma, semicolon, tab or bar to a table whose header is the first row. */
export function readCsv(text: string): string {
  const delimiter = delimiterOf(text);
  return markdownTable(strict(text, delimiter) ?? split(text, delimiter));
}

function strict(text: string, delimiter: string): string[][] | undefined {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      bom: true,
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

function delimiterOf(text: string): string {
  const head = text.slice(0, 10_000).trimStart();
  const line = head.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0] ?? '';
  const [best = ','] = [',', ';', '\t', '|'].sort((a, b) => line.split(b).length - line.split(a).length);
  return best;
}
