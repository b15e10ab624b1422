import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createEntryStore } from '../src/knowledge/stores/sqlite.ts';
import type { AnyDatabase, Value } from '../src/storage/any-database.ts';
import { openPostgres } from '../src/storage/postgres/open.ts';
import { prepared } from '../src/storage/postgres/text.ts';
import { printTable, whole } from './figures.ts';
import { passageTexts, questionFrom, vectorsOf } from './kb-data.ts';
import { fill } from './kb-fill.ts';
import { numbers } from './local-texts.ts';

/**
 * What a question's candidates take on PostgreSQL, by words and vectors in one statement, beside the same statements with the same values
 * sent bare by the client. `DATABASE_URL=postgres://... npm run bench -- postgres-questions [passages of the user]`, 100,000 without a number;
 * `--owner <name>` asks one that is there already.
 */

const PASSAGES = 100_000;
const QUESTIONS = 100;
/** Texts between those that questions are taken from. */
const APART = 37;
const CANDIDATES = 100;

interface Asked {
  readonly text: string;
  readonly values: readonly Value[];
}

export async function run(args: readonly string[] = []): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { owner: { type: 'string' } },
    allowPositionals: true,
  });
  const url = process.env.DATABASE_URL;
  if (!url?.startsWith('postgres')) {
    process.stdout.write('\n## postgres-questions: left out, DATABASE_URL names no database\n');
    return;
  }
  const db = await openPostgres({ url });
  const asked: Asked[] = [];
  const store = createEntryStore(recording(db, asked));
  const owner = values.owner ?? `bench-${randomUUID()}`;
  try {
    if (values.owner === undefined) {
      await fill(store, owner, Number(positionals[0] ?? PASSAGES), passageTexts(), vectorsOf(5));
      for (const table of ['kb_words', 'kb_halfvecs', 'kb_passages', 'kb_entries'])
        await db.query(`VACUUM ANALYZE ${table}`, []);
    }
    const times = await ask(store, owner, asked);
    const bare = await askBare(url, asked);
    const { searched } = await store.readStanding(owner, 'stand-in');
    process.stdout.write(
      `\n## postgres-questions: ms of ${QUESTIONS} questions of five words, ${whole(searched)} passages of the user\n\n`,
    );
    printTable(
      ['', 'p50', 'p99'],
      [
        ['candidates by words and vectors, read', ...shown(times)],
        ['the same statements sent bare', ...shown(bare)],
        ['bare / Magpie', ...[0.5, 0.99].map((part) => (at(bare, part) / at(times, part)).toFixed(2))],
      ],
    );
  } finally {
    if (values.owner === undefined) await store.removeAllEntries(owner);
    await db.close();
  }
}

/** Notes what is asked on its own, with its values. */
function recording(db: AnyDatabase, asked: Asked[]): AnyDatabase {
  return {
    ...db,
    read: (work) =>
      db.read((sql) =>
        work({
          ...sql,
          all(text, ...given) {
            asked.push({ text, values: given });
            return sql.all(text, ...given);
          },
        }),
      ),
  };
}

async function ask(
  store: ReturnType<typeof createEntryStore>,
  owner: string,
  asked: Asked[],
): Promise<number[]> {
  const [next, vector, random] = [passageTexts(), vectorsOf(11), numbers(3)];
  const times: number[] = [];
  for (let n = -10; n < QUESTIONS; n++) {
    for (let skipped = 0; skipped < APART; skipped++) next();
    const text = questionFrom(next(), random);
    const near = { model: 'stand-in', vector: vector() };
    // The first ones make the connection, and its plan.
    if (n === 0) asked.length = 0;
    const began = performance.now();
    await store.findCandidates?.(owner, { text, most: CANDIDATES, within: undefined, near });
    if (n >= 0) times.push(performance.now() - began);
  }
  return times;
}

async function askBare(url: string, asked: readonly Asked[]): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const times: number[] = [];
  const send = async ({ text, values }: Asked) => {
    const began = performance.now();
    await client.query({ name: 'bare', text: prepared(text).text, values: [...values] });
    return performance.now() - began;
  };
  for (const one of asked.slice(0, 10)) await send(one);
  for (const one of asked) times.push(await send(one));
  await client.end();
  return times;
}

const at = (times: readonly number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
const shown = (times: readonly number[]) => [at(times, 0.5).toFixed(1), at(times, 0.99).toFixed(1)];
