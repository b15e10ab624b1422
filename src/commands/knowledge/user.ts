import { z } from 'zod';
import type { CommandContext } from '../../command.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { UserCounts } from '../../wiring/data/user-data.ts';
import { documentedCommand } from '../documented-command.ts';
import { untilStopped } from '../until-stopped.ts';

const user = z.string().min(1).max(300).describe('As magpie key list shows it.');

export const exportUserData = documentedCommand('user export', {
  words: ['user', 'folder'],
  flags: { user, folder: z.string().min(1).max(4000) },
  effect: () => 'read',
  async run({ user: name, folder }, ctx) {
    const counts = await untilStopped(ctx, () =>
      ctx.services.maintenance.exportUser(name, folder, watchOf(ctx)),
    );
    if (!counts) return 'stopped';
    await show(ctx, counts, `Written to ${folder}`);
  },
});

export const deleteUserData = documentedCommand('user delete', {
  words: ['user'],
  flags: { user, yes: z.boolean().default(false) },
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
