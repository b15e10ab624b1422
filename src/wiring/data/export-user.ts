import { createWriteStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../config/config.ts';
import { AppError } from '../../errors.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { decompressText } from '../../search/stores/page-text.ts';
import type { TaskControl } from '../../storage/salvage.ts';
import { EXPORTED_TABLES, type ExportedRow, exportRows } from '../../storage/user/export.ts';
import { VERSION } from '../../version.ts';
import { type CopiedFile, digestOf, writeWithDigest } from './copied-files.ts';
import { type UserCounts, type UserDataStores, withUserData } from './user-data.ts';

const PACKED = ['pages', 'page_versions'];

/** Exports a user's data. Throws AppError `bad_request` if the folder is not empty. */
export async function exportUser(
  config: Config,
  user: string,
  folder: string,
  watch: TaskControl,
): Promise<UserCounts> {
  return withUserData(config, user, async (data) => {
    makeExportFolder(folder);
    if ((await readdir(folder)).length > 1 || (await readdir(join(folder, 'files'))).length > 0)
      throw new AppError('bad_request', `the folder ${folder} has something in it: name a new or empty one`);
    const rows: Record<string, number> = {};
    const files: CopiedFile[] = [];
    for (const table of EXPORTED_TABLES) {
      watch.progress(`writing ${table}`);
      const path = `${table}.jsonl`;
      rows[table] = await writeRows(
        join(folder, path),
        readable(table, exportRows(data.db, table, user)),
        watch,
      );
      files.push({ path, ...(await digestOf(join(folder, path), watch.signal)) });
    }
    const uploads = await writeFiles(data, user, folder, watch);
    const list = {
      format: 1,
      magpie: VERSION,
      user,
      at: new Date().toISOString(),
      rows,
      files: [...files, ...uploads],
    };
    await writeFile(join(folder, 'list.json'), `${JSON.stringify(list, null, 1)}\n`, {
      mode: 0o600,
      flush: true,
    });
    return { rows, files: uploads.length };
  });
}

function makeExportFolder(folder: string): void {
  try {
    makeFolder(join(folder, 'files'));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new AppError('unavailable', `${folder} cannot be made a folder (${code}): name another one`, {
      cause,
    });
  }
}

async function* readable(table: string, rows: AsyncIterable<ExportedRow>): AsyncGenerator<ExportedRow> {
  for await (const row of rows) {
    const { base64 } = (PACKED.includes(table) && row.text ? row.text : {}) as { base64?: string };
    yield base64 === undefined ? row : { ...row, text: decompressText(Buffer.from(base64, 'base64')) };
  }
}

async function writeRows(path: string, rows: AsyncIterable<ExportedRow>, { signal }: TaskControl) {
  let count = 0;
  async function* lines() {
    for await (const row of rows) {
      count += 1;
      yield `${JSON.stringify(row)}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600, flush: true }), { signal });
  return count;
}

/** Writes files. A file's new name is a number and the old name, with `_` for special characters. */
async function writeFiles(
  { db, blobs }: UserDataStores,
  user: string,
  folder: string,
  { signal, progress }: TaskControl,
): Promise<CopiedFile[]> {
  const written: CopiedFile[] = [];
  for await (const { id, name, blob } of exportRows(db, 'documents', user)) {
    const bytes = await blobs.get(user, String(blob));
    if (!bytes) continue;
    progress(`writing files: ${written.length + 1}`);
    const path = `files/${id}-${String(name)
      .replace(/[^\p{L}\p{N}._-]/gu, '_')
      .slice(0, 80)}`;
    written.push(await writeWithDigest(bytes, folder, path, signal));
  }
  return written;
}
