import { parse } from 'csv-parse/sync';
import { AppError } from '../../errors.ts';

/** Maximum number of characters of a CSV row. A longer row means that a closing quotation mark is missing. */
const ROW_CHARS = 1_000_000;

/** Parses a CSV file. Returns each row as an object whose keys are the names in the header. Throws AppError `bad_request`. */
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
    // The objects have no prototype, since a column may be named like a method of all objects.
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
