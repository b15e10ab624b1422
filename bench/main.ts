import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSample } from './sample.ts';

/**
 * `npm run bench -- <part>`: each part prints its own table; without a name, all of them run. `--short` in place of a part's own arguments: the
 * least of it that still shows that it works, on a sample of made-up data; its figures mean nothing.
 */

interface Part {
  load(): Promise<{ run(args: readonly string[]): Promise<void> }>;
  /** Arguments of its short form. */
  readonly short: readonly string[];
  /** Whether it measures the database that `DATABASE_URL` names; the others keep all in folders of their own. */
  readonly onPostgres?: boolean;
}

const PARTS: Readonly<Record<string, Part>> = {
  surface: { load: () => import('./surface.ts'), short: ['--short'] },
  extract: { load: () => import('./extract.ts'), short: ['--rounds', '1'] },
  reduce: { load: () => import('./reduce.ts'), short: [] },
  search: { load: () => import('./search.ts'), short: ['--no-late', '--callers', '1', '--calls', '2'] },
  'lost-pages': {
    load: () => import('./lost-pages.ts'),
    short: ['--calls', '4', '--callers', '2', '--kilobytes', '10'],
  },
  fusion: { load: () => import('./fusion.ts'), short: ['--seeds', '4'] },
  local: { load: () => import('./local.ts'), short: ['--pages', '1000'] },
  pdf: { load: () => import('./pdf.ts'), short: ['--pages', '3', '--rounds', '1'] },
  loop: { load: () => import('./loop.ts'), short: ['--short'] },
  kb: {
    load: () => import('./kb.ts'),
    short: [
      'inserts',
      '300',
      'users',
      '--rounds',
      '1',
      '--inserts',
      '32',
      '--users',
      '3',
      '--questions',
      '10',
    ],
  },
  embed: { load: () => import('./embed.ts'), short: ['--rounds', '1', '--texts', '16'] },
  vectors: { load: () => import('./vectors.ts'), short: ['300'] },
  scale: { load: () => import('./scale.ts'), short: ['500'] },
  postgres: { load: () => import('./postgres.ts'), short: ['--entries', '200'], onPostgres: true },
  'scale-postgres': {
    load: () => import('./scale-postgres.ts'),
    short: ['400', '--one', '200', '--seconds', '0.3', '--calls', '4'],
    onPostgres: true,
  },
  'postgres-questions': { load: () => import('./postgres-questions.ts'), short: ['4000'], onPostgres: true },
  sessions: { load: () => import('./sessions.ts'), short: ['--calls', '10'], onPostgres: true },
  capacity: {
    load: () => import('./capacity.ts'),
    short: ['--measured', '4', '--probed', '11'],
    onPostgres: true,
  },
  retrieve: { load: () => import('./retrieve.ts'), short: ['--questions', '3'], onPostgres: true },
  access: { load: () => import('./access.ts'), short: ['--rounds', '1', '--seconds', '0.1', '--keys', '10'] },
  scan: { load: () => import('./scan.ts'), short: ['--rounds', '1', '--packages', '1'] },
  monitor: { load: () => import('./monitor.ts'), short: ['2', '--targets', '10', '--interval', '400'] },
  compliance: { load: () => import('./compliance.ts'), short: ['20'] },
};

const given = process.argv.slice(2);
const isShort = given.includes('--short');
const [name, ...args] = given.filter((one) => one !== '--short');
if (name !== undefined && !PARTS[name]) {
  process.stderr.write(
    `${JSON.stringify(name)} is not a bench; the benches are ${Object.keys(PARTS).join(', ')}\n`,
  );
  process.exit(2);
}
const sample = mkdtempSync(join(tmpdir(), 'magpie-bench-sample-'));
if (isShort) {
  writeSample(sample);
  process.env.MAGPIE_BENCH_DATA = sample;
}
const { DATABASE_URL: database } = process.env;
try {
  for (const [part, { load, short, onPostgres = false }] of Object.entries(PARTS)) {
    if (name !== undefined && name !== part) continue;
    process.stdout.write(`\n# ${part}\n`);
    delete process.env.DATABASE_URL;
    if (onPostgres && database !== undefined) process.env.DATABASE_URL = database;
    await (await load()).run(isShort ? short : args);
  }
} finally {
  rmSync(sample, { recursive: true, force: true });
}
