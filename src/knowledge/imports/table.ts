import { parse } from 'csv-parse/sync';
import { AppError } from '../../errors.ts';

/** Maximum length of a row in characters. A longer row means that a quotation mark is never closed. */
const ROW_CHARS = 1_000_000;

/** Parses a CSV file. Returns the rows below the header as objects by the header's names. Throws AppError `bad_request`. */
export function readTable(text: string, name: string): Readonly<Record<string, string>>[] {
  try {
    const rows: string[][] = parse(text, {
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: ROW_CHARS,
    });
    const [head = [], ...body] = rows;
    // Creates objects without a prototype, since a column may be named like a member of Object.
    return body.map((row) =>
      Object.assign(
        Object.create(null),
        Object.fromEntries(head.map((column, at) => [column.trim(), row[at] ?? ''])),
      ),
    );
  } catch (cause) {
    throw new AppError('bad_request', `${name} is not a table of comma-separated values`, { cause });
  }
}
