import { z } from 'zod';
import { documentedCommand } from '../documented-command.ts';
import { booleanFlag, wordFlag } from '../flags.ts';
import { keyToJson } from './key-facts.ts';

/** Running servers refuse a revoked key at its next request, and end its open sessions within seconds. */

const NO_KEY_LEFT = [
  'No key is active now: a server refuses every caller but those with a token of MAGPIE_OAUTH_ISSUER until magpie key create makes a new key.',
  'It does not become open again, since it has had keys. An open server takes another data folder: magpie kb export and magpie kb import move the ' +
    'texts, and commands and stdio servers need no key.',
] as const;

export const revokeKey = documentedCommand('key revoke', {
  words: ['id'],
  flags: {
    id: z.string().min(1),
    keepLinks: booleanFlag,
  },
  effect: () => 'access',
  async run({ id, keepLinks }, ctx) {
    const { keys } = await ctx.services.identity.access();
    const facts = keyToJson(await keys.revokeKey(id));
    await keys.whenApplied();
    const { name, user, revokedAt } = facts;
    if (!keepLinks) await (await ctx.services.passes()).endPasses(user);
    const activeKeys = (await keys.listKeys()).filter(({ state }) => state === 'active').length;
    if (ctx.json) return ctx.print(JSON.stringify({ ...facts, linksEnded: !keepLinks, activeKeys }));
    const links = keepLinks
      ? `Links to uploaded files and open upload pages of ${user} stay valid: magpie app revoke ends them.`
      : `All links to uploaded files and open upload pages of ${user} are ended too.`;
    await ctx.print(`The key ${facts.id}${name && ` (${name})`} of ${user} is revoked, as of ${revokedAt}.`);
    await ctx.print(links);
    if (activeKeys === 0) for (const line of NO_KEY_LEFT) await ctx.print(line, 'warning');
  },
});

export const revokeAllKeys = documentedCommand('key revoke-all', {
  flags: {},
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
  },
});

export const revokeUploadLinks = documentedCommand('app revoke', {
  flags: {
    user: wordFlag,
  },
  effect: () => 'access',
  async run({ user }, ctx) {
    const owner = user ?? ctx.caller.id;
    await (await ctx.services.passes()).endPasses(owner);
    const words = `All links and open upload pages of ${owner} are ended.`;
    await ctx.print(ctx.json ? JSON.stringify({ user: owner }) : words);
  },
});
