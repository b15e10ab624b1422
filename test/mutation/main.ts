import { Stryker } from '@stryker-mutator/core';
import { PARTS } from './parts.ts';

/** Percent of the mutants of each part that its tests must notice. */
const LEAST_SCORE = 90;

/** A mutant counts as noticed when a test fails, or never ends. */
const NOTICED: readonly string[] = ['Killed', 'Timeout', 'RuntimeError', 'CompileError'];

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Percent of noticed mutants of one part; Stryker prints those that no test noticed. */
async function scoreOf(name: string): Promise<number> {
  const part = PARTS[name];
  if (!part) throw new Error(`no part ${name}; there are ${Object.keys(PARTS).join(', ')}`);
  // Not by Stryker's `testFiles`: with these it activates mutants only once the modules are loaded, too late for constants.
  process.env.MUTATION_TESTS = part.tests.join(' ');
  const results = await new Stryker({
    mutate: [...part.mutate],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: process.stdout.isTTY, reportTests: false, logTests: false },
    // Stryker would rewrite the paths in tsconfig.json by TypeScript's JavaScript interface, which version 7 has no more.
    tsconfigFile: 'none',
    allowConsoleColors: process.stdout.isTTY,
    ignorePatterns: ['docs', 'bench', 'deploy', 'examples'],
    timeoutMS: 20_000,
  }).runMutationTest();
  const noticed = results.filter((mutant) => NOTICED.includes(mutant.status)).length;
  const counted = results.filter((mutant) => mutant.status !== 'Ignored').length;
  return (100 * noticed) / Math.max(1, counted);
}

const names = process.argv.slice(2);
const scores = new Map<string, number>();
for (const name of names.length > 0 ? names : Object.keys(PARTS)) scores.set(name, await scoreOf(name));
for (const [name, score] of scores) say(`${name.padEnd(12)} ${score.toFixed(1)}% of the mutants noticed`);
if ([...scores.values()].some((score) => score < LEAST_SCORE)) {
  say(`Each part needs ${LEAST_SCORE}%.`);
  process.exitCode = 1;
}
