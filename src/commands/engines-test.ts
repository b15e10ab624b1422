import { z } from 'zod';
import type { CommandContext, TerminalTone } from '../command.ts';
import { badRequestError } from '../errors.ts';
import {
  describeEngineAccess,
  describeEngineRefusal,
  describeEngineTerms,
  describeQuestionReceiver,
} from '../lib/describe-engines.ts';
import { formatCount } from '../lib/text/format-count.ts';
import { wrapWords } from '../lib/text/wrap-words.ts';
import type { TriedEngine } from '../search/types.ts';
import type { EngineWatch } from '../wiring/test-engines.ts';
import { documentedCommand } from './documented-command.ts';
import { booleanFlag } from './flags.ts';
import { untilStopped } from './until-stopped.ts';

const [NAME_WIDTH, WIDTH] = [17, 80];
const INDENT = '  ';

export const testEngines = documentedCommand('engines test', {
  words: ['names'],
  failedExit: 1,
  flags: {
    names: z.array(z.string().min(1).max(50)).max(100).default([]),
    all: booleanFlag,
  },
  effect: () => 'read',
  async run({ names, all }, ctx) {
    const { signal, progress, json, print } = ctx;
    const lines: Promise<void>[] = [];
    const at = new Date();
    const watch: EngineWatch = {
      signal,
      tried(one, count, of) {
        progress(`${count} of ${of} engines asked`);
        if (!json) lines.push(printOne(one, ctx));
      },
    };
    const tested = await untilStopped(ctx, () =>
      ctx.services.maintenance.testEngines({ names, all }, watch).finally(() => Promise.all(lines)),
    );
    if (!tested) return 'stopped';
    const { tried: results, remedies } = tested;
    const good = results.filter(({ ok }) => ok).length;
    if (json) {
      const counts = { at: at.toISOString(), answered: good, asked: results.length };
      await print(JSON.stringify({ ...counts, engines: results }));
    } else {
      const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
      await print(`${good} of ${formatCount(results.length, 'engine')} answered, ${time}.`);
      if (good < results.length) {
        const more = 'docs/engines.md says what each engine allows, and what to do where it refuses.';
        for (const remedy of [...remedies, more]) await print(remedy, 'hint');
      }
    }
    if (results.length === 0)
      throw badRequestError('no engine is in force: MAGPIE_ENGINES names none but local');
    return good === results.length ? 'done' : good > 0 ? 'partly' : 'failed';
  },
});

/** Prints all lines of an engine in one call, so that lines of two engines do not mix. */
async function printOne(tried: TriedEngine, { print }: CommandContext): Promise<void> {
  const { name, ok, ms, hits, first = '', reason = '', kind, about } = tried;
  const tone: TerminalTone | undefined = ok ? undefined : 'warning';
  const said = ok
    ? `${formatCount(hits, 'result')}: ${first.replace(/\s+/g, ' ')}`
    : describeEngineRefusal(kind);
  const line = `${name.padEnd(NAME_WIDTH)} ${String(ms).padStart(6)} ms  ${said}`;
  const [limits = ''] = about.limits ? describeEngineTerms(about) : [];
  const who = `${describeEngineAccess(about)} ${describeQuestionReceiver(about)} ${limits}`;
  await Promise.all([
    print([...line].slice(0, WIDTH).join('').trimEnd(), tone),
    ...(ok ? [] : wrapWords(reason, WIDTH, INDENT).map((each) => print(each, tone))),
    ...wrapWords(who, WIDTH, INDENT).map((each) => print(each, 'quiet')),
  ]);
}
