/** Formats code as a fenced block. The fence is longer than any sequence of backticks in the code. */
export function fenceCode(code: string, language: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`;
}

export function inlineCode(code: string): string {
  if (code.trim() === '') return code;
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
}

export function quoteLines(text: string): string {
  return text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

export function tableOf(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (rows.every((row) => row.every((cell) => cell === ''))) return '';
  const [head = '', ...body] = rows.map(
    (row) =>
      `| ${Array.from({ length: width }, (_, at) => (row[at] ?? '').replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return [head, `|${' --- |'.repeat(width)}`, ...body].join('\n');
}
