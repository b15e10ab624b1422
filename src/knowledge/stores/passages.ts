import type { Database } from '../../storage/sqlite.ts';
import type { NewPassage } from '../store.ts';
import { countTimes, searchWords } from '../words.ts';
import type { WordIndex } from './word-index.ts';

/** A passage with its words, made ready outside the transaction so that others wait no longer than they must. */
export interface IndexedPassage extends NewPassage {
  /** Number of words, at most 255. */
  readonly length: number;
  readonly times: ReadonlyMap<string, number>;
}

/** Passages of one entry lie together: their numbers run from `first` on. */
export interface Run {
  readonly first: number;
  readonly passages: number;
}

const MOST_WORDS = 255;

/** Keys of an owner's passages begin here. */
export function baseOf(owner: number): number {
  return owner * 2 ** 31;
}

/** The words of the title count as if they stood in the text once more, unless it begins with them. */
export function indexPassage(passage: NewPassage): IndexedPassage {
  const words = searchWords(passage.text);
  if (!passage.text.startsWith(passage.title)) words.push(...searchWords(passage.title));
  return { ...passage, length: Math.min(words.length, MOST_WORDS), times: countTimes(words) };
}

/** Writes passages from number `first` on; within a transaction. Their words follow. */
export function writePassages(
  db: Database,
  index: WordIndex,
  owner: number,
  first: number,
  entry: number,
  ordinal: number,
  passages: readonly IndexedPassage[],
): void {
  for (const [at, { title, text, page, length }] of passages.entries()) {
    db.run(
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
  index.noteWritten(owner, first, passages);
}

/** Removes passages with their words and vectors; within a transaction. */
export function dropPassages(db: Database, owner: number, { first, passages }: Run): void {
  const from = baseOf(owner) + first;
  const to = from + passages;
  db.run(
    'DELETE FROM kb_words WHERE rowid IN (SELECT (id << 8) | words FROM kb_passages WHERE id >= ? AND id < ?)',
    from,
    to,
  );
  for (const { id } of db.all<{ id: number }>('SELECT id FROM kb_models')) {
    db.run('DELETE FROM kb_vectors WHERE id >= ((? << 55) | ?) AND id < ((? << 55) | ?)', id, from, id, to);
  }
  db.run('DELETE FROM kb_passages WHERE id >= ? AND id < ?', from, to);
}

/** The text that the passages of a run make up. */
export function joinPassages(db: Database, owner: number, { first, passages }: Run): string {
  const from = baseOf(owner) + first;
  return db
    .all<{ text: string }>(
      'SELECT text FROM kb_passages WHERE id >= ? AND id < ? ORDER BY id',
      from,
      from + passages,
    )
    .map(({ text }) => text)
    .join('');
}
