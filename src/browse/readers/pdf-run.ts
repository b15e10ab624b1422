/** A run of text on a page, as the file places it; units are points, y grows upwards. */
export interface Run {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Of the letters. */
  readonly size: number;
  readonly url?: string;
}
