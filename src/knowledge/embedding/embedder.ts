/** Kind of text: a question, or a passage that may contain an answer. Some models need a different prefix for each. */
export type EmbeddedKind = 'query' | 'passage';

export interface CosineScale {
  readonly unrelated: number;
  readonly weak: number;
  /** Cosine below which a text in another language than the question counts as unrelated. Default: `weak`. */
  readonly weakForeign?: number;
}

export interface Embedder {
  /** Name of the model and its weights' type, such as `all-minilm-l6-v2-int8`. Vectors of two names are never compared. */
  readonly name: string;
  readonly dimensions: number;
  /** Maximum number of tokens that the model reads of a text; the rest is cut off. */
  readonly maxTokens: number;
  /** Thresholds for the cosines of this model. Default: those of the built-in English model. */
  readonly scale?: CosineScale | undefined;
  /** Counts the tokens of a text. If the tokenizer is not available, returns an estimate that is rather too high. */
  countTokens(text: string): Promise<number>;
  /** Returns one unit vector per text. Rejects with AppError `upstream`, `timeout` or `unavailable`, or the signal's reason. */
  embed(texts: readonly string[], kind: EmbeddedKind, signal: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}
