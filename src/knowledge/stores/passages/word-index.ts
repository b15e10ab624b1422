import { AppError } from '../../../errors.ts';
import type { AnyDatabase, Sql, StepGenerator } from '../../../storage/any-database.ts';
import { raw } from '../../../storage/sql-template.ts';
import { type CountedPassage, computePassageKeyBase, indexPassage } from './indexed-passage.ts';

/** A passage not yet in FTS5. FTS5 commits slowly, so passages are added in groups, or before a query. */
interface RecentPassage {
  readonly id: number;
  readonly times: CountedPassage['times'];
}

export interface WordIndex {
  /** Records that passages from number `first` on were written. Must run in the transaction of the write. */
  noteWritten(
    sql: Sql,
    owner: number,
    first: number,
    passages: readonly CountedPassage[],
  ): StepGenerator<void>;
  readWaiting(sql: Sql, owner: number): StepGenerator<UnindexedBatch>;
  listRecent(sql: Sql, owner: number): StepGenerator<RecentPassage[]>;
  /** Indexes the owner's waiting passages. If the database cannot be written, returns them unindexed. */
  catchUp(owner: number): Promise<UnindexedBatch>;
  catchUpAll(): Promise<void>;
}

export interface UnindexedPassage {
  readonly id: number;
  readonly words: number;
  readonly title: string;
  readonly text: string;
}

export interface UnindexedBatch {
  readonly passages: readonly UnindexedPassage[];
  readonly damage?: unknown;
}

const MAX_WAITING = 64;
const MAX_TRIED = 10_000;
const MAX_OWNERS = 10_000;
const MAX_REMEMBERED = 2000;
/** Maximum times that a word of one passage is indexed. More would hardly change BM25 scores. */
const MAX_TIMES = 10;
const PASSAGES = 'SELECT id, words, title, text FROM kb_passages WHERE';

export function createWordIndex(db: AnyDatabase): WordIndex {
  const counts = new Map<number, number>();
  const known = new Map<number, CountedPassage>();
  /** Unreadable passages that were reported. Each is reported once, because callers cannot repair it. */
  const reported = new Set<number>();

  const readWaiting = function* (sql: Sql, owner: number): StepGenerator<UnindexedBatch> {
    const last = yield* findLastIndexedKey(sql, owner);
    try {
      const to = computePassageKeyBase(owner + 1);
      return { passages: yield* sql.all`${raw(PASSAGES)} id > ${last} AND id < ${to} ORDER BY id` };
    } catch (error) {
      return yield* readUndamaged(sql, owner, last, error);
    }
  };

  const readUndamaged = function* (
    sql: Sql,
    owner: number,
    last: number,
    error: unknown,
  ): StepGenerator<UnindexedBatch> {
    const next =
      (yield* sql.get<{ next: number }>`SELECT next FROM kb_owners WHERE id = ${owner}`)?.next ?? 0;
    const passages: UnindexedPassage[] = [];
    let damage: unknown;
    for (let id = last + 1; id < Math.min(computePassageKeyBase(owner) + next, last + MAX_TRIED); id++) {
      try {
        passages.push(...(yield* sql.all<UnindexedPassage>`${raw(PASSAGES)} id = ${id}`));
      } catch {
        damage = reported.has(id) ? damage : error;
        if (reported.size >= MAX_TRIED) reported.clear();
        reported.add(id);
      }
    }
    return { passages, damage };
  };

  /** Uses cached words only if the text is equal, because an id may be reused after a rollback. */
  const timesOf = ({ id, title, text }: UnindexedPassage) => {
    const one = known.get(id);
    known.delete(id);
    return (one?.text === text && one.title === title ? one : indexPassage({ title, text })).times;
  };

  const readOne = function* (sql: Sql, id: number): StepGenerator<CountedPassage | undefined> {
    const row = yield* sql.get<UnindexedPassage>`${raw(PASSAGES)} id = ${id}`;
    if (!row) return undefined;
    const one = indexPassage({ title: row.title, text: row.text });
    if (known.size < MAX_REMEMBERED) known.set(id, one);
    return one;
  };

  const write = function* (sql: Sql, owner: number): StepGenerator<void> {
    for (const row of (yield* readWaiting(sql, owner)).passages) {
      yield* insertWords(sql, owner, row, timesOf(row));
    }
    counts.delete(owner);
  };

  const catchUp = async (owner: number): Promise<UnindexedBatch> => {
    const waiting = await db.read((sql) => readWaiting(sql, owner));
    if (waiting.passages.length === 0) return waiting;
    try {
      await db.write((sql) => write(sql, owner));
      return { passages: [], damage: waiting.damage };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return waiting;
    }
  };

  return {
    *noteWritten(sql, owner, first, passages) {
      if (known.size + passages.length > MAX_REMEMBERED) known.clear();
      if (counts.size >= MAX_OWNERS) counts.clear();
      const count = (counts.get(owner) ?? 0) + passages.length;
      counts.set(owner, count);
      for (const [at, one] of passages.slice(0, MAX_REMEMBERED).entries())
        known.set(computePassageKeyBase(owner) + first + at, one);
      if (count >= MAX_WAITING) yield* write(sql, owner);
    },
    readWaiting,
    *listRecent(sql, owner) {
      const [last, end] = [yield* findLastIndexedKey(sql, owner), computePassageKeyBase(owner + 1)];
      const newest = 'SELECT id FROM kb_passages WHERE id > ? AND id < ? ORDER BY id DESC LIMIT ?';
      const rows = yield* sql.all<{ id: number }>(newest, last, end, MAX_WAITING);
      const recent: RecentPassage[] = [];
      for (const { id } of rows) {
        const one = known.get(id) ?? (yield* readOne(sql, id));
        if (one) recent.push({ id, times: one.times });
      }
      return recent;
    },
    catchUp,
    async catchUpAll() {
      const owners = [...counts.keys()];
      counts.clear();
      for (const owner of owners) {
        const { damage } = await catchUp(owner);
        // Throws the error inside a database step, because the step adds advice to the message.
        if (damage) await db.read(() => rethrow(damage));
      }
    },
  };
}

export function* insertWords(
  sql: Sql,
  owner: number,
  { id, words: length }: Pick<UnindexedPassage, 'id' | 'words'>,
  times: CountedPassage['times'],
): StepGenerator<void> {
  let words = '';
  for (const [word, count] of times) words += `${owner}_${word} `.repeat(Math.min(count, MAX_TIMES));
  yield* sql.send`INSERT INTO kb_words (rowid, words) VALUES ((${id} << 8) | ${length}, ${words})`;
}

export function rethrow(error: unknown): never {
  throw error;
}

export function* findLastIndexedKey(sql: Sql, owner: number): StepGenerator<number> {
  return (
    (yield* sql.get<{ last: number | null }>`SELECT max(id) >> 8 AS last FROM kb_words_docsize
      WHERE id >= (${computePassageKeyBase(owner)} << 8)
      AND id < (${computePassageKeyBase(owner + 1)} << 8)`)?.last ?? computePassageKeyBase(owner)
  );
}
