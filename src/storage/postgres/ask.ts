import type pg from 'pg';
import { currentSpan } from '../../lib/tracing.ts';
import type { Sql, SqlAnswer } from '../any-database.ts';
import { readStatement, type SqlFragment, type SqlPart, type SqlStatement } from '../sql-template.ts';
import { escapeNul } from './escape-nul.ts';
import { prepareText } from './prepare-text.ts';

type ClientQuestion = (client: pg.ClientBase, unread: UnreadAnswers) => Promise<unknown> | undefined;

class AskedAnswer<T> implements SqlAnswer<T> {
  readonly ask: ClientQuestion;
  constructor(ask: ClientQuestion) {
    this.ask = ask;
  }
  *[Symbol.iterator](): Generator<ClientQuestion, T, unknown> {
    return (yield this.ask) as T;
  }
}

const statement = (sql: SqlStatement, parts: readonly SqlPart[]) => {
  const { text, values } = readStatement(sql, parts);
  currentSpan().note(text);
  return { ...prepareText(text), values: values.map(escapeNul) };
};

/** Prefix of statements whose plan a connection keeps, because planning may take longer than running. */
export const PLANNED_ONCE = '/* planned once */';
const KEEP_PLAN = 'SET plan_cache_mode = force_generic_plan';
const FREE_PLAN = 'RESET plan_cache_mode';

export async function runPostgresStatement(
  client: pg.ClientBase,
  sql: SqlStatement,
  parts: readonly SqlPart[],
) {
  const asked = statement(sql, parts);
  if (!asked.text.startsWith(PLANNED_ONCE)) return client.query(asked);
  const sent = [KEEP_PLAN, asked, FREE_PLAN].map((one) => client.query(one));
  const ended = await Promise.allSettled(sent);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return sent[1] as Promise<pg.QueryResult>;
}

export class UnreadAnswers {
  readonly #answers: Promise<pg.QueryResult>[] = [];

  add(answer: Promise<pg.QueryResult>): void {
    // Prevents an unhandled rejection. `settle` reports the error later.
    answer.catch(() => {});
    this.#answers.push(answer);
  }

  /** Rejects with the error of the first failed statement, which has caused the other errors. */
  async settle(): Promise<void> {
    const ended = await Promise.allSettled(this.#answers.splice(0));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }
}

async function askEach(client: pg.ClientBase, all: Iterable<SqlFragment>) {
  const asked = Array.from(all, ({ text, values }) => client.query(statement(text, values)));
  const ended = await Promise.allSettled(asked);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** All transactions share this object, because each call supplies its own connection. */
export const POSTGRES_SQL: Sql = {
  dialect: 'postgres',
  all: <Row>(text: SqlStatement, ...values: readonly SqlPart[]) =>
    new AskedAnswer<Row[]>(
      async (client) => (await runPostgresStatement(client, text, values)).rows as Row[],
    ),
  get: <Row>(text: SqlStatement, ...values: readonly SqlPart[]) =>
    new AskedAnswer<Row | undefined>(async (client) => (await client.query(statement(text, values))).rows[0]),
  run: (text, ...values) =>
    new AskedAnswer<number>(async (client) => (await client.query(statement(text, values))).rowCount ?? 0),
  send: (text, ...values) =>
    new AskedAnswer<void>((client, unread) => {
      unread.add(client.query(statement(text, values)));
      return undefined;
    }),
  sendEach: (text, lists) =>
    new AskedAnswer<void>((client, unread) => {
      for (const values of lists) unread.add(client.query(statement(text, values)));
      return undefined;
    }),
  allEach: <Row>(all: Iterable<SqlFragment>) =>
    new AskedAnswer<Row[][]>(async (client) =>
      (await askEach(client, all)).map(({ rows }) => rows as unknown as Row[]),
    ),
  // There is no need to wait: PostgreSQL runs the connection's next statements only with the lock.
  lockName: (name) => POSTGRES_SQL.send('SELECT pg_advisory_xact_lock(hashtextextended(?, 19))', name),
};

export async function runSteps<T>(work: SqlAnswer<T>, client: pg.ClientBase): Promise<T> {
  const unread = new UnreadAnswers();
  const result = await beginSteps(work, client, unread);
  await unread.settle();
  return result;
}

/** Runs work like `runSteps`, but does not wait for results that the work does not read. */
export async function beginSteps<T>(
  work: SqlAnswer<T>,
  client: pg.ClientBase,
  unread: UnreadAnswers,
): Promise<T> {
  const steps = work[Symbol.iterator]();
  let next = steps.next();
  while (!next.done) {
    const ask = next.value as ClientQuestion;
    let answer: unknown;
    try {
      answer = await askAfter(ask, client, unread);
    } catch (error) {
      if (!steps.throw) throw error;
      next = steps.throw(error);
      continue;
    }
    next = steps.next(answer);
  }
  return next.value;
}

async function askAfter(ask: ClientQuestion, client: pg.ClientBase, unread: UnreadAnswers): Promise<unknown> {
  try {
    return await ask(client, unread);
  } catch (error) {
    await unread.settle();
    throw error;
  }
}
