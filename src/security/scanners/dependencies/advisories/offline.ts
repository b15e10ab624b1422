import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../../errors.ts';
import { loadSqlite } from '../../../../storage/load-sqlite.ts';
import { ECOSYSTEMS, type Ecosystem } from '../locked.ts';
import type { Advisory, AdvisorySource, Affected } from './advisory.ts';
import { comparedName } from './advisory.ts';

/** The database's file in the data folder; it can be deleted, and an update restores it. */
export const OFFLINE_FILE = 'advisories.sqlite';
/** A file with another layout is not read; an update replaces it. */
export const LAYOUT = 1;

/** What the database has of one ecosystem. */
export interface OfflineEcosystem {
  readonly ecosystem: Ecosystem;
  readonly advisories: number;
  /** When it was brought up to date, in milliseconds. */
  readonly updatedAt: number;
}

/**
 * The part of an advisory that is kept besides its packages (each package has its own row): a list, since the names
 * of members would be most of it.
 */
export type Body = readonly [
  summary: string,
  details: string,
  aliases: readonly string[],
  vectors: readonly string[],
  cwe: readonly string[],
  malicious: 0 | 1,
  level: Advisory['level'] | null,
];
/** What is kept of a package in an advisory. */
export type Part = Pick<Affected, 'ranges' | 'versions'>;

const FIND = `SELECT advisories.id AS id, advisories.body AS body, affected.part AS part
  FROM affected JOIN advisories ON advisories.number = affected.advisory
  WHERE affected.ecosystem = ? AND affected.name = ?`;

/** What is in the database; empty where there is none that can be read. */
export function offlineEcosystems(folder: string): OfflineEcosystem[] {
  const database = open(folder);
  if (!database) return [];
  try {
    const rows = database.prepare('SELECT ecosystem, advisories, updated_at FROM ecosystems').all();
    return rows.flatMap(({ ecosystem, advisories, updated_at }) => {
      const known = ECOSYSTEMS.find((one) => one === ecosystem);
      return known
        ? [{ ecosystem: known, advisories: Number(advisories), updatedAt: Number(updated_at) }]
        : [];
    });
  } catch {
    return [];
  } finally {
    database.close();
  }
}

/** Advisories out of the database that `magpie advisories update` makes, for the ecosystems that it has. */
export function createOffline(folder: string, ecosystems: ReadonlySet<Ecosystem>): AdvisorySource {
  return {
    name: 'the offline database',
    covers: (ecosystem) => ecosystems.has(ecosystem),
    async findAdvisories(packages, { signal, found }) {
      const database = open(folder);
      if (!database) throw new AppError('unavailable', 'there is none');
      try {
        const find = database.prepare(FIND);
        packages.forEach(({ ecosystem, name }, index) => {
          if (index % 1000 === 0) signal.throwIfAborted();
          const compared = comparedName(ecosystem, name);
          for (const { id, body, part } of find.all(ecosystem, compared)) {
            const entry = {
              ecosystem: ecosystem as Ecosystem,
              name: compared,
              ...(JSON.parse(String(part)) as Part),
            };
            found(index, { id: String(id), ...opened(JSON.parse(String(body)) as Body), affected: [entry] });
          }
        });
      } catch (cause) {
        signal.throwIfAborted();
        const why = 'it is damaged';
        throw new AppError('unavailable', why, { cause });
      } finally {
        database.close();
      }
    },
  };
}

function opened([summary, details, aliases, vectors, cwe, malicious, level]: Body): Omit<
  Advisory,
  'id' | 'affected'
> {
  return { summary, details, aliases, vectors, cwe, malicious: malicious === 1, level: level || undefined };
}

function open(folder: string): DatabaseSync | undefined {
  const path = join(folder, OFFLINE_FILE);
  if (!existsSync(path)) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = new (loadSqlite().DatabaseSync)(path, { readOnly: true, timeout: 2000 });
    const { user_version: layout } = database.prepare('PRAGMA user_version').get() ?? {};
    if (layout === LAYOUT) return database;
  } catch {
    // Truncated, or not a database at all.
  }
  database?.close();
  return undefined;
}
