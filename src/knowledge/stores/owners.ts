import { AppError } from '../../errors.ts';
import { legalOwner } from '../../storage/owner.ts';
import type { Database } from '../../storage/sqlite.ts';

/** An owner's row of counters. */
export interface OwnerRow {
  readonly id: number;
  /** Latest time given to an entry, microseconds. */
  readonly last: number;
  readonly next: number;
  readonly removals: number;
  readonly records: number;
  readonly passages: number;
  readonly bytes: number;
  /** Passages of entries and files, and their words: what BM25 weighs with. */
  readonly searched: number;
  readonly words: number;
}

/** What is added to an owner's counters. */
export type Gain = Partial<Pick<OwnerRow, 'records' | 'passages' | 'bytes' | 'searched' | 'words'>>;

export interface Owners {
  findOwner(name: string): OwnerRow | undefined;
  readOwner(id: number): OwnerRow;
  /** The owner's number; a new owner gets one. Not within a transaction. */
  number(name: string): number;
  addToCounts(id: number, gain: Gain): void;
}

/** Owners whose number is remembered. */
const REMEMBERED = 10_000;
/** Keys are (owner << 31) + passage, and numbers are exact up to 2^53. */
const MOST = 2 ** 22 - 1;

/** Owners by name. Their rows stay when everything else of them goes, so that no number and no id comes again. */
export function createOwners(db: Database): Owners {
  const numbers = new Map<string, number>();
  return {
    findOwner: (name) => db.get<OwnerRow>('SELECT * FROM kb_owners WHERE name = ?', legalOwner(name)),
    readOwner(id) {
      const row = db.get<OwnerRow>('SELECT * FROM kb_owners WHERE id = ?', id);
      if (row) return row;
      throw new AppError('unavailable', 'the database has lost an owner: restore it from a backup');
    },
    number(name) {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      db.run('INSERT OR IGNORE INTO kb_owners (name) VALUES (?)', legalOwner(name));
      const { id } = db.get<{ id: number }>('SELECT id FROM kb_owners WHERE name = ?', name) ?? {
        id: MOST + 1,
      };
      if (id > MOST) throw new AppError('unavailable', `the database has its ${MOST} owners; no more fit in`);
      if (numbers.size >= REMEMBERED) numbers.clear();
      numbers.set(name, id);
      return id;
    },
    addToCounts(id, { records = 0, passages = 0, bytes = 0, searched = 0, words = 0 }) {
      db.run(
        `UPDATE kb_owners SET records = records + ?, passages = passages + ?, bytes = bytes + ?,
           searched = searched + ?, words = words + ? WHERE id = ?`,
        records,
        passages,
        bytes,
        searched,
        words,
        id,
      );
    },
  };
}
