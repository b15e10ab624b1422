import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, printTable, whole } from './figures.ts';

/**
 * The embedded model on texts of 50 words, beside its bare runtime with tokens made beforehand. The sides
 * take turns, since the machine drifts; medians of their rounds, and the median of the rounds' ratios.
 */

interface Round {
  readonly rate: number;
  readonly cpuMs: number;
  readonly megabytes: number;
}

/** `--rounds <n>`: 5 without; `--texts <n>` of each: 256 without. */
export async function run(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '5' }, texts: { type: 'string', default: '256' } },
  });
  const count = Number(values.rounds);
  process.stdout.write(`\n## embed: texts of 50 words, ${count} rounds\n\n`);
  const sides = [];
  for (const name of ['product', 'bare']) sides.push(await begin(name, values.texts));
  const [ours, bare] = sides;
  if (!ours || !bare) return;
  const rows: string[][] = [];
  for (const what of ['batched', 'single']) {
    const rounds: { ours: Round; bare: Round }[] = [];
    for (let round = 0; round < count; round++) {
      rounds.push({ ours: await ask(ours.child, what), bare: await ask(bare.child, what) });
    }
    const figures = (side: 'ours' | 'bare', of: keyof Round) => rounds.map((round) => round[side][of]);
    rows.push([
      what === 'batched' ? 'batched' : 'one by one',
      `${whole(median(figures('ours', 'rate')))} texts/s`,
      `${whole(median(figures('bare', 'rate')))} texts/s`,
      median(rounds.map((round) => round.ours.rate / round.bare.rate)).toFixed(2),
      `${median(figures('ours', 'cpuMs')).toFixed(1)} / ${median(figures('bare', 'cpuMs')).toFixed(1)} ms`,
      `${whole(Math.max(...figures('ours', 'megabytes')))} / ${whole(Math.max(...figures('bare', 'megabytes')))}`,
    ]);
  }
  for (const { child } of sides) child.kill();
  printTable(['', 'Magpie', 'bare runtime', 'ratio', 'processor time a text', 'resident MB'], rows);
  process.stdout.write(
    `\nFrom nothing to the first vector: ${whole(ours.coldMs)} ms, bare ${whole(bare.coldMs)} ms.\n`,
  );
}

async function begin(name: string, texts: string): Promise<{ child: ChildProcess; coldMs: number }> {
  const child = fork(fileURLToPath(new URL('./embed-tool.ts', import.meta.url)), [name, texts], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ coldMs }] = await once(child, 'message');
  return { child, coldMs };
}

async function ask(child: ChildProcess, what: string): Promise<Round> {
  const answer = once(child, 'message');
  child.send(what);
  const [round] = await answer;
  return round;
}
