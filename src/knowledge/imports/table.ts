import { parse } from 'csv-parse/sync';
import { AppError } from '../../errors.ts';
import { createUniqueNames } from './unique-names.ts';

/** Maximum number of characters of a CSV row. A longer row probably lacks a closing quotation mark. */
const ROW_CHARS = 1_000_000;
/** Pattern of Excel's line that names the separator. This line is not a row. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=([^\r\n])"?(?:\r\n|\n|\r)/i;

export type TableRow = Readonly<Record<string, string>>;

/**
 * Parses a CSV file. Returns each row as an object by the names of the columns. Columns with a missing or repeated name
 * get a number. If `delimiter` is undefined, it is guessed from the first line. Throws AppError `bad_request`.
 */
export function readTable(text: string, name: string, delimiter?: string): TableRow[] {
  const [line = '', separator] = SEPARATOR_LINE.exec(text) ?? [];
  const table = text.slice(line.length);
  try {
    const rows: string[][] = parse(table, {
      bom: true,
      delimiter: separator ?? delimiter ?? guessDelimiter(table),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: ROW_CHARS,
    });
    const [head = [], ...body] = rows;
    const width = body.reduce((most, row) => Math.max(most, row.length), head.length);
    const columns = nameColumns(Array.from({ length: width }, (_, at) => head[at]?.trim() ?? ''));
    // Creates objects without a prototype, because a column may have the name of an object method.
    return body.map((row) =>
      Object.assign(Object.create(null), Object.fromEntries(row.map((value, at) => [columns[at], value]))),
    );
  } catch (cause) {
    throw new AppError('bad_request', `${name} is not a table of comma-separated values`, { cause });
  }
}

function nameColumns(names: readonly string[]): string[] {
  const plain = names.map((name, at) => name || `Column ${at + 1}`);
  const nameColumn = createUniqueNames((name, number) => `${name} (${number})`, plain);
  return plain.map((name, at) => nameColumn(name, at + 1));
}

function guessDelimiter(text: string): string {
  const line = /[^\r\n]+/.exec(text.slice(0, 10_000).replace(/"[^"]*"/g, ''))?.[0] ?? '';
  const [best = ','] = [',', ';', '\t', '|'].sort((a, b) => line.split(b).length - line.split(a).length);
  return best;
}
