import { afterAll, expect, test } from 'vitest';
import { DatabaseFailure } from '../../../src/errors.ts';
import type { JobQueue } from '../../../src/lib/concurrency/job-queue.ts';
import { createLog } from '../../../src/log.ts';
import { createPostgresJobs, type SharedJobQueue } from '../../../src/storage/postgres/jobs/queue.ts';
import { openNotices } from '../../../src/storage/postgres/notices.ts';
import { openPostgres } from '../../../src/storage/postgres/open.ts';
import { describeJobQueue, heldWorker, KIND } from '../../contracts/job-queue.ts';
import { dropPostgres, makePostgres } from '../../helpers/postgres.ts';
import { makeProxy } from '../../helpers/postgres-proxy.ts';

afterAll(dropPostgres);

async function emptyQueues() {
  const place = await makePostgres();
  const opened: (() => Promise<void>)[] = [];
  return {
    url: place.url,
    async open(): Promise<SharedJobQueue> {
      const db = await openPostgres({ url: place.url });
      const notices = openNotices(place.url);
      const queue = createPostgresJobs(db, notices, createLog('silent'));
      queue.begin();
      opened.push(async () => {
        await queue.close();
        await notices.close();
        await db.close();
      });
      return queue;
    },
    async remove() {
      for (const close of opened) await close();
      await place.remove();
    },
  };
}

describeJobQueue('PostgreSQL', emptyQueues);

/** Two queues on one database, each with a worker, as two nodes have them. */
async function twoNodes(
  work: (nodes: readonly Node[], url: string) => Promise<void>,
  atOnce = 2,
): Promise<void> {
  const place = await emptyQueues();
  try {
    const nodes = await Promise.all(
      [0, 1].map(async () => {
        const held = heldWorker(atOnce);
        const queue = await place.open();
        queue.handle(KIND, held.worker);
        return { ...held, queue };
      }),
    );
    await work(nodes, place.url);
  } finally {
    await place.remove();
  }
}

interface Node extends ReturnType<typeof heldWorker> {
  readonly queue: JobQueue;
}

const all = (nodes: readonly Node[]) => nodes.flatMap(({ ids }) => ids());

test('fifty jobs of many owners are run once each, by both nodes', () =>
  twoNodes(async (nodes) => {
    const [first, second] = nodes;
    const ids = Array.from({ length: 50 }, (_, n) => `job ${n}`);
    const sent = Promise.all(
      ids.map((id, n) => nodes[n % 2]?.queue.send(KIND, { id, owner: `owner ${n % 7}` }, async () => {})),
    );
    await sent;
    await expect
      .poll(() => {
        for (const id of ids) for (const node of nodes) node.end(id);
        return all(nodes).length;
      })
      .toBe(50);
    expect(new Set(all(nodes)).size).toBe(50);
    expect(Math.min(first?.runs.length ?? 0, second?.runs.length ?? 0)).toBeGreaterThan(0);
    for (const id of ids) for (const node of nodes) node.end(id);
    for (const id of ids) await expect.poll(() => first?.queue.isPending(KIND, id)).toBe(false);
    expect(all(nodes)).toHaveLength(50);
  }));

test('a cancellation at one node reaches the run at the other', () =>
  twoNodes(async (nodes) => {
    const [first, second] = nodes as [Node, Node];
    await first.queue.send(KIND, { id: 'a', owner: 'ann' }, async () => {});
    await expect.poll(() => all(nodes)).toEqual(['a']);
    const [runner, other] = first.runs.length > 0 ? [first, second] : [second, first];
    await other.queue.cancel(KIND, 'a');
    await expect.poll(() => runner.runs[0]?.signal.aborted).toBe(true);
    expect(await runner.queue.isPending(KIND, 'a')).toBe(false);
  }));

test('the jobs of an ending node are taken over by the other, as new runs', () =>
  twoNodes(async (nodes) => {
    const [first, second] = nodes as [Node, Node];
    await first.queue.send(KIND, { id: 'a', owner: 'ann' }, async () => {});
    await expect.poll(() => all(nodes)).toEqual(['a']);
    const [runner, other] = first.runs.length > 0 ? [first, second] : [second, first];
    await runner.queue.close();
    expect(runner.runs[0]?.signal.aborted).toBe(true);
    await expect.poll(other.ids).toEqual(['a']);
    expect(other.runs[0]?.runner).not.toBe(runner.runs[0]?.runner);
    other.end('a');
    await expect.poll(() => other.queue.isPending(KIND, 'a')).toBe(false);
  }, 1));

test('a job that could not be completed is retried', () =>
  twoNodes(async (nodes) => {
    const [first] = nodes as [Node, Node];
    await first.queue.send(KIND, { id: 'a', owner: 'ann' }, async () => {});
    await expect.poll(() => all(nodes)).toEqual(['a']);
    for (const { end } of nodes) end('a', new Error('the store is away'));
    await expect.poll(() => all(nodes)).toEqual(['a', 'a']);
    for (const { end } of nodes) end('a');
    await expect.poll(() => first.queue.isPending(KIND, 'a')).toBe(false);
  }));

test('a run is repeated after a database failure, and not endlessly after a timeout', () =>
  twoNodes(async (nodes) => {
    const [first] = nodes as [Node, Node];
    await first.queue.send(KIND, { id: 'a', owner: 'ann' }, async () => {});
    const away = new DatabaseFailure('unavailable', 'it is away', {});
    const slow = new DatabaseFailure('timeout', 'it took too long', {});
    // A node that is busy for long loses its run, and the job has its next number.
    const open = (from: number) =>
      nodes
        .flatMap(({ runs }) => runs)
        .filter(({ signal }) => !signal.aborted)
        .map((run) => ({ run, number: Number(run.runner.split(' ').at(-1)) }))
        .find(({ number }) => number >= from);
    for (let next = 0; next <= 2; ) {
      await expect.poll(() => open(next)).toBeDefined();
      const { run, number } = open(next) as NonNullable<ReturnType<typeof open>>;
      const answers = [away, slow, new Error('a fault')].map((error) => run.isDoneAgain(error));
      expect(answers).toEqual([true, number < 2, false]);
      for (const { end } of nodes) end('a', slow);
      next = number + 1;
    }
  }));

test('a queue that is closed while the database is unavailable ends its runs', async () => {
  const place = await makePostgres();
  const proxy = await makeProxy(place.url);
  const db = await openPostgres({ url: proxy.url });
  const notices = openNotices(proxy.url);
  const queue = createPostgresJobs(db, notices, createLog('silent'));
  const { worker, runs } = heldWorker(1);
  queue.handle(KIND, worker);
  queue.begin();
  await queue.send(KIND, { id: 'a', owner: 'ann' }, async () => {});
  await expect.poll(() => runs).toHaveLength(1);
  await proxy.close();
  await queue.close();
  expect(runs[0]?.signal.aborted).toBe(true);
  await notices.close();
  await db.close();
  await place.remove();
});

test('the tables of jobs contain no text of a user', () =>
  twoNodes(async (nodes, url) => {
    const [first] = nodes as [Node, Node];
    await first.queue.send(KIND, { id: 'a', owner: 'Ada Lovelace' }, async () => {});
    await expect.poll(() => all(nodes)).toEqual(['a']);
    const db = await openPostgres({ url });
    const { rows } = await db.ask('SELECT job::text AS text FROM magpie_jobs.job');
    expect(rows).toHaveLength(1);
    expect(String(rows[0]?.text)).not.toMatch(/ada|lovelace/i);
    await db.close();
    for (const { end } of nodes) end('a');
  }));

test('a job with the duration of the longest scan is sent and run', () =>
  twoNodes(async (nodes) => {
    const [first] = nodes as [Node, Node];
    const kind = { ...KIND, name: 'long', longestMs: 86_400_000 + 600_000 };
    const { worker, ids, end } = heldWorker(1);
    first.queue.handle(kind, worker);
    await first.queue.send(kind, { id: 'a', owner: 'ann' }, async () => {});
    await expect.poll(ids).toEqual(['a']);
    end('a');
    await expect.poll(() => first.queue.isPending(kind, 'a')).toBe(false);
  }));
