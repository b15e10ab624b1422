/** A question is short, a passage has the answer: some models take a different prefix for each. */
export type EmbeddedKind = 'query' | 'passage';

/** How the cosines of a model are read, which differ from model to model. */
export interface CosineScale {
  /** Cosine of texts that have nothing in common. */
  readonly unrelated: number;
  /** Cosine below which a text has little to do with a question. */
  readonly weak: number;
  /** The same of a text in another language than the question; `weak` when left out. */
  readonly weakForeign?: number;
}

/** Turns texts into vectors whose dot product is their likeness. */
export interface Embedder {
  /** The model with its weights' type, such as `all-minilm-l6-v2-int8`: vectors of different names never meet. */
  readonly name: string;
  readonly dimensions: number;
  /** Tokens of a text that count; what is longer is cut. */
  readonly maxTokens: number;
  /** How its cosines are read; without it as those of the embedded English model. */
  readonly scale?: CosineScale | undefined;
  /** Tokens of a text as the model counts them; where its tokenizer is not available, an estimate from above. */
  countTokens(text: string): Promise<number>;
  /**
   * One vector of unit length for each text, in order. Takes any number of texts and batches them itself.
   * AppError `upstream`, `timeout` or `unavailable` when the model cannot be asked; rejects with the
   * signal's reason when that is aborted.
   */
  embed(texts: readonly string[], kind: EmbeddedKind, signal: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}
