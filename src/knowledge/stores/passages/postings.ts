export interface WordPostings {
  readonly word: string;
  /** Comma-separated numbers `passage number << 8 | words in the passage`, ordered by passage. */
  readonly list: string;
  readonly times: number;
  readonly full: boolean;
}
