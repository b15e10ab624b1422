import type { CosineThresholds, EmbeddedKind } from '../embedding/embedder.ts';

/** An ONNX graph with its tokenizer. It has only plain data, because it is copied to worker threads. */
export interface SentenceModel {
  readonly name: string;
  /** URL of the folder with the graph and the tokenizer's files. It ends with a slash. */
  readonly folder: string;
  readonly graph?: string;
  /** Vocabulary file of a Unigram tokenizer. Default: the vocabulary in `tokenizer.json`. */
  readonly pieces?: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly batchTexts?: number;
  readonly prefixes: Readonly<Record<EmbeddedKind, string>>;
  readonly vectors: GraphVectors;
  readonly scale?: CosineThresholds;
}

export type Pooling = 'mean' | 'cls' | 'last';

export type GraphVectors =
  | { readonly outputs: Readonly<Record<EmbeddedKind, string>> }
  | { readonly pooling: Pooling; readonly whole: boolean };
