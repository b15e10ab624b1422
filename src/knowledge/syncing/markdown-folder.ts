import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, readFile, realpath, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, badRequestError } from '../../errors.ts';
import { normalizeOptionalCollection } from '../../lib/collection.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { asObject } from '../importing/import-values.ts';
import { formatExportedNote } from '../importing/note.ts';
import { computeFileDigest, EXPORT_LOG_FILE } from '../importing/notes/exported-files.ts';
import type { FolderExport, FolderExportOptions, Knowledge, KnowledgeEntry } from '../types.ts';
import { createUniqueNames, safeFileName } from './file-names.ts';

const GROUP_ENTRIES = 32;
const PROGRESS_ENTRIES = 100;
const NAMED_FILES = 20;
/** Maximum bytes of an exported file: 1 MB of text and the front matter. */
const MAX_OWN_BYTES = 2_000_000;
const ABANDONED_MS = 600_000;

export function createFolderExport(knowledge: Pick<Knowledge, 'exportEntries' | 'listCollections'>) {
  return async function exportFolder(
    owner: string,
    folder: string,
    options: FolderExportOptions,
  ): Promise<FolderExport> {
    try {
      makeFolder(folder);
      const root = await realpath(folder);
      const log = await openExportLog(root, owner);
      try {
        return await writeFolder(knowledge, { owner, root, log, ...options });
      } finally {
        await log.close();
      }
    } catch (error) {
      throw fileError(error, folder);
    }
  };
}

type ExportRun = FolderExportOptions & {
  readonly owner: string;
  readonly root: string;
  readonly log: Awaited<ReturnType<typeof openExportLog>>;
};

async function writeFolder(knowledge: Pick<Knowledge, 'exportEntries' | 'listCollections'>, run: ExportRun) {
  const { owner, root, log, signal, progress } = run;
  const collection = normalizeOptionalCollection(run.collection);
  const pathOf = createPaths((await knowledge.listCollections(owner)).map(({ name }) => name));
  const files = createFiles(run);
  const present = new Set<string>();
  let exported = 0;
  const flush = async (group: readonly KnowledgeEntry[]) => {
    const notes = group.map((entry) => {
      const content = Buffer.from(formatExportedNote(entry));
      return { path: pathOf(entry), content, digest: computeFileDigest(content) };
    });
    for (const { path } of notes) present.add(path);
    // Records the files before they are written, so that the next run knows them even if this run is killed.
    await log.note(notes);
    await Promise.all(notes.map(files.write));
    const before = exported;
    exported += group.length;
    if (Math.floor(exported / PROGRESS_ENTRIES) > Math.floor(before / PROGRESS_ENTRIES))
      progress(`${formatCount(exported, 'entry', 'entries')} written`);
  };
  let group: KnowledgeEntry[] = [];
  for await (const entry of knowledge.exportEntries(owner, collection)) {
    if (signal.aborted) break;
    group.push(entry);
    if (group.length < GROUP_ENTRIES) continue;
    await flush(group);
    group = [];
  }
  if (!signal.aborted) {
    await flush(group);
    const within = collection === undefined ? '' : `${pathOf.folder(collection)}/`;
    await files.removeGone(
      [...log.known.keys()].filter((path) => path.startsWith(within) && !present.has(path)),
    );
    await log.finish();
  }
  return { folder: root, exported, ...files.summary() };
}

/** Returns a function that gives each entry a path. Calls in the same order give the same paths. */
function createPaths(collections: readonly string[]) {
  const uniqueFolder = createUniqueNames();
  const folders = new Map<string, { readonly name: string; readonly unique: (name: string) => string }>();
  const folderOf = (collection: string) => {
    const known = folders.get(collection);
    if (known) return known;
    const made = { name: uniqueFolder(safeFileName(collection, 'collection')), unique: createUniqueNames() };
    folders.set(collection, made);
    return made;
  };
  for (const name of collections) folderOf(name);
  const pathOf = ({ collection, title, text }: KnowledgeEntry): string => {
    const { name, unique } = folderOf(collection);
    return `${name}/${unique(safeFileName(title || firstLine(text), 'entry'))}.md`;
  };
  return Object.assign(pathOf, { folder: (collection: string) => folderOf(collection).name });
}

function firstLine(text: string): string {
  const begin = text.slice(0, 2000);
  return /[\p{L}\p{N}\p{Extended_Pictographic}][^\r\n]*/u.exec(begin)?.[0] ?? '';
}

interface NoteFile {
  readonly path: string;
  readonly content: Buffer;
  readonly digest: string;
}

function createFiles({ root, log, overwrite = false }: ExportRun) {
  let [written, unchanged, removed, kept] = [0, 0, 0, 0];
  const named: string[] = [];
  const folders = new Map<string, Promise<void>>();
  const keep = (path: string) => {
    kept++;
    if (named.length < NAMED_FILES) named.push(path);
  };
  const ensure = (name: string) => {
    const made = folders.get(name) ?? ensureFolder(join(root, name));
    folders.set(name, made);
    return made;
  };

  return {
    async write({ path, content, digest }: NoteFile): Promise<void> {
      await ensure(dirname(path));
      const there = await digestAt(join(root, path));
      if (there === digest) {
        unchanged++;
        return log.forget(path);
      }
      const ours = there !== undefined && log.known.get(path)?.has(there) === true;
      if (there !== undefined && !ours && (!overwrite || there === NO_FILE)) return keep(path);
      await writeFileAtomically(join(root, path), content);
      log.forget(path);
      written++;
    },

    async removeGone(paths: readonly string[]): Promise<void> {
      const left = new Set<string>();
      for (const path of paths) {
        const there = await digestAt(join(root, path));
        if (there !== undefined && log.known.get(path)?.has(there) !== true) {
          keep(path);
          continue;
        }
        log.forget(path);
        left.add(dirname(path));
        if (there === undefined) continue;
        await unlink(join(root, path));
        removed++;
      }
      for (const folder of left) await rmdir(join(root, folder)).catch(() => {});
    },

    summary: () => ({ written, unchanged, removed, kept, keptFiles: named }),
  };
}

/** Used instead of a digest for a folder or a link, whose content is not read. */
const NO_FILE = 'other';

async function digestAt(path: string): Promise<string | undefined> {
  const about = await lstat(path).catch(unlessAbsent);
  if (!about) return undefined;
  if (!about.isFile()) return NO_FILE;
  return about.size > MAX_OWN_BYTES ? 'large' : computeFileDigest(await readFile(path));
}

function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Creates a subfolder, which must not be a link. Temporary files of killed runs are deleted. */
async function ensureFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (!(await lstat(path)).isDirectory()) throw badRequestError(`${path} is not a folder`);
  for (const name of (await readdir(path)).filter((one) => TEMPORARY_FILE_PATTERN.test(one))) {
    const about = await lstat(join(path, name)).catch(unlessAbsent);
    if (about && Date.now() - about.mtimeMs > ABANDONED_MS) await rm(join(path, name), { force: true });
  }
}

function fileError(error: unknown, folder: string): unknown {
  const { code, path = folder } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  const why =
    code === 'EEXIST' || code === 'ENOTDIR'
      ? 'is not a folder'
      : code === 'ENOSPC'
        ? 'cannot be written: the disk is full'
        : `cannot be used (${code})`;
  return badRequestError(`${path} ${why}`, { cause: error });
}

/** Opens an export's record of digests. Throws AppError `bad_request` for another user's export. */
async function openExportLog(root: string, owner: string) {
  const file = join(root, EXPORT_LOG_FILE);
  const known = await readLog(file, owner);
  const now = new Map<string, string>();
  const handle = await open(file, 'a', 0o600);
  if (known === undefined) await handle.write(`${head(owner)}\n`);
  const before: Map<string, Set<string>> = known ?? new Map();
  return {
    known: before as ReadonlyMap<string, ReadonlySet<string>>,

    /** Records the files. Must be called before they are written. */
    async note(files: readonly { readonly path: string; readonly digest: string }[]): Promise<void> {
      if (files.length === 0) return;
      for (const { path, digest } of files) now.set(path, digest);
      await handle.write(
        `\n${files.map(({ path, digest }) => JSON.stringify({ path, digest })).join('\n')}\n`,
      );
    },

    /** Drops the earlier digests of a file, because this run wrote the file or it no longer exists. */
    forget(path: string): void {
      before.delete(path);
    },

    async finish(): Promise<void> {
      const lines = [...before].flatMap(([path, digests]) =>
        now.has(path) ? [] : [...digests].map((digest) => JSON.stringify({ path, digest })),
      );
      for (const [path, digest] of now) {
        for (const one of new Set([digest, ...(before.get(path) ?? [])]))
          lines.push(JSON.stringify({ path, digest: one }));
      }
      await writeFileAtomically(file, `${[head(owner), ...lines].join('\n')}\n`);
    },

    close: () => handle.close(),
  };
}

function head(owner: string): string {
  return JSON.stringify({ magpie: 1, owner });
}

async function readLog(file: string, owner: string): Promise<Map<string, Set<string>> | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined || text === '') return undefined;
  const known = new Map<string, Set<string>>();
  for (const [number, line] of text.split('\n').entries()) {
    const { path, digest, owner: of } = asObject(parseJsonOrNothing(line));
    if (number === 0 && of !== owner) {
      throw badRequestError(`${file} is of the export of another user: name another folder`);
    }
    if (typeof path !== 'string' || typeof digest !== 'string') continue;
    // An export writes only `<folder>/<file>.md`, so other paths are ignored.
    if (!/^[^/\\]+\/[^/\\]+\.md$/.test(path) || path.startsWith('.')) continue;
    known.set(path, (known.get(path) ?? new Set()).add(digest));
  }
  return known;
}

const TEMPORARY_FILE_PATTERN = /^\.magpie-[0-9a-f]{16}\.tmp$/;

/** Writes a file under a temporary name and renames it when it is complete. Only its owner can read the file. */
async function writeFileAtomically(path: string, content: Uint8Array | string): Promise<void> {
  const temporary = join(dirname(path), `.magpie-${randomBytes(8).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
