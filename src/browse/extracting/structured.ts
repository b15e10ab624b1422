/** An object in a page's data, keyed by property name. Values are texts, numbers, other objects, and lists of these. */
export type DataItem = Record<string, unknown>;

export interface StructuredData {
  /** Items from JSON-LD. */
  readonly linked: readonly DataItem[];
  /** Items from microdata and RDFa. */
  readonly items: readonly DataItem[];
  /** Values of `<meta>` elements, keyed by name, such as `og:title`. */
  readonly meta: DataItem;
  /** Values from lists and tables that show a name beside each value. */
  readonly pairs: DataItem;
  readonly whole?: unknown;
  /** Lists of repeated elements of one kind; each item is keyed by the class names of its parts. */
  readonly records?: readonly (readonly DataItem[])[];
  /** Values outside of `records`, keyed by the class names of their elements. */
  readonly classed?: DataItem;
  readonly labelled?: DataItem;
}

export interface DataPage {
  readonly structured?: StructuredData | undefined;
  readonly markdown: string;
  readonly facts: DataItem;
  readonly language?: string | undefined;
}

/** The supported part of JSON Schema for data extraction. */
export interface DataSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, DataSchema>>;
  readonly items?: DataSchema;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly required?: readonly string[];
}

export interface FittedData {
  readonly data?: unknown;
  /** Paths of the schema for which the page has no value, such as `offers.price`. */
  readonly missing: readonly string[];
  /** Missing paths that the schema requires. A path in list elements ends with a count, such as `(in 2 of 5)`. */
  readonly required: readonly string[];
  /** Sources of the values, such as `JSON-LD`, each with its top-level property names. */
  readonly from: readonly DataOrigin[];
}

export interface DataOrigin {
  readonly from: string;
  readonly names: readonly string[];
}
