import type { Database } from '../../storage/sqlite.ts';
import type { KeptFindings, KeptStore } from '../scan-store.ts';

/** Bounds of what is kept for one owner. */
export interface KeptBounds {
  readonly files: number;
  /** Characters of their findings. */
  readonly characters: number;
}

const BOUNDS: KeptBounds = { files: 500_000, characters: 200_000_000 };
/** Characters of one file's findings; a file with more is searched again each time. */
const LONGEST = 200_000;
/** Milliseconds for which a use counts as the same one: every look would be a write otherwise. */
const SAME = 3_600_000;

/** Findings by content in SQLite; `used_at` in milliseconds. */
export function createSqliteKeptStore(db: Database, bounds = BOUNDS): KeptStore {
  return {
    get(owner, keys, at) {
      const found = new Map<string, KeptFindings>();
      const used: string[] = [];
      for (const key of keys) {
        const row = db.get<{ findings: string; used_at: number }>(
          'SELECT findings, used_at FROM scan_kept WHERE owner = ? AND key = ?',
          owner,
          key,
        );
        if (!row) continue;
        found.set(key, JSON.parse(row.findings) as KeptFindings);
        if (row.used_at < at - SAME) used.push(key);
      }
      if (used.length > 0) {
        db.transactionSync(() => {
          for (const key of used) {
            db.run('UPDATE scan_kept SET used_at = ? WHERE owner = ? AND key = ?', at, owner, key);
          }
        });
      }
      return found;
    },
    put(owner, entries, at) {
      if (entries.size === 0) return;
      db.transactionSync(() => {
        for (const [key, findings] of entries) {
          const text = JSON.stringify(findings);
          if (text.length > LONGEST) continue;
          db.run(
            'INSERT OR REPLACE INTO scan_kept (owner, key, findings, characters, used_at) VALUES (?, ?, ?, ?, ?)',
            owner,
            key,
            text,
            text.length,
            at,
          );
        }
      });
    },
    trim(owner) {
      for (;;) {
        const { files, characters } = db.get<{ files: number; characters: number }>(
          'SELECT count(*) AS files, coalesce(sum(characters), 0) AS characters FROM scan_kept WHERE owner = ?',
          owner,
        ) ?? { files: 0, characters: 0 };
        if (files <= bounds.files && characters <= bounds.characters) return;
        const over = Math.max(files - bounds.files, Math.ceil(files / 20));
        db.run(
          'DELETE FROM scan_kept WHERE owner = ?1 AND key IN (SELECT key FROM scan_kept WHERE owner = ?1 ORDER BY used_at LIMIT ?2)',
          owner,
          over,
        );
      }
    },
  };
}
