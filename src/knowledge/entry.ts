/** What is to be kept. */
export interface NewEntry {
  readonly text: string;
  readonly title?: string;
  /** Where it comes from: an address, a file's name, whatever the caller gives. */
  readonly source?: string;
  readonly tags?: readonly string[];
}

/** One entry as its owner put it in. */
export interface Entry extends Required<NewEntry> {
  /** `<owner>-<microseconds since 1970>`: unique, and rising in the order of insertion. */
  readonly id: string;
  /** Microseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A run of an entry's or a file's text that is found on its own. */
export interface Passage {
  /** The entry's id; for an uploaded file `doc://<file name>`. */
  readonly of: string;
  /** Place among the passages of the same text, from 0. */
  readonly ordinal: number;
  /** The headings above it or the text's first line: what it is about. */
  readonly title: string;
  readonly text: string;
  /** Page of an uploaded file, from 1. */
  readonly page?: number;
}

/** A passage that answers a query. */
export interface Match {
  readonly passage: Passage;
  readonly source: string;
  readonly tags: readonly string[];
  readonly createdAt: number;
  /** Closeness, 0 to 1; matches are sorted by it. */
  readonly score: number;
  /** The passage's vector and the weights of its terms, when they were asked for. */
  readonly values?: readonly number[];
  readonly sparseValues?: Readonly<Record<string, number>>;
  /** Passages before and after it, when they were asked for. */
  readonly neighbours?: readonly Passage[];
}

/** Which entries a query looks at; all conditions hold together. */
export interface Filter {
  /** Entries that carry every one of these. */
  readonly tags?: readonly string[];
  /** Exactly this source; with a `*` at the end, sources that begin so. */
  readonly source?: string;
  /** Created at or after, and before: microseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
}

/** What there is of one owner. */
export interface Stats {
  readonly records: number;
  readonly passages: number;
  /** Of the texts, in UTF-8. */
  readonly bytes: number;
  /** Microseconds since 1970. */
  readonly oldest?: number;
  readonly newest?: number;
  /** The embedder's name. */
  readonly model: string;
  /** Passages whose vector is still to come. */
  readonly pending: number;
}
