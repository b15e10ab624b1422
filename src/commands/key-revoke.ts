import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { keyFacts } from './key-facts.ts';

/** `magpie key revoke|revoke-all`: running servers apply it to the next request, and end what is open within seconds. */

export const revokeKey = defineCommand({
  name: 'key revoke',
  summary: 'Ends a key: running servers refuse it from the next request on.',
  description:
    'Ends a key for good. It takes the id, or the key itself where that is all there is, as of one that has leaked. ' +
    'Running servers refuse it from the next request on, and end its calls, sessions and streams within seconds. All ' +
    "links to its user's uploaded files and all open upload pages of that user end as well, since the key may have opened them.",
  words: ['id'],
  input: z.object({
    id: z.string().min(1).describe('Id of the key, or the key itself.'),
    keepLinks: z
      .boolean()
      .default(false)
      .describe("Leaves the user's links and open upload pages as they are."),
  }),
  examples: [
    ['magpie key revoke k7x2m9qab', "ends the key, and its user's links"],
    ['magpie key revoke k7x2m9qab --keep-links', 'ends the key alone'],
  ],
  effect: () => 'access',
  async run({ id, keepLinks }, ctx) {
    const { keys } = await ctx.services.access();
    const facts = keyFacts(await keys.revokeKey(id));
    await keys.whenApplied();
    const { name, user, revokedAt } = facts;
    if (!keepLinks) await (await ctx.services.passes()).endPasses(user);
    if (ctx.json) {
      await ctx.print(JSON.stringify({ ...facts, linksEnded: !keepLinks }));
      return 'done';
    }
    const links = keepLinks
      ? `Links to uploaded files and open upload pages of ${user} stay valid: magpie app revoke ends them.`
      : `All links to uploaded files and open upload pages of ${user} are ended too.`;
    await ctx.print(`The key ${facts.id}${name && ` (${name})`} of ${user} is revoked, as of ${revokedAt}.`);
    await ctx.print(links);
    return 'done';
  },
});

export const revokeAllKeys = defineCommand({
  name: 'key revoke-all',
  summary: 'Ends every key and every link of every user.',
  description:
    'Ends all keys of all users for good, all links to their uploaded files, and all open upload pages. A server ' +
    'stays closed: no caller gets in until a new key is made. On a terminal it asks first.',
  words: [],
  input: z.object({}),
  examples: [
    ['magpie key revoke-all', 'asks, then ends all keys and links'],
    ['magpie key revoke-all --yes', 'without asking'],
  ],
  effect: () => 'access',
  async question(_input, ctx) {
    const { keys } = await ctx.services.access();
    const found = await keys.listKeys();
    const count = found.filter(({ record }) => record.revokedAt === undefined).length;
    if (count === 0)
      return 'There is no key to revoke. End all links to uploaded files and all open upload pages?';
    return `Revoke ${count === 1 ? 'the one key' : `all ${count} keys`} for good, and end all links?`;
  },
  async run(_input, ctx) {
    const { keys } = await ctx.services.access();
    const revoked = await keys.revokeAllKeys();
    await keys.whenApplied();
    await (await ctx.services.passes()).endAllPasses();
    const words = `${revoked} ${revoked === 1 ? 'key is' : 'keys are'} revoked, and all links and open upload pages are ended. A server lets no caller in until magpie key create makes a new key.`;
    await ctx.print(ctx.json ? JSON.stringify({ revoked }) : words);
    return 'done';
  },
});
