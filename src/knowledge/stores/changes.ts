import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../storage/sqlite.ts';
import type { Change, EntryStore } from '../store.ts';
import { idOf } from './rows.ts';

/** Changes that are read in one step, and dropped. */
const READ_AT_ONCE = 10_000;
const DROPPED_AT_ONCE = 5000;
const WRITERS = 2 ** 47;

/** What the processes that share a database tell each other: which entries and files have changed. */
export interface Changes extends Pick<EntryStore, 'readChanges'> {
  /** Within the transaction of the change. Entries by their times, files as `doc://` and their names. */
  recordChanges(owner: number, what: readonly (number | string)[]): void;
  /** Drops what every process has had the time to read: all that was there at the call before. */
  dropOldChanges(signal: AbortSignal): Promise<void>;
}

/** One row a change, under a number of this process's own. */
export function createChanges(db: Database): Changes {
  const writer = randomInt(WRITERS);
  const newest = () => db.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM kb_changes')?.seq ?? 0;
  /** A number that changes when another process has written; reading it touches no disk. */
  const version = () => db.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
  let known = version();
  let seen = newest();
  let old = 0;

  return {
    recordChanges(owner, what) {
      for (const one of what) {
        db.run('INSERT INTO kb_changes (writer, owner, what) VALUES (?, ?, ?)', writer, owner, String(one));
      }
    },
    async readChanges() {
      const now = version();
      if (now === known) return [];
      const rows = db.all<{ seq: number; name: string; what: string; writer: number }>(
        `SELECT c.seq, o.name, c.what, c.writer FROM kb_changes c JOIN kb_owners o ON o.id = c.owner
         WHERE c.seq > ? ORDER BY c.seq LIMIT ?`,
        seen,
        READ_AT_ONCE,
      );
      seen = rows.at(-1)?.seq ?? seen;
      if (rows.length < READ_AT_ONCE) known = now;
      const byOwner = new Map<string, Set<string>>();
      for (const { name, what, writer: by } of rows) {
        if (by === writer) continue;
        const ids = byOwner.get(name) ?? new Set();
        byOwner.set(name, ids.add(/^\d+$/.test(what) ? idOf(name, Number(what)) : what));
      }
      return [...byOwner].map(([owner, ids]): Change => ({ owner, ids: [...ids] }));
    },
    async dropOldChanges(signal) {
      const last = newest();
      // The last one stays: numbers go on from it.
      const below = Math.min(old + 1, last);
      old = last;
      const step = () =>
        db.run(
          'DELETE FROM kb_changes WHERE seq IN (SELECT seq FROM kb_changes WHERE seq < ? ORDER BY seq LIMIT ?)',
          below,
          DROPPED_AT_ONCE,
        );
      while (!signal.aborted && step() === DROPPED_AT_ONCE) await setImmediate();
    },
  };
}
