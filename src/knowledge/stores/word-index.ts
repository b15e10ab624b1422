import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite.ts';
import { baseOf, type IndexedPassage, indexed } from './passages.ts';

/**
 * The words of passages in FTS5's index. A commit that writes to that index writes eight pages more, and words that
 * go in together cost a third. So they follow their passages: when some have come together, or when somebody asks.
 * What waits is not noted anywhere: passages are indexed in order, and the last one tells.
 */
export interface WordIndex {
  /** To be called with what has just been written, from number `first` on; within its transaction. */
  written(owner: number, first: number, passages: readonly IndexedPassage[]): void;
  /** Afterwards all words of the owner are in the index, unless the database cannot be written. */
  catchUp(owner: number): void;
  /** The same for all owners whose words wait because of this process. */
  catchUpAll(): void;
}

/** Passages of an owner that wait, at most of each process. */
const WAITING = 64;
/** Owners whose waiting passages are counted, and passages whose words are remembered. */
const OWNERS = 10_000;
const REMEMBERED = 2000;
/** Times that a word of one passage counts; BM25 makes little of more. */
const TIMES = 10;

interface Row {
  readonly id: number;
  readonly words: number;
  readonly title: string;
  readonly text: string;
}

export function createWordIndex(db: Database): WordIndex {
  const counts = new Map<number, number>();
  const known = new Map<number, IndexedPassage>();

  /** Passages of the owner after the last one that is indexed. */
  const waiting = (owner: number, limit: number): Row[] => {
    const [from, to] = [baseOf(owner), baseOf(owner + 1)];
    return db.all<Row>(
      `SELECT id, words, title, text FROM kb_passages WHERE id >= ? AND id < ? AND id > coalesce(
         (SELECT id >> 8 FROM kb_words_docsize WHERE id >= (? << 8) AND id < (? << 8) ORDER BY id DESC LIMIT 1), 0)
       ORDER BY id LIMIT ?`,
      from,
      to,
      from,
      to,
      limit,
    );
  };

  /** A number may have been another passage's that was never committed. */
  const timesOf = ({ id, title, text }: Row) => {
    const one = known.get(id);
    known.delete(id);
    return (one?.text === text && one.title === title ? one : indexed({ title, text })).times;
  };

  const write = (owner: number) => {
    for (const row of waiting(owner, Number.MAX_SAFE_INTEGER)) {
      let words = '';
      for (const [word, count] of timesOf(row)) words += `${owner}_${word} `.repeat(Math.min(count, TIMES));
      db.run('INSERT INTO kb_words (rowid, words) VALUES ((? << 8) | ?, ?)', row.id, row.words, words);
    }
    counts.delete(owner);
  };

  const catchUp = (owner: number) => {
    if (waiting(owner, 1).length === 0) return;
    try {
      db.transaction(() => write(owner));
    } catch (error) {
      // A full disk or a folder for reading only: what is in the index is found all the same.
      if (!(error instanceof AppError)) throw error;
    }
  };

  return {
    written(owner, first, passages) {
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
      for (const owner of [...counts.keys()]) {
        catchUp(owner);
        counts.delete(owner);
      }
    },
  };
}
