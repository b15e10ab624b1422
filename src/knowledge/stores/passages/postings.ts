export interface Postings {
  readonly word: string;
  /** `passage number << 8 | words in the passage` of each passage in order. */
  readonly list: string;
  readonly times: number;
  readonly full: boolean;
}
