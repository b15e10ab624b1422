import { maxOf, minOf } from '../../../lib/long-lists.ts';
import { median, type TextSegment } from './pdf-segments.ts';

const STRIPS = 240;
/** Maximum number of returned bands (see `GutterBand`). */
const MAX_BANDS = 64;
/** Minimum width of a gutter, an empty vertical strip between columns, in font sizes. */
const GUTTER_SIZES = 0.5;

/** Consecutive rows with text on both sides of an empty vertical strip. */
export interface GutterBand {
  readonly from: number;
  readonly to: number;
  /** Middle of the empty strip, in points from the left of the page. */
  readonly gutter: number;
  readonly rows: number;
}

export function findGutterBands(rows: readonly TextSegment[][], minRows: number): GutterBand[] {
  const all = rows.flat();
  const [left, right] = [minOf(all.map((one) => one.left)), maxOf(all.map((one) => one.right))];
  if (!(right > left)) return [];
  const margin = (GUTTER_SIZES * median(all.map(({ size }) => size))) / 2;
  const sweep = new Sweep(left, (right - left) / STRIPS, margin, minRows);
  for (const row of rows) sweep.addRow(row);
  return sweep
    .end()
    .sort((one, other) => other.rows - one.rows || other.to - other.from - (one.to - one.from))
    .slice(0, MAX_BANDS);
}

class Sweep {
  readonly #left: number;
  readonly #width: number;
  readonly #margin: number;
  readonly #fewest: number;
  readonly #bands: GutterBand[] = [];
  /** For each vertical strip, the first row of the current gap, or -1 if the latest row has text there. */
  readonly #began = new Int32Array(STRIPS).fill(-1);
  readonly #lefts = new Int32Array(STRIPS);
  readonly #rights = new Int32Array(STRIPS);
  #at = 0;

  constructor(left: number, width: number, margin: number, fewest: number) {
    this.#left = left;
    this.#width = width;
    this.#margin = margin;
    this.#fewest = fewest;
  }

  addRow(row: readonly TextSegment[]): void {
    const covered = this.#covered(row);
    this.#closeStrips((strip) => covered[strip] === 1);
    const [first, last] = [minOf(row.map((one) => one.left)), maxOf(row.map((one) => one.right))];
    for (let strip = 0; strip < STRIPS; strip++) {
      if (covered[strip]) continue;
      const x = this.#left + (strip + 0.5) * this.#width;
      if (this.#began[strip] === -1) {
        this.#began[strip] = this.#at;
        this.#lefts[strip] = 0;
        this.#rights[strip] = 0;
      }
      if (first < x) this.#lefts[strip] = (this.#lefts[strip] ?? 0) + 1;
      if (last > x) this.#rights[strip] = (this.#rights[strip] ?? 0) + 1;
    }
    this.#at++;
  }

  end(): GutterBand[] {
    this.#closeStrips(() => true);
    return this.#bands;
  }

  #covered(row: readonly TextSegment[]): Uint8Array {
    const covered = new Uint8Array(STRIPS);
    for (const { left, right } of row) {
      const from = Math.ceil((left - this.#margin - this.#left) / this.#width - 0.5);
      const to = Math.floor((right + this.#margin - this.#left) / this.#width + 0.5);
      covered.fill(1, Math.max(0, from), Math.max(0, to));
    }
    return covered;
  }

  #closeStrips(ends: (strip: number) => boolean): void {
    let first = 0;
    for (let strip = 0; strip <= STRIPS; strip++) {
      const from = strip < STRIPS && ends(strip) ? (this.#began[strip] ?? -1) : -1;
      if (strip > first && this.#began[first] === from && from >= 0) continue;
      this.#close(first, strip, ends);
      first = strip;
    }
    for (let strip = 0; strip < STRIPS; strip++) if (ends(strip)) this.#began[strip] = -1;
  }

  #close(first: number, after: number, ends: (strip: number) => boolean): void {
    const from = this.#began[first] ?? -1;
    if (after <= first || from < 0 || !ends(first)) return;
    const middle = (first + after - 1) >> 1;
    const rows = Math.min(this.#lefts[middle] ?? 0, this.#rights[middle] ?? 0);
    if (rows < this.#fewest) return;
    const gutter = this.#left + ((first + after) / 2) * this.#width;
    this.#bands.push({ from, to: this.#at, gutter, rows });
  }
}
