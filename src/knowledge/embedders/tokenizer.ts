import type { SentenceModel } from './sentence-model.ts';
import { loadTokenizer, type Tokenizer } from './tokens.ts';
import { createUnigram, type Pieces, readPieces } from './unigram.ts';

/** A model's tokenizer in one thread, and what it shares with those of other threads. */
export interface OpenTokenizer {
  readonly tokenizer: Tokenizer;
  readonly pieces?: Pieces;
}

/** Opens the tokenizer of a model; `pieces` are those that another thread has read. */
export async function openTokenizer(model: SentenceModel, pieces?: Pieces): Promise<OpenTokenizer> {
  const folder = new URL(model.folder);
  if (model.pieces === undefined) return { tokenizer: await loadTokenizer(folder) };
  const shared = pieces ?? (await readPieces(new URL(model.pieces, folder)));
  return { tokenizer: createUnigram(shared), pieces: shared };
}
