/** A question, or a passage that may contain an answer. Some models need a different prefix for each. */
export type EmbeddedKind = 'query' | 'passage';

export interface CosineThresholds {
  readonly unrelated: number;
  readonly weak: number;
  /** Replaces `weak` for a passage in another language than the question's. Default: `weak`. */
  readonly weakForeign?: number;
  /** If no passage reaches this cosine, the question counts as unanswered and all passages are weak. */
  readonly absent?: number;
  /** Replaces `absent` for a question with a name that no text contains. */
  readonly absentNamed?: number;
  /** Replaces `absent` for a passage in another language. In another script, `weakForeign` replaces it. */
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
