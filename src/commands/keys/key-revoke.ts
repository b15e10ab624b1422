import { z } from 'zod';
import type { KeyWithState } from '../../access/types.ts';
import { defineCommand } from '../../command.ts';
import { booleanFlag, wordFlag } from '../flags.ts';
import { keyToJson } from './key-facts.ts';

/** Running servers refuse a revoked key at its next request, and end its open sessions within seconds. */

const NO_KEY_LEFT = [
  'No key is active now: a server refuses every caller but those with a token of MAGPIE_OAUTH_ISSUER until magpie key create makes a new key.',
  'It does not become open again, since it has had keys. An open server takes another data folder: magpie kb export and magpie kb import move the ' +
    'texts, and commands and stdio servers need no key.',
] as const;

const isActive = ({ state }: KeyWithState) => state === 'active';

export const revokeKey = defineCommand({
  name: 'key revoke',
  summary: 'Ends a key: running servers refuse it from the next request on.',
  description:
    'Ends a key for good. It takes the id, or the key itself where that is all there is, as of one that has leaked. ' +
    'Running servers refuse it from the next request on, and end its calls, sessions and streams within seconds. All ' +
    "links to its user's uploaded files and all open upload pages of that user end as well, since the key may have opened them. " +
    'Once the last key is revoked a server stays closed until a new one is made: it does not become open again.',
  words: ['id'],
  input: z.object({
    id: z.string().min(1).describe('Id of the key, or the key itself.'),
    keepLinks: booleanFlag.describe("Leaves the user's links and open upload pages as they are."),
  }),
  examples: [
    ['magpie key revoke k7x2m9qab', "ends the key, and its user's links"],
    ['magpie key revoke k7x2m9qab --keep-links', 'ends the key alone'],
  ],
  effect: () => 'access',
  async run({ id, keepLinks }, ctx) {
    const { keys } = await ctx.services.identity.access();
    const facts = keyToJson(await keys.revokeKey(id));
    await keys.whenApplied();
    const { name, user, revokedAt } = facts;
    if (!keepLinks) await (await ctx.services.passes()).endPasses(user);
    const activeKeys = (await keys.listKeys()).filter(isActive).length;
    if (ctx.json) {
      await ctx.print(JSON.stringify({ ...facts, linksEnded: !keepLinks, activeKeys }));
      return 'done';
    }
    const links = keepLinks
      ? `Links to uploaded files and open upload pages of ${user} stay valid: magpie app revoke ends them.`
      : `All links to uploaded files and open upload pages of ${user} are ended too.`;
    await ctx.print(`The key ${facts.id}${name && ` (${name})`} of ${user} is revoked, as of ${revokedAt}.`);
    await ctx.print(links);
    if (activeKeys === 0) for (const line of NO_KEY_LEFT) await ctx.print(line, 'warning');
    return 'done';
  },
});

export const revokeAllKeys = defineCommand({
  name: 'key revoke-all',
  summary: 'Ends every key and every link of every user.',
  description:
    'Ends all keys of all users for good, all links to their uploaded files, and all open upload pages. A server ' +
    'stays closed until a new key is made: it does not become open again. On a terminal it asks first.',
  words: [],
  input: z.object({}),
  examples: [
    ['magpie key revoke-all', 'asks, then ends all keys and links'],
    ['magpie key revoke-all --yes', 'without asking'],
  ],
  effect: () => 'access',
  async question(_input, ctx) {
    const { keys } = await ctx.services.identity.access();
    const found = await keys.listKeys();
    const count = found.filter(({ record }) => record.revokedAt === undefined).length;
    if (count === 0)
      return 'There is no key to revoke. End all links to uploaded files and all open upload pages?';
    return `Revoke ${count === 1 ? 'the one key' : `all ${count} keys`} for good, and end all links?`;
  },
  async run(_input, ctx) {
    const { keys } = await ctx.services.identity.access();
    const revoked = await keys.revokeAllKeys();
    await keys.whenApplied();
    await (await ctx.services.passes()).endAllPasses();
    const words = `${revoked} ${revoked === 1 ? 'key is' : 'keys are'} revoked, and all links and open upload pages are ended.`;
    await ctx.print(ctx.json ? JSON.stringify({ revoked }) : words);
    if (!ctx.json && (await keys.hasKeys())) for (const line of NO_KEY_LEFT) await ctx.print(line, 'warning');
    return 'done';
  },
});

export const revokeUploadLinks = defineCommand({
  name: 'app revoke',
  summary: "Ends all links to a user's uploaded files, and all open upload pages.",
  description:
    'Ends every link of pdfload and listpdfs that was given out for a user, and every upload page that is open, at ' +
    'once and for good; links that are requested afterwards are valid. Running servers apply it to the next request. ' +
    'The page itself offers the same as "Sign out everywhere".',
  words: [],
  input: z.object({
    user: wordFlag.describe('Whose links end; yours, as MAGPIE_USER has it, when left out.'),
  }),
  examples: [
    ['magpie app revoke', 'ends your links and open pages'],
    ['magpie app revoke --user ada', 'ends those of ada'],
  ],
  effect: () => 'access',
  async run({ user }, ctx) {
    const owner = user ?? ctx.caller.id;
    await (await ctx.services.passes()).endPasses(owner);
    const words = `All links and open upload pages of ${owner} are ended.`;
    await ctx.print(ctx.json ? JSON.stringify({ user: owner }) : words);
    return 'done';
  },
});
