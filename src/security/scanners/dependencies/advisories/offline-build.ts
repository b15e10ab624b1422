import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../../../lib/make-folder.ts';
import { loadSqlite } from '../../../../storage/load-sqlite.ts';
import { familyOf } from '../ecosystem.ts';
import type { Advisory, AffectedEntry } from './advisory.ts';
import { isAffected } from './affected-versions.ts';
import {
  ADVISORIES_LAYOUT,
  OFFLINE_FILE,
  type OfflineEcosystem,
  offlineEcosystems,
  type StoredAdvisory,
  type StoredAffected,
} from './offline.ts';

const TABLES = `
  CREATE TABLE advisories (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
  CREATE TABLE affected (
    ecosystem TEXT NOT NULL, name TEXT NOT NULL, advisory INTEGER NOT NULL, alone INTEGER NOT NULL, part TEXT NOT NULL,
    PRIMARY KEY (ecosystem, name, advisory)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ecosystems (ecosystem TEXT PRIMARY KEY, advisories INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;`;

const FAMILY = `substr(ecosystem, 1, instr(ecosystem || ':', ':') - 1)`;
const ADVISORIES_PER_TRANSACTION = 20_000;

/** Starts a new offline database in the folder. Throws the system's error if the folder is not writable. */
export function startOfflineBuild(folder: string) {
  makeFolder(folder);
  const [path, fresh] = [join(folder, OFFLINE_FILE), join(folder, `${OFFLINE_FILE}.${process.pid}.new`)];
  rmSync(fresh, { force: true });
  const database: DatabaseSync = new (loadSqlite().DatabaseSync)(fresh);
  // The new database needs no journal: after a crash, the next update starts from scratch.
  database.exec(
    `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA user_version = ${ADVISORIES_LAYOUT}; ${TABLES} BEGIN`,
  );
  const add = database.prepare(
    'INSERT INTO advisories (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body RETURNING number',
  );
  const forget = database.prepare('DELETE FROM affected WHERE ecosystem = ? AND name = ? AND advisory = ?');
  const attach = database.prepare(
    'INSERT OR REPLACE INTO affected (ecosystem, name, advisory, alone, part) VALUES (?, ?, ?, ?, ?)',
  );
  let count = 0;
  let ended = false;

  function put(advisory: Advisory): void {
    const { id, affected } = advisory;
    const number = Number(add.get(id, JSON.stringify(bodyOf(advisory)))?.number);
    const alone = new Set(affected.map(({ ecosystem }) => familyOf(ecosystem))).size === 1 ? 1 : 0;
    for (const entries of Map.groupBy(affected, ({ ecosystem, name }) => `${ecosystem} ${name}`).values()) {
      const [first] = entries;
      if (!first) continue;
      forget.run(first.ecosystem, first.name, number);
      const part = JSON.stringify(partOf(advisory, entries));
      attach.run(first.ecosystem, first.name, number, alone, part);
    }
    if (++count % ADVISORIES_PER_TRANSACTION === 0) database.exec('COMMIT; BEGIN');
  }

  /** Atomically replaces the offline database. Ecosystems that were not updated keep their old advisories. */
  function finish(now: number): OfflineEcosystem[] {
    // Deletes ecosystems whose own export was not read. They occur only in advisories for several ecosystems.
    database.exec(`
      DELETE FROM affected WHERE ${FAMILY} NOT IN (SELECT DISTINCT ${FAMILY} FROM affected WHERE alone = 1);
      COMMIT`);
    const fill = database.prepare(
      `INSERT INTO ecosystems SELECT ${FAMILY}, count(DISTINCT advisory), ? FROM affected GROUP BY 1`,
    );
    fill.run(now);
    if (offlineEcosystems(folder).length > 0) keepOthers(database, path);
    database.exec('DELETE FROM advisories WHERE number NOT IN (SELECT advisory FROM affected); VACUUM');
    database.close();
    ended = true;
    renameSync(fresh, path);
    return offlineEcosystems(folder);
  }

  return {
    put,
    finish,
    drop() {
      if (ended) return;
      ended = true;
      if (database.isOpen) database.close();
      if (existsSync(fresh)) rmSync(fresh, { force: true });
    },
  };
}

function keepOthers(database: DatabaseSync, path: string): void {
  database.prepare('ATTACH ? AS old').run(path);
  database.exec(`
    CREATE TEMP TABLE others AS
      SELECT ecosystem FROM old.ecosystems WHERE ecosystem NOT IN (SELECT ecosystem FROM main.ecosystems);
    INSERT OR IGNORE INTO main.advisories (id, body)
      SELECT id, body FROM old.advisories WHERE number IN
        (SELECT advisory FROM old.affected WHERE ${FAMILY} IN (SELECT ecosystem FROM others));
    INSERT OR IGNORE INTO main.affected (ecosystem, name, advisory, alone, part)
      SELECT a.ecosystem, a.name, n.number, a.alone, a.part
      FROM old.affected a JOIN old.advisories o ON o.number = a.advisory JOIN main.advisories n ON n.id = o.id
      WHERE ${FAMILY.replaceAll('ecosystem', 'a.ecosystem')} IN (SELECT ecosystem FROM others);
    INSERT INTO main.ecosystems SELECT * FROM old.ecosystems WHERE ecosystem IN (SELECT ecosystem FROM others);
    DROP TABLE others;`);
  database.exec('DETACH old');
}

function bodyOf({ summary, details, aliases, vectors, cwe, malicious, level }: Advisory): StoredAdvisory {
  return [summary, details, aliases, vectors, cwe, malicious ? 1 : 0, level ?? null];
}

function partOf(advisory: Advisory, entries: readonly AffectedEntry[]): StoredAffected {
  const ranges = entries.flatMap((one) => one.ranges);
  const [first] = entries;
  const byRange = { ...advisory, affected: first ? [{ ...first, ranges, versions: [] }] : [] };
  const { ecosystem, name } = first ?? { ecosystem: 'npm', name: '' };
  const listed = [...new Set(entries.flatMap((one) => one.versions))];
  const versions =
    ranges.length === 0
      ? listed
      : listed.filter((version) => !isAffected(byRange, { ecosystem, name, version }));
  return { ranges, versions };
}
