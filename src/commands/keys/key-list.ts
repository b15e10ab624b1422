import { z } from 'zod';
import type { KeyWithState } from '../../access/types.ts';
import { defineCommand } from '../../command.ts';
import { formatDuration } from '../../lib/time/duration.ts';
import { keyToJson } from './key-facts.ts';

/** Age in milliseconds from which a key should be rotated: 90 days, as in the API contract. */
const OLD_KEY_MS = 90 * 86_400_000;

export const listKeys = defineCommand({
  name: 'key list',
  summary: 'Lists the keys, by their ids and first characters.',
  description:
    'Lists the keys of all users, or of one with --user: id, first characters, user, scopes, state, when each was ' +
    'made and last used. Expired and revoked keys stay in the list.',
  words: [],
  input: z.object({ user: z.string().optional().describe('Only the keys of this user.') }),
  examples: [
    ['magpie key list', 'all keys'],
    ['magpie key list --user ada --json', 'those of one user, for a script'],
  ],
  effect: () => 'read',
  async run({ user }, ctx) {
    const { keys } = await ctx.services.identity.access();
    const found = await keys.listKeys(user);
    if (ctx.json) {
      const listed = found.map(({ record, state }) => ({ ...keyToJson(record), state }));
      await ctx.print(JSON.stringify({ keys: listed }));
      return 'done';
    }
    if (found.length === 0) {
      await ctx.print('There are no keys. magpie key create --scope read makes one.');
      return 'done';
    }
    const head = ['ID', 'KEY', 'USER', 'NAME', 'SCOPES', 'STATE', 'MADE', 'LAST USED'];
    for (const line of table([head, ...found.map((key) => cells(key, Date.now()))])) await ctx.print(line);
    return 'done';
  },
});

function cells({ record, state }: KeyWithState, now: number): string[] {
  const { id, prefix, user, name, scopes, createdAt, usedAt } = record;
  const made = `${formatDuration(now - createdAt)} ago`;
  const used = usedAt === undefined ? 'never' : `${formatDuration(now - usedAt)} ago`;
  return [id, `${prefix}...`, user, name, scopes.join(','), stateOf({ record, state }, now), made, used];
}

function stateOf({ record, state }: KeyWithState, now: number): string {
  if (state !== 'active') return state;
  const { expiresAt, createdAt, replacedBy } = record;
  const left = expiresAt === undefined ? '' : `, ${formatDuration(expiresAt - now)} left`;
  if (replacedBy !== undefined) return `replaced by ${replacedBy}${left}`;
  return `active${left}${now - createdAt > OLD_KEY_MS ? ', old: rotate it' : ''}`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
