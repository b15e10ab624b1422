/** An object of a page's data, by names: texts, numbers, other things, and lists of these. */
export type Thing = Record<string, unknown>;

/** What a page says for programs. */
export interface Structured {
  /** Of JSON-LD. */
  readonly linked: readonly Thing[];
  /** Of microdata and RDFa. */
  readonly items: readonly Thing[];
  /** By the names of <meta>, such as `og:title`. */
  readonly meta: Thing;
  /** Of lists and tables with a name beside each value. */
  readonly pairs: Thing;
  /** What a file of data holds: JSON, YAML, XML, a feed. */
  readonly whole?: unknown;
  /** Elements that repeat, each list those of one kind, by what their classes call their parts. */
  readonly records?: readonly (readonly Thing[])[];
  /** What classes name outside of these. */
  readonly classed?: Thing;
  /** Names with values in boxes and lines of their own. */
  readonly labelled?: Thing;
}

/** A page as its data is taken from it. */
export interface DataPage {
  readonly structured?: Structured | undefined;
  readonly markdown: string;
  /** What its answer begins with: title, author, published and the like. */
  readonly facts: Thing;
  readonly language?: string | undefined;
}

/** The part of JSON Schema that says what is wanted of a page. */
export interface DataSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, DataSchema>>;
  readonly items?: DataSchema;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly required?: readonly string[];
}

export interface FittedData {
  /** By the schema; undefined where the page has nothing of it. */
  readonly data?: unknown;
  /** What the page does not have, such as `offers.price`. */
  readonly missing: readonly string[];
  /** Of these, what the schema requires; of items in how many of them it is missing. */
  readonly required: readonly string[];
  /** Where the values are from, such as `JSON-LD`, with the names of those at the top. */
  readonly from: readonly DataOrigin[];
}

export interface DataOrigin {
  readonly from: string;
  readonly names: readonly string[];
}
