import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { chunkEntry, normalizeEntry } from '../src/knowledge/entries/new-entry.ts';
import { createEntryStore } from '../src/knowledge/stores/entry-store.ts';
import type { AnyDatabase, Sql, SqlValue, TransactionWork } from '../src/storage/any-database.ts';
import { runPostgresStatement } from '../src/storage/postgres/ask.ts';
import { openPostgres } from '../src/storage/postgres/open.ts';
import { readStatement, type SqlPart, type SqlStatement } from '../src/storage/sql-template.ts';
import { environment, spawnServer, temporaryFolder } from '../test/helpers/magpie.ts';
import { printTable, whole } from './figures.ts';
import { passageTexts, questionFrom, vectorsOf } from './kb-data.ts';
import { numbers } from './local-texts.ts';
import { fillUsers } from './postgres-fill.ts';
import type { NodeWork } from './scale-postgres-tool.ts';

/**
 * What nodes on one PostgreSQL take: durable inserts of one passage a second and questions, over many users of 100 passages in growing
 * numbers, and over one user of many; a node is the store in a process of its own, with CALLERS at once. Beside it the statements of one caller, recorded and
 * sent bare by one client with the same values on the same rows. Then a whole server's start and memory.
 * `DATABASE_URL=postgres://... npm run bench -- scale-postgres [passages over users of 100 each ...] --one <passages of the one user>` on an
 * empty database of its own; 20,000, 60,000 and 200,000, and 100,000 without numbers. `--seconds <s>` each, 8 without; `--calls <n>` of the one
 * caller, 200 without.
 */

const EACH = 100;
const SIZES = ['20000', '60000', '200000'];
const CALLERS = 4;
/** Starts of a whole server. */
const STARTS = 3;

/** How long nodes are asked, and calls of the one caller, whose statements are sent bare. */
interface Amount {
  readonly seconds: number;
  readonly calls: number;
}

export async function run(args: readonly string[] = []): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      one: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '8' },
      calls: { type: 'string', default: '200' },
    },
    allowPositionals: true,
  });
  const url = process.env.DATABASE_URL;
  if (!url?.startsWith('postgres')) {
    process.stdout.write('\n## scale-postgres: left out, DATABASE_URL names no database\n');
    return;
  }
  await (await openPostgres({ url })).close();
  const amount = { seconds: Number(values.seconds), calls: Number(values.calls) };
  const rows: string[][] = [];
  const note = (which: readonly string[], measured: readonly string[][]) => {
    const own = measured.map((row) => [...which, ...row]);
    rows.push(...own);
    process.stderr.write(`${JSON.stringify(own)} at load ${loadavg()[0]?.toFixed(1)}\n`);
  };
  let users = 0;
  for (const size of (positionals.length > 0 ? positionals : SIZES).map(Number)) {
    await fillUsers(url, 'many', { from: users, to: size / EACH, each: EACH });
    users = size / EACH;
    note([whole(size), whole(users)], await measure(url, 'many', users, amount));
  }
  const one = Number(values.one);
  if (one > 0) {
    await fillUsers(url, 'one', { from: 0, to: 1, each: one });
    note([whole(one), '1'], await measure(url, 'one', 1, amount));
  }
  process.stdout.write(
    `\n## scale-postgres: ${CALLERS} callers at each node, load ${loadavg()[0]?.toFixed(1)} at the end\n\n`,
  );
  printTable(
    [
      'passages',
      'users',
      'who',
      'inserts/s',
      'an insert, ms p50 / p99',
      'questions/s',
      'a question, ms p50 / p99',
    ],
    rows,
  );
  await printStarts(url);
}

async function measure(url: string, prefix: string, users: number, amount: Amount): Promise<string[][]> {
  const ms = amount.seconds * 1000;
  const nodes = [await startNode(url, prefix, users, 1), await startNode(url, prefix, users, 2)];
  const rows: string[][] = [];
  try {
    for (const count of [1, 2]) {
      const some = nodes.slice(0, count);
      rows.push([
        `${count} node${count > 1 ? 's' : ''}`,
        ...figures(await atNodes(some, 'insert', ms), ms),
        ...figures(await atNodes(some, 'question', ms), ms),
      ]);
    }
  } finally {
    for (const node of nodes) node.disconnect();
  }
  return [...rows, ...(await besideBare(url, prefix, users, amount.calls))];
}

async function startNode(url: string, prefix: string, users: number, seed: number): Promise<ChildProcess> {
  const tool = fileURLToPath(new URL('./scale-postgres-tool.ts', import.meta.url));
  const child = fork(tool, [url, prefix, `${users}`, `${seed}`]);
  await once(child, 'message');
  return child;
}

/** After an eighth of the time that is not counted. */
async function atNodes(
  nodes: readonly ChildProcess[],
  what: NodeWork['what'],
  ms: number,
): Promise<number[]> {
  const together = async (ms: number) => {
    const asked = nodes.map(async (node) => {
      const answer = once(node, 'message');
      node.send({ what, callers: CALLERS, ms } satisfies NodeWork);
      return ((await answer) as [number[]])[0];
    });
    return (await Promise.all(asked)).flat();
  };
  await together(ms / 8);
  return together(ms);
}

function figures(times: readonly number[], ms: number): string[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(1);
  return [whole((times.length * 1000) / ms), `${at(0.5)} / ${at(0.99)}`];
}

/** The statements of a step in groups that are sent together; the step waits for the answers of a group, or goes on. */
interface Recorded {
  readonly isWrite: boolean;
  readonly groups: Group[];
}
interface Group {
  readonly statements: readonly { readonly text: string; readonly values: readonly SqlValue[] }[];
  readonly waits: boolean;
}

class Undone extends Error {}

/** Notes the statements of each step. Writes are undone where `keeps` says so, for the same to be sent bare afterwards. */
function recording(db: AnyDatabase, steps: Recorded[], keeps: () => boolean): AnyDatabase {
  const noting = (sql: Sql, { groups }: Recorded): Sql => {
    const one = (statement: SqlStatement, parts: readonly SqlPart[], waits = true) =>
      groups.push({ statements: [readStatement(statement, parts)], waits });
    const each = (text: string, given: Iterable<readonly SqlValue[]>) => {
      const lists = [...given];
      groups.push({ statements: lists.map((values) => ({ text, values })), waits: false });
      return lists;
    };
    return {
      ...sql,
      all(text, ...values) {
        one(text, values);
        return sql.all(text, ...values);
      },
      get(text, ...values) {
        one(text, values);
        return sql.get(text, ...values);
      },
      run(text, ...values) {
        one(text, values);
        return sql.run(text, ...values);
      },
      send(text, ...values) {
        one(text, values, false);
        return sql.send(text, ...values);
      },
      sendEach: (text, lists) => sql.sendEach(text, each(text, lists)),
      allEach: (given) => {
        const all = [...given];
        groups.push({ statements: all, waits: true });
        return sql.allEach(all);
      },
    };
  };
  const begin = (isWrite: boolean): Recorded => {
    const step = { isWrite, groups: [] };
    steps.push(step);
    return step;
  };
  return {
    ...db,
    read(work) {
      const step = begin(false);
      return db.read((sql) => work(noting(sql, step)));
    },
    async write<T>(work: TransactionWork<T>): Promise<T> {
      const step = begin(true);
      if (keeps()) return db.write((sql) => work(noting(sql, step)));
      let result: { readonly value: T } | undefined;
      try {
        await db.write(function* (sql) {
          result = { value: yield* work(noting(sql, step)) };
          throw new Undone();
        });
      } catch (error) {
        if (!result) throw error;
      }
      if (!result) throw new TypeError('a step has no result');
      return result.value;
    },
  };
}

/** One caller by the store, and its statements by one client, in turns: the machine drifts. */
async function besideBare(url: string, prefix: string, users: number, calls: number): Promise<string[][]> {
  const [db, steps] = [await openPostgres({ url, connections: 1 }), [] as Recorded[]];
  let keeps = true;
  const recorded = createEntryStore(recording(db, steps, () => keeps));
  const store = createEntryStore(db);
  const client = new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig);
  await client.connect();
  const [next, vector, random] = [passageTexts(), vectorsOf(3), numbers(31)];
  /** Of the store, bare, and bare with the answer of each statement before the next. */
  const times = { insert: lists(), question: lists() };
  const timed = async (list: number[] | undefined, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    list?.push(performance.now() - began);
  };
  for (let call = -10; call < calls; call++) {
    if (call === 0) for (const list of [...times.insert, ...times.question]) list.length = 0;
    const owner = `${prefix}-${Math.floor(random() * users)}`;
    const addition = async () => [
      { owner, entry: await chunkEntry(normalizeEntry({ text: `${next()} bare ${call}` }), 256) },
    ];
    keeps = false;
    // Undone, so that all find the pages read.
    const own = await addition();
    await recorded.insertEntries(own);
    await timed(times.insert[0], () => store.insertEntries(own));
    for (const inTurn of [false, true]) {
      steps.length = 0;
      await recorded.insertEntries(await addition());
      await timed(times.insert[inTurn ? 2 : 1], () => sendAll(client, steps, inTurn));
    }
    const asked = { text: questionFrom(next(), random), most: 100, within: undefined };
    const question = { ...asked, near: { model: 'stand-in', vector: vector() } };
    keeps = true;
    // It reads the user's state, which a node remembers.
    await recorded.findCandidates?.(owner, question);
    steps.length = 0;
    await timed(times.question[0], async () => recorded.findCandidates?.(owner, question));
    for (const inTurn of [false, true]) {
      await timed(times.question[inTurn ? 2 : 1], () => sendAll(client, steps, inTurn));
    }
  }
  await client.end();
  await db.close();
  const rows = ['one caller', 'the same SQL bare', 'bare, each waited for'].map((who, at) => {
    const [inserts, questions] = [times.insert[at] ?? [], times.question[at] ?? []];
    const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);
    return [who, ...figures(inserts, sum(inserts)), ...figures(questions, sum(questions))];
  });
  const ratio = ([own = [], bare = []]: readonly number[][]) => (middle(bare) / middle(own)).toFixed(2);
  return [...rows, ['bare / one caller, p50', '', ratio(times.insert), '', ratio(times.question)]];
}

const lists = (): number[][] => [[], [], []];
const middle = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;

/** As a step sends them, or with the answer of each group before the next. */
async function sendAll(client: pg.Client, steps: readonly Recorded[], inTurn = false): Promise<void> {
  for (const { isWrite, groups } of steps) {
    let unread: Promise<unknown>[] = isWrite ? [client.query('BEGIN')] : [];
    for (const { statements, waits } of groups) {
      unread.push(...statements.map(({ text, values }) => runPostgresStatement(client, text, values)));
      if (!waits && !inTurn) continue;
      await Promise.all(unread);
      unread = [];
    }
    if (isWrite) unread.push(client.query('COMMIT'));
    await Promise.all(unread);
  }
}

/** A whole server on the database: until it listens, and its memory then and after questions over HTTP. */
async function printStarts(url: string): Promise<void> {
  const [starts, memories]: [number[], string[]] = [[], []];
  for (let n = 0; n < STARTS; n++) {
    const folder = temporaryFolder();
    const began = performance.now();
    const node = await spawnServer({ ...environment(folder.path), DATABASE_URL: url });
    starts.push(performance.now() - began);
    const resident = () =>
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${node.process.pid}/status`, 'utf8'))?.[1] ?? 'NaN';
    const first = Number(resident()) / 1000;
    for (let question = 0; question < 20; question++) {
      await fetch(`${node.url}/query?q=${encodeURIComponent(`magpie ${question}`)}`);
    }
    memories.push(`${first.toFixed(0)} / ${(Number(resident()) / 1000).toFixed(0)}`);
    await node.stop();
    folder.remove();
  }
  process.stdout.write('\n## scale-postgres: a node on that database, with the embedded English model\n\n');
  printTable(
    ['start until it listens, ms', 'resident MB at the start / after 20 questions'],
    starts.map((ms, at) => [ms.toFixed(0), memories[at] ?? '']),
  );
}
