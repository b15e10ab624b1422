/** Kind of text: a short question or a passage with an answer. Some models need a different prefix for each. */
export type EmbeddedKind = 'query' | 'passage';

/** Thresholds for the cosine similarities of a model, which differ between models. */
export interface CosineScale {
  /** Cosine of two texts that have nothing in common. */
  readonly unrelated: number;
  /** Cosine below which a text has little to do with a question. */
  readonly weak: number;
  /** Cosine below which a text in another language than the question has little to do with it. Default: `weak`. */
  readonly weakForeign?: number;
}

/** Turns texts into vectors. The dot product of two vectors is the similarity of their texts. */
export interface Embedder {
  /** Name of the model and its weights' type, such as `all-minilm-l6-v2-int8`. Vectors of two names are never compared. */
  readonly name: string;
  readonly dimensions: number;
  /** Maximum number of tokens that the model reads of a text; the rest is cut off. */
  readonly maxTokens: number;
  /** Thresholds for its cosines. Default: those of the built-in English model. */
  readonly scale?: CosineScale | undefined;
  /** Counts the tokens of a text as the model does, or estimates them, rather too high, if its tokenizer is not available. */
  countTokens(text: string): Promise<number>;
  /**
   * Returns one vector of unit length per text, in order. Takes any number of texts and batches them itself. AppError `upstream`,
   * `timeout` or `unavailable` if the model cannot be reached; rejects with the signal's reason when aborted.
   */
  embed(texts: readonly string[], kind: EmbeddedKind, signal: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}
