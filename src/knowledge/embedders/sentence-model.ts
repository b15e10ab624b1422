import type { CosineScale, EmbeddedKind } from '../embedder.ts';

/** A model that reads sentences, as an ONNX graph with its tokenizer. Plain data: workers get a copy. */
export interface SentenceModel {
  /** Name of the embedder: vectors of different names never meet. */
  readonly name: string;
  /** Address of the folder with `model.onnx` and the tokenizer's files; ends in a slash. */
  readonly folder: string;
  readonly dimensions: number;
  /** Tokens of a text that the model reads: its prefix and the two marks at its ends among them. */
  readonly maxTokens: number;
  /** What stands before each text. */
  readonly prefixes: Readonly<Record<EmbeddedKind, string>>;
  /** The graph's output that has the vectors, [texts, dimensions], of unit length. */
  readonly outputs: Readonly<Record<EmbeddedKind, string>>;
  readonly scale?: CosineScale;
}
