import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { type CommandContext, type CommandOutcome, defineCommand } from '../../command.ts';
import { AppError } from '../../errors.ts';
import type { FolderExportOptions } from '../../knowledge/types.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { flag, word } from '../flags.ts';

/** `magpie kb export`: writes the knowledge base as JSON lines, one entry each, or as a folder of Markdown files. */

const WRITE_CHARS = 65_536;
const PROGRESS_ENTRIES = 100;

export const exportEntries = defineCommand({
  name: 'kb export',
  summary: 'Writes your knowledge base as JSON lines, to a file or to stdout, or as a folder of Markdown.',
  description:
    'Writes every entry of your knowledge base, the oldest first, as one JSON object a line with id, text, title, ' +
    'source, tags, collection, key, createdAt and updatedAt (microseconds since 1970). magpie kb import reads it back as it was. ' +
    'Uploaded files are not in it. --format markdown writes a folder for people and editors such as Obsidian: one file an entry, ' +
    'in a folder for each collection, with the same facts as front matter; magpie kb import reads it back as well. Run again, it writes what ' +
    'has changed and removes files of entries that are gone; files that are not as it wrote them stay as they are: they are named, ' +
    'and it ends with 3.',
  words: ['file'],
  input: z.object({
    file: word.describe(
      'A new file, readable by you only; - or nothing is stdout. With --format markdown a folder.',
    ),
    format: z.enum(['jsonl', 'markdown']).default('jsonl').describe('JSON lines, or a folder of Markdown.'),
    overwrite: flag.describe(
      'With --format markdown: writes over files that have changed since, or are not of an export.',
    ),
    collection: z.string().optional().describe('Entries of this collection only; of all when left out.'),
  }),
  examples: [
    ['magpie kb export backup.jsonl', 'a backup'],
    ['magpie kb export --format markdown ~/Magpie', 'a folder of Markdown; again for what has changed'],
    ['magpie kb export | gzip > backup.jsonl.gz', 'a packed one'],
  ],
  effect: () => 'read',
  async run({ file, format, collection, overwrite }, ctx) {
    if (format === 'markdown') return exportFolder(file, { collection, overwrite }, ctx);
    const knowledge = await ctx.services.knowledge();
    let count = 0;
    const path = file === '-' ? undefined : file;
    const lines = async function* () {
      for await (const entry of knowledge.exportEntries(ctx.caller.id, collection)) {
        if (ctx.signal.aborted) return;
        yield jsonLine({ ...entry, key: entry.key || undefined });
        if (++count % PROGRESS_ENTRIES === 0)
          ctx.progress(`${formatCount(count, 'entry', 'entries')} written`);
      }
    };
    if (path === undefined) for await (const line of lines()) await ctx.print(line);
    else await writeFile(path, lines(), ctx.signal);
    if (ctx.signal.aborted) return 'stopped';
    if (path !== undefined) {
      await ctx.print(
        ctx.json
          ? JSON.stringify({ exported: count, file: path })
          : `${formatCount(count, 'entry', 'entries')} written to ${path}`,
      );
    }
    return 'done';
  },
});

async function exportFolder(
  folder: string | undefined,
  options: Pick<FolderExportOptions, 'collection' | 'overwrite'>,
  { services, caller, signal, progress, print, json }: CommandContext,
): Promise<CommandOutcome> {
  if (folder === undefined || folder === '-')
    throw new AppError(
      'bad_request',
      'kb export --format markdown takes a folder: it writes a file for each entry',
    );
  const summary = await (await services.intake()).exportFolder(caller.id, folder, {
    ...options,
    signal,
    progress,
  });
  const { exported, written, unchanged, removed, kept, keptFiles } = summary;
  const outcome = signal.aborted ? 'stopped' : kept > 0 ? 'partly' : 'done';
  if (json) {
    await print(JSON.stringify(summary));
    return outcome;
  }
  const besides = [
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ];
  await print(
    `${formatCount(exported, 'entry', 'entries')} in ${summary.folder}: ${[`${written} written`, ...besides].join(', ')}`,
  );
  if (kept === 0) return outcome;
  await print(
    `  ${kept} left as ${kept === 1 ? 'it is' : 'they are'}, changed since or not of an export:`,
    'warning',
  );
  for (const path of keptFiles) await print(`    ${path}`);
  if (kept > keptFiles.length) await print(`    and ${kept - keptFiles.length} more`);
  await print('--overwrite writes over them.', 'hint');
  return outcome;
}

/** Formats a value as JSON, with control characters escaped: output to a terminal would remove them. */
function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

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
