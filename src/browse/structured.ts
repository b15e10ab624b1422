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
}

/** The part of JSON Schema that says what is wanted of a page. */
export interface DataSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, DataSchema>>;
  readonly items?: DataSchema;
  readonly enum?: readonly unknown[];
  readonly format?: string;
}

export interface FittedData {
  /** By the schema; undefined where the page has nothing of it. */
  readonly data?: unknown;
  /** What the page does not have, such as `offers.price`. */
  readonly missing: readonly string[];
  /** Where the values are from, such as `JSON-LD`. */
  readonly from: readonly string[];
}
