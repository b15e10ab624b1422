import { z } from 'zod';
import { type CommandContext, type CommandOutcome, defineCommand } from '../command.ts';
import { formatCount } from '../lib/text/format-count.ts';
import type { BackupManifest } from '../wiring/data/back-up.ts';
import { untilStopped } from './until-stopped.ts';

const folder = z.string().min(1).max(2000);

export const backUpDataFolder = defineCommand({
  name: 'backup',
  summary: 'Copies the whole data folder, of all users, while servers go on.',
  description:
    'Copies all that is kept into a new or empty folder: the database as it is at one moment, with notes, pages, scans, monitors and keys; uploaded ' +
    'files, models, the settings file, and the secret that links are signed with. Servers and assistants go on meanwhile, and what they answered before it began ' +
    'is in it. A list with the digest of every file is written last; --check reads a backup again and compares. Indexes and fetched answers are left out: they are made ' +
    'again. Who has the backup has everything in it: keep it where only you can read it. With DATABASE_URL use pg_dump instead.',
  words: ['folder'],
  input: z.object({
    folder: folder.describe('A new or empty folder; with --check that of a backup.'),
    check: z.boolean().default(false).describe('Compares a backup with its list, and copies nothing.'),
  }),
  examples: [
    ['magpie backup /mnt/backups/magpie-2026-11-23', 'all that is kept'],
    ['magpie backup /mnt/backups/magpie-2026-11-23 --check', 'whether it is still whole'],
  ],
  effect: () => 'read',
  async run({ folder: target, check }, ctx) {
    return report(ctx, async () => {
      const watch = { signal: ctx.signal, progress: ctx.progress };
      const manifest = await ctx.services.maintenance[check ? 'checkBackup' : 'backUp'](target, watch);
      return [manifest, check ? `${target} is whole` : `Backed up to ${target}`];
    });
  },
});

export const restoreDataFolder = defineCommand({
  name: 'restore',
  summary: 'Fills a new data folder from a backup.',
  description:
    'Copies what magpie backup wrote into the data folder of --data (or MAGPIE_DATA), which holds nothing yet: nothing is ever written over. Every file ' +
    'is compared with the list of the backup first. A backup of an older Magpie is brought up to date by the next start. Broken off, the same command does it again.',
  words: ['folder'],
  input: z.object({ folder: folder.describe('The folder of a backup.') }),
  examples: [['magpie restore /mnt/backups/magpie-2026-11-23 --data ~/magpie', 'into a new data folder']],
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
