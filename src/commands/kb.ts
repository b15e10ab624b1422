import { createReadStream, existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { type CommandContext, defineCommand } from '../command.ts';
import { AppError, asAppError } from '../errors.ts';
import { counted } from '../lib/counted.ts';
import { boundedLines } from '../lib/lines.ts';

/** `magpie kb export|import`: the knowledge base as JSON lines, one entry a line; the backup of it. */

/** Most bytes of one line: an entry of the largest text, with every character escaped. */
const MAX_LINE_BYTES = 8_000_000;
/** Characters that are gathered before they are written. */
const WRITE_CHARS = 65_536;
/** Entries between two reports of progress. */
const PROGRESS_ENTRIES = 100;
/** Entries, and bytes of their lines, that are inserted together. */
const GROUP_ENTRIES = 100;
const GROUP_BYTES = 2_000_000;
/** Times in a row that an embedder that fails is waited for, and milliseconds between them. */
const EMBEDDER_TRIES = 2;
const EMBEDDER_PAUSE_MS = 1500;

export const exportEntries = defineCommand({
  name: 'kb export',
  summary: 'Writes your knowledge base as JSON lines, to a file or to stdout.',
  description:
    'Writes every entry of your knowledge base, the oldest first, as one JSON object a line with id, text, title, ' +
    'source, tags, collection, key, createdAt and updatedAt (microseconds since 1970). magpie kb import reads it back as it was. ' +
    'Uploaded files are not in it.',
  words: ['file'],
  input: z.object({
    file: z.string().min(1).optional().describe('A new file, readable by you only; stdout when left out.'),
    collection: z.string().optional().describe('Entries of this collection only; of all when left out.'),
  }),
  examples: [
    ['magpie kb export backup.jsonl', 'a backup'],
    ['magpie kb export | gzip > backup.jsonl.gz', 'a packed one'],
  ],
  effect: () => 'read',
  async run({ file, collection }, ctx) {
    const knowledge = await ctx.services.knowledge();
    let count = 0;
    const lines = async function* () {
      for await (const entry of knowledge.exportEntries(ctx.caller.id, collection)) {
        if (ctx.signal.aborted) return;
        yield jsonLine({ ...entry, key: entry.key || undefined });
        if (++count % PROGRESS_ENTRIES === 0) ctx.progress(`${entries(count)} written`);
      }
    };
    if (file === undefined) for await (const line of lines()) await ctx.print(line);
    else await writeFile(file, lines(), ctx.signal);
    if (ctx.signal.aborted) return 'stopped';
    if (file !== undefined) {
      await ctx.print(
        ctx.json ? JSON.stringify({ exported: count, file }) : `${entries(count)} written to ${file}`,
      );
    }
    return 'done';
  },
});

export const importEntries = defineCommand({
  name: 'kb import',
  summary: 'Reads JSON lines into your knowledge base.',
  description:
    'Reads what magpie kb export wrote, with ids and times as they were. A line needs a text; the rest may be left ' +
    'out. A text that is there already stays as it is, so that the same file may be read again, also after an ' +
    'import that was stopped. A line that cannot be used ends the import: the error names it and ' +
    'says how many entries of the file are kept, which are all before it and may be some of the hundred after it. It ' +
    'ends with 3 when all is kept and some passages wait for their vectors, since the embedder cannot be reached: ' +
    'they are found by their words, and a later command or server makes their vectors.',
  words: ['file'],
  input: z.object({
    file: z.string().min(1).describe('The file of JSON lines.'),
    collection: z.string().optional().describe('Puts all entries in this collection; else each in its own.'),
  }),
  examples: [['magpie kb import backup.jsonl', 'a backup, read back']],
  effect: () => 'write',
  async run({ file, collection }, ctx) {
    const { imported, known } = await readIn(file, collection, ctx);
    const error = await embedAll(imported, ctx);
    const waiting =
      error === undefined ? 0 : (await (await ctx.services.knowledge()).readStats(ctx.caller.id)).pending;
    const reason = error && waiting > 0 ? asAppError(error).message : undefined;
    const kept = `${entries(imported)} imported${known > 0 ? `, ${known} were there already` : ''}`;
    const rest = `${counted(waiting, 'passage')} ${waiting === 1 ? 'waits for its vector, and is' : 'wait for their vectors, and are'} found by words only`;
    await ctx.print(
      ctx.json
        ? JSON.stringify({ imported, known, ...(reason !== undefined && { waiting, reason }) })
        : reason === undefined
          ? kept
          : `${kept}; ${rest}: ${reason}`,
    );
    if (ctx.signal.aborted) return 'stopped';
    return reason === undefined ? 'done' : 'waiting';
  },
});

/** Waits until all is embedded. An embedder that fails is asked again some times; then its error is given. */
async function embedAll(imported: number, ctx: CommandContext): Promise<Error | undefined> {
  const knowledge = await ctx.services.knowledge();
  let total = 0;
  for (let failures = 0; ; ) {
    const before = total;
    const error = await knowledge.waitForVectors(Number.POSITIVE_INFINITY, ctx.signal, (done) => {
      total = before + done;
      ctx.progress(`${imported} imported, ${total} passages embedded; Ctrl-C leaves the rest for later`);
    });
    failures = total > before ? 1 : failures + 1;
    if (error === undefined || failures > EMBEDDER_TRIES) return error;
    await setTimeout(EMBEDDER_PAUSE_MS, undefined, { signal: ctx.signal }).catch(() => {});
  }
}

/** Imports the lines of a file in groups; an error says how many entries of the file are kept. */
async function readIn(file: string, collection: string | undefined, ctx: CommandContext): Promise<Imported> {
  const group = createImportGroup(ctx);
  let number = 0;
  try {
    for await (const line of linesOf(file)) {
      if (ctx.signal.aborted) return group.counts;
      number++;
      if (line.trim() === '') continue;
      const entry = parse(line, number);
      await group.addLine({ ...entry, number, collection: collection ?? entry.collection }, line.length);
      if (number % PROGRESS_ENTRIES === 0) ctx.progress(`${entries(number)} read`);
    }
    if (!ctx.signal.aborted) await group.flush();
    return group.counts;
  } catch (error) {
    // What stands before the line is kept; of two errors the one of the earlier line is reported.
    let first = error;
    if (!ctx.signal.aborted) await group.flush().catch((earlier: unknown) => (first = earlier));
    const count = group.counts.imported + group.counts.known;
    if (!(first instanceof AppError) || count === 0) throw first;
    const kept = `${entries(count)} of the file ${count === 1 ? 'is' : 'are'} kept`;
    throw new AppError(first.code, `${first.message}; ${kept}, and may be read again`, { cause: first });
  }
}

interface Imported {
  imported: number;
  known: number;
}

/** Entries that are inserted together: one commit instead of as many. */
function createImportGroup(ctx: CommandContext) {
  const counts: Imported = { imported: 0, known: 0 };
  const group: EntryLine[] = [];
  let bytes = 0;

  async function flush(): Promise<void> {
    bytes = 0;
    const done = await Promise.allSettled(group.splice(0).map((line) => importLine(line, ctx)));
    for (const one of done) if (one.status === 'fulfilled') counts[one.value ? 'known' : 'imported']++;
    const refused = done.find((one) => one.status === 'rejected');
    if (refused) throw refused.reason;
  }

  return {
    counts,
    flush,
    async addLine(entry: EntryLine, length: number): Promise<void> {
      // An entry without a time gets its place by its turn.
      const timeless = entry.createdAt === undefined;
      if (timeless) await flush();
      group.push(entry);
      bytes += length;
      if (timeless || group.length >= GROUP_ENTRIES || bytes > GROUP_BYTES) await flush();
    },
  };
}

const entryLine = z.object({
  id: z.string().min(1).optional(),
  text: z.string(),
  title: z.string().optional(),
  source: z.string().optional(),
  tags: z.array(z.string()).optional(),
  collection: z.string().optional(),
  key: z.string().optional(),
  createdAt: z.int().min(0).optional(),
  updatedAt: z.int().min(0).optional(),
});

type EntryLine = z.output<typeof entryLine> & { readonly number: number };

/** Whether the text was there already. Errors name the line. */
async function importLine(line: EntryLine, ctx: CommandContext): Promise<boolean> {
  const { number, id, createdAt, updatedAt = createdAt, text, title = '', source = '', tags = [] } = line;
  const knowledge = await ctx.services.knowledge();
  const entry = { text, title, source, tags, collection: line.collection, key: line.key };
  const owner = ctx.caller.id;
  try {
    const { known } =
      createdAt === undefined || updatedAt === undefined
        ? await knowledge.insertEntry(owner, given(entry), ctx.signal)
        : await knowledge.restoreEntry(
            owner,
            { ...entry, id: id ?? `${owner}-${createdAt}`, createdAt, updatedAt },
            ctx.signal,
          );
    return known;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `line ${number}: ${error.message}`, { cause: error });
  }
}

/** Without empty fields: an insert makes up its own. */
function given({
  title,
  source,
  tags,
  ...rest
}: {
  readonly text: string;
  readonly title: string;
  readonly source: string;
  readonly tags: string[];
  readonly collection: string | undefined;
  readonly key: string | undefined;
}) {
  return {
    ...rest,
    title: title || undefined,
    source: source || undefined,
    tags: tags.length > 0 ? tags : undefined,
  };
}

function parse(line: string, number: number): z.output<typeof entryLine> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new AppError('bad_request', `line ${number} is not JSON: each line takes one entry`, { cause });
  }
  const result = entryLine.safeParse(value);
  if (result.success) {
    if (result.data.text.trim() !== '') return result.data;
    throw new AppError('bad_request', `line ${number}: text is empty: it takes what is to be remembered`);
  }
  const [issue] = result.error.issues;
  throw new AppError(
    'bad_request',
    `line ${number} is not an entry: ${issue?.path.join('.') || 'it'} is not usable; a line is an object with a text`,
  );
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const stream = createReadStream(file, { highWaterMark: 262_144 });
  try {
    yield* boundedLines(stream, MAX_LINE_BYTES);
  } catch (error) {
    throw fileError(error, file);
  } finally {
    stream.destroy();
  }
}

/** JSON without any control character: what goes to a terminal loses those. */
function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A new file of these lines, on the disk when this resolves; half a backup is deleted. */
async function writeFile(file: string, lines: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600);
    let whole = false;
    try {
      let gathered = '';
      for await (const line of lines) {
        gathered += `${line}\n`;
        if (gathered.length < WRITE_CHARS) continue;
        await handle.write(gathered);
        gathered = '';
      }
      await handle.write(gathered);
      await handle.sync();
      whole = !signal.aborted;
    } finally {
      await handle.close();
      if (!whole) await rm(file, { force: true });
    }
  } catch (error) {
    throw fileError(error, file);
  }
}

/** What is wrong with the file, in words; any other error as it is. */
function fileError(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || code === undefined) return error;
  const why =
    code === 'EEXIST'
      ? 'exists already: name a new file, or move it away first'
      : code === 'ENOENT'
        ? `does not exist${existsSync(dirname(resolve(file))) ? '' : ', nor does its folder'}`
        : code === 'ENOSPC'
          ? 'cannot be written: the disk is full'
          : `cannot be used (${code})`;
  return new AppError('bad_request', `${file} ${why}`, { cause: error });
}

function entries(count: number): string {
  return `${count} ${count === 1 ? 'entry' : 'entries'}`;
}
