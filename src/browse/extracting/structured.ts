export type DataItem = Record<string, unknown>;

export interface StructuredData {
  readonly linked: readonly DataItem[];
  readonly items: readonly DataItem[];
  readonly meta: DataItem;
  readonly pairs: DataItem;
  readonly whole?: unknown;
  /** One list for each group of repeated elements. An item's keys come from class names, such as `price`. */
  readonly records?: readonly (readonly DataItem[])[];
  readonly classed?: DataItem;
  readonly labelled?: DataItem;
}

export interface DataPage {
  readonly structured?: StructuredData | undefined;
  readonly markdown: string;
  readonly facts: DataItem;
  readonly language?: string | undefined;
}

export interface DataSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, DataSchema>>;
  readonly items?: DataSchema;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly required?: readonly string[];
}

export interface SchemaFittedData {
  readonly data?: unknown;
  readonly missing: readonly string[];
  /** Required properties that are missing, for example `items[].price (in 2 of 5)`. */
  readonly required: readonly string[];
  readonly from: readonly { readonly from: string; readonly names: readonly string[] }[];
}
