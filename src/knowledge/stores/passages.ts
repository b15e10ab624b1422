import type { Dialect, Sql, Steps } from '../../storage/any-database.ts';
import type { NewPassage } from '../store.ts';
import { baseOf, type IndexedPassage } from './indexed-passage.ts';
import type { WordIndex } from './word-index.ts';

/** Passages of one entry lie together: their numbers begin at `first`. */
export interface Run {
  readonly first: number;
  readonly passages: number;
}

/** Where passages are written. */
export interface PassagePlace {
  readonly owner: number;
  /** Number of the first. */
  readonly first: number;
  /** Time of the entry. */
  readonly entry: number;
  /** Place of the first in its text. */
  readonly ordinal: number;
}

/** Writes passages; within a transaction. Their words follow. */
export function* writePassages(
  sql: Sql,
  index: WordIndex,
  { owner, first, entry, ordinal }: PassagePlace,
  passages: readonly IndexedPassage[],
): Steps<void> {
  for (const [at, { title, text, page, length }] of passages.entries()) {
    yield* sql.run(
      'INSERT INTO kb_passages (id, entry, ordinal, page, words, title, text) VALUES (?, ?, ?, ?, ?, ?, ?)',
      baseOf(owner) + first + at,
      entry,
      ordinal + at,
      page ?? null,
      length,
      title,
      text,
    );
  }
  yield* index.noteWritten(sql, owner, first, passages);
}

const DROP_WORDS: Readonly<Record<Dialect, string>> = {
  sqlite:
    'DELETE FROM kb_words WHERE rowid IN (SELECT (id << 8) | words FROM kb_passages WHERE id >= ? AND id < ?)',
  postgres: 'DELETE FROM kb_words WHERE id >= ? AND id < ?',
};

/** Removes passages with their words and vectors; within a transaction. */
export function* dropPassages(sql: Sql, owner: number, { first, passages }: Run): Steps<void> {
  const from = baseOf(owner) + first;
  const to = from + passages;
  yield* sql.run(DROP_WORDS[sql.dialect], from, to);
  for (const { id } of yield* sql.all<{ id: number }>('SELECT id FROM kb_models')) {
    yield* sql.run(
      'DELETE FROM kb_vectors WHERE id >= ((CAST(? AS bigint) << 55) | ?) AND id < ((CAST(? AS bigint) << 55) | ?)',
      id,
      from,
      id,
      to,
    );
  }
  yield* sql.run('DELETE FROM kb_passages WHERE id >= ? AND id < ?', from, to);
}

/** Consecutive passages as they were written. */
export function* readTexts(sql: Sql, owner: number, { first, passages }: Run): Steps<NewPassage[]> {
  const from = baseOf(owner) + first;
  return yield* sql.all<NewPassage>(
    'SELECT title, text FROM kb_passages WHERE id >= ? AND id < ? ORDER BY id',
    from,
    from + passages,
  );
}

/** The text that consecutive passages make up. */
export function* joinPassages(sql: Sql, owner: number, { first, passages }: Run): Steps<string> {
  const from = baseOf(owner) + first;
  return (yield* sql.all<{ text: string }>(
    'SELECT text FROM kb_passages WHERE id >= ? AND id < ? ORDER BY id',
    from,
    from + passages,
  ))
    .map(({ text }) => text)
    .join('');
}
