import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { Unzip, type UnzipDecoder, type UnzipFile } from 'fflate';
import { AppError, badRequestError, upstreamError } from '../../../../errors.ts';
import { makeFolder } from '../../../../lib/make-folder.ts';
import { parseJsonOrNothing } from '../../../../lib/text/parse-json-or-nothing.ts';
import { quoteName } from '../../../../lib/text/quote-name.ts';
import { loadSqlite } from '../../../../storage/load-sqlite.ts';
import { DEFAULT_ECOSYSTEMS, ECOSYSTEMS, type EcosystemFamily, ecosystemOf, familyOf } from '../ecosystem.ts';
import type { Advisory, AffectedEntry } from './advisory.ts';
import { isAffected } from './affected-versions.ts';
import type { Fetch } from './ask.ts';
import {
  ADVISORIES_LAYOUT,
  OFFLINE_FILE,
  type OfflineEcosystem,
  offlineEcosystems,
  type StoredAdvisory,
  type StoredAffected,
} from './offline.ts';
import { readOsvRecord } from './osv-record.ts';

export interface UpdateRequest {
  /** ZIP file, folder or URL with OSV records. By default, the records are downloaded from OSV. */
  readonly from?: string;
  readonly ecosystems?: readonly string[];
}

export interface AdvisoryUpdateWatch {
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** Maximum bytes of an ecosystem's ZIP file. The largest is npm's, with about 250 MB in 2026. */
const ARCHIVE_BYTES = 1_000_000_000;
const ARCHIVE_MS = 1_800_000;

/** Builds the offline database. If the update fails before the end, the old database stays in use. */
export async function updateAdvisories(
  options: {
    readonly folder: string;
    readonly fetch: Fetch;
    /** Base URL of OSV's ZIP files. The file of an ecosystem has the URL `<exportUrl>/<ecosystem>/all.zip`. */
    readonly exportUrl: string;
    readonly limits?: OsvLimits;
  },
  { from, ecosystems = DEFAULT_ECOSYSTEMS }: UpdateRequest,
  { signal, progress }: AdvisoryUpdateWatch,
) {
  const { folder, limits = OSV_LIMITS, exportUrl } = options;
  const wanted = [...new Set(ecosystems.map(exportOf))];
  const build = startOfflineBuild(folder);
  // `taken`: stored advisories. `passed`: skipped records (withdrawn, invalid, unknown ecosystem).
  let [taken, passed] = [0, 0];
  const read = async (name: string, records: AsyncIterable<unknown>) => {
    for await (const record of records) {
      const advisory = readOsvRecord(record);
      if (advisory) {
        build.put(advisory);
        taken++;
      } else passed++;
      if ((taken + passed) % 2000 !== 0) continue;
      signal.throwIfAborted();
      progress(`read ${taken} advisories of ${name}`);
    }
  };
  const fetched = async (name: string, url: string) => {
    progress(`fetching ${name}`);
    const archive = await archiveOf(options.fetch, url, signal);
    await read(name, zipRecords(name, splitIntoChunks(archive), signal, limits));
  };
  try {
    if (from !== undefined && !/^https?:\/\//i.test(from)) await read(from, osvRecords(from, signal, limits));
    else if (from !== undefined && /\.zip(?:[?#]|$)/i.test(from)) await fetched(from, from);
    else {
      const base = (from ?? exportUrl).replace(/(?<!\/)\/+$/, '');
      for (const one of wanted)
        await fetched(`${one} advisories`, `${base}/${encodeURIComponent(one)}/all.zip`);
    }
    if (taken === 0) throw badRequestError(`${from ?? exportUrl} holds no advisory of the OSV format`);
    progress('putting the database in its place');
    return { ecosystems: build.finish(Date.now()), taken, passed };
  } finally {
    build.drop();
  }
}

/** Returns the ecosystem's family, which names its OSV export. Throws AppError `bad_request` if unknown. */
function exportOf(stated: string): EcosystemFamily {
  const known = ecosystemOf(stated);
  if (known !== undefined) return familyOf(known);
  throw badRequestError(`OSV has no ecosystem ${quoteName(stated)}: there are ${ECOSYSTEMS.join(', ')}`);
}

async function archiveOf(fetch: Fetch, url: string, signal: AbortSignal): Promise<Uint8Array> {
  const allow = URL.canParse(url) ? [new URL(url).host] : [];
  const answer = await fetch(url, { signal, allow, maxBytes: ARCHIVE_BYTES, timeoutMs: ARCHIVE_MS });
  if (answer.status === 200) return answer.body;
  throw upstreamError(`${url} answered with status ${answer.status}: the database in use stays as it is`);
}

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
function startOfflineBuild(folder: string) {
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

/** Maximum bytes of one record and of all records, and maximum count. OSV has about 2,700,000 records. */
export const OSV_LIMITS = { record: 20_000_000, total: 100_000_000_000, records: 10_000_000 };
type OsvLimits = typeof OSV_LIMITS;
const CHUNK_BYTES = 1 << 18;

/** Yields an OSV export's records, undefined for invalid or too large ones. Throws AppError `bad_request`. */
async function* osvRecords(
  path: string,
  signal: AbortSignal,
  limits: OsvLimits = OSV_LIMITS,
): AsyncGenerator<unknown> {
  const facts = await stat(path).catch((cause: unknown) => {
    throw badRequestError(`${path} cannot be read: it takes a ZIP file, a folder or an address`, { cause });
  });
  if (facts.isDirectory()) yield* folderRecords(path, signal, limits);
  else if (path.endsWith('.json')) yield* jsonFile(path, limits);
  else yield* zipRecords(path, createReadStream(path, { highWaterMark: CHUNK_BYTES }), signal, limits);
}

const DEFLATE = 8;

/** Passes a ZIP entry through fflate without decompressing it. Zlib later does that faster. */
class PackedDecoder implements UnzipDecoder {
  static readonly compression = DEFLATE;
  ondata: UnzipDecoder['ondata'] = () => {};
  push(data: Parameters<UnzipDecoder['ondata']>[1], final: boolean): void {
    this.ondata(null, data, final);
  }
}

async function* folderRecords(root: string, signal: AbortSignal, limits: OsvLimits): AsyncGenerator<unknown> {
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.')) folders.push(path);
      else if (entry.isFile() && entry.name.endsWith('.json')) yield* jsonFile(path, limits);
      else if (entry.isFile() && entry.name.endsWith('.zip'))
        yield* zipRecords(path, createReadStream(path, { highWaterMark: CHUNK_BYTES }), signal, limits);
    }
  }
}

async function* jsonFile(path: string, { record }: OsvLimits): AsyncGenerator<unknown> {
  const { size } = await stat(path);
  yield size > record ? undefined : parsed(await readFile(path));
}

async function* splitIntoChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES);
}

/** Yields a ZIP archive's JSON files as they arrive. Throws AppError `bad_request` (invalid or too large). */
async function* zipRecords(
  name: string,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  { record, total, records }: OsvLimits = OSV_LIMITS,
): AsyncGenerator<unknown> {
  const ready: unknown[] = [];
  let count = 0;
  let bytes = 0;
  let files = 0;
  let first: Uint8Array | undefined;
  const failure = (what: string) => badRequestError(`the archive ${name} ${what}`);
  const unzip = new Unzip((file: UnzipFile) => {
    if (++files > records) throw failure(`holds over ${records} files`);
    if (!file.name.endsWith('.json')) return;
    const chunks: Uint8Array[] = [];
    let size = 0;
    file.ondata = (_, chunk, last) => {
      size += chunk.length;
      if (size > record) throw failure(tooLong);
      chunks.push(chunk);
      if (!last) return;
      const packed = Buffer.concat(chunks);
      const whole = file.compression === DEFLATE ? inflated(packed, file.name) : packed;
      bytes += whole.length;
      if (bytes > total) throw failure(`holds over ${total} bytes`);
      count++;
      ready.push(parsed(whole));
    };
    file.start();
  });
  unzip.register(PackedDecoder);
  const tooLong = `holds a record of over ${record} bytes`;
  const inflated = (packed: Uint8Array, at: string): Uint8Array => {
    try {
      return inflateRawSync(packed, { maxOutputLength: record });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw failure(tooLong);
      throw failure(`is damaged at ${JSON.stringify(at.slice(0, 100))}`);
    }
  };
  try {
    for await (const chunk of source) {
      signal.throwIfAborted();
      first ??= chunk;
      unzip.push(chunk);
      yield* ready.splice(0);
    }
    unzip.push(new Uint8Array(), true);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof AppError) throw cause;
    throw badRequestError(`the archive ${name} is damaged, or not a ZIP archive`, { cause });
  }
  yield* ready;
  if (count === 0) throw failure(first?.[0] === 0x50 ? 'holds no records' : 'is not a ZIP archive');
}

const parsed = (bytes: Uint8Array): unknown => parseJsonOrNothing(new TextDecoder().decode(bytes));
