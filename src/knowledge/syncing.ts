import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { AppError } from '../errors.ts';
import { counted } from '../lib/counted.ts';
import { createLimiter } from '../lib/limiter.ts';
import { decodeText } from './decode-text.ts';
import { fitting } from './fitting.ts';
import type { FolderStore, SyncedFile } from './folder-store.ts';
import { watchFolder } from './folder-watch.ts';
import { createFreeTimes } from './free-times.ts';
import { fileTimeOf } from './import-values.ts';
import { checkCollection, DEFAULT_COLLECTION, keyOf } from './names.ts';
import { readNote, titleOfName } from './note.ts';
import {
  type FileContent,
  type FolderScan,
  isNote,
  readSyncedFile,
  realFolder,
  scanFolder,
} from './sync-files.ts';
import { type PresentFile, planSync, type SyncPlan } from './sync-plan.ts';
import type { Intake, Knowledge, SyncOptions } from './types.ts';

/** Files that are read and kept at once: reading and commits go on side by side. */
const FILES_AT_ONCE = 16;
/** Files after which what was done is noted: a run that was killed does as many again. */
const FILES_PER_NOTE = 200;
const PROGRESS_FILES = 100;
/** Failed files that are named. */
const NAMED_FAILURES = 20;
/** Known files from which a folder without any is not believed. */
const MANY_FILES = 10;

type Room = Pick<
  Knowledge,
  'insertEntry' | 'restoreEntry' | 'updateEntry' | 'removeEntry' | 'findEntryByKey'
>;

export interface SyncingOptions {
  readonly knowledge: Room;
  readonly folders: FolderStore;
}

/**
 * Folders in step with a knowledge base. What the database says of a file is written after its entry: a run that is killed finds
 * the entry again by its key, the path, and does the same work once more.
 */
export function createSyncing({
  knowledge,
  folders,
}: SyncingOptions): Omit<Intake, 'importSource' | 'readFile' | 'exportFolder'> {
  return {
    async syncFolder(owner, folder, options) {
      const root = await realFolder(folder);
      const record = await folders.findFolder(owner, root);
      const collection = collectionFor(record?.collection, options.collection, root);
      const known = await folders.listFiles(owner, root);
      const scan = await scanFolder(root, options.exclude ?? [], options.signal);
      const failures = createFailures();
      const parts: RunParts = { owner, root, collection, knowledge, folders, options, failures };
      const present = await readPresent(parts, scan, known);
      const isUnread = unreadIn(scan, present.failed);
      const plan = planSync(known, present.files, isUnread);
      if (
        !options.signal.aborted &&
        plan.removed.length >= MANY_FILES &&
        plan.removed.length === known.length
      ) {
        throw new AppError(
          'bad_request',
          `${root} has lost all of its ${known.length} files, as a folder does that is not mounted: nothing is changed; ` +
            'magpie kb sync --forget ends keeping it in step',
        );
      }
      let done: Done = {
        added: plan.added.length,
        changed: plan.changed.length,
        moved: plan.moved.length,
        removed: plan.removed.length,
      };
      if (options.dryRun !== true) done = await carryOut(parts, plan);
      return { folder: root, ...done, unchanged: plan.unchanged, ...failures.summary(scan.skipped) };
    },

    watchFolder: async (folder) => watchFolder(await realFolder(folder)),
    listFolders: (owner) => folders.listFolders(owner),

    async forgetFolder(owner, folder) {
      const real = await realpath(folder).catch(() => resolve(folder));
      return folders.forgetFolder(owner, real);
    },
  };
}

/** A run that was stopped while it read has no whole plan: nothing is done. */
async function carryOut(parts: RunParts, plan: SyncPlan): Promise<Done> {
  const { owner, root, collection, folders, options } = parts;
  if (options.signal.aborted) return { added: 0, changed: 0, moved: 0, removed: 0 };
  await folders.openFolder(owner, root, collection);
  const done = await applyPlan(parts, plan);
  if (!options.signal.aborted) await folders.finishFolder(owner, root);
  return done;
}

function collectionFor(known: string | undefined, wanted: string | undefined, root: string): string {
  const named = wanted === undefined ? undefined : checkCollection(wanted);
  if (known === undefined || named === undefined || named === known)
    return known ?? named ?? DEFAULT_COLLECTION;
  throw new AppError(
    'bad_request',
    `collection is ${JSON.stringify(named)}: the entries of ${root} are in ${JSON.stringify(known)}; --forget it first to begin again`,
  );
}

/** Nothing is known now of what lies in a folder, or is a file, that could not be read. */
function unreadIn({ unread }: FolderScan, failed: ReadonlySet<string>): (path: string) => boolean {
  return (path) => failed.has(path) || unread.some((folder) => path.startsWith(folder.path));
}

interface RunParts extends SyncingOptions {
  readonly owner: string;
  readonly root: string;
  readonly collection: string;
  readonly options: SyncOptions;
  readonly failures: Failures;
}

/** Every file that is there with its digest; those that cannot be read are left out, and named. */
async function readPresent(
  { root, options, failures }: RunParts,
  scan: FolderScan,
  known: readonly SyncedFile[],
) {
  const { signal, progress } = options;
  const before = new Map(known.map((file) => [file.path, file]));
  const files: PresentFile[] = [];
  const failed = new Set<string>();
  const limiter = createLimiter({ concurrency: FILES_AT_ONCE });
  for (const { path, why } of scan.unread) failures.add(path || root, why);
  let read = 0;
  const digest = async ({ path, stamp }: FolderScan['files'][number]) => {
    const old = before.get(path);
    if (old && stamp !== '' && old.stamp === stamp)
      return void files.push({ path, stamp, digest: old.digest });
    if (signal.aborted) return;
    if (++read % PROGRESS_FILES === 0) progress(`${counted(read, 'file')} of ${scan.files.length} read`);
    const content = await failures.attempt(path, () => readSyncedFile(root, path));
    if (!content) failed.add(path);
    // A file without text is as one that is not there.
    else if (content.body.every((byte) => byte <= 0x20)) failures.skip('empty');
    else files.push({ path, stamp: content.stamp, digest: content.digest });
  };
  await Promise.all(scan.files.map((file) => limiter.run(() => digest(file))));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, failed };
}

type Done = Record<'added' | 'changed' | 'moved' | 'removed', number>;

/** Carries a plan out, and counts what is done. */
async function applyPlan(parts: RunParts, plan: SyncPlan): Promise<Done> {
  const { owner, root, knowledge, folders, options } = parts;
  const done: Done = { added: 0, changed: 0, moved: 0, removed: 0 };
  const entryOf = createEntryMaker(parts);
  const each = createWorker(parts);
  const kept = new Set([...plan.moved, ...plan.changed, ...plan.added].map(({ path }) => path));
  await each(
    plan.removed,
    async (file) => {
      const { records } = await knowledge.removeEntry(owner, file.entry);
      done.removed += records;
      return file;
    },
    // Where another file is by now, its own row follows.
    (group) =>
      folders.saveFiles(owner, root, {
        gone: group.map(({ path }) => path).filter((path) => !kept.has(path)),
      }),
  );
  if (!options.signal.aborted) done.moved = await moveEntries(parts, plan.moved, entryOf, each);
  const save = (files: readonly SyncedFile[]) => folders.saveFiles(owner, root, { files });
  await each(
    plan.changed,
    async (file) => {
      const row = await entryOf.update(file.entry, file.path);
      done.changed++;
      return rowOf({ ...file, ...row });
    },
    save,
  );
  await each(
    plan.added,
    async (file) => {
      const row = await entryOf.insert(file.path);
      done.added++;
      return rowOf({ ...file, ...row });
    },
    save,
  );
  if (!options.signal.aborted) await save(plan.touched);
  return done;
}

type EachFile = ReturnType<typeof createWorker>;

/** All rows of moves change in one step: a swap that is half noted would lose an entry. Gives the number of moves. */
async function moveEntries(
  { owner, root, knowledge, folders, options, failures }: RunParts,
  moved: SyncPlan['moved'],
  entryOf: ReturnType<typeof createEntryMaker>,
  each: EachFile,
): Promise<number> {
  const targets = new Set(moved.map(({ path }) => path));
  for (const { from, entry } of moved.filter((file) => targets.has(file.from))) {
    // The key of the path that it leaves is another one's at once.
    const aside = () => knowledge.updateEntry(owner, entry, { key: `moving:${entry}` }, options.signal);
    await failures.attempt(from, () => aside().catch(unlessGone));
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

/** Does the same for each file, some at a time, and notes in groups what came of it. Files that fail are named, and stay as they were. */
function createWorker({ options: { signal, progress }, failures }: RunParts) {
  let worked = 0;
  return async function each<File extends { readonly path: string }>(
    files: readonly File[],
    work: (file: File) => Promise<SyncedFile>,
    note: (group: readonly SyncedFile[]) => Promise<void>,
  ): Promise<void> {
    const limiter = createLimiter({ concurrency: FILES_AT_ONCE });
    const one = async (file: File) => {
      if (signal.aborted) return undefined;
      if (++worked % PROGRESS_FILES === 0) progress(`${counted(worked, 'file')} done`);
      return failures.attempt(file.path, () => work(file));
    };
    for (let at = 0; at < files.length && !signal.aborted; at += FILES_PER_NOTE) {
      const group = files.slice(at, at + FILES_PER_NOTE).map((file) => limiter.run(() => one(file)));
      // What is done is noted, also where another one fails for good.
      const settled = await Promise.allSettled(group);
      await note(settled.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : [])));
      const failed = settled.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    }
  };
}

function rowOf({ path, stamp, digest, entry }: SyncedFile): SyncedFile {
  return { path, stamp, digest, entry };
}

type Failures = ReturnType<typeof createFailures>;

/** What is said of a file alone is named, and the next one is tried; any other error ends the run. */
function createFailures() {
  let failed = 0;
  const named: { at: string; why: string }[] = [];
  const skipped: Record<string, number> = {};
  const add = (at: string, why: string) => {
    failed++;
    if (named.length < NAMED_FAILURES) named.push({ at, why });
  };
  const skip = (why: string) => {
    skipped[why] = (skipped[why] ?? 0) + 1;
  };
  return {
    add,
    skip,
    async attempt<Result>(path: string, work: () => Promise<Result>): Promise<Result | undefined> {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'cancelled') return undefined;
        if (!['bad_request', 'too_large', 'unsupported', 'timeout', 'not_found'].includes(error.code))
          throw error;
        // A file that has gone since the folder was read is seen by the next run.
        if (error.code !== 'not_found') add(path, error.message);
        return undefined;
      }
    },
    summary: (more: Readonly<Record<string, number>>) => ({
      failed,
      failures: named,
      skipped: { ...more, ...skipped },
    }),
  };
}

/** Entries of files, and what is to be noted of the bytes that each was made of. */
function createEntryMaker({ owner, root, collection, knowledge, options }: RunParts) {
  const { signal, read } = options;
  const freeTime = createFreeTimes();
  type Noted = Pick<SyncedFile, 'entry' | 'stamp' | 'digest'>;

  async function make(path: string) {
    const content = await readSyncedFile(root, path);
    const { createdAt, updatedAt, text, ...note } = await textOf(content, path);
    const whole = `${root}${sep}${path.split('/').join(sep)}`;
    if (text.trim() === '') throw new AppError('unsupported', 'has no text');
    const fitted = fitting({ ...note, source: note.source ?? whole });
    const { title = '', source = '', tags = [] } = fitted;
    const entry = { text, title, source, tags, key: keyOf(whole), collection };
    const made = freeTime(createdAt ?? fileTimeOf(content.modifiedAt) ?? Date.now() * 1000);
    return { content, entry, times: { createdAt: made, updatedAt: Math.max(made, updatedAt ?? 0) } };
  }

  async function textOf({ body }: FileContent, path: string) {
    if (isNote(path)) return readNote(decodeText(body), path);
    const page = await read({ url: path, contentType: '', body }, signal);
    return {
      text: page.markdown,
      title: page.title || titleOfName(path),
      tags: [],
      source: undefined,
      createdAt: undefined,
      updatedAt: undefined,
    };
  }

  async function insert(path: string): Promise<Noted> {
    const { content, entry, times } = await make(path);
    const there = await knowledge.findEntryByKey(owner, entry.key, collection);
    const { stamp, digest } = content;
    if (there) {
      await knowledge.updateEntry(owner, there.id, entry, signal);
      return { entry: there.id, stamp, digest };
    }
    const { id } = await knowledge.restoreEntry(
      owner,
      { ...entry, ...times, id: `${owner}-${times.createdAt}` },
      signal,
    );
    return { entry: id, stamp, digest };
  }

  return {
    insert,
    /** A file under a new name. An entry that its owner has deleted stays away: the file says nothing new. */
    async follow(id: string, path: string): Promise<Noted> {
      const { content, entry } = await make(path);
      await knowledge.updateEntry(owner, id, entry, signal).catch(unlessGone);
      return { entry: id, stamp: content.stamp, digest: content.digest };
    },
    /** An entry that its owner has deleted meanwhile is made again: the file has changed since. */
    async update(id: string, path: string): Promise<Noted> {
      const { content, entry } = await make(path);
      try {
        await knowledge.updateEntry(owner, id, entry, signal);
      } catch (error) {
        unlessGone(error);
        return insert(path);
      }
      return { entry: id, stamp: content.stamp, digest: content.digest };
    },
  };
}

function unlessGone(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
}
