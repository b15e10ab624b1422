import type { Statements } from '../../storage/sqlite.ts';
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
export function writePassages(
  sql: Statements,
  index: WordIndex,
  { owner, first, entry, ordinal }: PassagePlace,
  passages: readonly IndexedPassage[],
): void {
  for (const [at, { title, text, page, length }] of passages.entries()) {
    sql.run(
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
  index.noteWritten(sql, owner, first, passages);
}

/** Removes passages with their words and vectors; within a transaction. */
export function dropPassages(sql: Statements, owner: number, { first, passages }: Run): void {
  const from = baseOf(owner) + first;
  const to = from + passages;
  sql.run(
    'DELETE FROM kb_words WHERE rowid IN (SELECT (id << 8) | words FROM kb_passages WHERE id >= ? AND id < ?)',
    from,
    to,
  );
  for (const { id } of sql.all<{ id: number }>('SELECT id FROM kb_models')) {
    sql.run('DELETE FROM kb_vectors WHERE id >= ((? << 55) | ?) AND id < ((? << 55) | ?)', id, from, id, to);
  }
  sql.run('DELETE FROM kb_passages WHERE id >= ? AND id < ?', from, to);
}

/** Consecutive passages as they were written. */
export function readTexts(sql: Statements, owner: number, { first, passages }: Run): NewPassage[] {
  const from = baseOf(owner) + first;
  return sql.all<NewPassage>(
    'SELECT title, text FROM kb_passages WHERE id >= ? AND id < ? ORDER BY id',
    from,
    from + passages,
  );
}

/** The text that consecutive passages make up. */
export function joinPassages(sql: Statements, owner: number, { first, passages }: Run): string {
  const from = baseOf(owner) + first;
  return sql
    .all<{ text: string }>(
      'SELECT text FROM kb_passages WHERE id >= ? AND id < ? ORDER BY id',
      from,
      from + passages,
    )
    .map(({ text }) => text)
    .join('');
}
