import { z } from 'zod';
import { type CommandContext, defineCommand } from '../command.ts';
import { AppError } from '../errors.ts';
import { findPart, PARTS, type PartName, partsFolder } from '../lib/parts.ts';
import { addPart, removePart } from './parts/npm.ts';

/** `magpie add`: parts that are not in the package, which stays small for those who do without. */

const NAMES = Object.keys(PARTS) as PartName[];

export const addParts = defineCommand({
  name: 'add',
  summary: 'Adds a part that is not in the package, such as the native runtime.',
  description:
    'Installs a part with npm into parts in the data folder, where every start finds it, whatever way Magpie is started. Without a ' +
    'name it lists the parts, and which are there. It ends with 1 where npm fails, in npm’s words.',
  words: ['part'],
  input: z.object({
    part: z
      .enum(NAMES)
      .optional()
      .describe(`One of ${NAMES.join(', ')}.`),
    remove: z.boolean().default(false).describe('Takes the part away again.'),
  }),
  examples: [
    ['magpie add', 'what there is'],
    ['magpie add native', 'texts become vectors seven times as fast, from the next start on'],
    ['magpie add native --remove', 'as before'],
  ],
  effect: ({ part, remove }) => (!part ? 'read' : remove ? 'destroy' : 'write'),
  async run({ part, remove }, ctx) {
    if (!part) {
      if (remove) throw new AppError('bad_request', `--remove takes the name of a part: ${NAMES.join(', ')}`);
      await printParts(ctx);
      return 'done';
    }
    const { signal, progress, machine, config } = ctx;
    const place = { folder: partsFolder(config.data), machine, signal };
    progress(remove ? `Takes ${part} away.` : `npm fetches ${PARTS[part].name}.`);
    await (remove ? removePart : addPart)(PARTS[part], place);
    if (signal.aborted) return 'stopped';
    const there = findPart(part) !== undefined;
    if (ctx.json) await ctx.print(JSON.stringify({ part, installed: there }));
    else if (remove)
      await ctx.print(there ? `${part} is left: it is installed beside Magpie.` : `${part} is gone.`);
    else await ctx.print(`${part} is there: the next start of Magpie uses it.`);
    return 'done';
  },
});

async function printParts(ctx: CommandContext): Promise<void> {
  const parts = NAMES.map((name) => ({
    part: name,
    installed: findPart(name) !== undefined,
    about: PARTS[name].about,
  }));
  if (ctx.json) return ctx.print(JSON.stringify(parts));
  for (const { part, installed, about } of parts) {
    await ctx.print(
      `${part.padEnd(14)}${installed ? 'there ' : 'not there'}`,
      installed ? undefined : 'quiet',
    );
    await ctx.print(`  It ${about}.`);
    if (!installed) await ctx.print(`  magpie add ${part}`, 'hint');
  }
}
