import { z } from 'zod';
import type { CommandContext } from '../command.ts';
import { BUCKET_URL_SHAPE, isBucketUrl } from '../config/blob-settings.ts';
import { badRequestError } from '../errors.ts';
import { formatCount } from '../lib/text/format-count.ts';
import type { MoveReport } from '../wiring/data/move-data.ts';
import { documentedCommand } from './documented-command.ts';
import { booleanFlag, textFlag } from './flags.ts';

const SHOWN = 20;

export const migrateData = documentedCommand('migrate', {
  flags: {
    to: textFlag(2000),
    filesTo: z
      .string()
      .max(2000)
      .refine((to) => to === 'database' || isBucketUrl(to), `it takes database, or ${BUCKET_URL_SHAPE}`)
      .optional(),
    check: booleanFlag,
  },
  effect: ({ check }) => (check ? 'read' : 'write'),
  async run({ to, filesTo, check }, ctx) {
    let report: MoveReport;
    try {
      report = await move({ to, filesTo }, check, ctx);
    } catch (error) {
      if (!ctx.signal.aborted) throw error;
      if (!check && !ctx.json) await ctx.print('The same command goes on where it was.', 'hint');
      return 'stopped';
    }
    const { from, to: target, rows, tables, files, differences } = report;
    if (ctx.json) await ctx.print(JSON.stringify(report));
    else if (differences.length === 0) {
      await ctx.print(
        `${from} and ${target} are the same: ${formatCount(rows, 'row')} of ${formatCount(tables, 'table')}, ${formatCount(files, 'file')}.`,
      );
      if (!check) await ctx.print(`Start Magpie with ${settingFor(to, filesTo)} from now on.`, 'hint');
    } else {
      for (const line of differences.slice(0, SHOWN)) await ctx.print(line, 'alarm');
      await ctx.print(
        `${from} and ${target} differ in ${formatCount(differences.length, 'place')}: empty the target, and move again.`,
        'hint',
      );
    }
    return differences.length === 0 ? 'done' : 'damaged';
  },
});

interface Targets {
  readonly to?: string | undefined;
  readonly filesTo?: string | undefined;
}

function move({ to, filesTo }: Targets, check: boolean, ctx: CommandContext): Promise<MoveReport> {
  const watch = { signal: ctx.signal, progress: ctx.progress };
  if (to !== undefined && filesTo === undefined) return ctx.services.maintenance.moveData(to, check, watch);
  if (filesTo !== undefined && to === undefined)
    return ctx.services.maintenance.moveFiles(filesTo, check, watch);
  throw badRequestError('migrate takes either --to, for everything, or --files-to, for files alone');
}

function settingFor(to: string | undefined, filesTo: string | undefined): string {
  if (filesTo !== undefined) return filesTo === 'database' ? 'no MAGPIE_BLOBS' : `MAGPIE_BLOBS=${filesTo}`;
  return to === 'sqlite:' ? 'no DATABASE_URL' : 'DATABASE_URL set to that database';
}
