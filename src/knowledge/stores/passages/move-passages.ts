import type { DeriveData } from '../../../storage/move/rows.ts';
import { POSTGRES_WORDS } from '../postgres/words.ts';
import { computePassageKeyBase, indexPassage } from './indexed-passage.ts';
import { insertWords } from './word-index.ts';

export const indexMovedPassages: DeriveData = async (rows, dialect) => {
  const passages = rows.map(({ id, words, title, text, page }) => ({
    id: Number(id),
    owner: Math.floor(Number(id) / 2 ** 31),
    words: Number(words),
    indexed: indexPassage({
      title: String(title),
      text: String(text),
      ...(page !== null && { page: Number(page) }),
    }),
  }));
  return {
    *after(sql) {
      for (const { id, owner, words, indexed } of passages) {
        if (dialect === 'sqlite') yield* insertWords(sql, owner, { id, words }, indexed.times);
        else
          yield* POSTGRES_WORDS.noteWritten(sql, owner, id - computePassageKeyBase(owner), [
            { ...indexed, length: words },
          ]);
      }
    },
  };
};
