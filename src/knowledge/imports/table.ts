import { AppError } from '../../errors.ts';
import { guessDelimiter, parseRows, splitPreamble, withoutDeclaration } from '../../lib/text/csv-layout.ts';
import { createUniqueNames } from '../importing/unique-names.ts';

const HEAD_CHARS = 10_000;
/** Name of an extra column with the lines above the table. No other column has an empty name. */
export const PREAMBLE_COLUMN = '';
export type CsvRow = Readonly<Record<string, string>>;

/** Parses a CSV file into objects with column names as keys. A missing or repeated name gets a number. */
export function readTable(text: string, name: string, delimiter?: string): CsvRow[] {
  const { rows: table, declared } = withoutDeclaration(text);
  const parseBy = (sign: string) => splitPreamble(parseRows(table, { delimiter: sign }));
  try {
    const guess = guessDelimiter(table);
    const guessed = parseBy(declared ?? delimiter ?? guess);
    const isText = guessed.above.length === 0 && !firstLineOf(table).includes(guess);
    // If the guessed delimiter is not in the header, it is only a character in the texts of a single column.
    const { above, table: rows } = (declared ?? delimiter) === undefined && isText ? parseBy(',') : guessed;
    const [head = [], ...body] = rows;
    const width = body.reduce((most, row) => Math.max(most, row.length), head.length);
    const columns = nameColumns(Array.from({ length: width }, (_, at) => head[at]?.trim() ?? ''));
    const preamble = above.join('\n');
    // The objects have no prototype, because a column may be named like a method of `Object`.
    return body.map((row) =>
      Object.assign(
        Object.create(null),
        Object.fromEntries(row.map((value, at) => [columns[at], value])),
        above.length > 0 && { [PREAMBLE_COLUMN]: preamble },
      ),
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

function firstLineOf(text: string): string {
  return /[^\r\n]+/.exec(text.slice(0, HEAD_CHARS).replace(/"[^"]*"/g, ''))?.[0] ?? '';
}
