/** The middle value; of an even number, the lower of the two middle ones. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? Number.NaN;
}

/** A Markdown table of figures, on stdout. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
