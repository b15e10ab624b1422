import type { SentenceModel } from './sentence-model.ts';
import { loadTokenizer, type Tokenizer } from './tokens.ts';
import { createUnigram, readVocabularyPieces, type VocabularyPieces } from './unigram.ts';

export interface TokenizerWithPieces {
  readonly tokenizer: Tokenizer;
  readonly pieces?: VocabularyPieces;
}

export async function openTokenizer(
  model: SentenceModel,
  pieces?: VocabularyPieces,
): Promise<TokenizerWithPieces> {
  const folder = new URL(model.folder);
  if (model.pieces === undefined) return { tokenizer: await loadTokenizer(folder) };
  const shared = pieces ?? (await readVocabularyPieces(new URL(model.pieces, folder)));
  return { tokenizer: createUnigram(shared), pieces: shared };
}
