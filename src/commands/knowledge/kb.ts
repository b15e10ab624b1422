import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { CommandContext, CommandOutcome } from '../../command.ts';
import { AppError, asAppError, badRequestError } from '../../errors.ts';
import type { FolderExportOptions, ImportSummary } from '../../knowledge/types.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { documentedCommand } from '../documented-command.ts';
import { booleanFlag, wordFlag } from '../flags.ts';

const WRITE_CHARS = 65_536;
const PROGRESS_ENTRIES = 100;

export const exportEntries = documentedCommand('kb export', {
  words: ['file'],
  flags: {
    file: wordFlag,
    format: z.enum(['jsonl', 'markdown']).default('jsonl'),
    overwrite: booleanFlag,
    collection: z.string().optional(),
  },
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
  },
});

async function exportFolder(
  folder: string | undefined,
  options: Pick<FolderExportOptions, 'collection' | 'overwrite'>,
  { services, caller, signal, progress, print, json }: CommandContext,
): Promise<CommandOutcome> {
  if (folder === undefined || folder === '-')
    throw badRequestError('kb export --format markdown takes a folder: it writes a file for each entry');
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

/** Returns a value as a line of JSON. Escapes control characters, which output to a terminal would lose. */
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
  return badRequestError(`${file} ${why}`, { cause: error });
}

const MAX_COUNTED_PASSAGES = 1_000_000;
const EMBEDDER_TRIES = 2;
const EMBEDDER_PAUSE_MS = 1500;

const KINDS = [
  'chatgpt',
  'claude',
  'pocket',
  'bookmarks',
  'mem0',
  'chats',
  'records',
  'notion',
  'jsonl',
  'obsidian',
  'csv',
] as const;

export const importEntries = documentedCommand('kb import', {
  words: ['file'],
  flags: {
    file: z.string().min(1),
    from: z.enum(KINDS).optional(),
    collection: wordFlag,
  },
  effect: () => 'write',
  async run({ file, from, collection }, ctx) {
    const { signal, progress } = ctx;
    const intake = await ctx.services.intake();
    const { readBytes: read } = await ctx.services.browse();
    const source = file === '-' ? { stream: ctx.stdin() } : { path: file };
    const options = { from, collection, read, signal, progress };
    const summary = await intake.importSource(ctx.caller.id, source, options);
    const error = await waitForEmbedding(formatCount(summary.imported, 'entry', 'entries'), ctx);
    const waiting =
      error === undefined ? 0 : (await (await ctx.services.knowledge()).readStats(ctx.caller.id)).pending;
    const reason = error && waiting > 0 ? asAppError(error).message : undefined;
    if (ctx.json) await ctx.print(JSON.stringify(bodyOf(summary, waiting, reason)));
    else await show(summary, waiting, reason, ctx);
    return outcomeOf(summary, reason !== undefined, signal.aborted);
  },
});

function outcomeOf({ imported, known, failed }: ImportSummary, waits: boolean, stopped: boolean) {
  if (stopped) return 'stopped';
  if (failed > 0) return imported + known > 0 ? 'partly' : 'failed';
  return waits ? 'waiting' : 'done';
}

function bodyOf(summary: ImportSummary, waiting: number, reason: string | undefined) {
  const { imported, known, kind, failed, failures, warned, warnings, skipped, skippedAt } = summary;
  return {
    imported,
    known,
    ...(kind !== 'jsonl' && { kind }),
    ...(failed > 0 && { failed, failures }),
    ...(warned > 0 && { warned, warnings }),
    ...(Object.keys(skipped).length > 0 && { skipped }),
    ...(Object.keys(skippedAt).length > 0 && { skippedAt }),
    ...(reason !== undefined && { waiting, reason }),
  };
}

async function show(
  summary: ImportSummary,
  waiting: number,
  reason: string | undefined,
  { print }: CommandContext,
): Promise<void> {
  const { imported, known } = summary;
  const kept = `${formatCount(imported, 'entry', 'entries')} imported${known > 0 ? `, ${known} were there already` : ''}`;
  const rest = `${formatCount(waiting, 'passage')} ${waiting === 1 ? 'waits for its vector, and is' : 'wait for their vectors, and are'} found by words only`;
  await print(reason === undefined ? kept : `${kept}; ${rest}: ${reason}`);
  await printSkippedImports(summary, { print });
}

export async function printSkippedImports(
  summary: Omit<ImportSummary, 'kind' | 'imported' | 'known'>,
  { print }: Pick<CommandContext, 'print'>,
): Promise<void> {
  for (const [why, count] of Object.entries(summary.skipped).sort(([, a], [, b]) => b - a)) {
    const named = summary.skippedAt[why] ?? [];
    const more = count > named.length ? ` and ${count - named.length} more` : '';
    const before = why.endsWith(')') ? `${why.slice(0, -1)}: ` : `${why} (`;
    const what = named.length === 0 ? why : `${before}${named.join(', ')}${more})`;
    await print(`  ${count} left out: ${what}`, 'quiet');
  }
  await showNamed(summary.warned, 'kept, with a warning', summary.warnings, print);
  await showNamed(summary.failed, 'failed', summary.failures, print);
}

async function showNamed(
  count: number,
  what: string,
  named: ImportSummary['failures'],
  print: CommandContext['print'],
): Promise<void> {
  if (count === 0) return;
  await print(`  ${count} ${what}:`, 'warning');
  for (const { at, why } of named) await print(`    ${at}: ${why}`);
  if (count > named.length) await print(`    and ${count - named.length} more`);
}

export async function waitForEmbedding(kept: string, ctx: CommandContext): Promise<Error | undefined> {
  const knowledge = await ctx.services.knowledge();
  const waiting = await knowledge.countPending(ctx.caller.id, MAX_COUNTED_PASSAGES);
  let total = 0;
  for (let failures = 0; ; ) {
    const before = total;
    const error = await knowledge.waitForVectors(Number.POSITIVE_INFINITY, ctx.signal, (done) => {
      total = before + done;
      ctx.progress(
        `${kept} kept; ${Math.min(total, waiting)} of ${formatCount(waiting, 'waiting passage')} embedded; Ctrl-C leaves the rest for later`,
      );
    });
    failures = total > before ? 1 : failures + 1;
    if (error === undefined || failures > EMBEDDER_TRIES) return error;
    await ctx.pause(EMBEDDER_PAUSE_MS);
  }
}
