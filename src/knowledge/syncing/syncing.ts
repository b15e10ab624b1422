import { type FSWatcher, watch } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AppError, badRequestError, ignoreNotFound, notFoundError } from '../../errors.ts';
import { DEFAULT_COLLECTION, normalizeCollection } from '../../lib/collection.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { createProblemList } from '../importing/problem-list.ts';
import type { FileExchange, FolderWatch, Knowledge, SyncOptions, SyncSummary } from '../types.ts';
import type { FolderStore, SyncedFile } from './folder-store.ts';
import { createEntryMaker, isBlankNote, isFolderKey, unpackEntryIds } from './sync-entries.ts';
import { type FolderScan, listSyncFiles, readSyncedFile, resolveFolder } from './sync-files.ts';
import { type PresentFile, planSync, type SyncPlan } from './sync-plan.ts';

const FILES_AT_ONCE = 16;
/** Results are stored after this many files. After a killed run, the next run repeats at most this many. */
const FILES_PER_NOTE = 200;
const PROGRESS_FILES = 100;
/** If all files of a folder are gone and there were at least this many, the sync fails. */
const MANY_FILES = 10;
/** If more files than this are gone, and more than half of all files, the sync fails. */
const UNASKED_REMOVALS = 20;
type Room = Pick<
  Knowledge,
  'restoreEntry' | 'updateEntry' | 'removeEntries' | 'findEntry' | 'findEntryByKey'
>;

export interface SyncingOptions {
  readonly knowledge: Room;
  readonly folders: FolderStore;
}

/** Creates the sync. An entry's key is its file's path, so that a run finds entries of a killed run. */
export function createSyncing({
  knowledge,
  folders,
}: SyncingOptions): Omit<FileExchange, 'importSource' | 'readFile' | 'exportFolder'> {
  return {
    async syncFolder(owner, folder, options) {
      const root = await resolveFolder(folder);
      const record = await folders.findFolder(owner, root);
      if (!record && options.known === true)
        throw notFoundError(`${root} is no longer synced; its entries stay`);
      const collection = collectionFor(record?.collection, options.collection, root);
      const known = await folders.listFiles(owner, root);
      const scan = await listSyncFiles(root, options.exclude ?? [], options.signal);
      const failures = createFailures(scan.leftOut);
      const parts: SyncParts = { owner, root, collection, knowledge, folders, options, failures, known };
      const present = await readPresent(parts, scan, known);
      const isUnread = (path: string) =>
        present.failed.has(path) || scan.unread.some((folder) => path.startsWith(folder.path));
      const plan = planSync(known, present.files, isUnread);
      if (!options.signal.aborted && options.removeMany !== true) checkRemovals(plan, known.length, root);
      let done: SyncCounts = {
        added: plan.added.length,
        changed: plan.changed.length,
        moved: plan.moved.length,
        removed: plan.removed.length,
      };
      if (options.dryRun !== true) done = await carryOut(parts, plan);
      return { folder: root, ...done, unchanged: plan.unchanged, ...failures.summary() };
    },

    watchFolder: async (folder) => watchFolder(await resolveFolder(folder)),
    listFolders: (owner) => folders.listFolders(owner),

    async forgetFolder(owner, folder) {
      const real = await realpath(folder).catch(() => resolve(folder));
      return folders.forgetFolder(owner, real);
    },
  };
}

/** Throws AppError `bad_request` if very many files are gone, because the disk may not be mounted. */
function checkRemovals({ removed }: SyncPlan, known: number, root: string): void {
  const all = removed.length === known && known >= MANY_FILES;
  const most = removed.length > UNASKED_REMOVALS && removed.length * 2 > known;
  if (!all && !most) return;
  throw badRequestError(
    all
      ? `all ${known} files of ${root} are gone, perhaps because the folder is not mounted: nothing was changed; ` +
          '--remove-many removes their entries, and magpie kb sync --forget stops syncing the folder'
      : `${removed.length} of the ${known} files of ${root} are gone: nothing was changed. If that is intended, ` +
          '--remove-many moves their entries to the trash',
  );
}

/** Applies the plan of a sync. Does nothing after an abort, because the plan is then incomplete. */
async function carryOut(parts: SyncParts, plan: SyncPlan): Promise<SyncCounts> {
  const { owner, root, collection, folders, options } = parts;
  if (options.signal.aborted) return { added: 0, changed: 0, moved: 0, removed: 0 };
  if (options.known !== true) await folders.openFolder(owner, root, collection);
  const done = await applyPlan(parts, plan);
  if (!options.signal.aborted) await folders.finishFolder(owner, root);
  return done;
}

function collectionFor(known: string | undefined, wanted: string | undefined, root: string): string {
  const named = wanted === undefined ? undefined : normalizeCollection(wanted);
  if (known === undefined || named === undefined || named === known)
    return known ?? named ?? DEFAULT_COLLECTION;
  throw badRequestError(
    `collection is ${JSON.stringify(named)}: the entries of ${root} are in ${JSON.stringify(known)}; --forget it first to begin again`,
  );
}

interface SyncParts extends SyncingOptions {
  readonly owner: string;
  readonly root: string;
  readonly collection: string;
  readonly options: SyncOptions;
  readonly failures: Failures;
  readonly known: readonly SyncedFile[];
}

async function readPresent(
  { root, options, failures }: SyncParts,
  scan: FolderScan,
  known: readonly SyncedFile[],
) {
  const { signal, progress } = options;
  const before = new Map(known.map((file) => [file.path, file]));
  const files: PresentFile[] = [];
  const failed = new Set<string>();
  const limiter = createLimiter({ concurrency: FILES_AT_ONCE });
  for (const { path, why } of scan.unread) failures.add(path || root, why);
  const unread: FolderScan['files'][number][] = [];
  for (const file of scan.files) {
    const old = before.get(file.path);
    if (!old || file.stamp === '' || old.stamp !== file.stamp) unread.push(file);
    else files.push({ path: file.path, stamp: file.stamp, digest: old.digest });
  }
  let read = 0;
  const digest = async ({ path }: FolderScan['files'][number]) => {
    if (signal.aborted) return;
    if (isReported(++read, unread.length)) progress(`${read} of ${formatCount(unread.length, 'file')} read`);
    const content = await failures.attempt(path, () => readSyncedFile(root, path));
    if (!content) failed.add(path);
    else if (content.body.every((byte) => byte <= 0x20) || isBlankNote(content.body, path))
      scan.leftOut.add('empty', path);
    else files.push({ path, stamp: content.stamp, digest: content.digest });
  };
  await Promise.all(unread.map((file) => limiter.run(() => digest(file))));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, failed };
}

type SyncCounts = Record<'added' | 'changed' | 'moved' | 'removed', number> & Pick<SyncSummary, 'trash'>;

/** Removes all entries of a run as one trash batch, so that one restore brings them back. */
function createRemoval({ owner, knowledge }: Pick<SyncParts, 'owner' | 'knowledge'>) {
  let trash: string | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Removes entries. Calls wait for each other, because they share the trash batch of the first call. */
    remove(ids: readonly string[]): Promise<void> {
      const next = last.then(async () => {
        trash = (await knowledge.removeEntries(owner, ids, trash)).trash?.id ?? trash;
      });
      last = next.catch(() => {});
      return next;
    },
    trash: () => trash,
  };
}

async function applyPlan(parts: SyncParts, plan: SyncPlan): Promise<SyncCounts> {
  const { owner, root, knowledge, folders, options } = parts;
  const done = { added: 0, changed: 0, moved: 0, removed: 0 };
  const { remove, trash } = createRemoval(parts);
  const isRemoved = new Set(plan.removed);
  const known = parts.known.filter((file) => !isRemoved.has(file));
  const entryOf = createEntryMaker({ ...parts, ...parts.failures, known, remove });
  const each = createWorker(parts, plan.moved.length + plan.changed.length + plan.added.length);
  const kept = new Set([...plan.moved, ...plan.changed, ...plan.added].map(({ path }) => path));
  for (let at = 0; at < plan.removed.length && !options.signal.aborted; at += FILES_PER_NOTE) {
    const group = plan.removed.slice(at, at + FILES_PER_NOTE);
    const ids = new Set<string>();
    for (const { entry } of group) {
      const before = ids.size;
      // An entry that was exported stays, because an export may move its file.
      for (const id of unpackEntryIds(entry))
        if (isFolderKey(root, (await knowledge.findEntry(owner, id))?.key)) ids.add(id);
      if (ids.size > before) done.removed++;
    }
    await remove([...ids]);
    // If another file is now at the path, the record stays. Saving that file replaces the record.
    const gone = group.map(({ path }) => path).filter((path) => !kept.has(path));
    await folders.saveFiles(owner, root, { gone });
  }
  if (!options.signal.aborted) done.moved = await moveEntries(parts, plan.moved, entryOf, each);
  const save = (files: readonly SyncedFile[]) => folders.saveFiles(owner, root, { files });
  const note = (what: 'added' | 'changed', file: PresentFile, row: Omit<SyncedFile, 'path'>) => {
    done[what]++;
    return rowOf({ ...file, ...row });
  };
  const replaced: PresentFile[] = [];
  const update = async (file: SyncPlan['changed'][number]) => {
    const row = await entryOf.update(file.entry, file.path);
    if (row) return note('changed', file, row);
    replaced.push(file);
    return undefined;
  };
  await each(plan.changed, update, save);
  const insert = (what: 'added' | 'changed') => async (file: PresentFile) =>
    note(what, file, await entryOf.insert(file.path));
  await each(replaced, insert('changed'), save);
  await each(plan.added, insert('added'), save);
  if (!options.signal.aborted) await save(plan.touched);
  return { ...done, trash: trash() };
}

/** Moves entries to their files' new paths, all in one write, because two files may swap paths. */
async function moveEntries(
  { owner, root, folders, failures }: SyncParts,
  moved: SyncPlan['moved'],
  entryOf: ReturnType<typeof createEntryMaker>,
  each: ReturnType<typeof createWorker>,
): Promise<number> {
  const targets = new Set(moved.map(({ path }) => path));
  for (const { from, entry } of moved.filter((file) => targets.has(file.from))) {
    // If another file moves to an entry's old path, the entry first gets a temporary key.
    for (const id of unpackEntryIds(entry)) {
      await failures.attempt(from, () => entryOf.putAside(id).catch(ignoreNotFound));
    }
  }
  const rows: (SyncedFile & { readonly from: string })[] = [];
  await each(
    moved,
    async (file) => {
      const row = { ...file, ...(await entryOf.follow(file.entry, file.path)) };
      rows.push(row);
      return row;
    },
    async () => {},
  );
  const paths = new Set(rows.map(({ path }) => path));
  const gone = rows.map(({ from }) => from).filter((path) => !paths.has(path));
  await folders.saveFiles(owner, root, { files: rows.map(rowOf), gone });
  return rows.length;
}

function createWorker({ options: { signal, progress }, failures }: SyncParts, total: number) {
  let worked = 0;
  return async function each<File extends { readonly path: string }>(
    files: readonly File[],
    work: (file: File) => Promise<SyncedFile | undefined>,
    note: (group: readonly SyncedFile[]) => Promise<void>,
  ): Promise<void> {
    const limiter = createLimiter({ concurrency: FILES_AT_ONCE });
    const one = async (file: File) => {
      if (signal.aborted) return undefined;
      if (isReported(++worked, total)) progress(`${worked} of ${formatCount(total, 'file')} done`);
      return failures.attempt(file.path, () => work(file));
    };
    for (let at = 0; at < files.length && !signal.aborted; at += FILES_PER_NOTE) {
      const group = files.slice(at, at + FILES_PER_NOTE).map((file) => limiter.run(() => one(file)));
      const settled = await Promise.allSettled(group);
      await note(settled.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : [])));
      const failed = settled.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    }
  };
}

function isReported(done: number, total: number): boolean {
  return done % PROGRESS_FILES === 0 || (done === total && total > PROGRESS_FILES);
}

function rowOf({ path, stamp, digest, entry }: SyncedFile): SyncedFile {
  return { path, stamp, digest, entry };
}

type Failures = ReturnType<typeof createFailures>;

function createFailures(leftOut: FolderScan['leftOut']) {
  const failures = createProblemList();
  const warnings = createProblemList();
  return {
    add: failures.add,
    warn: warnings.add,
    leftOut,
    async attempt<Result>(path: string, work: () => Promise<Result>): Promise<Result | undefined> {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'cancelled') return undefined;
        if (!['bad_request', 'too_large', 'unsupported', 'timeout', 'not_found'].includes(error.code))
          throw error;
        if (error.code !== 'not_found') failures.add(path, error.message);
        return undefined;
      }
    },
    summary: () => ({
      failed: failures.count(),
      failures: failures.named,
      warned: warnings.count(),
      warnings: warnings.named,
      skipped: leftOut.skipped,
      skippedAt: leftOut.skippedAt,
    }),
  };
}

const QUIET_MS = 700;
const MOST_MS = 10_000;
/** Milliseconds between reads of the folder if the system reports changes. Systems may lose some reports. */
const RESCAN_MS = 60_000;
/** Milliseconds between reads of the folder if the system reports no changes. */
const DEAF_MS = 5_000;

function watchFolder(root: string): FolderWatch {
  let last: number | undefined;
  let first: number | undefined;
  let deaf = false;
  let wake = () => {};
  const note = () => {
    last = performance.now();
    first ??= last;
    wake();
  };
  let watcher: FSWatcher | undefined;
  const fail = () => {
    deaf = true;
    watcher?.close();
  };
  try {
    watcher = watch(root, { recursive: true, persistent: true }, note);
    watcher.on('error', fail);
  } catch {
    fail();
  }

  return {
    async changed(signal) {
      const began = performance.now();
      while (!signal.aborted) {
        const now = performance.now();
        const due =
          last === undefined || first === undefined
            ? began + (deaf ? DEAF_MS : RESCAN_MS)
            : Math.min(last + QUIET_MS, first + MOST_MS);
        if (now >= due) break;
        const { promise: woken, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = new AbortController();
        const stop = AbortSignal.any([signal, timer.signal]);
        await Promise.race([woken, setTimeout(due - now, undefined, { signal: stop }).catch(() => {})]);
        timer.abort();
      }
      [first, last] = [undefined, undefined];
    },
    close() {
      watcher?.close();
    },
  };
}
