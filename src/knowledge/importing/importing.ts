import { AppError, badRequestError } from '../../errors.ts';
import { BACKUP_MANIFEST_FILE } from '../../lib/backup-manifest-file.ts';
import { normalizeCollection } from '../../lib/collection.ts';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { Logger } from '../../log.ts';
import { insertInParts } from '../entries/long-text.ts';
import { buildEntryKey } from '../entries/new-entry.ts';
import type {
  ImportOptions,
  ImportSource,
  ImportSummary,
  InsertResult,
  Knowledge,
  NewEntry,
} from '../types.ts';
import { fitToEntryLimits } from './fit-to-entry-limits.ts';
import { openImport } from './import-files.ts';
import type { ImportedEntry, ImportFile, ImportItem, ImportKind } from './import-kind.ts';
import { createKeyNumberer } from './key-numberer.ts';
import { withoutEmbeddedData } from './notes/embedded-data.ts';
import { updateExported } from './notes/exported-files.ts';
import { type createLeftOutTally, createProblemList, NAMED_PER_WARNING } from './problem-list.ts';
import { createUniqueTimes } from './unique-times.ts';

const GROUP_ENTRIES = 100;
const GROUP_CHARS = 2_000_000;
const PROGRESS_RECORDS = 100;

export interface ImportingOptions {
  readonly knowledge: Pick<
    Knowledge,
    'insertEntry' | 'restoreEntry' | 'updateEntry' | 'findEntry' | 'findEntryByKey' | 'removeEntries'
  >;
  readonly kinds: readonly ImportKind[];
  readonly log: Pick<Logger, 'warn'>;
}

export function createImporting({ knowledge, kinds, log }: ImportingOptions) {
  return async function importSource(
    owner: string,
    source: ImportSource,
    options: ImportOptions,
  ): Promise<ImportSummary> {
    const opened = await openImport(source);
    const warnings = createProblemList();
    const files = opened.files.map((file) => ({
      ...file,
      warn: (why: string) => warnings.add(file.name, why, NAMED_PER_WARNING),
    }));
    try {
      const kind = await kindOf(files, opened.name, kinds, options.from);
      const keep = (item: EntryItem) => keepItem(knowledge, owner, item, options);
      const group = createGroup(kind, keep, warnings, opened.leftOut);
      for (const { at, why } of opened.broken) await group.add({ at, problem: why });
      const leftOutBefore = Object.keys(opened.leftOut.skipped).length;
      const summary = await readIn(kind, files, group, options);
      const hasRecords =
        summary.imported + summary.known + summary.failed > 0 ||
        Object.keys(summary.skipped).length > leftOutBefore;
      if (options.from === undefined || kind.backup || options.signal.aborted || hasRecords) return summary;
      throw badRequestError(`${opened.name} has nothing of this kind: ${kind.title}`);
    } finally {
      await opened
        .close()
        .catch((cause: unknown) => log.warn({ err: cause }, 'temporary files of an import stay'));
    }
  };
}

async function kindOf(
  files: readonly ImportFile[],
  name: string,
  kinds: readonly ImportKind[],
  from: string | undefined,
): Promise<ImportKind> {
  const known = kinds.map((kind) => `${kind.name} (${kind.title})`).join(', ');
  if (from !== undefined) {
    const kind = kinds.find((one) => one.name === from);
    if (kind) return kind;
    throw badRequestError(`from is ${JSON.stringify(from)}: it takes one of ${known}`);
  }
  if (files.length === 0) throw badRequestError(`${name} has no file to import`);
  if (files.some((file) => file.name === BACKUP_MANIFEST_FILE))
    throw badRequestError(
      `${name} is a backup of a whole data folder: magpie restore reads it into a new one`,
    );
  for (const kind of kinds) if (await kind.recognises(files)) return kind;
  const [only] = files;
  if (only && files.length === 1 && (await only.head()).length === 0)
    throw badRequestError(`${name} is empty: there is nothing in it to import`);
  throw badRequestError(`${name} is not an export that is known; --from names one of ${known}`);
}

type EntryItem = Extract<ImportItem, { entry: unknown }>;
type InsertionResult = Awaited<ReturnType<typeof insertInParts>>;

async function readIn(
  kind: ImportKind,
  files: readonly ImportFile[],
  group: ReturnType<typeof createGroup>,
  options: ImportOptions,
): Promise<ImportSummary> {
  const { signal, progress } = options;
  let number = 0;
  try {
    for await (const item of kind.read(files, options)) {
      if (signal.aborted) return group.summary();
      if (++number % PROGRESS_RECORDS === 0) progress(`${formatCount(number, 'record')} read`);
      await group.add(item);
    }
    if (!signal.aborted) await group.flush();
    if (number > PROGRESS_RECORDS) progress(`${formatCount(number, 'record')} read`);
    return group.summary();
  } catch (error) {
    let first = error;
    if (!signal.aborted) await group.flush().catch((earlier: unknown) => (first = earlier));
    const { imported, known } = group.summary();
    const count = imported + known;
    if (!(first instanceof AppError) || count === 0) throw first;
    const kept = `${count} ${count === 1 ? 'entry of the file is' : 'entries of the file are'} kept`;
    throw new AppError(first.code, `${first.message}; ${kept}, and may be read again`, { cause: first });
  }
}

function createGroup(
  kind: ImportKind,
  keep: (item: EntryItem) => Promise<InsertionResult>,
  warnings: ReturnType<typeof createProblemList>,
  leftOut: ReturnType<typeof createLeftOutTally>,
) {
  let [imported, known, chars] = [0, 0, 0];
  const group: EntryItem[] = [];
  const failures = createProblemList();
  const freeTime = createUniqueTimes();
  const keyed = createKeyNumberer();
  const place = <Entry extends Omit<ImportedEntry, 'text'>>(entry: Entry): Entry =>
    entry.createdAt === undefined ? entry : { ...entry, createdAt: freeTime(entry.createdAt) };

  function note(item: Exclude<ImportItem, EntryItem>): void {
    if ('problem' in item) failures.add(item.at, item.problem);
    else if ('warning' in item) warnings.add(item.at, item.warning);
    else leftOut.add(item.skipped, item.count === undefined ? item.at : undefined, item.count);
  }
  async function flush(): Promise<void> {
    chars = 0;
    const items = group.splice(0);
    const done = await Promise.allSettled(items.map(keep));
    const refused: unknown[] = [];
    for (const [at, one] of done.entries()) {
      if (one.status === 'fulfilled') {
        if (one.value.known) known += one.value.parts;
        else imported += one.value.parts;
      } else if (!isOfRecord(one.reason)) refused.push(worded(items[at]?.at, one.reason));
      else failures.add(items[at]?.at ?? '', (one.reason as AppError).message);
    }
    if (refused.length > 0) throw refused[0];
  }

  return {
    flush,
    summary: (): ImportSummary => ({
      kind: kind.name,
      imported,
      known,
      failed: failures.count(),
      failures: failures.named,
      warned: warnings.count(),
      warnings: warnings.named,
      skipped: leftOut.skipped,
      skippedAt: leftOut.skippedAt,
    }),
    async add(item: ImportItem): Promise<void> {
      if (!('entry' in item)) return note(item);
      // An entry without a time is stored alone and gets the current time. Entries read before it are stored first.
      const timeless = item.entry.createdAt === undefined;
      if (timeless) await flush();
      // Entries of a Magpie backup or export keep their times, because their ids contain the times.
      const own = item.entry.id !== undefined;
      const { text, leftOut: data } = withoutEmbeddedData(own ? '' : item.entry.text);
      for (const [why, count] of Object.entries(data)) leftOut.add(why, undefined, count);
      const given = keyed(own ? item.entry : { ...item.entry, text });
      const fitted = kind.backup ? given : fitToEntryLimits(given);
      const entry = own ? fitted : place(fitted);
      group.push({ ...item, entry } as EntryItem);
      chars += item.entry.text.length;
      if (timeless || group.length >= GROUP_ENTRIES || chars > GROUP_CHARS) await flush();
    },
  };
}

function isOfRecord(error: unknown): boolean {
  return (
    error instanceof AppError && ['bad_request', 'too_large', 'unsupported', 'timeout'].includes(error.code)
  );
}

function worded(at: string | undefined, error: unknown): unknown {
  if (!(error instanceof AppError) || at === undefined) return error;
  return new AppError(error.code, `${at}: ${error.message}`, { cause: error });
}

async function keepItem(
  knowledge: ImportingOptions['knowledge'],
  owner: string,
  item: EntryItem,
  { signal, collection }: ImportOptions,
): Promise<InsertionResult> {
  const { id, createdAt, updatedAt = createdAt, editedAt, text, furtherTexts, ...entry } = item.entry;
  const found = id === undefined ? undefined : await knowledge.findEntry(owner, id);
  // With another collection, the import makes copies.
  if (found && (collection === undefined || found.collection === normalizeCollection(collection))) {
    const change = { ...entry, text, editedAt, updatedAt: item.entry.updatedAt };
    const known = !(await updateExported(knowledge, owner, found, change, signal));
    return { id: found.id, known, passages: 0, parts: 1 };
  }
  const { title = '', source = '', tags = [] } = entry;
  const key = buildEntryKey(entry.key ?? '');
  const place = { key, collection: collection ?? entry.collection };
  const keep = (whole: NewEntry, insert: (part: NewEntry, number: number) => Promise<InsertResult>) =>
    insertInParts(knowledge, owner, whole, insert, {
      furtherTexts,
      until: updatedAt,
      isPart: id !== undefined,
    });
  if (createdAt === undefined || updatedAt === undefined) {
    const given = {
      text,
      title: title || undefined,
      source: source || undefined,
      tags: tags.length > 0 ? tags : undefined,
      ...place,
      validUntil: entry.validUntil,
    };
    return keep(given, (part) => knowledge.insertEntry(owner, part, signal, 'unknown'));
  }
  return keep({ text, title, source, tags, ...place, validUntil: entry.validUntil }, (part, number) => {
    const made = createdAt + number - 1;
    const times = { createdAt: made, updatedAt: Math.max(made, updatedAt) };
    const facts = { title: '', source: '', tags: [], ...omitUndefined(part) };
    return knowledge.restoreEntry(owner, { ...facts, ...times, id: id ?? `${owner}-${made}` }, signal);
  });
}
