export interface Postings {
  readonly word: string;
  /** Passages with the word, in order. Each occurrence is one number, `passage number << 8 | length`. */
  readonly list: string;
  readonly times: number;
  /** True if more passages contain the word than were read. */
  readonly full: boolean;
}
