import { parse } from 'csv-parse/sync';
import { markdownTable } from './markdown.ts';

/** Bounds of what is parsed: a longer row is not a row but a quotation mark that nothing closes. */
const RECORD_CHARACTERS = 1_000_000;

/** Comma-, semicolon-, tab- or bar-separated values as a table, the first row as its head. */
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

/** For files that break the rules of quotation: line by line. */
function split(text: string, delimiter: string): string[][] {
  const lines = text.split(/\r?\n|\r/).filter((line) => line.trim());
  return lines.map((line) => line.split(delimiter));
}

/** The sign that the first line holds most of, outside of quotation marks. */
function delimiterOf(text: string): string {
  const head = text.slice(0, 10_000).trimStart();
  const line = head.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0] ?? '';
  const [best = ','] = [',', ';', '\t', '|'].sort((a, b) => line.split(b).length - line.split(a).length);
  return best;
}
