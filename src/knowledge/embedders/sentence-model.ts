import type { CosineScale, EmbeddedKind } from '../embedding/embedder.ts';

/** A model that reads sentences, as an ONNX graph with its tokenizer. Plain data: workers get a copy. */
export interface SentenceModel {
  /** Name of the embedder: vectors of different names never meet. */
  readonly name: string;
  /** Address of the folder with the graph and the tokenizer's files; ends in a slash. */
  readonly folder: string;
  /** Path of the graph in it; `model.onnx` when left out. */
  readonly graph?: string;
  /** Path of the file with the pieces of its Unigram tokenizer, which all threads share; without it there is tokenizer.json. */
  readonly pieces?: string;
  readonly dimensions: number;
  /** Tokens of a text that the model reads: its prefix and the two marks at its ends among them. */
  readonly maxTokens: number;
  /** Texts of a batch at most; as many as the queue gives when left out. */
  readonly batchTexts?: number;
  /** What stands before each text. */
  readonly prefixes: Readonly<Record<EmbeddedKind, string>>;
  /** How vectors come out of the graph. */
  readonly vectors: GraphVectors;
  readonly scale?: CosineScale;
}

/** How the vector of a text is made from the vectors of its tokens. */
export type Pooling = 'mean' | 'cls' | 'last';

/**
 * The outputs that have them, [texts, dimensions], of unit length; or what is to be done where the graph was made elsewhere: an output with
 * vectors is taken as it is, and one with tokens is pooled. `whole` refuses the latter: a layer comes after the pooling.
 */
export type GraphVectors =
  | { readonly outputs: Readonly<Record<EmbeddedKind, string>> }
  | { readonly pooling: Pooling; readonly whole: boolean };
