import type { SentenceModel } from './sentence-model.ts';
import { loadTokenizer, type Tokenizer } from './tokens.ts';
import { createUnigram, type Pieces, readPieces } from './unigram.ts';

/** A model's tokenizer in one thread, with the vocabulary that it shares with other threads. */
export interface OpenTokenizer {
  readonly tokenizer: Tokenizer;
  readonly pieces?: Pieces;
}

/** Opens the tokenizer of a model. `pieces` is the vocabulary if another thread has loaded it already. */
export async function openTokenizer(model: SentenceModel, pieces?: Pieces): Promise<OpenTokenizer> {
  const folder = new URL(model.folder);
  if (model.pieces === undefined) return { tokenizer: await loadTokenizer(folder) };
  const shared = pieces ?? (await readPieces(new URL(model.pieces, folder)));
  return { tokenizer: createUnigram(shared), pieces: shared };
}
