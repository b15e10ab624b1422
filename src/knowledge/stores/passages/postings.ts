export interface Postings {
  readonly word: string;
  /** Comma-separated numbers in the order of passages: `passage number << 8 | words in the passage`. */
  readonly list: string;
  readonly times: number;
  readonly full: boolean;
}
