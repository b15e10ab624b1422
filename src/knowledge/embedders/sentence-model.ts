import type { CosineScale, EmbeddedKind } from '../embedding/embedder.ts';

/** A sentence model as an ONNX graph with its tokenizer. It is plain data, because workers get a copy. */
export interface SentenceModel {
  /** Name of the embedder. Vectors of different names are never compared. */
  readonly name: string;
  /** Address of the folder with the graph and the tokenizer's files. It ends in a slash. */
  readonly folder: string;
  /** Path of the graph in the folder. Default: `model.onnx`. */
  readonly graph?: string;
  /**
   * Path of the file with the vocabulary of a Unigram tokenizer, which all threads share. If left out, `tokenizer.json` is used.
   */
  readonly pieces?: string;
  readonly dimensions: number;
  /** Maximum number of tokens that the model reads of a text, including its prefix and the two marks at its ends. */
  readonly maxTokens: number;
  /** Maximum number of texts in a batch. If left out, the limit of the queue applies. */
  readonly batchTexts?: number;
  /** Text that is put before each text of a kind. */
  readonly prefixes: Readonly<Record<EmbeddedKind, string>>;
  /** How vectors are read from the graph's output. */
  readonly vectors: GraphVectors;
  readonly scale?: CosineScale;
}

/** How the vector of a text is computed from the vectors of its tokens. */
export type Pooling = 'mean' | 'cls' | 'last';

/**
 * Either the names of the outputs with vectors of shape [texts, dimensions] and unit length; or, for a graph made elsewhere, how
 * to treat its output: a vector per text is taken as it is, vectors per token are pooled. `whole` refuses vectors per token,
 * since the model has a layer after the pooling.
 */
export type GraphVectors =
  | { readonly outputs: Readonly<Record<EmbeddedKind, string>> }
  | { readonly pooling: Pooling; readonly whole: boolean };
