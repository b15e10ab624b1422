import type { Options } from 'csv-parse/sync';
import { attempt } from '../../lib/attempt.ts';
import {
  countEvenRows,
  guessDelimiter,
  parseRows,
  splitPreamble,
  withoutDeclaration,
} from '../../lib/text/csv-layout.ts';
import { escapeInlineMarkup, escapeMarkdown } from './html/markdown/escape.ts';
import { markdownTable } from './markdown.ts';

export function convertCsvToMarkdown(text: string): string {
  const { rows, declared } = withoutDeclaration(text);
  const delimiter = declared ?? guessDelimiter(rows);
  const plain = strict(rows, delimiter);
  const escaped = ESCAPED.test(rows) && !/(?<!\\)""/.test(rows) ? withEscapes(rows, delimiter) : undefined;
  const isBetter = escaped && (!plain || countEvenRows(escaped) >= countEvenRows(plain));
  const { above, table } = splitPreamble((isBetter ? escaped : plain) ?? split(rows, delimiter));
  const lines = above.map((line) => escapeMarkdown(line.replace(/\s+/g, ' ')));
  return [...lines, markdownTable(table.map((row) => row.map(escapeInlineMarkup)))].join('\n\n');
}

/** Matches MySQL's escape `\"`, but not a backslash at the end of a quoted cell, as in `"C:\temp\",`. */
const ESCAPED = /\\"(?![\s,;|]|$)/;
/** Unicode noncharacters, which no text contains. During parsing, they replace the escapes `\"` and `\\`. */
const [QUOTATION_MARK, BACKSLASH] = ['\ufdd0', '\ufdd1'];

/** Parses a table with escapes such as `\"`. Outside of quoted cells, a backslash is plain text. */
function withEscapes(text: string, delimiter: string): string[][] | undefined {
  const marked = text
    .replace(/[\ufdd0\ufdd1]/g, '')
    .replace(/\\(["\\])/g, (_, sign) => (sign === '"' ? QUOTATION_MARK : BACKSLASH));
  return strict(marked, delimiter, (value, { quoting }) =>
    value.replaceAll(QUOTATION_MARK, quoting ? '"' : '\\"').replaceAll(BACKSLASH, quoting ? '\\' : '\\\\'),
  );
}

function strict(text: string, delimiter: string, cast?: Options['cast']): string[][] | undefined {
  const options = { delimiter, trim: delimiter !== '\t', skip_records_with_empty_values: true };
  return attempt(() => parseRows(text, { ...options, ...(cast && { cast }) }));
}

/** Parses a file with an unclosed quotation mark: each line is a row, and quotation marks are text. */
function split(text: string, delimiter: string): string[][] {
  return text.split(/\r?\n|\r/).flatMap((line) => (line.trim() ? [line.split(delimiter)] : []));
}
