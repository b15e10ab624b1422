export interface Postings {
  readonly word: string;
  /** For each passage in order: `passage number << 8 | words in the passage`. */
  readonly list: string;
  readonly times: number;
  /** True if more passages contain the word than were read. */
  readonly full: boolean;
}
