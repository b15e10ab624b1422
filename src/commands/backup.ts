import { z } from 'zod';
import type { CommandContext, CommandOutcome } from '../command.ts';
import { formatCount } from '../lib/text/format-count.ts';
import type { BackupManifest } from '../wiring/data/back-up.ts';
import { documentedCommand } from './documented-command.ts';
import { untilStopped } from './until-stopped.ts';

const folder = z.string().min(1).max(2000);

export const backUpDataFolder = documentedCommand('backup', {
  words: ['folder'],
  flags: {
    folder: folder,
    check: z.boolean().default(false),
  },
  effect: () => 'read',
  async run({ folder: target, check }, ctx) {
    return report(ctx, async () => {
      const watch = { signal: ctx.signal, progress: ctx.progress };
      const manifest = await ctx.services.maintenance[check ? 'checkBackup' : 'backUp'](target, watch);
      return [manifest, check ? `${target} is whole` : `Backed up to ${target}`];
    });
  },
});

export const restoreDataFolder = documentedCommand('restore', {
  words: ['folder'],
  flags: { folder: folder },
  effect: () => 'write',
  async run({ folder: source }, ctx) {
    return report(ctx, async () => {
      const manifest = await ctx.services.maintenance.restoreBackup(source, {
        signal: ctx.signal,
        progress: ctx.progress,
      });
      return [manifest, `Restored to ${ctx.config.data}`];
    });
  },
});

async function report(
  { signal, json, print }: CommandContext,
  work: () => Promise<[BackupManifest, string]>,
): Promise<CommandOutcome> {
  const made = await untilStopped({ signal }, work);
  if (!made) return 'stopped';
  const [{ at, schema, magpie, files }, done] = made;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (json) await print(JSON.stringify({ at, magpie, schema, files: files.length, bytes }));
  else
    await print(`${done}: ${formatCount(files.length, 'file')}, ${formatCount(bytes, 'byte')}, as of ${at}.`);
  return 'done';
}
