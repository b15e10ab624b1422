import type { Database, Statements } from '../../storage/sqlite.ts';
import type { KeptFindings, KeptStore } from '../kept-store.ts';

/** Bounds of what is kept for one owner. */
export interface KeptBounds {
  readonly files: number;
  /** Characters of their findings. */
  readonly characters: number;
}

const BOUNDS: KeptBounds = { files: 500_000, characters: 200_000_000 };
/** Characters of one file's findings; a file with more is searched again each time. */
const MAX_FILE_CHARACTERS = 200_000;
/** A later use within this time is not recorded: every scan would write a row for every file. */
const USE_PRECISION_MS = 3_600_000;

/** Findings by content in the embedded database; `used_at` in milliseconds. Hand-written, since scans ask for every file. */
export function createSqliteKeptStore(db: Database, bounds = BOUNDS): KeptStore {
  return {
    async readFindings(owner, keys, at) {
      const found = new Map<string, KeptFindings>();
      const used: string[] = [];
      await db.read((sql) => {
        const select = sql.prepare('SELECT findings, used_at FROM scan_kept WHERE owner = ? AND key = ?');
        for (const key of keys) {
          const row = select.get(owner, key) as { findings: string; used_at: number } | undefined;
          if (!row) continue;
          found.set(key, JSON.parse(row.findings) as KeptFindings);
          if (row.used_at < at - USE_PRECISION_MS) used.push(key);
        }
      });
      if (used.length > 0) {
        await db.writeReplaceable((sql) => {
          const update = sql.prepare('UPDATE scan_kept SET used_at = ? WHERE owner = ? AND key = ?');
          for (const key of used) update.run(at, owner, key);
        });
      }
      return found;
    },
    async insertFindings(owner, entries, at) {
      const rows = [...entries]
        .map(([key, findings]) => ({ key, text: JSON.stringify(findings) }))
        .filter(({ text }) => text.length <= MAX_FILE_CHARACTERS);
      if (rows.length === 0) return;
      // What a power cut takes is searched again.
      await db.writeReplaceable((sql) => {
        const insert = sql.prepare(
          `INSERT INTO scan_kept (owner, key, findings, characters, used_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (owner, key) DO UPDATE SET
             findings = excluded.findings, characters = excluded.characters, used_at = excluded.used_at`,
        );
        for (const { key, text } of rows) insert.run(owner, key, text, text.length, at);
      });
    },
    async trimFindings(owner) {
      while (await db.read((sql) => isOver(countKept(sql, owner), bounds))) {
        await db.writeReplaceable((sql) => {
          const counts = countKept(sql, owner);
          if (!isOver(counts, bounds)) return;
          sql.run(
            `DELETE FROM scan_kept WHERE owner = ?1 AND key IN
               (SELECT key FROM scan_kept WHERE owner = ?1 ORDER BY used_at LIMIT ?2)`,
            owner,
            Math.max(counts.files - bounds.files, Math.ceil(counts.files / 20)),
          );
        });
      }
    },
  };
}

function countKept(sql: Statements, owner: string): KeptBounds {
  const counts = sql.get<KeptBounds>(
    'SELECT count(*) AS files, coalesce(sum(characters), 0) AS characters FROM scan_kept WHERE owner = ?',
    owner,
  );
  return counts ?? { files: 0, characters: 0 };
}

function isOver({ files, characters }: KeptBounds, bounds: KeptBounds): boolean {
  return files > bounds.files || characters > bounds.characters;
}
