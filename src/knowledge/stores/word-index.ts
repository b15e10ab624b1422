import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite.ts';
import { baseOf, type IndexedPassage, indexPassage } from './passages.ts';

/**
 * The words of passages in FTS5's index. A commit that writes to that index writes eight pages more, and words that
 * go in together cost a third. So they follow their passages: when some have come together, or when somebody asks.
 * What waits is not noted anywhere: passages are indexed in order, and the last one tells.
 */
export interface WordIndex {
  /** To be called with what has just been written, from number `first` on; within its transaction. */
  noteWritten(owner: number, first: number, passages: readonly IndexedPassage[]): void;
  /**
   * Puts the owner's words into the index. Gives the passages that wait on, since the database cannot be written. Throws
   * its error when passages are found damaged.
   */
  catchUp(owner: number): readonly WaitingPassage[];
  /** The same for all owners whose words wait because of this process. */
  catchUpAll(): void;
}

export interface WaitingPassage {
  readonly id: number;
  readonly words: number;
  readonly title: string;
  readonly text: string;
}

/** Passages of an owner that wait, at most of each process. */
const WAITING = 64;
/** Passages that are tried one by one where some are damaged. */
const READ = 10_000;
/** Owners whose waiting passages are counted, and passages whose words are remembered. */
const OWNERS = 10_000;
const REMEMBERED = 2000;
/** Times that a word of one passage counts; BM25 makes little of more. */
const TIMES = 10;

export function createWordIndex(db: Database): WordIndex {
  const counts = new Map<number, number>();
  const known = new Map<number, IndexedPassage>();
  /** Passages that cannot be read, each told of once: nobody can do more about them. */
  const told = new Set<number>();
  let damage: unknown;

  /** The last passage of the owner that is indexed; 0 when none is. */
  const lastOf = (owner: number): number =>
    db.get<{ last: number | null }>(
      'SELECT max(id) >> 8 AS last FROM kb_words_docsize WHERE id >= (? << 8) AND id < (? << 8)',
      baseOf(owner),
      baseOf(owner + 1),
    )?.last ?? baseOf(owner);

  /** Passages of the owner after that one. */
  const waiting = (owner: number): WaitingPassage[] => {
    const [last, to] = [lastOf(owner), baseOf(owner + 1)];
    const passages = 'SELECT id, words, title, text FROM kb_passages WHERE';
    try {
      return db.all(`${passages} id > ? AND id < ? ORDER BY id`, last, to);
    } catch (error) {
      // Where some are damaged, the others are read.
      const next = db.get<{ next: number }>('SELECT next FROM kb_owners WHERE id = ?', owner)?.next ?? 0;
      const rows: WaitingPassage[] = [];
      for (let id = last + 1; id < Math.min(baseOf(owner) + next, last + READ); id++) {
        try {
          rows.push(...db.all<WaitingPassage>(`${passages} id = ?`, id));
        } catch {
          damage = told.has(id) ? damage : error;
          if (told.size >= READ) told.clear();
          told.add(id);
        }
      }
      return rows;
    }
  };

  /** A number may have been another passage's that was never committed. */
  const timesOf = ({ id, title, text }: WaitingPassage) => {
    const one = known.get(id);
    known.delete(id);
    return (one?.text === text && one.title === title ? one : indexPassage({ title, text })).times;
  };

  const write = (owner: number) => {
    for (const row of waiting(owner)) {
      let words = '';
      for (const [word, count] of timesOf(row)) words += `${owner}_${word} `.repeat(Math.min(count, TIMES));
      db.run('INSERT INTO kb_words (rowid, words) VALUES ((? << 8) | ?, ?)', row.id, row.words, words);
    }
    counts.delete(owner);
  };

  const catchUp = (owner: number): readonly WaitingPassage[] => {
    damage = undefined;
    let rows = waiting(owner);
    try {
      if (rows.length > 0) db.transactionSync(() => write(owner));
      rows = [];
    } catch (error) {
      // A full disk, or a folder for reading only.
      if (!(error instanceof AppError)) throw error;
    }
    if (damage) throw damage;
    return rows;
  };

  return {
    noteWritten(owner, first, passages) {
      if (known.size + passages.length > REMEMBERED) known.clear();
      if (counts.size >= OWNERS) counts.clear();
      const count = (counts.get(owner) ?? 0) + passages.length;
      counts.set(owner, count);
      for (const [at, one] of passages.slice(0, REMEMBERED).entries())
        known.set(baseOf(owner) + first + at, one);
      if (count >= WAITING) write(owner);
    },
    catchUp,
    catchUpAll() {
      const owners = [...counts.keys()];
      counts.clear();
      for (const owner of owners) catchUp(owner);
    },
  };
}
