import { z } from 'zod';
import { defineCommand } from '../../command.ts';
import { word } from '../flags.ts';

export const revokeApp = defineCommand({
  name: 'app revoke',
  summary: "Ends all links to a user's uploaded files, and all open upload pages.",
  description:
    'Ends every link of pdfload and listpdfs that was given out for a user, and every upload page that is open, at ' +
    'once and for good; links that are requested afterwards are valid. Running servers apply it to the next request. ' +
    'The page itself offers the same as "Sign out everywhere".',
  words: [],
  input: z.object({
    user: word.describe('Whose links end; yours, as MAGPIE_USER has it, when left out.'),
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
