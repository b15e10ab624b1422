/** A question, or a passage that may contain an answer. Some models need a different prefix for each. */
export type EmbeddedKind = 'query' | 'passage';

export interface CosineThresholds {
  readonly unrelated: number;
  readonly weak: number;
  /** Threshold instead of `weak` for a text that is not in the question's language. Default: `weak`. */
  readonly weakForeign?: number;
  /** If no passage reaches this value, the question has no answer and all passages are weak. */
  readonly absent?: number;
  /** Replaces `absent` for a question with a name that no text says. */
  readonly absentNamed?: number;
  /** Replaces both for a text in another language than the question's, and `weakForeign` for one in another script. */
  readonly absentForeign?: number;
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
