import { parse } from 'csv-parse/sync';
import { AppError } from '../../errors.ts';

/** Characters of a row: a longer one is a quotation mark that nothing closes. */
const ROW_CHARS = 1_000_000;

/** The rows of a file of comma-separated values below its head, by the head's names. AppError `bad_request`. */
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
    // Without a prototype: a column may be named like one of an object's own.
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
