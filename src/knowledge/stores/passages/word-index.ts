import { AppError } from '../../../errors.ts';
import type { AnyDatabase, Sql, Steps } from '../../../storage/any-database.ts';
import { baseOf, type IndexedPassage, indexPassage } from './indexed-passage.ts';

/**
 * The words of passages in FTS5's index. A commit that writes to that index writes eight pages more, and words that
 * go in together cost a third. So they follow their passages: when enough have come together, or at the next query.
 * What waits is recorded nowhere: passages are indexed in order, and all after the last indexed one wait.
 */
interface Recent {
  readonly id: number;
  readonly times: IndexedPassage['times'];
}

export interface WordIndex {
  /** To be called with what has just been written, from number `first` on; within its transaction. */
  noteWritten(sql: Sql, owner: number, first: number, passages: readonly IndexedPassage[]): Steps<void>;
  /** What is not in the index yet. */
  readWaiting(sql: Sql, owner: number): Steps<Waiting>;
  /** Words of the newest passages that are not in the index yet. */
  listRecent(sql: Sql, owner: number): Steps<Recent[]>;
  /** Puts the owner's words into the index. Gives what still waits, since the database cannot be written. */
  catchUp(owner: number): Promise<Waiting>;
  /** The same for all owners whose words wait because of this process. Rejects when passages are found damaged. */
  catchUpAll(): Promise<void>;
}

export interface WaitingPassage {
  readonly id: number;
  readonly words: number;
  readonly title: string;
  readonly text: string;
}

export interface Waiting {
  readonly passages: readonly WaitingPassage[];
  /** The database's error about passages that cannot be read, the first time that they are met. */
  readonly damage?: unknown;
}

/** Passages of an owner that wait, at most of each process. */
const MAX_WAITING = 64;
/** Passages that are tried one by one where some are damaged. */
const MAX_TRIED = 10_000;
/** Owners whose waiting passages are counted, and passages whose words are remembered. */
const MAX_OWNERS = 10_000;
const MAX_REMEMBERED = 2000;
/** Times that a word of one passage counts; BM25 makes little of more. */
const MAX_TIMES = 10;

const PASSAGES = 'SELECT id, words, title, text FROM kb_passages WHERE';

export function createWordIndex(db: AnyDatabase): WordIndex {
  const counts = new Map<number, number>();
  const known = new Map<number, IndexedPassage>();
  /** Passages that cannot be read. Each is reported once: no caller can do more about it. */
  const reported = new Set<number>();

  const readWaiting = function* (sql: Sql, owner: number): Steps<Waiting> {
    const last = yield* lastIndexed(sql, owner);
    try {
      const to = baseOf(owner + 1);
      return { passages: yield* sql.all(`${PASSAGES} id > ? AND id < ? ORDER BY id`, last, to) };
    } catch (error) {
      return yield* readUndamaged(sql, owner, last, error);
    }
  };

  /** Where some are damaged, the others are read. */
  const readUndamaged = function* (sql: Sql, owner: number, last: number, error: unknown): Steps<Waiting> {
    const next =
      (yield* sql.get<{ next: number }>('SELECT next FROM kb_owners WHERE id = ?', owner))?.next ?? 0;
    const passages: WaitingPassage[] = [];
    let damage: unknown;
    for (let id = last + 1; id < Math.min(baseOf(owner) + next, last + MAX_TRIED); id++) {
      try {
        passages.push(...(yield* sql.all<WaitingPassage>(`${PASSAGES} id = ?`, id)));
      } catch {
        damage = reported.has(id) ? damage : error;
        if (reported.size >= MAX_TRIED) reported.clear();
        reported.add(id);
      }
    }
    return { passages, damage };
  };

  /** A number may have been another passage's that was never committed. */
  const timesOf = ({ id, title, text }: WaitingPassage) => {
    const one = known.get(id);
    known.delete(id);
    return (one?.text === text && one.title === title ? one : indexPassage({ title, text })).times;
  };

  /** One that another process has written; remembered, so that it is cut into words once. */
  const readOne = function* (sql: Sql, id: number): Steps<IndexedPassage | undefined> {
    const row = yield* sql.get<WaitingPassage>(`${PASSAGES} id = ?`, id);
    if (!row) return undefined;
    const one = indexPassage({ title: row.title, text: row.text });
    if (known.size < MAX_REMEMBERED) known.set(id, one);
    return one;
  };

  /** Within a transaction. */
  const write = function* (sql: Sql, owner: number): Steps<void> {
    for (const row of (yield* readWaiting(sql, owner)).passages) {
      yield* insertWords(sql, owner, row, timesOf(row));
    }
    counts.delete(owner);
  };

  const catchUp = async (owner: number): Promise<Waiting> => {
    const waiting = await db.read((sql) => readWaiting(sql, owner));
    if (waiting.passages.length === 0) return waiting;
    try {
      await db.write((sql) => write(sql, owner));
      return { passages: [], damage: waiting.damage };
    } catch (error) {
      // A full disk, or a folder for reading only.
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
        known.set(baseOf(owner) + first + at, one);
      if (count >= MAX_WAITING) yield* write(sql, owner);
    },
    readWaiting,
    *listRecent(sql, owner) {
      const [last, end] = [yield* lastIndexed(sql, owner), baseOf(owner + 1)];
      const newest = 'SELECT id FROM kb_passages WHERE id > ? AND id < ? ORDER BY id DESC LIMIT ?';
      const rows = yield* sql.all<{ id: number }>(newest, last, end, MAX_WAITING);
      const recent: Recent[] = [];
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
        // Thrown in a step of the database, which says what to do.
        if (damage) await db.read(() => rethrow(damage));
      }
    },
  };
}

/** Puts the words of one passage into the index; within a transaction. */
export function* insertWords(
  sql: Sql,
  owner: number,
  { id, words: length }: Pick<WaitingPassage, 'id' | 'words'>,
  times: IndexedPassage['times'],
): Steps<void> {
  let words = '';
  for (const [word, count] of times) words += `${owner}_${word} `.repeat(Math.min(count, MAX_TIMES));
  yield* sql.send('INSERT INTO kb_words (rowid, words) VALUES ((? << 8) | ?, ?)', id, length, words);
}

function rethrow(error: unknown): never {
  throw error;
}

/** The last passage of the owner that is indexed; the number before the first when none is. */
export function* lastIndexed(sql: Sql, owner: number): Steps<number> {
  return (
    (yield* sql.get<{ last: number | null }>(
      'SELECT max(id) >> 8 AS last FROM kb_words_docsize WHERE id >= (? << 8) AND id < (? << 8)',
      baseOf(owner),
      baseOf(owner + 1),
    ))?.last ?? baseOf(owner)
  );
}
