import type pg from 'pg';
import { currentSpan } from '../../lib/tracing.ts';
import type { Answer, Sql, Value } from '../any-database.ts';
import { prepared } from './text.ts';
import { sent } from './values.ts';

/** A question of a step: asked on the connection that the step has. What the step does not wait for goes to `unread`. */
type Question = (client: pg.ClientBase, unread: Unread) => Promise<unknown> | undefined;

class Asked<T> implements Answer<T> {
  readonly ask: Question;
  constructor(ask: Question) {
    this.ask = ask;
  }
  *[Symbol.iterator](): Generator<Question, T, unknown> {
    return (yield this.ask) as T;
  }
}

const statement = (text: string, values: readonly Value[]) => {
  currentSpan().note(text);
  return { ...prepared(text), values: values.map(sent) };
};

/**
 * Begins a statement whose plan does not depend on its values: it is made once for a connection. PostgreSQL by itself would make one each time
 * where it takes that one for cheaper, and of a long statement that takes longer than to run it.
 */
export const PLANNED_ONCE = '/* planned once */';
const KEEP_PLAN = 'SET plan_cache_mode = force_generic_plan';
const FREE_PLAN = 'RESET plan_cache_mode';

/** One statement; what goes with it is sent together with it. */
export async function askOne(client: pg.ClientBase, text: string, values: readonly Value[]) {
  const asked = statement(text, values);
  if (!text.startsWith(PLANNED_ONCE)) return client.query(asked);
  const sent = [KEEP_PLAN, asked, FREE_PLAN].map((one) => client.query(one));
  const ended = await Promise.allSettled(sent);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return sent[1] as Promise<pg.QueryResult>;
}

/** Statements that were sent and whose answers have not been read. */
export class Unread {
  readonly #answers: Promise<pg.QueryResult>[] = [];

  add(answer: Promise<pg.QueryResult>): void {
    // It is heard of by `settle`, if the step comes so far.
    answer.catch(() => {});
    this.#answers.push(answer);
  }

  /** Waits until all have been answered; rejects with the failure of the first one that has failed: those after it failed for its sake. */
  async settle(): Promise<void> {
    const ended = await Promise.allSettled(this.#answers.splice(0));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }
}

/** All are sent before the first answer comes; rejects when all have ended. */
async function askEach(
  client: pg.ClientBase,
  text: string,
  lists: Iterable<readonly Value[]>,
): Promise<pg.QueryResult[]> {
  const asked = Array.from(lists, (values) => client.query(statement(text, values)));
  const ended = await Promise.allSettled(asked);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** The questions of steps; one object for all, since the connection is the runner's. */
export const POSTGRES_SQL: Sql = {
  dialect: 'postgres',
  all: <Row>(text: string, ...values: readonly Value[]) =>
    new Asked<Row[]>(async (client) => (await askOne(client, text, values)).rows as Row[]),
  get: <Row>(text: string, ...values: readonly Value[]) =>
    new Asked<Row | undefined>(async (client) => (await client.query(statement(text, values))).rows[0]),
  run: (text, ...values) =>
    new Asked<number>(async (client) => (await client.query(statement(text, values))).rowCount ?? 0),
  send: (text, ...values) =>
    new Asked<void>((client, unread) => {
      unread.add(client.query(statement(text, values)));
      return undefined;
    }),
  sendEach: (text, lists) =>
    new Asked<void>((client, unread) => {
      for (const values of lists) unread.add(client.query(statement(text, values)));
      return undefined;
    }),
  allEach: <Row>(text: string, lists: Iterable<readonly Value[]>) =>
    new Asked<Row[][]>(async (client) =>
      (await askEach(client, text, lists)).map(({ rows }) => rows as unknown as Row[]),
    ),
  // Statements of a connection run in their order: the next one waits on the server.
  alone: (name) => POSTGRES_SQL.send('SELECT pg_advisory_xact_lock(hashtextextended(?, 19))', name),
};

/** Runs a step: each question goes to the connection, and its answer back to the step. All have been answered at its end. */
export async function runSteps<T>(work: Answer<T>, client: pg.ClientBase): Promise<T> {
  const unread = new Unread();
  const result = await beginSteps(work, client, unread);
  await unread.settle();
  return result;
}

/** The same; what the step did not wait for may be unanswered at its end. */
export async function beginSteps<T>(work: Answer<T>, client: pg.ClientBase, unread: Unread): Promise<T> {
  const steps = work[Symbol.iterator]();
  let next = steps.next();
  while (!next.done) {
    const ask = next.value as Question;
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

/** Rejects with what failed first. */
async function askAfter(ask: Question, client: pg.ClientBase, unread: Unread): Promise<unknown> {
  try {
    return await ask(client, unread);
  } catch (error) {
    await unread.settle();
    throw error;
  }
}
