import { parse } from 'csv-parse/sync';
import { guessDelimiter, splitPreamble, withoutDeclaration } from '../../lib/text/csv-layout.ts';
import { escapeInlineMarkup, escapeMarkdown } from './html/markdown/escape.ts';
import { markdownTable } from './markdown.ts';

/** Maximum characters of a row. A longer row indicates a quotation mark that is never closed. */
const RECORD_CHARACTERS = 1_000_000;

export function convertCsvToMarkdown(text: string): string {
  const { rows, declared } = withoutDeclaration(text);
  const delimiter = declared ?? guessDelimiter(rows);
  const plain = strict(rows, delimiter);
  const escaped = ESCAPED.test(rows) && !/(?<!\\)""/.test(rows) ? withEscapes(rows, delimiter) : undefined;
  const best = evenness(escaped) >= evenness(plain) ? (escaped ?? plain) : plain;
  const { above, table } = splitPreamble(best ?? split(rows, delimiter));
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

/** Returns how many rows are as long as the first row, minus the number of other rows. */
function evenness(rows: readonly string[][] | undefined): number {
  if (!rows) return -Infinity;
  return rows.reduce((sum, { length }) => sum + (length === rows[0]?.length ? 1 : -1), 0);
}

function strict(
  text: string,
  delimiter: string,
  cast?: (value: string, context: { readonly quoting: boolean }) => string,
): string[][] | undefined {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      bom: true,
      trim: delimiter !== '\t',
      relax_column_count: true,
      relax_quotes: true,
      ...(cast && { cast }),
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: RECORD_CHARACTERS,
    });
  } catch {
    return undefined;
  }
}

/** Parses a file with an unclosed quotation mark: each line is a row, and quotation marks are text. */
function split(text: string, delimiter: string): string[][] {
  const lines = text.split(/\r?\n|\r/).filter((line) => line.trim());
  return lines.map((line) => line.split(delimiter));
}
