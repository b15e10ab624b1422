import { sep } from 'node:path';
import { AppError, ignoreNotFound } from '../../errors.ts';
import { isBlankText } from '../../lib/text/invisible.ts';
import { findSurplusParts, splitLongEntry } from '../entries/long-text.ts';
import { buildEntryKey } from '../entries/new-entry.ts';
import { decodeText } from '../importing/decode-text.ts';
import { fitToEntryLimits } from '../importing/fit-to-entry-limits.ts';
import { fileTimeToMicros } from '../importing/import-values.ts';
import { computeFileDigest, readExportedDigests } from '../importing/notes/exported-files.ts';
import { NOTE_FILE, readNoteFile, readTextNote } from '../importing/notes/note-file.ts';
import { type createLeftOutTally, NAMED_PER_WARNING } from '../importing/problem-list.ts';
import { createUniqueTimes } from '../importing/unique-times.ts';
import type { Knowledge, SyncOptions } from '../types.ts';
import type { FolderStore, SyncedFile } from './folder-store.ts';
import { readSyncedFile } from './sync-files.ts';

export interface EntryMakerOptions {
  readonly owner: string;
  readonly root: string;
  readonly collection: string;
  readonly knowledge: Pick<Knowledge, 'restoreEntry' | 'updateEntry' | 'findEntry' | 'findEntryByKey'>;
  readonly folders: Pick<FolderStore, 'listFiles'>;
  readonly options: Pick<SyncOptions, 'signal' | 'read'>;
  readonly remove: (ids: readonly string[]) => Promise<unknown>;
  readonly warn: (at: string, why: string, perReason?: number) => void;
  readonly leftOut: ReturnType<typeof createLeftOutTally>;
}

export type StoredFileEntries = Pick<SyncedFile, 'entry' | 'stamp' | 'digest'>;

/** Joins the ids of a file's entries: `anna-15` and `anna-16` become `anna-15+16`. */
export function packEntryIds([first = '', ...others]: readonly string[]): string {
  return [first, ...others.map((id) => id.slice(id.lastIndexOf('-') + 1))].join('+');
}

export function unpackEntryIds(entry: string): [string, ...string[]] {
  const at = entry.lastIndexOf('-') + 1;
  const [first = '', ...others] = entry.slice(at).split('+');
  const owner = entry.slice(0, at);
  return [`${owner}${first}`, ...others.map((number) => `${owner}${number}`)];
}

/** Returns true for a key that a sync made of a path in the folder. */
export function isFolderKey(root: string, key: string): boolean {
  return key.startsWith(`${root}${sep}`) || /^(?:sha256|moving):/.test(key);
}

export function isBlankNote(body: Buffer, path: string): boolean {
  return (
    NOTE_FILE.test(path) &&
    body.length < BLANK_BYTES &&
    isBlankText(readTextNote(decodeText(body, path), path).text)
  );
}
const BLANK_BYTES = 65_536;

export function createEntryMaker({
  owner,
  root,
  collection,
  knowledge,
  folders,
  options,
  remove,
  warn,
  leftOut,
}: EntryMakerOptions) {
  const { signal } = options;
  const freeTime = createUniqueTimes();
  let exported: ReturnType<typeof readExportedDigests> | undefined;
  let taken: Promise<Set<string>> | undefined;

  /** Returns the entry from which a file was exported, unless the folder has another file of that entry. */
  async function findExported(id: string | undefined, current: string | undefined) {
    if (id === undefined || (current !== undefined && current !== id)) return undefined;
    const there = await knowledge.findEntry(owner, id);
    if (!there || isFolderKey(root, there.key)) return undefined;
    if (current === id) return there;
    taken ??= folders
      .listFiles(owner, root)
      .then((files) => new Set(files.map(({ entry }) => unpackEntryIds(entry)[0])));
    const ids = await taken;
    return ids.size === ids.add(id).size ? undefined : there;
  }

  async function make(path: string, current?: string) {
    const content = await readSyncedFile(root, path);
    const {
      createdAt,
      updatedAt,
      warning,
      leftOut: data = {},
      ...note
    } = await readNoteFile(path, content.body, {
      ...options,
      warn: (why) => warn(path, why, NAMED_PER_WARNING),
    });
    for (const [why, count] of Object.entries(data)) leftOut.add(why, undefined, count);
    if (warning) warn(`${path}, line ${warning.line}`, warning.why);
    const whole = `${root}${sep}${path.split('/').join(sep)}`;
    if (isBlankText(note.text)) throw new AppError('unsupported', 'has no text');
    const fitted = fitToEntryLimits({ ...note, source: note.source ?? whole });
    const { text, title = '', source = '', tags = [] } = fitted;
    const parts = await splitLongEntry({ text, title, source, tags, key: buildEntryKey(whole), collection });
    const made = createdAt ?? fileTimeToMicros(content.modifiedAt) ?? Date.now() * 1000;
    const own = await findExported(note.id, current);
    exported ??= readExportedDigests(root);
    const isAsExported = own && (await exported).has(computeFileDigest(content.body));
    const editedAt = isAsExported ? 0 : fileTimeToMicros(content.modifiedAt);
    return { content, parts, own, times: { made, updatedAt, editedAt } };
  }

  type Made = Awaited<ReturnType<typeof make>>;

  /** The entry of an exported file keeps its own key and collection. */
  const placeOf = (own: Made['own']) => (own ? { key: own.key, collection: own.collection } : {});

  async function insertPart(
    part: Made['parts'][number],
    times: Made['times'],
    own?: Made['own'],
  ): Promise<string> {
    if (own) {
      const { id, createdAt, updatedAt } = own;
      const known = {
        id,
        createdAt,
        updatedAt: times.updatedAt ?? updatedAt,
        editedAt: times.editedAt ?? updatedAt,
      };
      await knowledge.restoreEntry(owner, { ...part, ...placeOf(own), ...known }, signal);
      return id;
    }
    const there = await knowledge.findEntryByKey(owner, part.key, collection);
    if (there) {
      await knowledge.updateEntry(owner, there.id, part, signal);
      return there.id;
    }
    const createdAt = freeTime(times.made);
    const updatedAt = Math.max(createdAt, times.updatedAt ?? 0);
    const entry = { ...part, createdAt, updatedAt, id: `${owner}-${createdAt}` };
    return (await knowledge.restoreEntry(owner, entry, signal)).id;
  }

  async function insertAll({ parts, times, content, own }: Made): Promise<StoredFileEntries> {
    const ids: string[] = [];
    for (const [at, part] of parts.entries())
      ids.push(await insertPart(part, times, at === 0 ? own : undefined));
    const surplus = await findSurplusParts(knowledge, owner, parts[0], parts.length);
    if (surplus.length > 0) await remove(surplus);
    return notedOf(ids, content);
  }

  /** Updates a file's entries with its parts, in order. `gone` handles an entry that the user has deleted. */
  async function writeTo(
    entry: string,
    made: Made,
    gone: (part: Made['parts'][number], id: string) => Promise<string>,
  ): Promise<StoredFileEntries> {
    const before = unpackEntryIds(entry);
    const ids: string[] = [];
    for (const [at, part] of made.parts.entries()) {
      const id = before[at];
      if (id === undefined) ids.push(await insertPart(part, made.times));
      else {
        const place = at === 0 ? placeOf(made.own) : {};
        const written = knowledge.updateEntry(owner, id, { ...part, ...place }, signal).then(() => id);
        const instead = (error: unknown) => {
          ignoreNotFound(error);
          return gone(part, id);
        };
        ids.push(await written.catch(instead));
      }
    }
    const more = await findSurplusParts(knowledge, owner, made.parts[0], Math.max(before.length, ids.length));
    const surplus = [...before.slice(ids.length), ...more];
    if (surplus.length > 0) await remove(surplus);
    return notedOf(ids, made.content);
  }

  return {
    insert: async (path: string) => insertAll(await make(path)),
    /** Updates the entries of a renamed file. An entry that the user deleted is not created again. */
    follow: async (entry: string, path: string) =>
      writeTo(entry, await make(path, unpackEntryIds(entry)[0]), async (_, id) => id),
    /** Updates the entries of a changed file. An entry that the user deleted is created again. */
    async update(entry: string, path: string) {
      const made = await make(path, unpackEntryIds(entry)[0]);
      return writeTo(entry, made, (part) => insertPart(part, made.times));
    },
  };
}

function notedOf(ids: readonly string[], { stamp, digest }: Pick<SyncedFile, 'stamp' | 'digest'>) {
  return { entry: packEntryIds(ids), stamp, digest };
}
