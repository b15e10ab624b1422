import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { keyFacts } from './key-facts.ts';

/** `magpie key revoke|revoke-all`: running servers obey with the next request. */

export const revokeKey = defineCommand({
  name: 'key revoke',
  summary: 'Ends a key: running servers refuse it from the next request on.',
  description:
    'Ends a key for good. It takes the id, or the key itself where that is all there is, as of one that has leaked. ' +
    'Running servers refuse it from the next request on.',
  words: ['id'],
  input: z.object({ id: z.string().min(1).describe('Id of the key, or the key itself.') }),
  examples: [['magpie key revoke k7x2m9qab', 'ends the key']],
  effect: () => 'access',
  async run({ id }, ctx) {
    const { keys } = await ctx.services.access();
    const record = keys.revoke(id);
    const { name, user, revokedAt } = keyFacts(record);
    const what = `${record.id}${name && ` (${name})`} of ${user}`;
    await ctx.print(
      ctx.json ? JSON.stringify(keyFacts(record)) : `The key ${what} is revoked, as of ${revokedAt}.`,
    );
    return 'done';
  },
});

export const revokeAllKeys = defineCommand({
  name: 'key revoke-all',
  summary: 'Ends every key of every user.',
  description:
    'Ends all keys of all users for good. A server stays closed: nobody gets in until a new key is made. On a ' +
    'terminal it asks first.',
  words: [],
  input: z.object({}),
  examples: [
    ['magpie key revoke-all', 'asks, then ends all keys'],
    ['magpie key revoke-all --yes', 'without asking'],
  ],
  effect: () => 'access',
  async question(_input, ctx) {
    const { keys } = await ctx.services.access();
    const count = keys.list().filter(({ record }) => record.revokedAt === undefined).length;
    return count === 0 ? undefined : `Revoke ${count === 1 ? 'the one key' : `all ${count} keys`} for good?`;
  },
  async run(_input, ctx) {
    const { keys } = await ctx.services.access();
    const revoked = keys.revokeAll();
    const words = `${revoked} ${revoked === 1 ? 'key is' : 'keys are'} revoked.`;
    await ctx.print(ctx.json ? JSON.stringify({ revoked }) : words);
    return 'done';
  },
});
