export interface Postings {
  readonly word: string;
  /** One value `number << 8 | length` for each occurrence of the word, in order. */
  readonly list: string;
  readonly times: number;
  /** True if the word is in more passages than were read. */
  readonly full: boolean;
}
