import { parse } from 'csv-parse/sync';
import { guessDelimiter, withoutDeclaration } from '../../lib/text/csv-delimiter.ts';
import { markdownTable } from './markdown.ts';

/** Maximum characters of a row. A longer row indicates a quotation mark that is never closed. */
const RECORD_CHARACTERS = 1_000_000;

/** Converts values separated by comma, semicolon, tab or bar to a table whose header is the first row. */
export function readCsv(text: string): string {
  const { rows, declared } = withoutDeclaration(text);
  const delimiter = declared ?? guessDelimiter(rows);
  return markdownTable(strict(rows, delimiter) ?? split(rows, delimiter));
}

function strict(text: string, delimiter: string): string[][] | undefined {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      bom: true,
      trim: delimiter !== '\t',
      relax_column_count: true,
      relax_quotes: true,
      // MySQL escapes quotation marks by a backslash.
      ...(/\\"(?![\s,;|])/.test(text) && !/""/.test(text) && { escape: '\\' }),
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
