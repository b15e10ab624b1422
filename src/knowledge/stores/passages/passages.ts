import type { Dialect, Sql, StepGenerator } from '../../../storage/any-database.ts';
import { fragment } from '../../../storage/sql-template.ts';
import type { NewPassage, PassageRange } from '../../store.ts';
import { fromPassages, fromVectors } from '../entries/owner-sql.ts';
import { type CountedPassage, computePassageKeyBase } from './indexed-passage.ts';
import type { WordIndex } from './word-index.ts';

export type PassageRun = PassageRange;

export interface PassageWriteTarget {
  readonly owner: number;
  readonly first: number;
  readonly entry: number;
  readonly ordinal: number;
}

/** In SQLite there is no column for the owner, because the key contains the owner. */
const INSERT: Readonly<Record<Dialect, string>> = {
  sqlite:
    'INSERT INTO kb_passages (id, entry, ordinal, page, words, title, text) VALUES (?2, ?3, ?4, ?5, ?6, ?7, ?8)',
  postgres: `INSERT INTO kb_passages (owner, id, entry, ordinal, page, words, title, text)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
};

export function* writePassages(
  sql: Sql,
  index: WordIndex,
  { owner, first, entry, ordinal }: PassageWriteTarget,
  passages: readonly CountedPassage[],
): StepGenerator<void> {
  yield* sql.sendEach(
    INSERT[sql.dialect],
    passages.map(({ title, text, page, length }, at) => [
      ...[owner, computePassageKeyBase(owner) + first + at, entry, ordinal + at, page ?? null, length],
      ...[title, text],
    ]),
  );
  yield* index.noteWritten(sql, owner, first, passages);
}

const DROP_WORDS: Readonly<Record<Dialect, string>> = {
  sqlite:
    'DELETE FROM kb_words WHERE rowid IN (SELECT (id << 8) | words FROM kb_passages WHERE ? IS NOT NULL AND id >= ? AND id < ?)',
  postgres: 'DELETE FROM kb_words WHERE owner = ? AND id >= ? AND id < ?',
};

export function* dropPassages(sql: Sql, owner: number, { first, passages }: PassageRun): StepGenerator<void> {
  const from = computePassageKeyBase(owner) + first;
  const to = from + passages;
  yield* sql.send(DROP_WORDS[sql.dialect], owner, from, to);
  const models = yield* sql.all<{ id: number }>('SELECT id FROM kb_models');
  for (const { id } of models) yield* sql.send`DELETE ${fromVectors(sql, owner, id, [from, to])}`;
  yield* sql.send`DELETE ${fromPassages(sql, owner, from, to)}`;
}

export function* readPassagesOfRun(
  sql: Sql,
  owner: number,
  { first, passages }: PassageRun,
): StepGenerator<NewPassage[]> {
  const from = computePassageKeyBase(owner) + first;
  return yield* sql.all<NewPassage>`SELECT title, text
    ${fromPassages(sql, owner, from, from + passages)} ORDER BY id`;
}

export function* readJoinedText(sql: Sql, owner: number, run: PassageRun): StepGenerator<string> {
  return (yield* readJoinedTexts(sql, owner, [run]))[0] ?? '';
}

export function* readJoinedTexts(
  sql: Sql,
  owner: number,
  runs: readonly PassageRun[],
): StepGenerator<string[]> {
  const base = computePassageKeyBase(owner);
  const all = yield* sql.allEach<{ text: string }>(
    runs.map(({ first, passages }) => {
      const run = fromPassages(sql, owner, base + first, base + first + passages);
      return fragment`SELECT text ${run} ORDER BY id`;
    }),
  );
  return all.map((rows) => rows.map(({ text }) => text).join(''));
}
