import { z } from 'zod';
import { type CommandContext, defineCommand } from '../command.ts';
import { AppError } from '../errors.ts';
import { counted } from '../lib/counted.ts';
import type { Tried } from '../search/types.ts';

/** Letters of the longest engine's name. */
const NAME_WIDTH = 17;
const TITLE_CHARS = 60;

/** `magpie engines test`: who of the search engines answers this machine. */
export const testEngines = defineCommand({
  name: 'engines test',
  summary: 'Asks each search engine once, and shows who answers.',
  description:
    'Asks each engine that searches would ask one common question, six at a time and 15 s at most each, and shows who answers, how ' +
    'fast, and why not. It keeps nothing, and pauses of engines do not count for it. It ends with 0 when all answer, with 3 when ' +
    'some do not, with 1 when none does. docs/engines.md says what to do then.',
  words: ['names'],
  failedExit: 1,
  input: z.object({
    names: z.array(z.string().min(1).max(50)).max(100).default([]).describe('Only these engines.'),
    all: z
      .boolean()
      .default(false)
      .describe('Also the engines that are asked only when MAGPIE_ENGINES names them.'),
  }),
  examples: [
    ['magpie engines test', 'all that a search may ask'],
    ['magpie engines test startpage google-page', 'these two'],
    ['magpie engines test --all --json', 'every one without a missing key, for a script'],
  ],
  effect: () => 'read',
  async run({ names, all }, ctx) {
    const { signal, progress, json, print } = ctx;
    const lines: Promise<void>[] = [];
    let results: readonly Tried[];
    try {
      results = await ctx.services.testEngines(
        { names, all },
        {
          signal,
          tried(one, count, of) {
            progress(`${count} of ${of} engines asked`);
            if (!json) lines.push(printOne(one, ctx));
          },
        },
      );
    } catch (error) {
      await Promise.all(lines);
      if (signal.aborted) return 'stopped';
      throw error;
    }
    await Promise.all(lines);
    const good = results.filter(({ ok }) => ok).length;
    if (json) await print(JSON.stringify({ answered: good, asked: results.length, engines: results }));
    else {
      await print(`${good} of ${counted(results.length, 'engine')} answered.`);
      if (good < results.length) {
        await print(
          'docs/engines.md says what to do when engines refuse: an own SearXNG, or a free key.',
          'hint',
        );
      }
    }
    if (results.length === 0)
      throw new AppError('bad_request', 'no engine is in force: MAGPIE_ENGINES names none but local');
    return good === results.length ? 'done' : good > 0 ? 'partly' : 'failed';
  },
});

async function printOne(
  { name, ok, ms, hits, first = '', reason }: Tried,
  { print }: CommandContext,
): Promise<void> {
  const start = `${name.padEnd(NAME_WIDTH)} ${String(ms).padStart(6)} ms  `;
  if (ok) return print(`${start}${counted(hits, 'result')}: ${first.slice(0, TITLE_CHARS)}`);
  await print(`${start}${reason}`, 'warning');
}
