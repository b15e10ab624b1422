import { z } from 'zod';
import type { CommandContext, TerminalTone } from '../command.ts';
import { reasonAtTerminal } from '../lib/reason-at-terminal.ts';
import { formatCount } from '../lib/text/format-count.ts';
import { assistantsCheck } from './doctor/assistants.ts';
import { bucketCheck, dataFolderCheck } from './doctor/data.ts';
import { databaseCheck } from './doctor/database.ts';
import { type DoctorCheck, type DoctorRemark, left, problem } from './doctor/finding.ts';
import { accessKeysCheck } from './doctor/keys.ts';
import { embeddingModelCheck } from './doctor/model.ts';
import { gitCheck, optionalPartsCheck, programCheck } from './doctor/program.ts';
import { searxngCheck } from './doctor/searxng.ts';
import { serverCheck } from './doctor/server.ts';
import { settingsCheck } from './doctor/settings.ts';
import { browserCheck, questionReceiversCheck, searchEnginesCheck } from './doctor/web.ts';
import { documentedCommand } from './documented-command.ts';

const EXAMINATIONS: readonly DoctorCheck[] = [
  programCheck,
  dataFolderCheck,
  databaseCheck,
  bucketCheck,
  settingsCheck,
  accessKeysCheck,
  embeddingModelCheck,
  optionalPartsCheck,
  serverCheck,
  browserCheck,
  gitCheck,
  assistantsCheck,
  questionReceiversCheck,
  searchEnginesCheck,
  searxngCheck,
];
interface DoctorFinding extends DoctorRemark {
  readonly what: string;
}

const WORDS: Readonly<Record<DoctorFinding['state'], string>> = {
  good: 'good',
  note: 'note',
  problem: 'PROBLEM',
  left: 'unused',
};
const TONES: Readonly<Record<DoctorFinding['state'], TerminalTone | undefined>> = {
  good: undefined,
  note: 'warning',
  problem: 'alarm',
  left: 'quiet',
};

const AGENTS_OFFER =
  'magpie scan --agents checks what the assistants here run. It starts nothing and sends nothing.';

export const doctorCommand = documentedCommand('doctor', {
  failedExit: 1,
  flags: { offline: z.boolean().default(false) },
  effect: () => 'read',
  makesFolder: () => true,
  async run({ offline }, ctx) {
    const findings: DoctorFinding[] = [];
    for (const one of EXAMINATIONS) {
      if (ctx.signal.aborted) return 'stopped';
      const remarks = offline && one.online ? left('not asked (--offline)') : await examined(one, ctx);
      const found = [remarks].flat().flatMap((remark) => {
        if (!remark) return [];
        const { state, says, mend } = remark;
        return { state, what: one.what, says, mend };
      });
      findings.push(...found);
      if (!ctx.json) for (const finding of found) await print(finding, ctx);
    }
    if (ctx.signal.aborted) return 'stopped';
    if (ctx.json) await ctx.print(JSON.stringify({ findings }));
    const count = (state: DoctorFinding['state']) => findings.filter((one) => one.state === state).length;
    const has = (state: DoctorFinding['state']) => count(state) > 0;
    if (!ctx.json) await ctx.print(summarize(count('problem'), count('note')));
    if (!ctx.json) await ctx.print(AGENTS_OFFER, 'hint');
    return has('problem') ? 'failed' : has('note') ? 'partly' : 'done';
  },
});

function summarize(problems: number, notes: number): string {
  if (problems + notes === 0) return '\nAll works. What is unused is not needed.';
  const parts = [
    problems > 0 && `${formatCount(problems, 'thing')} ${problems === 1 ? 'does' : 'do'} not work (PROBLEM)`,
    notes > 0 && `${formatCount(notes, 'thing')} ${notes === 1 ? 'is' : 'are'} to be known (note)`,
  ];
  return `\n${parts.filter(Boolean).join(', and ')}. All else works, and what is unused is not needed.`;
}

async function examined(one: DoctorCheck, ctx: CommandContext): ReturnType<DoctorCheck['run']> {
  ctx.progress(`checking: ${one.what}`);
  return one.run(ctx).catch((error: unknown) => problem(reasonAtTerminal(error)));
}

const WIDTH = 12;

async function print({ state, what, says, mend }: DoctorFinding, ctx: CommandContext): Promise<void> {
  await ctx.print(`${WORDS[state].padEnd(9)}${what.padEnd(WIDTH)}${says}`, TONES[state]);
  if (mend === undefined) return;
  const advice = mend.startsWith('magpie ') ? `run ${mend}` : mend;
  const label = state === 'left' ? 'if you want it' : 'to mend it';
  await ctx.print(`${' '.repeat(9 + WIDTH)}${label}: ${advice}`, 'hint');
}
