import { z } from 'zod';
import { type CommandContext, defineCommand } from '../../command.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { UserCounts } from '../../wiring/data/user-data.ts';
import { untilStopped } from '../until-stopped.ts';

const user = z.string().min(1).max(300).describe('As magpie key list shows it.');

export const exportUserData = defineCommand({
  name: 'user export',
  summary: 'Writes everything that is kept of one user into a folder.',
  description:
    'Writes a file of JSON lines for each table, the uploaded files as they came, and list.json with counts and digests. Hashes of keys, ' +
    'addresses that messages go to and what is made from other rows stay out. Servers may run meanwhile.',
  words: ['user', 'folder'],
  input: z.object({ user, folder: z.string().min(1).max(4000).describe('A new or empty folder.') }),
  examples: [['magpie user export ada ./ada', 'entries, files, pages, scans, monitors, usage']],
  effect: () => 'read',
  async run({ user: name, folder }, ctx) {
    const counts = await untilStopped(ctx, () =>
      ctx.services.maintenance.exportUser(name, folder, watchOf(ctx)),
    );
    if (!counts) return 'stopped';
    await show(ctx, counts, `Written to ${folder}`);
    return 'done';
  },
});

export const deleteUserData = defineCommand({
  name: 'user delete',
  summary: 'Deletes everything that is kept of one user.',
  description:
    'Without --yes it shows what there is, and deletes nothing. With it the keys of the user end first, then entries, files, pages, scans, ' +
    'monitors, checks, sessions and usage are deleted. On PostgreSQL nodes may serve meanwhile; of a data folder end every server and ' +
    'assistant first: its database is written again from scratch, and its cache and indexes of vectors are dropped. Backups that were made before hold ' +
    'the user still. Broken off, the same command goes on.',
  words: ['user'],
  input: z.object({ user, yes: z.boolean().default(false).describe('Deletes it; nothing brings it back.') }),
  examples: [
    ['magpie user delete ada', 'what would be deleted'],
    ['magpie user delete ada --yes', 'all of it is gone'],
  ],
  effect: ({ yes }) => (yes ? 'destroy' : 'read'),
  async run({ user: name, yes }, ctx) {
    const { services } = ctx;
    const counts = await untilStopped(ctx, () =>
      yes ? services.maintenance.deleteUser(name, watchOf(ctx)) : services.maintenance.countUser(name),
    );
    if (!counts) return 'stopped';
    await show(ctx, counts, yes ? `Deleted of ${name}` : `Kept of ${name}`);
    if (!yes && !ctx.json)
      await ctx.print(`magpie user delete ${name} --yes deletes it; nothing brings it back.`, 'hint');
    return 'done';
  },
});

const watchOf = ({ signal, progress }: CommandContext) => ({ signal, progress });

async function show({ json, print }: CommandContext, counts: UserCounts, what: string): Promise<void> {
  if (json) return print(JSON.stringify(counts));
  const rows = Object.entries(counts.rows).filter(([, count]) => count > 0);
  const sum = rows.reduce((all, [, count]) => all + count, 0);
  await print(
    `${what}: ${formatCount(sum, 'row')} of ${formatCount(rows.length, 'table')}, ${formatCount(counts.files, 'file')}.`,
  );
  for (const [table, count] of rows) await print(`  ${table.padEnd(24)} ${count}`, 'quiet');
}
