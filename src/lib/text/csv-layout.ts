import { type Options, parse } from 'csv-parse/sync';

const DELIMITERS = ['\t', ';', '|', ','] as const;
const HEAD_CHARACTERS = 10_000;
const HEAD_LINES = 50;
/** Matches a first line such as `sep=;`, by which Excel learns the delimiter. */
const DECLARATION = /^\ufeff?\s{0,20}"?sep=([^\r\n"])"?[;,\t]*(?:\r\n|\n|\r|$)/i;

export function withoutDeclaration(text: string): { readonly rows: string; readonly declared?: string } {
  const [line = '', declared] = DECLARATION.exec(text) ?? [];
  return { rows: text.slice(line.length), ...(declared !== undefined && { declared }) };
}

export function guessDelimiter(text: string): string {
  const head = text.slice(0, HEAD_CHARACTERS).replace(/"[^"]*"/g, '');
  const lines = head.split(/\r\n|\n|\r/, HEAD_LINES).filter(Boolean);
  // The last line may be cut off, so its delimiters are not counted.
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

/** Maximum characters of a row. A longer row indicates a quotation mark that is never closed. */
const ROW_CHARACTERS = 1_000_000;

/** Parses a table into rows of values. Throws if a quotation mark is never closed. */
export function parseRows(text: string, options: Options & { readonly delimiter: string }): string[][] {
  const { delimiter } = options;
  const parseText = (rows: string): string[][] =>
    parse(rows, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: ROW_CHARACTERS,
      on_record: (row: string[]) => row.map(withoutFormula),
      ...options,
    });
  const rows = parseText(text);
  // A value with an inch mark (`5"`) can make the parser join values. The result then begins with `"`.
  const isJoined = (value: string) => value[0] === '"' && (value.includes(delimiter) || /[\r\n]/.test(value));
  if (options.cast || !rows.some((row) => row.some(isJoined))) return rows;
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim());
  const byLine = lines.map((line) => {
    try {
      const row = parseText(line)[0] ?? [];
      if (row.length === rows[0]?.length) return row;
    } catch {}
    return line.split(delimiter);
  });
  return countEvenRows(byLine) > countEvenRows(rows) ? byLine : rows;
}

/** Returns the value of a formula such as `="0012"`, by which programs keep the zeros of a number in Excel. */
const withoutFormula = (cell: string): string => /^="([^"]{0,999})"$/.exec(cell)?.[1] ?? cell;

/** Counts the rows with as many values as the first row, and subtracts the number of all other rows. */
export function countEvenRows(rows: readonly string[][]): number {
  return rows.reduce((sum, { length }) => sum + (length === rows[0]?.length ? 1 : -1), 0);
}

const MAX_PREAMBLE = 20;
const PREAMBLE_CHARS = 1000;
const COMMENT = /^(?:#\s{0,9}\S{1,99}\s.*|(?:utf|iso|windows|cp)[-_ ]?\d[\w-]*)$/i;
const NUMBER = /^[-+\d.,:/ ]{1,40}$/;

/**
 * Splits off the rows above a table, such as a title. A comment in the first row is enough. Otherwise, nine
 * tenths of the table's rows must have equally many values, and the table must begin with column names or
 * after at least three other rows.
 */
export function splitPreamble(rows: string[][]): { above: string[]; table: string[][] } {
  const width = commonWidth(rows);
  const isNarrow = (row: string[]) =>
    isComment(row) || (row.length > 1 && isAlone(row)) || filledWidth(row) * 2 <= width;
  const found = rows.slice(0, MAX_PREAMBLE + 1).findIndex((row) => !isNarrow(row));
  const at = Math.max(found, 0);
  const preamble = rows.slice(0, at);
  const head = valuesOf(rows[at] ?? []);
  const below = rows.slice(at);
  const isSteady = below.filter(({ length }) => length === below[0]?.length).length * 10 >= below.length * 9;
  // If no row has a single value, a digit or a colon, the rows may be column names instead of titles.
  const hasWords = preamble.some((row) => isAlone(row) || /[\d:]/.test(row.join()));
  const isOfWidth = rows[at]?.length === width && filledWidth(rows[0] ?? []) !== width && hasWords;
  const isRagged = preamble.some((row) => isAlone(row) || row.length !== width);
  const isHead = (isOfWidth && !head.some((value) => NUMBER.test(value))) || (at > 2 && isRagged);
  const isSure = (isHead && isSteady) || isComment(rows[0] ?? []);
  if (head.length < 2 || !isSure || preamble.flat().join('').length > PREAMBLE_CHARS)
    return { above: [], table: rows };
  return { above: preamble.map((row) => valuesOf(row).join(' ').trim()).filter(Boolean), table: below };
}

/** Returns the width of the rows that have most cells together, or 0 if no two rows of three cells are equally wide. */
function commonWidth(rows: readonly string[][]): number {
  let [width, most] = [0, 0];
  for (const [length, { length: count }] of Map.groupBy(rows, (row) => row.length))
    if (length > 2 && count > 1 && count * length > most) [width, most] = [length, count * length];
  return width;
}

/** Returns the number of cells up to the last that is not empty. Spreadsheets write all rows equally wide. */
const filledWidth = (row: readonly string[]): number => row.findLastIndex((value) => value.trim() !== '') + 1;
const valuesOf = (row: readonly string[]): string[] => row.filter((value) => value.trim() !== '');
const isComment = (row: readonly string[]): boolean => isAlone(row) && COMMENT.test(row[0] ?? '');
const isAlone = ([, ...others]: readonly string[]): boolean => valuesOf(others).length === 0;
