import { Stryker } from '@stryker-mutator/core';
import { LEAST_SCORE, type MutantCount, partsBelow, readFigures, saveFigures, tableOf } from './figures.ts';
import { chosenFiles, PARTS } from './parts.ts';

/** A mutant counts as noticed when a test fails, or never ends. */
const NOTICED: readonly string[] = ['Killed', 'Timeout', 'RuntimeError', 'CompileError'];

const HELP = `npm run mutate                             every part
npm run mutate -- flow                     one part
npm run mutate -- flow value.ts            one file of it
npm run mutate -- flow value.ts:100-150    some of its lines
npm run mutate -- flow value.ts test/security/source/flow-value.test.ts
                                           judged by these tests alone: quick, and no more than all notice
npm run mutate -- figures                  the table of what was measured so far
`;

const say = (text: string) => process.stdout.write(text);

/** Changes the files of a part one place at a time; Stryker prints the changes that no test noticed. */
async function measure(
  part: string,
  wanted?: string,
  judges: readonly string[] = [],
): Promise<MutantCount[]> {
  const { mutate, tests } = chosenFiles(part, wanted);
  // Not by Stryker's `testFiles`: with these it activates mutants only once the modules are loaded, too late for constants.
  process.env.MUTATION_TESTS = (judges.length > 0 ? judges : tests).join(' ');
  process.env.MUTATED_FILES = mutate.map((file) => file.replace(/:[\d-]+$/, '')).join(' ');
  const results = await new Stryker({
    mutate: [...mutate],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    reporters: ['progress-append-only', 'clear-text'],
    clearTextReporter: {
      allowColor: process.stdout.isTTY,
      reportTests: false,
      logTests: false,
      reportScoreTable: false,
    },
    // Stryker would rewrite the paths in tsconfig.json by TypeScript's JavaScript interface, which version 7 has no more.
    tsconfigFile: 'none',
    allowConsoleColors: process.stdout.isTTY,
    ignorePatterns: ['docs', 'bench', 'deploy', 'examples'],
    concurrency: Number(process.env.MUTATION_WORKERS) || undefined,
    timeoutMS: 20_000,
  }).runMutationTest();
  return mutate.map((file) => {
    const [path = file, lines] = file.split(/:(?=\d)/);
    const own = results.filter((one) => one.fileName.endsWith(path) && one.status !== 'Ignored');
    const noticed = own.filter((one) => NOTICED.includes(one.status)).length;
    return { part, file: path, lines, mutants: own.length, noticed };
  });
}

const [part, wanted, ...judges] = process.argv.slice(2);
if (part === '--help') say(HELP);
else if (part === 'figures') say(tableOf(readFigures()));
else {
  const measured: MutantCount[] = [];
  for (const name of part === undefined ? Object.keys(PARTS) : [part]) {
    const counts = await measure(name, wanted, judges);
    saveFigures(counts);
    measured.push(...counts);
  }
  say(tableOf(measured));
  if (partsBelow(measured).length > 0) {
    say(`Each part needs ${LEAST_SCORE}%.\n`);
    process.exitCode = 1;
  }
}
