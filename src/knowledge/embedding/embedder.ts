/** A question, or a passage that may contain an answer. Some models need a different prefix for each. */
export type EmbeddedKind = 'query' | 'passage';

export interface CosineThresholds {
  readonly unrelated: number;
  readonly weak: number;
  /** Used in place of `weak` for passages in another language than the question. Default: `weak`. */
  readonly weakForeign?: number;
  /** If no passage reaches this cosine, the question counts as unanswered and all passages are weak. */
  readonly absent?: number;
  /** Used in place of `absent` if the question has a name that no text contains. */
  readonly absentNamed?: number;
  /** Used in place of `absent` for passages in another language, but in the same script, as the question. */
  readonly absentForeign?: number;
  /** How much nearer than usual a text about the subject must be to what is asked of the subject. */
  readonly attribute?: number;
  /** How much the nearest text stands out if it answers in other words, and if no text answers. */
  readonly standsOut?: readonly number[];
}

export interface Embedder {
  /** Model and weight type, such as `all-minilm-l6-v2-int8`. Only vectors of one name are compared. */
  readonly name: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly scale?: CosineThresholds | undefined;
  countTokens(text: string): Promise<number>;
  /** Returns a unit vector per text. Rejects with AppError `upstream`, `timeout` or `unavailable`, or the signal's reason. */
  embed(texts: readonly string[], kind: EmbeddedKind, signal: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}
