import { sep } from 'node:path';
import { AppError, ignoreNotFound } from '../../errors.ts';
import { isBlankText } from '../../lib/text/invisible.ts';
import { findSurplusParts, splitLongEntry } from '../entries/long-text.ts';
import { buildEntryKey } from '../entries/new-entry.ts';
import { decodeText } from '../importing/decode-text.ts';
import { fitToEntryLimits } from '../importing/fit-to-entry-limits.ts';
import { fileTimeToMicros } from '../importing/import-values.ts';
import { findEditTime, readExportedDigests, updateExported } from '../importing/notes/exported-files.ts';
import { NOTE_FILE, readNoteFile, readTextNote } from '../importing/notes/note-file.ts';
import { type createLeftOutTally, NAMED_PER_WARNING } from '../importing/problem-list.ts';
import { createUniqueTimes } from '../importing/unique-times.ts';
import type { Knowledge, KnowledgeEntry, SyncOptions } from '../types.ts';
import type { SyncedFile } from './folder-store.ts';
import { readSyncedFile } from './sync-files.ts';

export interface EntryMakerOptions {
  readonly owner: string;
  readonly root: string;
  readonly collection: string;
  readonly knowledge: Pick<Knowledge, 'restoreEntry' | 'updateEntry' | 'findEntry' | 'findEntryByKey'>;
  readonly known: readonly SyncedFile[];
  readonly options: Pick<SyncOptions, 'signal' | 'read'>;
  readonly remove: (ids: readonly string[]) => Promise<unknown>;
  readonly warn: (at: string, why: string, perReason?: number) => void;
  readonly leftOut: ReturnType<typeof createLeftOutTally>;
}

type StoredFileEntries = Pick<SyncedFile, 'entry' | 'stamp' | 'digest'>;

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

export function isBlankNote(body: Buffer, path: string): boolean {
  return (
    NOTE_FILE.test(path) &&
    body.length < BLANK_BYTES &&
    isBlankText(readTextNote(decodeText(body, path), path).text)
  );
}
const BLANK_BYTES = 65_536;

/** Returns true for a key that a sync made of a path in a folder. */
export const isFolderKey = (root: string, key = '') =>
  key.startsWith(`${root}${sep}`) || /^(?:sha256|moving):/.test(key);

type Base = Pick<EntryMakerOptions, 'owner' | 'root' | 'knowledge'>;

/** Returns an entry that no file of the folder made. */
async function findOwnEntry({ owner, root, knowledge }: Base, id: string) {
  const there = await knowledge.findEntry(owner, id);
  return there && !isFolderKey(root, there.key) ? there : undefined;
}

/** Returns true for a file that was the export of one entry and is now that of another. */
async function isOfAnother(base: Base, id: string | undefined, current: string): Promise<boolean> {
  if (id === undefined || id === current || !(await findOwnEntry(base, id))) return false;
  return !isFolderKey(base.root, (await base.knowledge.findEntry(base.owner, current))?.key);
}

async function readNoteAt({ root, options, warn, leftOut }: EntryMakerOptions, path: string) {
  const content = await readSyncedFile(root, path);
  const {
    warning,
    leftOut: data = {},
    ...note
  } = await readNoteFile(path, content.body, {
    ...options,
    warn: (why) => warn(path, why, NAMED_PER_WARNING),
  });
  for (const [why, count] of Object.entries(data)) leftOut.add(why, undefined, count);
  if (warning) warn(`${path}, line ${warning.line}`, warning.why);
  return { content, ...note };
}

export function createEntryMaker(base: EntryMakerOptions) {
  const { owner, root, collection, knowledge, known, options, remove } = base;
  const { signal } = options;
  const freeTime = createUniqueTimes();
  const taken = new Set(known.map(({ entry }) => unpackEntryIds(entry)[0]));
  const exported = readExportedDigests(root);

  /** Returns the entry of which a file is an export, unless the folder has another file of it. */
  async function findExported(id: string, current: string | undefined) {
    const there = id === (current ?? id) ? await findOwnEntry(base, id) : undefined;
    if (!there) return undefined;
    return taken.size === taken.add(id).size && id !== current ? undefined : there;
  }

  async function make(path: string, current?: string) {
    const { content, createdAt, updatedAt, ...note } = await readNoteAt(base, path);
    const whole = `${root}${sep}${path.split('/').join(sep)}`;
    if (isBlankText(note.text)) throw new AppError('unsupported', 'has no text');
    const fitted = fitToEntryLimits({ ...note, source: note.source ?? whole });
    const { text, title = '', source = '', tags = [], validUntil } = fitted;
    const facts = { text, title, source, tags, ...(validUntil !== undefined && { validUntil }) };
    const parts = await splitLongEntry({ ...facts, key: buildEntryKey(whole), collection });
    const made = createdAt ?? fileTimeToMicros(content.modifiedAt) ?? Date.now() * 1000;
    const own = note.id === undefined ? undefined : await findExported(note.id, current);
    // The entry of an exported file keeps its own key and collection.
    if (own) Object.assign(parts[0], { key: own.key, collection: own.collection });
    return { content, parts, own, id: note.id, times: { made, updatedAt } };
  }

  type Made = Awaited<ReturnType<typeof make>>;

  async function insertPart(part: Made['parts'][number], times: Made['times']): Promise<string> {
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

  /** Updates the entry of which a file is an export, unless the entry is newer. */
  async function writeOwn(own: KnowledgeEntry, { parts, times, content }: Made): Promise<void> {
    const editedAt = findEditTime(content.body, content.modifiedAt, await exported);
    const change = { ...parts[0], updatedAt: times.updatedAt, editedAt };
    await updateExported(knowledge, owner, own, change, signal);
  }

  async function insertAll(made: Made): Promise<StoredFileEntries> {
    const { parts, times, content, own } = made;
    const ids = own ? [own.id] : [];
    if (own) await writeOwn(own, made);
    for (const part of parts.slice(ids.length)) ids.push(await insertPart(part, times));
    const surplus = own ? [] : await findSurplusParts(knowledge, owner, parts[0], parts.length);
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
        const writing =
          made.own && at === 0 ? writeOwn(made.own, made) : knowledge.updateEntry(owner, id, part, signal);
        const written = writing.then(() => id);
        const instead = (error: unknown) => {
          ignoreNotFound(error);
          return gone(part, id);
        };
        ids.push(await written.catch(instead));
      }
    }
    const parts = Math.max(before.length, ids.length);
    const more = made.own ? [] : await findSurplusParts(knowledge, owner, made.parts[0], parts);
    const surplus = [...before.slice(ids.length), ...more];
    if (surplus.length > 0) await remove(surplus);
    return notedOf(ids, made.content);
  }

  return {
    /** Gives an entry a key for the time in which others take its path. */
    async putAside(id: string) {
      const { key } = (await knowledge.findEntry(owner, id)) ?? {};
      if (isFolderKey(root, key)) await knowledge.updateEntry(owner, id, { key: `moving:${id}` }, signal);
    },
    insert: async (path: string) => insertAll(await make(path)),
    /** Updates the entries of a renamed file. An entry that the user deleted is not created again. */
    follow: async (entry: string, path: string) =>
      writeTo(entry, await make(path, unpackEntryIds(entry)[0]), async (_, id) => id),
    /** Updates a changed file's entries, also deleted ones. Returns undefined for a file to insert later. */
    async update(entry: string, path: string) {
      const [current] = unpackEntryIds(entry);
      const made = await make(path, current);
      if (await isOfAnother(base, made.id, current)) {
        taken.delete(current);
        return undefined;
      }
      return writeTo(entry, made, (part) => insertPart(part, made.times));
    },
  };
}

function notedOf(ids: readonly string[], { stamp, digest }: Pick<SyncedFile, 'stamp' | 'digest'>) {
  return { entry: packEntryIds(ids), stamp, digest };
}
