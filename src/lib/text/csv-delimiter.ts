const DELIMITERS = ['\t', ';', '|', ','] as const;
/** Beginning of a file, in characters and lines, by which its delimiter is guessed. */
const HEAD_CHARACTERS = 10_000;
const HEAD_LINES = 50;

/** Matches a first line such as `sep=;`. The line names the delimiter for Excel and is not data. */
const DECLARATION = /^\ufeff?\s{0,20}"?sep=([^\r\n"])"?[;,\t]*(?:\r\n|\n|\r|$)/i;

/** Returns the rows of a file, and the delimiter that its first line may declare. */
export function withoutDeclaration(text: string): { readonly rows: string; readonly declared?: string } {
  const [line = '', declared] = DECLARATION.exec(text) ?? [];
  return { rows: text.slice(line.length), ...(declared !== undefined && { declared }) };
}

/**
 * Returns the delimiter that most lines contain equally often. The number of commas in values differs from line to line.
 * A date such as `April 9, 2023` has one in each line, so of two delimiters in all lines the more frequent one counts.
 */
export function guessDelimiter(text: string): string {
  const head = text.slice(0, HEAD_CHARACTERS).replace(/"[^"]*"/g, '');
  const lines = head.split(/\r\n|\n|\r/, HEAD_LINES).filter(Boolean);
  // Leaves out the last line if it was cut.
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
