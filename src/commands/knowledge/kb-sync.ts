import { z } from 'zod';
import type { CommandContext, CommandOutcome } from '../../command.ts';
import { AppError, badRequestError, notFoundError } from '../../errors.ts';
import type { FileExchange, FolderWatch, SyncOptions, SyncSummary } from '../../knowledge/types.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { documentedCommand } from '../documented-command.ts';
import { booleanFlag } from '../flags.ts';
import { printSkippedImports, waitForEmbedding } from './kb.ts';

export const syncFolder = documentedCommand('kb sync', {
  words: ['folder'],
  flags: {
    folder: z.string().min(1).optional(),
    collection: z.string().optional(),
    exclude: z.array(z.string().min(1)).default([]),
    watch: booleanFlag,
    dryRun: booleanFlag,
    removeMany: booleanFlag,
    list: booleanFlag,
    forget: booleanFlag,
  },
  effect: ({ list, dryRun }) => (list || dryRun ? 'read' : 'write'),
  async run({ folder, collection, exclude, watch, dryRun, removeMany, list, forget }, ctx) {
    const intake = await ctx.services.intake();
    if (list && folder === undefined) {
      await showFolders(intake, ctx);
      return 'done';
    }
    if (folder === undefined || list || (watch && (dryRun || forget))) {
      throw badRequestError(
        'kb sync takes a folder, with --watch, --dry-run or --forget, or --list alone; magpie kb sync --help shows more',
      );
    }
    if (forget) {
      await forgetFolder(folder, intake, ctx);
      return 'done';
    }
    const { readBytes } = await ctx.services.browse();
    const { signal, progress } = ctx;
    const options = { collection, exclude, dryRun, removeMany, read: readBytes, signal, progress };
    if (!watch) return syncOnce(folder, options, intake, ctx);
    await follow(folder, options, intake, ctx);
  },
});

async function syncOnce(
  folder: string,
  options: SyncOptions,
  intake: FileExchange,
  ctx: CommandContext,
): Promise<CommandOutcome> {
  const summary = await intake.syncFolder(ctx.caller.id, folder, options);
  await show(summary, options.dryRun === true, ctx);
  const changes = summary.added + summary.changed;
  const waiting = options.dryRun ? undefined : await waitForEmbedding(formatCount(changes, 'file'), ctx);
  if (ctx.signal.aborted) return 'stopped';
  if (summary.failed > 0) return 'partly';
  return waiting === undefined ? 'done' : 'waiting';
}

async function follow(folder: string, options: SyncOptions, intake: FileExchange, ctx: CommandContext) {
  const { signal, progress, caller } = ctx;
  // Watches the folder before the first sync, so that changes during the sync are not missed.
  const watch: FolderWatch = await intake.watchFolder(folder);
  let said = '';
  try {
    for (let first = true; !signal.aborted; first = false) {
      try {
        const summary = await intake.syncFolder(caller.id, folder, { ...options, known: !first });
        const named = JSON.stringify(summary.failures);
        const { added, changed, moved, removed } = summary;
        const changes = added + changed + moved + removed;
        if (first || changes > 0 || named !== said) await show(summary, false, ctx);
        said = named;
        await waitForEmbedding(formatCount(summary.added + summary.changed, 'file'), ctx);
      } catch (error) {
        if (first || !(error instanceof AppError)) throw error;
        const warning = ctx.json ? JSON.stringify({ error: error.message }) : error.message;
        if (error.message !== said) await ctx.print(warning, 'warning');
        said = error.message;
        if (error.code === 'not_found') break;
      }
      progress(`${folder} is in step; waiting for changes, Ctrl-C ends`);
      await watch.changed(signal);
    }
  } finally {
    watch.close();
  }
}

async function show(summary: SyncSummary, dryRun: boolean, { json, print }: CommandContext): Promise<void> {
  if (json) return print(JSON.stringify(summary));
  const { folder, added, changed, moved, removed, unchanged, trash } = summary;
  const counts = [
    [added, 'added'],
    [changed, 'changed'],
    [moved, 'moved'],
    [removed, trash === undefined ? 'removed' : `removed (magpie kb restore ${trash} brings them back)`],
    [unchanged, 'unchanged'],
  ] as const;
  const words = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  await print(`${folder}: ${dryRun ? 'would be ' : ''}${words.join(', ') || 'no file that is read'}`);
  await printSkippedImports(summary, { print });
}

async function showFolders(intake: FileExchange, { caller, json, print }: CommandContext) {
  const folders = await intake.listFolders(caller.id);
  if (json) await print(JSON.stringify({ folders }));
  else if (folders.length === 0) await print('No folder is synced yet: magpie kb sync <folder> begins.');
  for (const { path, collection, files, syncedAt } of json ? [] : folders) {
    const when =
      syncedAt === undefined
        ? 'not finished'
        : new Date(syncedAt).toISOString().slice(0, 16).replace('T', ' ');
    const where = collection === 'default' ? '' : `, collection ${collection}`;
    await print(
      `${path}  (${formatCount(files, 'file')}${where}, ${when}${syncedAt === undefined ? '' : ' UTC'})`,
    );
  }
}

async function forgetFolder(folder: string, intake: FileExchange, { caller, json, print }: CommandContext) {
  if (!(await intake.forgetFolder(caller.id, folder))) {
    throw notFoundError(`${folder} is not synced: magpie kb sync --list shows the folders that are`);
  }
  await print(json ? '{"forgotten":true}' : `${folder} is no longer synced; its entries stay.`);
}
