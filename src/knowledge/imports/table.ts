import { badRequestError } from '../../errors.ts';
import { guessDelimiter, parseRows, splitPreamble, withoutDeclaration } from '../../lib/text/csv-layout.ts';
import { readTextOrHtml } from '../importing/note-html.ts';
import { createUniqueNames } from '../importing/unique-names.ts';

const HEAD_CHARS = 10_000;
/** Name of an extra column with the lines above the table. No other column has an empty name. */
export const PREAMBLE_COLUMN = '';
export type CsvRow = Readonly<Record<string, string>>;

/** Matches a line with which Anki begins a table, such as `#separator:tab` or `#tags column:4`. */
const DIRECTIVE = /^\uFEFF?#([a-z]{3,10}(?: column)?):([^\r\n]{1,300})(?:\r?\n|$)/;
const SIGNS: Readonly<Record<string, string>> = {
  tab: '\t',
  comma: ',',
  semicolon: ';',
  pipe: '|',
  space: ' ',
};

export const hasDirectives = (text: string): boolean => /^\uFEFF?#(?:separator|html):/.test(text);

/** Returns the rows of a table of Anki below a row of names, or undefined for any other table. */
function readAnkiRows(text: string): string[][] | undefined {
  const told = new Map<string, string>();
  let rest = hasDirectives(text) ? text : '';
  for (let line = DIRECTIVE.exec(rest); line; line = DIRECTIVE.exec(rest)) {
    told.set(line[1] ?? '', line[2]?.trim() ?? '');
    rest = rest.slice(line[0].length);
  }
  if (told.size === 0) return undefined;
  const separator = told.get('separator')?.toLowerCase() ?? 'tab';
  const delimiter = SIGNS[separator] ?? separator;
  const names = told.get('columns')?.split(delimiter) ?? [];
  for (const name of ['guid', 'deck', 'notetype', 'tags']) {
    const column = Number(told.get(`${name} column`) ?? 0);
    if (column > 0 && column < 100) names[column - 1] = name;
  }
  const readCell = (cell: string, at: number) => {
    const value = told.get('html') === 'true' && /[<&]/.test(cell) ? readTextOrHtml(`<p>${cell}</p>`) : cell;
    return names[at] === 'tags' ? value.trim().replace(/\s+/g, ', ') : value;
  };
  return [
    Array.from(names, (name) => name ?? ''),
    ...parseRows(rest, { delimiter }).map((row) => row.map(readCell)),
  ];
}

/** Parses a CSV file into objects with column names as keys. A missing or repeated name gets a number. */
export function readTable(text: string, name: string, delimiter?: string): CsvRow[] {
  const { rows: table, declared } = withoutDeclaration(text);
  const parseBy = (sign: string) => splitPreamble(parseRows(table, { delimiter: sign }));
  try {
    const guess = guessDelimiter(table);
    const guessed = parseBy(declared ?? delimiter ?? guess);
    const isText = guessed.above.length === 0 && !firstLineOf(table).includes(guess);
    // If the header lacks the guessed delimiter, the file has one column whose texts contain the character.
    const own = readAnkiRows(text);
    const { above, table: rows } = own
      ? { above: [], table: own }
      : (declared ?? delimiter) === undefined && isText
        ? parseBy(',')
        : guessed;
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
    throw badRequestError(`${name} is not a table of comma-separated values`, { cause });
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
