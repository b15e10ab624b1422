const DELIMITERS = ['\t', ';', '|', ','] as const;
const HEAD_CHARACTERS = 10_000;
const HEAD_LINES = 50;
/** Matches a first line such as `sep=;`, with which files for Excel declare the delimiter. */
const DECLARATION = /^\ufeff?\s{0,20}"?sep=([^\r\n"])"?[;,\t]*(?:\r\n|\n|\r|$)/i;

export function withoutDeclaration(text: string): { readonly rows: string; readonly declared?: string } {
  const [line = '', declared] = DECLARATION.exec(text) ?? [];
  return { rows: text.slice(line.length), ...(declared !== undefined && { declared }) };
}

export function guessDelimiter(text: string): string {
  const head = text.slice(0, HEAD_CHARACTERS).replace(/"[^"]*"/g, '');
  const lines = head.split(/\r\n|\n|\r/, HEAD_LINES).filter(Boolean);
  // The last line may be cut off, so it does not count.
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
