/** What a passage wants: void earlier instructions, speak to a model, shape its answer, send data, hide something. */
export const ORDER_KINDS = ['override', 'address', 'answer', 'send', 'conceal'] as const;

/** A passage that gives orders to a language model. `text` quotes its beginning. */
export interface OrderWarning {
  readonly kind: (typeof ORDER_KINDS)[number];
  /** The heading above it, or `title` or its line, for example `line 12`. */
  readonly place: string;
  readonly text: string;
}
