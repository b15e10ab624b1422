import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { unavailableError } from '../../../../errors.ts';
import { loadSqlite } from '../../../../storage/load-sqlite.ts';
import {
  ECOSYSTEMS,
  type Ecosystem,
  type EcosystemFamily,
  familyOf,
  isEcosystemWithin,
} from '../ecosystem.ts';
import { type Advisory, type AdvisorySource, type AffectedEntry, normalisePackageName } from './advisory.ts';

/** File name of the offline database in the data folder. The next update recreates a deleted file. */
export const OFFLINE_FILE = 'advisories.sqlite';
/** Layout version of the offline database. A file with another layout is ignored until the next update. */
export const ADVISORIES_LAYOUT = 1;

export interface OfflineEcosystem {
  /** Ecosystem family: `Debian` stands for all releases of Debian. */
  readonly ecosystem: EcosystemFamily;
  readonly advisories: number;
  /** When the ecosystem was last updated, in milliseconds since 1970. */
  readonly updatedAt: number;
}

/** An advisory is stored as a tuple, because the member names of an object would take most of the space. */
export type StoredAdvisory = readonly [
  summary: string,
  details: string,
  aliases: readonly string[],
  vectors: readonly string[],
  cwe: readonly string[],
  malicious: 0 | 1,
  level: Advisory['level'] | null,
];
export type StoredAffected = Pick<AffectedEntry, 'ranges' | 'versions'>;

const FIND = `SELECT advisories.id AS id, advisories.body AS body, affected.part AS part
  FROM affected JOIN advisories ON advisories.number = affected.advisory
  WHERE affected.ecosystem = ? AND affected.name = ?`;
/** Finds each ecosystem by one search in the index. `SELECT DISTINCT` would read millions of rows. */
const PLACES = `WITH RECURSIVE step (place) AS (
    SELECT min(ecosystem) FROM affected
    UNION ALL SELECT (SELECT min(ecosystem) FROM affected WHERE ecosystem > place) FROM step WHERE place IS NOT NULL
  ) SELECT place FROM step WHERE place IS NOT NULL`;

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

/** Creates a source from the offline database. Releases without advisories are not covered: `Debian:99`. */
export function createOfflineSource(
  folder: string,
  ecosystems: ReadonlySet<EcosystemFamily>,
): AdvisorySource {
  const covered = new Map<Ecosystem, boolean>();
  return {
    name: 'the offline database',
    covers(ecosystem) {
      if (!ecosystems.has(familyOf(ecosystem))) return false;
      const known = covered.get(ecosystem) ?? (!ecosystem.includes(':') || hasPlace(folder, ecosystem));
      covered.set(ecosystem, known);
      return known;
    },
    async findAdvisories(packages, { signal, found }) {
      const database = open(folder);
      if (!database) throw unavailableError('it is not on this machine');
      try {
        const find = database.prepare(FIND);
        const all = placesIn(database);
        const places = new Map<string, readonly string[]>();
        packages.forEach(({ ecosystem, name }, index) => {
          if (index % 1000 === 0) signal.throwIfAborted();
          const compared = normalisePackageName(ecosystem, name);
          const held = places.get(ecosystem) ?? all.filter((place) => isEcosystemWithin(ecosystem, place));
          places.set(ecosystem, held);
          for (const place of held) {
            for (const { id, body, part } of find.all(place, compared)) {
              const entry = {
                ecosystem: place as Ecosystem,
                name: compared,
                ...(JSON.parse(String(part)) as StoredAffected),
              };
              found(index, {
                id: String(id),
                ...opened(JSON.parse(String(body)) as StoredAdvisory),
                affected: [entry],
              });
            }
          }
        });
      } catch (cause) {
        signal.throwIfAborted();
        throw unavailableError('it is damaged', { cause });
      } finally {
        database.close();
      }
    },
  };
}

/** True if the database has the ecosystem's advisories, or is unreadable: a query then reports the error. */
function hasPlace(folder: string, ecosystem: Ecosystem): boolean {
  const database = open(folder);
  if (!database) return true;
  try {
    return placesIn(database).some((place) => isEcosystemWithin(ecosystem, place));
  } catch {
    return true;
  } finally {
    database.close();
  }
}

const placesIn = (database: DatabaseSync): string[] =>
  database
    .prepare(PLACES)
    .all()
    .map(({ place }) => String(place));

function opened([summary, details, aliases, vectors, cwe, malicious, level]: StoredAdvisory) {
  return { summary, details, aliases, vectors, cwe, malicious: malicious === 1, level: level || undefined };
}

function open(folder: string): DatabaseSync | undefined {
  const path = join(folder, OFFLINE_FILE);
  if (!existsSync(path)) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = new (loadSqlite().DatabaseSync)(path, { readOnly: true, timeout: 2000 });
    const { user_version: layout } = database.prepare('PRAGMA user_version').get() ?? {};
    if (layout === ADVISORIES_LAYOUT) return database;
  } catch {
    // The file is truncated or is not an SQLite database.
  }
  database?.close();
  return undefined;
}
