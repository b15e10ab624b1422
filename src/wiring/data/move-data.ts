import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { BlobStore } from '../../documents/blob-store.ts';
import { createFolderBlobs } from '../../documents/blobs/folder.ts';
import { createPostgresBlobs } from '../../documents/blobs/postgres.ts';
import { badRequestError, notFoundError } from '../../errors.ts';
import { indexMovedPassages } from '../../knowledge/stores/passages/move-passages.ts';
import { digestStream } from '../../lib/digest-stream.ts';
import {
  addPostgresHost,
  isPostgresAddress,
  POSTGRES_ADDRESS_FORMAT,
} from '../../lib/network/postgres-address.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { indexMovedPages } from '../../search/stores/move-pages.ts';
import { type AnyDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { openFile } from '../../storage/check-file.ts';
import { lockDataFolder } from '../../storage/lock.ts';
import { copyTable, filledTable, type MoveContext, targetNotEmptyError } from '../../storage/move/copy.ts';
import { moveIdSequences } from '../../storage/move/counters.ts';
import {
  clearIncompleteMark,
  isMarkedIncomplete,
  markMoveIncomplete,
} from '../../storage/move/incomplete-mark.ts';
import { digestRows } from '../../storage/move/rows.ts';
import { readTableShapes, type TableShape } from '../../storage/move/shape.ts';
import { forgetMove, type MoveState, readMove, writeMove } from '../../storage/move/state.ts';
import { MOVED_TABLES } from '../../storage/move/tables.ts';
import { takeExclusiveLock } from '../../storage/postgres/database-lock.ts';
import { describeDatabasePlace, openPostgres } from '../../storage/postgres/open.ts';
import { keepSharedSecret, loadSharedSecret } from '../../storage/postgres/secret.ts';
import type { TaskControl } from '../../storage/salvage.ts';
import { keepSigningSecret, loadSigningSecret } from '../../storage/secret.ts';
import { DATABASE_FILE, openDatabase } from '../../storage/sqlite.ts';
import { openBlobs } from '../open/open-blobs.ts';

export interface MoveReport {
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  readonly tables: number;
  readonly files: number;
  readonly differences: readonly string[];
}

interface Side {
  readonly name: string;
  readonly db: AnyDatabase;
  readonly blobs: BlobStore;
  readSecret(): Promise<Buffer>;
  keepSecret(secret: Buffer): Promise<void>;
}

const FILES_A_STEP = 100;

/** Copies and compares, or with `check` only compares. Throws `unavailable`, `bad_request` or `not_found`. */
export async function moveData(
  config: Config,
  to: string,
  check: boolean,
  watch: TaskControl,
): Promise<MoveReport> {
  const url = pairOf(config.database, to);
  const folder = config.data;
  if ((check || to !== SQLITE) && !existsSync(join(folder, DATABASE_FILE))) {
    const what = check ? 'compared' : 'moved';
    throw notFoundError(`there is no database in ${folder} yet: there is nothing to be ${what}`);
  }
  const ends: (() => unknown)[] = [];
  try {
    const lock = await lockDataFolder(folder);
    ends.push(() => lock.release());
    if (existsSync(join(folder, DATABASE_FILE))) openFile(join(folder, DATABASE_FILE), true).close();
    const alone = await takeExclusiveLock(url, describeDatabasePlace(url), watch);
    ends.push(() => alone.release());
    // Accepts an incomplete target, which an interrupted move may have left.
    const shared = await openPostgres({
      url,
      alone: true,
      makesTables: !check,
      takesUnfinished: to !== SQLITE,
    });
    ends.push(() => shared.close());
    const embedded = await openDatabase({ folder, takesUnfinished: to === SQLITE });
    ends.push(() => embedded.close());
    const [file, server] = [
      fileSide(folder, toAnyDatabase(embedded)),
      serverSide(describeDatabasePlace(url), shared),
    ];
    const [source, target] = await aroundBucket(
      config,
      to === SQLITE ? [server, file] : [file, server],
      ends,
    );
    const work = async (part: AnyDatabase) => {
      const report = await moveBetween({ ...source, db: part }, target, folder, check, watch);
      await alone.check();
      if (!check) {
        if (report.differences.length === 0) await clearIncompleteMark(target.db);
        forgetMove(folder);
      }
      return report;
    };
    return await (source === file ? source.db.transaction('move', work) : work(source.db));
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const SQLITE = 'sqlite:';

/** Opens one bucket for both databases, because both refer to its objects by the same keys. */
async function aroundBucket(
  config: Config,
  [source, target]: readonly [Side, Side],
  ends: (() => unknown)[],
): Promise<readonly [Side, Side]> {
  if (config.blobs === undefined) return [source, target];
  const { blobs, close } = await openBlobs(config, source.db, config.blobs);
  ends.push(close);
  return [
    { ...source, blobs },
    { ...target, blobs },
  ];
}

function pairOf(from: string, named: string): string {
  const to = addPostgresHost(named);
  if (to === SQLITE && isPostgresAddress(from)) return from;
  if (isPostgresAddress(to) && from === SQLITE) return to;
  throw badRequestError(
    to === SQLITE || isPostgresAddress(to)
      ? 'source and target are both in PostgreSQL, or both in the data folder: DATABASE_URL names the source, --to the other one'
      : `--to is not usable: it takes sqlite: or ${POSTGRES_ADDRESS_FORMAT}`,
  );
}

function fileSide(folder: string, db: AnyDatabase): Side {
  return {
    name: folder,
    db,
    blobs: createFolderBlobs(join(folder, 'files')),
    readSecret: () => loadSigningSecret(folder),
    keepSecret: (secret) => keepSigningSecret(folder, secret),
  };
}

function serverSide(name: string, db: AnyDatabase): Side {
  return {
    name,
    db,
    blobs: createPostgresBlobs(db),
    readSecret: () => loadSharedSecret(db),
    keepSecret: (secret) => keepSharedSecret(db, secret),
  };
}

async function moveBetween(source: Side, target: Side, folder: string, check: boolean, watch: TaskControl) {
  const postgres = source.db.dialect === 'postgres' ? source.db : target.db;
  const shapes = await readTableShapes(postgres, MOVED_TABLES);
  if (!check) await copyAll(source, target, shapes, folder, watch);
  const { rows, differences } = await compareTables(source.db, target.db, shapes, watch);
  const files = await compareFiles(source, target, watch);
  const all = [...differences, ...files.differences];
  return {
    from: source.name,
    to: target.name,
    rows,
    tables: shapes.length,
    files: files.count,
    differences: all,
  };
}

async function copyAll(
  source: Side,
  target: Side,
  shapes: readonly TableShape[],
  folder: string,
  watch: TaskControl,
): Promise<void> {
  const between = `${source.name} > ${target.name}`;
  const known = readMove(folder);
  const filled = await filledTable(target.db, shapes);
  // Continues only into a target that is marked as incomplete, so that no data in use is overwritten.
  const goesOn = known?.between === between && filled !== undefined && (await isMarkedIncomplete(target.db));
  const state: MoveState = goesOn ? known : { between, tables: {}, files: 0 };
  if (state !== known && filled !== undefined) throw targetNotEmptyError(filled);
  const move: MoveContext = {
    source: source.db,
    target: target.db,
    state,
    save: () => writeMove(folder, state),
    complete: { kb_passages: indexMovedPassages, pages: indexMovedPages },
    watch,
  };
  await markMoveIncomplete(target.db);
  move.save();
  for (const shape of shapes) await copyTable(move, shape);
  if (source.blobs !== target.blobs) await copyFiles(source, target, state, move.save, watch);
  await moveIdSequences(source.db, target.db, shapes);
  await target.keepSecret(await source.readSecret());
  if (target.db.dialect === 'postgres') await completePostgres(target.db);
}

export async function copyFiles(
  source: Pick<Side, 'db' | 'blobs'>,
  target: Pick<Side, 'blobs'>,
  state: MoveState,
  save: () => void,
  { signal, progress }: TaskControl,
): Promise<void> {
  for await (const file of iterateUploadedFiles(source.db, state.files)) {
    signal.throwIfAborted();
    const bytes = await source.blobs.get(file.owner, file.blob, signal);
    if (bytes) await target.blobs.put(file.owner, file.blob, bytes, signal);
    state.files = file.id;
    save();
    progress(`files: ${file.id}`);
  }
}

/** Computes counters. Increments the version of access keys, which makes nodes drop their cached keys. */
async function completePostgres(db: AnyDatabase): Promise<void> {
  await db.write(function* (sql) {
    yield* sql.send(
      `UPDATE page_owners AS o SET words = (SELECT coalesce(sum(length), 0) FROM pages AS p WHERE p.owner = o.owner)`,
    );
    yield* sql.send('UPDATE access_version SET changes = changes + 1');
  });
}

interface KeptFile {
  readonly id: number;
  readonly owner: string;
  readonly blob: string;
}

export async function* iterateUploadedFiles(db: AnyDatabase, after = 0): AsyncGenerator<KeptFile> {
  for (let last = after; ; ) {
    const files = await db.read((sql) =>
      sql.all<KeptFile>(
        `SELECT id, owner, blob FROM documents WHERE id > ? ORDER BY id LIMIT ${FILES_A_STEP}`,
        last,
      ),
    );
    yield* files;
    const end = files.at(-1);
    if (!end) return;
    last = end.id;
  }
}

async function compareTables(
  source: AnyDatabase,
  target: AnyDatabase,
  shapes: readonly TableShape[],
  { signal, progress }: TaskControl,
) {
  const differences: string[] = [];
  let rows = 0;
  for (const shape of shapes) {
    const { name } = shape.table;
    progress(`comparing ${name}`);
    const there = await digestRows(source, shape, signal);
    const here = await digestRows(target, shape, signal);
    rows += there.count;
    if (there.count !== here.count) {
      differences.push(
        `${name}: ${formatCount(there.count, 'row')} in the source, ${here.count} in the target`,
      );
    } else if (there.digest !== here.digest) differences.push(`${name}: as many rows, but not the same`);
  }
  return { rows, differences };
}

export async function compareFiles(
  source: Pick<Side, 'db' | 'blobs'>,
  target: Pick<Side, 'blobs'>,
  { signal, progress }: TaskControl,
) {
  const differences: string[] = [];
  let count = 0;
  const isShared = source.blobs === target.blobs;
  for await (const { id, owner, blob } of iterateUploadedFiles(source.db)) {
    signal.throwIfAborted();
    progress(`comparing file ${id}`);
    if (isShared) {
      const bytes = await source.blobs.get(owner, blob, signal);
      await bytes?.cancel();
      if (bytes) count++;
      continue;
    }
    const [there, here] = [await digestFile(source, owner, blob), await digestFile(target, owner, blob)];
    if (there !== undefined) count++;
    if (there !== here) differences.push(`the bytes of file ${id} are not the same`);
  }
  return { count, differences };
}

async function digestFile({ blobs }: Pick<Side, 'blobs'>, owner: string, blob: string) {
  const bytes = await blobs.get(owner, blob);
  return bytes && (await digestStream(bytes)).sha256;
}
