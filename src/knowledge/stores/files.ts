import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { EntryStore, NewPassage } from '../store.ts';
import type { Changes } from './changes.ts';
import type { Owners } from './owners.ts';
import { baseOf, dropPassages, indexPassage, writePassages } from './passages.ts';
import { DRAFT, type EntryRow, FILE_PARTS, GONE, HIDDEN, insertRow } from './rows.ts';
import type { WordIndex } from './word-index.ts';

/** Microseconds after which parts of a file that was never finished are removed. */
const ABANDONED = 3_600_000_000;
/** Passages that go in one step: about 10 ms. */
const REMOVED_AT_ONCE = 100;

interface FilePart
  extends Pick<EntryStore, 'putFile' | 'removeFile' | 'listFilePlaces' | 'listHiddenPassages'> {
  /** Removes what a process that ended left half put or half removed. */
  finishFiles(signal: AbortSignal): Promise<void>;
}

/**
 * Uploaded files. A file comes in parts, each a row of kb_entries; they are nobody's until the last is there, and
 * then take the place of the file of that name in one transaction. A file that goes is nobody's at once, and its
 * passages follow in steps; what is left when a process ends is removed by the next.
 */
export function createFiles(
  db: Database,
  owners: Owners,
  changes: Changes,
  words: WordIndex,
  now: () => number,
): FilePart {
  const parts = (owner: number | null, name: string) =>
    db.all<EntryRow>(`SELECT * FROM ${FILE_PARTS} WHERE owner = ? AND file = ? ORDER BY at`, owner, name);

  const addPart = (
    owner: number,
    file: { readonly name: string; readonly title: string },
    ordinal: number,
    passages: readonly NewPassage[],
  ): EntryRow => {
    const ready = passages.map(indexPassage);
    return db.transactionSync(() => {
      const { last, next } = owners.readOwner(owner);
      const at = Math.max(last + 1, now());
      const row: EntryRow = {
        owner,
        at,
        updated: at,
        first: next,
        passages: ready.length,
        bytes: ready.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
        words: ready.reduce((sum, { length }) => sum + length, 0),
        title: file.title,
        source: `doc://${file.name}`,
        tags: '',
        digest: null,
        file: DRAFT,
      };
      insertRow(db, row);
      writePassages(db, words, owner, next, at, ordinal, ready);
      db.run('UPDATE kb_owners SET last = ?, next = next + ? WHERE id = ?', at, ready.length, owner);
      return row;
    });
  };

  const rename = ({ owner, at }: EntryRow, file: string) =>
    db.run('UPDATE kb_entries SET file = ? WHERE owner = ? AND at = ?', file, owner, at);

  /** Nothing of a file is found any more; within a transaction. Its passages follow. */
  const hide = (owner: number | null, name: string): number => {
    let count = 0;
    for (const row of parts(owner, name)) {
      rename(row, GONE);
      owners.addToCounts(row.owner, { searched: -row.passages, words: -row.words });
      count += row.passages;
    }
    return count;
  };

  /** False when nothing is left to do. The last passages of a part go first. */
  const dropSome = (owner: number): boolean =>
    db.transactionSync(() => {
      const row = db.get<EntryRow>(
        `SELECT * FROM ${FILE_PARTS} WHERE owner = ? AND file = ? LIMIT 1`,
        owner,
        GONE,
      );
      if (!row) return false;
      const left = Math.max(0, row.passages - REMOVED_AT_ONCE);
      dropPassages(db, owner, { first: row.first + left, passages: row.passages - left });
      if (left === 0) db.run('DELETE FROM kb_entries WHERE owner = ? AND at = ?', owner, row.at);
      else db.run('UPDATE kb_entries SET passages = ? WHERE owner = ? AND at = ?', left, owner, row.at);
      db.run('UPDATE kb_owners SET removals = removals + 1 WHERE id = ?', owner);
      return true;
    });

  const dropGone = async (owner: number, signal?: AbortSignal) => {
    while (!signal?.aborted && dropSome(owner)) await setImmediate();
  };

  return {
    async putFile(name, file, passages) {
      if (HIDDEN.includes(file.name)) {
        throw new AppError('bad_request', 'the name of the file is empty: it takes one');
      }
      const owner = owners.number(name);
      const added: EntryRow[] = [];
      let count = 0;
      try {
        for await (const some of passages) {
          if (some.length === 0) continue;
          added.push(addPart(owner, file, count, some));
          count += some.length;
        }
        db.transactionSync(() => {
          hide(owner, file.name);
          for (const row of added) {
            rename(row, file.name);
            owners.addToCounts(owner, { searched: row.passages, words: row.words });
          }
          changes.recordChanges(owner, [`doc://${file.name}`]);
        });
      } catch (error) {
        db.transactionSync(() => {
          for (const row of added) rename(row, GONE);
        });
        await dropGone(owner);
        throw error;
      }
      await dropGone(owner);
      return count;
    },

    async removeFile(name, file) {
      const owner = owners.findOwner(name)?.id;
      if (owner === undefined || HIDDEN.includes(file)) return 0;
      const count = db.transactionSync(() => {
        const gone = hide(owner, file);
        if (gone > 0) changes.recordChanges(owner, [`doc://${file}`]);
        return gone;
      });
      await dropGone(owner);
      return count;
    },

    async listFilePlaces(owner, name, { fromPage, toPage }) {
      const number = owners.findOwner(owner)?.id ?? null;
      const rows = HIDDEN.includes(name) ? [] : parts(number, name);
      if (rows.length === 0 || number === null) return undefined;
      const base = baseOf(number);
      return new Set(
        rows.flatMap(({ first, passages }) =>
          db
            .all<{ id: number }>(
              'SELECT id FROM kb_passages WHERE id >= ? AND id < ? AND page BETWEEN ? AND ? ORDER BY id',
              base + first,
              base + first + passages,
              fromPage,
              toPage,
            )
            .map(({ id }) => id - base),
        ),
      );
    },

    async listHiddenPassages(owner) {
      return db.all(
        `SELECT first, passages FROM ${FILE_PARTS} WHERE owner = ? AND file IN (?, ?) ORDER BY first`,
        owners.findOwner(owner)?.id ?? null,
        ...HIDDEN,
      );
    },

    async finishFiles(signal) {
      const begun = now() - ABANDONED;
      db.run(
        `UPDATE ${FILE_PARTS} SET file = ? WHERE file IS NOT NULL AND file = ? AND at < ?`,
        GONE,
        DRAFT,
        begun,
      );
      const left = db.all<{ owner: number }>(
        `SELECT DISTINCT owner FROM ${FILE_PARTS} WHERE file IS NOT NULL AND file = ?`,
        GONE,
      );
      for (const { owner } of left) await dropGone(owner, signal);
    },
  };
}
