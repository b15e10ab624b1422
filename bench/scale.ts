import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createEntryStore } from '../src/knowledge/stores/entry-store.ts';
import { DATABASE_FILE, openDatabase } from '../src/storage/sqlite.ts';
import { median, printTable, whole } from './figures.ts';
import { passageTexts, vectorsOf } from './kb-data.ts';
import { fill } from './kb-fill.ts';
import type { Measured } from './scale-tool.ts';

/**
 * One user with very many passages: what the first question after a restart takes with a kept index and without one, what later
 * ones take, memory, disk, recall and the longest turn of the event loop. Texts of 80 made-up words; vectors are made up too
 * and take no time. Each start is a process of its own. Beside the search of vectors stands a copy of the bytes that it
 * reads, beside the opening a bare read of the file.
 */

const PASSAGES = 100_000;
const FILLED_AT_ONCE = 10_000;

/** `npm run bench -- scale [passages] [--folder <data folder, kept for the next run>]`; 100,000 without a number. */
export async function run(args: readonly string[] = []): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { folder: { type: 'string' } },
    allowPositionals: true,
  });
  const folder = values.folder ?? join(tmpdir(), `magpie-bench-scale-${process.pid}`);
  try {
    const inserts = await prepare(folder, Number(positionals[0] ?? PASSAGES));
    const count = await countPassages(folder);
    process.stdout.write(
      `\n## scale: ${whole(count)} passages of one user; processor time where nothing else is said\n\n`,
    );
    rmSync(join(folder, 'indexes'), { recursive: true, force: true });
    const built = await measure(folder, 'build');
    const opened = await measure(folder, 'open');
    print(folder, count, inserts, built, opened);
  } finally {
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Microseconds of processor time that an insert took; undefined where the data were there. */
async function prepare(folder: string, count: number): Promise<number | undefined> {
  if (existsSync(join(folder, DATABASE_FILE))) return undefined;
  mkdirSync(folder, { recursive: true });
  const db = await openDatabase({ folder });
  const store = createEntryStore(db);
  const [next, vector] = [passageTexts(), vectorsOf(5)];
  const before = process.cpuUsage();
  for (let done = 0; done < count; done += FILLED_AT_ONCE) {
    await fill(store, 'ann', Math.min(FILLED_AT_ONCE, count - done), next, vector);
  }
  const { user, system } = process.cpuUsage(before);
  db.close();
  return (user + system) / count;
}

async function countPassages(folder: string): Promise<number> {
  const db = await openDatabase({ folder });
  const { searched } = await createEntryStore(db).readStanding('ann', 'stand-in');
  db.close();
  return searched;
}

async function measure(folder: string, mode: 'build' | 'open'): Promise<Measured> {
  const child = fork(fileURLToPath(new URL('./scale-tool.ts', import.meta.url)), [folder, mode]);
  const [measured] = (await once(child, 'message')) as [Measured];
  if (child.exitCode === null) await once(child, 'exit');
  return measured;
}

function print(
  folder: string,
  count: number,
  inserts: number | undefined,
  built: Measured,
  opened: Measured,
): void {
  const size = (path: string) => (existsSync(path) ? statSync(path).size : 0);
  const indexes = join(folder, 'indexes');
  const kept = existsSync(indexes) ? readdirSync(indexes) : [];
  const index = kept.reduce((sum, name) => sum + size(join(indexes, name)), 0);
  const spread = (times: readonly number[]) => {
    const last = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
    return `${median(times).toFixed(1)} / ${last.toFixed(1)} ms`;
  };
  const rows: [string, string, string][] = [
    [
      'processor time of an insert with its vector',
      inserts ? `${inserts.toFixed(0)} µs` : 'filled before',
      '',
    ],
    ['the database on disk, bytes a passage', whole(size(join(folder, DATABASE_FILE)) / count), ''],
    [`the index (${built.kind}) on disk, bytes a passage`, (index / count).toFixed(1), ''],
    ['first question without a kept index, wall', `${whole(built.first.ms)} ms`, built.first.wordsOnly ?? ''],
    ['until the index is built and kept', `${built.ready.toFixed(1)} s`, ''],
    ['first question after a restart, wall', `${whole(opened.first.ms)} ms`, opened.first.wordsOnly ?? ''],
    [
      'the same, processor time',
      `${whole(opened.first.cpuMs)} ms`,
      `bare read of the file ${opened.readMs.toFixed(0)} ms`,
    ],
    ['later questions, p50 / p99, wall', spread(opened.queries.map(({ ms }) => ms)), ''],
    ['the same, processor time', spread(opened.queries.map(({ cpuMs }) => cpuMs)), ''],
    ['of it by words', spread(opened.words), ''],
    ['of it by vectors', spread(opened.vectors), `copying what is read ${opened.copyMs.toFixed(1)} ms`],
    ['recall@10 of the vectors, against all', opened.recall.toFixed(3), ''],
    ['longest turn of the event loop, building', `${built.turn.toFixed(0)} ms`, ''],
    ['longest turn of the event loop, open', `${opened.turn.toFixed(0)} ms`, ''],
    [
      'resident after the first question',
      `${whole(opened.first.megabytes)} MB`,
      `${whole(opened.megabytes)} MB after all`,
    ],
  ];
  printTable(['', 'measured', 'beside it'], rows);
}
