import { parse } from 'csv-parse/sync';
import { AppError } from '../../errors.ts';
import { guessDelimiter, withoutDeclaration } from '../../lib/text/csv-delimiter.ts';
import { createUniqueNames } from './unique-names.ts';

/** Maximum number of characters of a CSV row. A longer row probably lacks a closing quotation mark. */
const ROW_CHARS = 1_000_000;
const HEAD_CHARS = 10_000;
const MAX_PREAMBLE = 20;
const PREAMBLE_CHARS = 1000;
/** Column that gets the lines above a table, in each of its rows. No real column has an empty name. */
export const PREAMBLE_COLUMN = '';
export type CsvRow = Readonly<Record<string, string>>;

/** Parses a CSV file into objects with column names as keys. A missing or repeated name gets a number. */
export function readTable(text: string, name: string, delimiter?: string): CsvRow[] {
  const { rows: table, declared } = withoutDeclaration(text);
  try {
    const rows: string[][] = parse(table, {
      bom: true,
      delimiter: declared ?? delimiter ?? delimiterOf(table),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: ROW_CHARS,
    });
    const preamble = preambleOf(rows);
    const [head = [], ...body] = rows.slice(preamble.length);
    const above = preamble.flatMap((row) => row.join('').trim() || []).join('\n');
    const width = body.reduce((most, row) => Math.max(most, row.length), head.length);
    const columns = nameColumns(Array.from({ length: width }, (_, at) => head[at]?.trim() ?? ''));
    // The objects have no prototype, because a column may be named like a method of `Object`.
    return body.map((row) =>
      Object.assign(
        Object.create(null),
        Object.fromEntries(row.map((value, at) => [columns[at], value])),
        above !== '' && { [PREAMBLE_COLUMN]: above },
      ),
    );
  } catch (cause) {
    throw new AppError('bad_request', `${name} is not a table of comma-separated values`, { cause });
  }
}

/**
 * Returns the rows above the column names: comments, the name of an encoding, or rows with only a first
 * value. Unless the first row is a comment, three rows are needed: a single row may have the column names.
 */
function preambleOf(rows: readonly string[][]): string[][] {
  const head = rows.slice(0, MAX_PREAMBLE + 1);
  const at = head.findIndex((row) => !isComment(row) && !isPadded(row));
  const preamble = rows.slice(0, Math.max(at, 0));
  const isTable = valuesOf(rows[at] ?? []).length > 1;
  const isSure = isComment(rows[0] ?? []) || preamble.length > 2;
  return isTable && isSure && preamble.flat().join('').length <= PREAMBLE_CHARS ? preamble : [];
}

function valuesOf(row: readonly string[]): string[] {
  return row.filter((value) => value.trim() !== '');
}

function isComment([first = '', ...others]: readonly string[]): boolean {
  return (
    valuesOf(others).length === 0 &&
    /^(?:#\s{0,9}\S{1,99}\s.*|(?:utf|iso|windows|cp)[-_ ]?\d[\w-]*)$/i.test(first)
  );
}

function isPadded(row: readonly string[]): boolean {
  return row.length > 1 && valuesOf(row.slice(1)).length === 0;
}

function nameColumns(names: readonly string[]): string[] {
  const plain = names.map((name, at) => name || `Column ${at + 1}`);
  const nameColumn = createUniqueNames((name, number) => `${name} (${number})`, plain);
  return plain.map((name, at) => nameColumn(name, at + 1));
}

function delimiterOf(text: string): string {
  const delimiter = guessDelimiter(text);
  const names = /[^\r\n]+/.exec(text.slice(0, HEAD_CHARS).replace(/"[^"]*"/g, ''))?.[0] ?? '';
  return names.includes(delimiter) ? delimiter : ',';
}
