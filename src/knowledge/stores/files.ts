import type { Database } from '../../storage/sqlite.ts';
import type { EntryStore, NewPassage } from '../store.ts';
import type { Owners } from './owners.ts';
import { baseOf, indexed, writePassages } from './passages.ts';
import { dropRow, type EntryRow, insertRow } from './rows.ts';

/** Microseconds after which parts of a file that was never finished are removed. */
const ABANDONED = 3_600_000_000;

type FilePart = Pick<EntryStore, 'putFile' | 'removeFile' | 'withinFile'>;

/**
 * Uploaded files. A file comes in parts, each a row of kb_entries; they are nobody's until the last is there, and
 * then take the place of the file of that name in one transaction.
 */
export function createFiles(db: Database, owners: Owners, now: () => number): FilePart {
  const parts = (owner: number | null, name: string) =>
    db.all<EntryRow>('SELECT * FROM kb_entries WHERE owner = ? AND file = ? ORDER BY at', owner, name);

  const addPart = (
    owner: number,
    file: { readonly name: string; readonly title: string },
    ordinal: number,
    passages: readonly NewPassage[],
  ): EntryRow => {
    const ready = passages.map(indexed);
    return db.transaction(() => {
      const { last, next } = owners.row(owner);
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
        file: null,
      };
      insertRow(db, row);
      writePassages(db, owner, next, at, ordinal, ready);
      db.run('UPDATE kb_owners SET last = ?, next = next + ? WHERE id = ?', at, ready.length, owner);
      return row;
    });
  };

  const drop = (row: EntryRow) => {
    dropRow(db, row);
    if (row.file !== null) owners.gain(row.owner, { searched: -row.passages, words: -row.words });
    db.run('UPDATE kb_owners SET removals = removals + 1 WHERE id = ?', row.owner);
  };

  const dropAll = (rows: readonly EntryRow[]) => {
    for (const row of rows) drop(row);
    return rows.reduce((sum, { passages }) => sum + passages, 0);
  };

  return {
    async putFile(name, file, passages) {
      const owner = owners.number(name);
      const added: EntryRow[] = [];
      let count = 0;
      try {
        for await (const some of passages) {
          if (some.length === 0) continue;
          added.push(addPart(owner, file, count, some));
          count += some.length;
        }
        db.transaction(() => {
          dropAll(parts(owner, file.name));
          for (const row of added) {
            db.run('UPDATE kb_entries SET file = ? WHERE owner = ? AND at = ?', file.name, owner, row.at);
            owners.gain(owner, { searched: row.passages, words: row.words });
          }
        });
      } catch (error) {
        db.transaction(() => dropAll(added));
        throw error;
      }
      db.transaction(() =>
        dropAll(
          db.all<EntryRow>(
            'SELECT * FROM kb_entries WHERE owner = ? AND digest IS NULL AND file IS NULL AND at < ?',
            owner,
            now() - ABANDONED,
          ),
        ),
      );
      return count;
    },

    async removeFile(owner, name) {
      return db.transaction(() => dropAll(parts(owners.find(owner)?.id ?? null, name)));
    },

    async withinFile(owner, name, { fromPage, toPage }) {
      const number = owners.find(owner)?.id ?? null;
      const rows = parts(number, name);
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
  };
}
