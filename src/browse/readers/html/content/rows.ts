export class FeatureRows {
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

  begin(row: number, column = 0): void {
    this.at = row * this.width + column;
  }
}
