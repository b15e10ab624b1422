/** Where a word of an owner stands. */
export interface Postings {
  readonly word: string;
  /** Number << 8 | length, once for each time the word is there, in order. */
  readonly list: string;
  readonly times: number;
  /** Whether the word is in more passages than were read. */
  readonly full: boolean;
}
