import type { TextSegment } from './pdf-segments.ts';

/** Maximum rows of a paper's block of authors, and minimum gap below this block as a multiple of the font size. */
const MAX_ROWS = 10;
const GAP_SIZES = 1.9;
const SAME_MIDDLE_POINTS = 2;

/** Returns how many of the first rows list authors side by side. Each author is a centred block such as name and address. */
export function countAuthorRows(rows: readonly TextSegment[][]): number {
  let end = 0;
  for (;;) {
    const count = groupAt(rows, end);
    if (count === 0 || !columnsOf(rows.slice(end, end + count))) return end;
    end += count;
  }
}

/** Orders authors that are printed side by side one after the other. Otherwise, they would be mistaken for table rows. */
export function orderAuthors(rows: TextSegment[][]): TextSegment[][] {
  const result: TextSegment[][] = [];
  for (let at = 0; at < rows.length; ) {
    const count = Math.max(1, groupAt(rows, at));
    const group = rows.slice(at, at + count);
    const columns = columnsOf(group);
    for (const row of columns ? columns.flat().map((one) => [one]) : group) result.push(row);
    at += count;
  }
  return result;
}

/** Returns the number of rows from `from` to the next wide gap, or 0 if there is only one row or more than `MAX_ROWS`. */
function groupAt(rows: readonly TextSegment[][], from: number): number {
  let end = from + 1;
  const stepTo = (at: number) => (rows[at - 1]?.[0]?.y ?? 0) - (rows[at]?.[0]?.y ?? 0);
  while (end < rows.length && stepTo(end) < GAP_SIZES * (rows[end]?.[0]?.size ?? 0)) end++;
  const count = end - from;
  return rows[from] && count > 1 && count <= MAX_ROWS ? count : 0;
}

function columnsOf(rows: readonly TextSegment[][]): TextSegment[][] | undefined {
  const all = rows.flat();
  if (rows.length < 2 || !all.some(({ text }) => text.includes('@'))) return undefined;
  const columns: { right: number; segments: TextSegment[] }[] = [];
  for (const one of [...all].sort((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (last && one.left < last.right) {
      last.segments.push(one);
      last.right = Math.max(last.right, one.right);
    } else columns.push({ right: one.right, segments: [one] });
  }
  if (columns.length < 2 || !columns.every(({ segments }) => isCentred(segments))) return undefined;
  return columns.map(({ segments }) => segments.sort((a, b) => b.y - a.y));
}

function isCentred(segments: readonly TextSegment[]): boolean {
  const [first] = segments;
  if (!first || segments.length < 2) return false;
  const middle = ({ left, right }: TextSegment) => (left + right) / 2;
  return (
    segments.every((one) => Math.abs(middle(one) - middle(first)) < SAME_MIDDLE_POINTS) &&
    segments.some((one) => Math.abs(one.left - first.left) > SAME_MIDDLE_POINTS)
  );
}
