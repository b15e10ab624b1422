import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { CommandContext } from '../command.ts';
import { formatCount } from '../lib/text/format-count.ts';
import { documentedCommand } from './documented-command.ts';
import { type CommandOutput, createTourProgram, type TourProgram } from './tour/program.ts';
import { writeSamples } from './tour/samples.ts';
import { startTourSites } from './tour/sites.ts';
import STEPS from './tour/steps.json' with { type: 'json' };

const WAIT = { everyMs: 500, tries: 120 } as const;

export const takeTour = documentedCommand('tour', {
  flags: {},
  effect: () => 'read',
  makesFolder: () => true,
  async run(_input, ctx) {
    const folder = mkdtempSync(join(tmpdir(), 'magpie-tour-'));
    const sites = await startTourSites();
    try {
      await writeSamples(folder, `https://${sites.shop}/`);
      const steps = STEPS.map((step) => ({
        ...step,
        args: step.args.map((arg) => arg.replace('{site}', sites.site)),
      }));
      return await walk(steps, createTourProgram(ctx.machine, folder, sites), ctx);
    } finally {
      sites.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

type TourStep = (typeof STEPS)[number];

async function walk(steps: readonly TourStep[], magpie: TourProgram, ctx: CommandContext) {
  const taken: {
    readonly command: string;
    readonly code: number | null;
    readonly good: boolean;
    readonly answer: string;
  }[] = [];
  const server = await magpie.start(['serve']);
  for (const stream of [server.stdout, server.stderr]) stream.resume();
  try {
    for (const step of steps) {
      const words = step.args.map((arg) => (/^[\w./:-]+$/.test(arg) ? arg : `"${arg}"`));
      const command = ['magpie', ...words].join(' ');
      if (!ctx.json) await introduce(step, command, ctx);
      const answer = await answerOf(step, magpie, ctx);
      if (ctx.signal.aborted) return 'stopped';
      const good = isGood(step, answer);
      taken.push({ command, code: answer.code, good, answer: answer.out });
      if (!ctx.json) await show(step, answer, good, ctx);
    }
  } finally {
    server.kill();
    await server.ended;
  }
  const bad = taken.filter(({ good }) => !good).length;
  if (ctx.json) await ctx.print(JSON.stringify({ steps: taken }));
  else if (bad > 0) {
    await ctx.print(
      `${formatCount(bad, 'command')} did not do what it should: magpie doctor shows why.`,
      'alarm',
    );
  } else {
    await ctx.print('That was all of it; nothing of it is left on this machine.');
    await ctx.print(
      'magpie setup adds Magpie to your assistants, magpie --help lists what there is.',
      'hint',
    );
  }
  return bad > 0 ? 'failed' : 'done';
}

const isGood = ({ code = 0, has }: TourStep, answer: CommandOutput): boolean =>
  answer.code === code && answer.out.includes(has);

async function answerOf(step: TourStep, magpie: TourProgram, { signal, progress }: CommandContext) {
  for (let tries = 1; ; tries++) {
    progress(`magpie ${step.args[0]}`);
    const answer = await magpie.run(step.args, signal, step.input);
    if (!step.waits || isGood(step, answer) || tries === WAIT.tries || signal.aborted) return answer;
    await setTimeout(WAIT.everyMs, undefined, { signal }).catch(() => {});
  }
}

async function introduce({ title, about }: TourStep, command: string, { print }: CommandContext) {
  if (title) await print(`# ${title}\n`);
  if (about) await print(about);
  await print(`$ ${command}`, 'hint');
}

async function show(
  step: TourStep,
  { code, out, errors }: CommandOutput,
  good: boolean,
  { print }: CommandContext,
): Promise<void> {
  const lines = out.trimEnd().split('\n');
  const shown = good ? lines.slice(0, step.lines) : lines;
  await print(shown.join('\n'));
  if (shown.length < lines.length) {
    await print(`... and ${formatCount(lines.length - shown.length, 'more line')}`, 'quiet');
  }
  if (!good) await print(`It ended with ${code}. ${errors.trimEnd()}`, 'alarm');
  await print('');
}
