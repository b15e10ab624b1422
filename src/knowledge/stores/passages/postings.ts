export interface Postings {
  readonly word: string;
  /** Passages with the word: one value `number << 8 | length` for each occurrence, in order. */
  readonly list: string;
  readonly times: number;
  /** True if the word is in more passages than were read. */
  readonly full: boolean;
}
