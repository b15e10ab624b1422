import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PARTS } from './parts.ts';
import { writeSample } from './sample.ts';

/**
 * `npm run bench -- <part>`: each part prints its own table; without a name, all of them run. `--short` in place of a part's own arguments: the
 * least of it that still shows that it works, on a sample of made-up data; its figures mean nothing. Several parts may be named with it.
 */

const given = process.argv.slice(2);
const isShort = given.includes('--short');
const words = given.filter((one) => one !== '--short');
const [names, args] = isShort ? [words, []] : [words.slice(0, 1), words.slice(1)];
const unknown = names.find((name) => !PARTS[name]);
if (unknown !== undefined) {
  process.stderr.write(
    `${JSON.stringify(unknown)} is not a bench; the benches are ${Object.keys(PARTS).join(', ')}\n`,
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
    if (names.length > 0 && !names.includes(part)) continue;
    process.stdout.write(`\n# ${part}\n`);
    delete process.env.DATABASE_URL;
    if (onPostgres && database !== undefined) process.env.DATABASE_URL = database;
    await (await load()).run(isShort ? short : args);
  }
} finally {
  rmSync(sample, { recursive: true, force: true });
}
