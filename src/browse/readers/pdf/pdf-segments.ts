import type { RuledRow } from './runs/pdf-run.ts';

export interface SegmentPiece {
  text: string;
  readonly left: number;
  right: number;
}

/** A part of a line, up to the next wide gap. Units are points, and y grows upwards. */
export interface TextSegment {
  text: string;
  readonly left: number;
  right: number;
  y: number;
  size: number;
  font?: string | undefined;
  pieces?: SegmentPiece[] | undefined;
  isField?: boolean;
  readonly row?: RuledRow | undefined;
}

interface SizedLine {
  readonly y: number;
  readonly size: number;
}

export function sameLine(segment: SizedLine, run: SizedLine): boolean {
  return Math.abs(segment.y - run.y) < 0.5 * Math.max(segment.size, run.size);
}

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
}

export function groupIntoRows(segments: readonly TextSegment[]): TextSegment[][] {
  const rows: TextSegment[][] = [];
  for (const segment of [...segments].sort((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row && first && sameLine(first, segment)) row.push(segment);
    else rows.push([segment]);
  }
  for (const row of rows) row.sort((a, b) => a.left - b.left);
  return rows;
}
