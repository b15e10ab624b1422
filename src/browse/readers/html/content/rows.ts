/** Rows of numbers of one width, filled in order; the rest of a row is left for later. */
export class Rows {
  readonly values: Float32Array;
  readonly width: number;
  at = 0;

  constructor(count: number, width: number) {
    this.values = new Float32Array(count * width);
    this.width = width;
  }

  add(value: number): void {
    this.values[this.at++] = value;
  }

  /** Goes on with a row. */
  begin(row: number, column = 0): void {
    this.at = row * this.width + column;
  }
}
