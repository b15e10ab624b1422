import {
  jsonRows,
  type Sql,
  type StepGenerator,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import type { CachedFindings, FindingCache } from '../scans/finding-cache.ts';

type FindingCacheLimits = typeof BOUNDS;

const BOUNDS = { files: 500_000, characters: 200_000_000 };
const MAX_FILE_CHARACTERS = 200_000;
/** Precision of stored times of last use in milliseconds. Exact times would need a write per file and scan. */
const USE_PRECISION_MS = 3_600_000;

interface KeptRow {
  readonly key: string;
  readonly findings: string;
  readonly used_at: number;
}

export function createFindingCache(of: StoreDatabase, bounds = BOUNDS): FindingCache {
  const db = toAnyDatabase(of);
  return {
    async readFindings(owner, keys, at) {
      const found = new Map<string, CachedFindings>();
      const used: string[] = [];
      const rows = await db.read(
        (sql) => sql.all<KeptRow>`SELECT key, findings, used_at FROM scan_kept
          WHERE owner = ${owner} AND key IN (SELECT value FROM ${jsonRows(sql, keys)})`,
      );
      const byKey = new Map(rows.map((row) => [row.key, row]));
      for (const key of keys) {
        const row = byKey.get(key);
        if (!row) continue;
        found.set(key, JSON.parse(row.findings) as CachedFindings);
        if (row.used_at < at - USE_PRECISION_MS) used.push(key);
      }
      if (used.length > 0) {
        await db.writeReplaceable((sql) =>
          sql.sendEach(
            'UPDATE scan_kept SET used_at = ? WHERE owner = ? AND key = ?',
            used.map((key) => [at, owner, key]),
          ),
        );
      }
      return found;
    },
    async insertFindings(owner, entries, at) {
      const rows = [...entries]
        .map(([key, findings]) => ({ key, text: JSON.stringify(findings) }))
        .filter(({ text }) => text.length <= MAX_FILE_CHARACTERS);
      if (rows.length === 0) return;
      // The write is not durable: if a power failure loses the rows, the files are scanned again.
      await db.writeReplaceable((sql) =>
        sql.sendEach(
          `INSERT INTO scan_kept (owner, key, findings, characters, used_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (owner, key) DO UPDATE SET
             findings = excluded.findings, characters = excluded.characters, used_at = excluded.used_at`,
          rows.map(({ key, text }) => [owner, key, text, text.length, at]),
        ),
      );
    },
    async trimFindings(owner) {
      while (
        await db.read(function* (sql) {
          return isOver(yield* countKept(sql, owner), bounds);
        })
      ) {
        await db.writeReplaceable(function* (sql) {
          const counts = yield* countKept(sql, owner);
          if (!isOver(counts, bounds)) return;
          yield* sql.send`DELETE FROM scan_kept WHERE owner = ${owner} AND key IN (SELECT key
            FROM scan_kept WHERE owner = ${owner}
            ORDER BY used_at LIMIT ${Math.max(counts.files - bounds.files, Math.ceil(counts.files / 20))})`;
        });
      }
    },
  };
}

function* countKept(sql: Sql, owner: string): StepGenerator<FindingCacheLimits> {
  const counts = yield* sql.get<FindingCacheLimits>`SELECT count(*) AS files, coalesce(sum(characters),
    0) AS characters FROM scan_kept WHERE owner = ${owner}`;
  return counts ?? { files: 0, characters: 0 };
}

const isOver = ({ files, characters }: FindingCacheLimits, bounds: FindingCacheLimits): boolean =>
  files > bounds.files || characters > bounds.characters;
