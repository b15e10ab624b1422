import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { markForReindexing } from '../../documents/stores/check.ts';
import { listDamagedBits } from '../../knowledge/indexes/bits-file.ts';
import { listDamagedGraphs } from '../../knowledge/indexes/graph-file.ts';
import { INDEX_FILE_EXTENSIONS } from '../../knowledge/ranking/index-files.ts';
import { checkKnowledge, ENTRY_KEYS, ENTRY_TABLES } from '../../knowledge/stores/checking/check.ts';
import { checkPages, mendPageCounters, rebuildPageWords } from '../../search/stores/check.ts';
import {
  convertToIncrementalVacuum,
  findDamage,
  openFile,
  readSchemaVersion,
  replaceDamagedFile,
} from '../../storage/check-file.ts';
import type { DataProblem } from '../../storage/data-problem.ts';
import { lockDataFolder } from '../../storage/lock.ts';
import { MIGRATIONS } from '../../storage/migrations/list.ts';
import { refuseIncompleteFile } from '../../storage/move/incomplete-mark.ts';
import { isDamage, type TaskControl } from '../../storage/salvage.ts';
import { DATABASE_FILE, migrate, prepareStatements, storageError } from '../../storage/sqlite.ts';
import type { EmbedderGaps } from '../embedders.ts';

export type DataReport = Awaited<ReturnType<typeof checkData>>;

const SHOWN_LINES = 3;
const PAGE_TABLES: readonly string[] = ['pages', 'page_owners'];

/** Finds problems, and with `mend` repairs them. Throws `unavailable` if the folder is used or unreadable. */
export async function checkData(
  folder: string,
  mend: boolean,
  watch: TaskControl,
  { remedy, missing }: EmbedderGaps = {},
) {
  const path = join(folder, DATABASE_FILE);
  if (!existsSync(path))
    return { folder, present: false, problems: [], ...(missing !== undefined && { advice: missing }) };
  const lock = mend ? await lockDataFolder(folder) : undefined;
  try {
    const { problems, kept, shrinks, unread = 0 } = await checkDatabase(path, mend, watch);
    const indexes = await checkIndexes(join(folder, 'indexes'), mend, kept !== undefined);
    const advice = missing ?? (remedy !== undefined && unread > 0 ? adviceFor(unread, remedy) : undefined);
    return {
      folder,
      present: true,
      problems: [...problems, ...indexes],
      ...(kept !== undefined && { kept }),
      ...(shrinks && { shrinks }),
      ...(advice !== undefined && { advice }),
    };
  } finally {
    lock?.release();
  }
}

function adviceFor(users: number, remedy: string): string {
  const whose = users === 1 ? 'The texts of 1 user are' : `The texts of ${users} users are`;
  return `${whose} not all in English, which is all that the embedding model in use reads: ${remedy}`;
}

interface DataCheckResult {
  readonly problems: readonly DataProblem[];
  readonly unread?: number;
  readonly kept?: string;
  readonly shrinks?: boolean;
}

async function checkDatabase(path: string, mend: boolean, watch: TaskControl): Promise<DataCheckResult> {
  const raw = openFile(path, mend);
  try {
    const damage = await findDamage(raw, watch);
    const file: DataProblem[] = damage.length === 0 ? [] : [fileProblem(path, damage)];
    const present = readSchemaVersion(raw);
    refuseIncompleteFile(raw, path);
    if (damage.length > 0 && mend) return await replaceDatabase(raw, path, file, watch);
    if (present === undefined) return { problems: file };
    if (mend) migrate(raw, MIGRATIONS, path);
    else if (present < (MIGRATIONS.at(-1)?.id ?? 0)) return { problems: file };
    // In a transaction, all checks see the same state, even if other processes write.
    if (!mend) raw.exec('BEGIN');
    const problems = [...file, ...(await checkRooms(raw, { mend, recover: false }, watch))];
    const shrinks = mend && convertToIncrementalVacuum(raw, path, watch);
    return { problems, unread: countUnread(raw), ...(shrinks && { shrinks }) };
  } catch (error) {
    throw storageError(error, path);
  } finally {
    if (raw.isOpen) raw.close();
  }
}

function countUnread(raw: DatabaseSync): number {
  const { sql, forget } = prepareStatements(raw);
  try {
    const select = 'SELECT count(*) AS n FROM kb_owners WHERE multilingual = 1 AND searched > 0';
    return sql.get<{ n: number }>(select)?.n ?? 0;
  } catch (error) {
    if (isDamage(error)) return 0;
    throw error;
  } finally {
    forget();
  }
}

function fileProblem(path: string, lines: readonly string[]): DataProblem {
  const shown = lines.slice(0, SHOWN_LINES).map((line) => line.replaceAll(/\s+/g, ' '));
  const more = lines.length > SHOWN_LINES ? ', and more' : '';
  return { part: 'database', problem: `the file ${path} is damaged (${shown.join('; ')}${more})` };
}

async function replaceDatabase(
  raw: DatabaseSync,
  path: string,
  file: readonly DataProblem[],
  watch: TaskControl,
): Promise<DataCheckResult> {
  const problems: DataProblem[] = [...file];
  const finish = async (copy: DatabaseSync) => {
    problems.push(...(await checkRooms(copy, { mend: true, recover: true }, watch)));
  };
  const { kept, tables } = await replaceDamagedFile(raw, path, ENTRY_KEYS, finish, watch);
  const others = tables.filter((name) => !ENTRY_TABLES.includes(name) && !PAGE_TABLES.includes(name));
  if (others.length > 0) {
    problems.push({
      part: 'database',
      problem: `not all rows of ${others.join(', ')} can be read`,
      lost: true,
    });
  }
  if (tables.some((name) => PAGE_TABLES.includes(name))) {
    problems.push({
      part: 'local index',
      problem: 'some pages of the local index cannot be read',
      lost: true,
    });
  }
  return { problems, kept };
}

async function checkRooms(
  raw: DatabaseSync,
  options: { readonly mend: boolean; readonly recover: boolean },
  watch: TaskControl,
): Promise<DataProblem[]> {
  const { sql, forget } = prepareStatements(raw);
  try {
    const { problems, files } = await checkKnowledge(sql, options, watch);
    if (options.mend) markForReindexing(sql, files);
    watch.progress('checking the local index');
    const pages = readPagesTrouble(sql);
    if (pages.words && !options.recover) {
      problems.push({ part: 'local index', problem: 'the words of the local index do not fit its pages' });
    }
    if (pages.counters && !options.recover) {
      problems.push({ part: 'counters', problem: 'the counters of the local index are wrong' });
    }
    if (options.mend && (pages.words || options.recover)) {
      const lost = await rebuildPageWords(sql, watch);
      if (lost.length > 0) {
        problems.push({
          part: 'local index',
          problem: `pages of the local index that cannot be unpacked: ${lost.length}`,
          ids: lost,
          lost: true,
        });
      }
    }
    if (options.mend) mendPageCounters(sql);
    return problems;
  } finally {
    forget();
  }
}

function readPagesTrouble(sql: Parameters<typeof checkPages>[0]): ReturnType<typeof checkPages> {
  try {
    return checkPages(sql);
  } catch (error) {
    if (isDamage(error)) return { words: false, counters: false };
    throw error;
  }
}

/** Finds damaged vector indexes. `mend` deletes them. If the database was `replaced`, deletes all indexes. */
async function checkIndexes(folder: string, mend: boolean, replaced: boolean): Promise<DataProblem[]> {
  const damaged = [...new Set([...(await listDamagedGraphs(folder)), ...(await listDamagedBits(folder))])];
  if (replaced) await rm(folder, { recursive: true, force: true });
  if (damaged.length === 0) return [];
  if (mend) {
    for (const path of damaged) {
      for (const end of INDEX_FILE_EXTENSIONS) await rm(`${path}.${end}`, { force: true });
    }
  }
  return [{ part: 'indexes', problem: `vector indexes whose files are damaged: ${damaged.length}` }];
}
