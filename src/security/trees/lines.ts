/** Line numbers in a text, counted from 1. `lineAt` returns the line of an offset in logarithmic time. */
export type LineIndex = ReturnType<typeof createLineIndex>;

export function createLineIndex(text: string) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    lineAt(offset: number) {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return low + 1;
    },
    text(line: number) {
      const start = starts[line - 1];
      if (start === undefined) return '';
      return text.slice(start, (starts[line] ?? text.length + 1) - 1).replace(/\r$/, '');
    },
  };
}
