import type { SentenceModel } from './sentence-model.ts';
import { loadTokenizer, type Tokenizer } from './tokens.ts';
import { createUnigram, type Pieces, readPieces } from './unigram.ts';

export interface OpenTokenizer {
  readonly tokenizer: Tokenizer;
  readonly pieces?: Pieces;
}

export async function openTokenizer(model: SentenceModel, pieces?: Pieces): Promise<OpenTokenizer> {
  const folder = new URL(model.folder);
  if (model.pieces === undefined) return { tokenizer: await loadTokenizer(folder) };
  const shared = pieces ?? (await readPieces(new URL(model.pieces, folder)));
  return { tokenizer: createUnigram(shared), pieces: shared };
}
