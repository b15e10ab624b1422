import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { badRequestError, notFoundError } from '../../errors.ts';
import { toAnyDatabase } from '../../storage/any-database.ts';
import { lockDataFolder } from '../../storage/lock.ts';
import { forgetMove, type MoveState, readMove, writeMove } from '../../storage/move/state.ts';
import { takeExclusiveLock } from '../../storage/postgres/database-lock.ts';
import { describeDatabasePlace, openPostgres } from '../../storage/postgres/open.ts';
import type { TaskControl } from '../../storage/salvage.ts';
import { DATABASE_FILE, openDatabase } from '../../storage/sqlite.ts';
import { openBlobs } from '../open/open-blobs.ts';
import { compareFiles, copyFiles, type MoveReport } from './move-data.ts';

export const FILES_IN_DATABASE = 'database';

/** Copies all files to the bucket `to` or back, and compares. Throws `unavailable` if Magpie runs. */
export async function moveFiles(
  config: Config,
  to: string,
  check: boolean,
  watch: TaskControl,
): Promise<MoveReport> {
  const target = to === FILES_IN_DATABASE ? undefined : to;
  if (target?.replace(/\/$/, '') === config.blobs?.replace(/\/$/, '')) {
    throw badRequestError(
      `files are in ${target ?? 'the database, or beside it,'} already: --files-to names another place, and MAGPIE_BLOBS the one where they are`,
    );
  }
  const ends: (() => unknown)[] = [];
  try {
    const { name, db } = await openAlone(config, ends, watch);
    const from = await openBlobs(config, db, config.blobs);
    ends.push(from.close);
    const place = await openBlobs(config, db, target);
    ends.push(place.close);
    const [source, sink] = [{ db, blobs: from.blobs }, { blobs: place.blobs }];
    const names = { from: config.blobs ?? name, to: target ?? name };
    if (!check) {
      const between = `files: ${names.from} > ${names.to}`;
      const known = readMove(config.data);
      const state: MoveState = known?.between === between ? known : { between, tables: {}, files: 0 };
      await copyFiles(source, sink, state, () => writeMove(config.data, state), watch);
    }
    const { count, differences } = await compareFiles(source, sink, watch);
    if (!check) forgetMove(config.data);
    return { ...names, rows: 0, tables: 0, files: count, differences };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function openAlone(config: Config, ends: (() => unknown)[], watch: TaskControl) {
  const { data: folder, database: url } = config;
  const lock = await lockDataFolder(folder);
  ends.push(() => lock.release());
  if (url.startsWith('postgres')) {
    const alone = await takeExclusiveLock(url, describeDatabasePlace(url), watch);
    ends.push(() => alone.release());
    const db = await openPostgres({ url, alone: true, makesTables: false });
    ends.push(() => db.close());
    return { name: describeDatabasePlace(url), db };
  }
  if (!existsSync(join(folder, DATABASE_FILE)))
    throw notFoundError(`there is no database in ${folder} yet: there are no files to move`);
  const embedded = await openDatabase({ folder });
  ends.push(() => embedded.close());
  return { name: folder, db: toAnyDatabase(embedded) };
}
