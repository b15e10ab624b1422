import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMcpTaskStore } from '../../../src/access/stores/tasks.ts';
import { isTaskOpen, type McpTask, type McpTaskStore } from '../../../src/access/tasks/mcp-task.ts';
import { createMcpTasks } from '../../../src/access/tasks/mcp-tasks.ts';
import type { McpTaskHandle, McpTasks } from '../../../src/access/types.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

/** Work that becomes a task, on a real store; `other` is what another node makes of the same database. */

let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let store: McpTaskStore;
let tasks: McpTasks;
let other: McpTasks;
let warned: unknown[];
const log = { info() {}, warn: (fields: unknown) => void warned.push(fields) };

beforeEach(async () => {
  warned = [];
  folder = temporaryFolder();
  db = await openDatabase({ folder: folder.path });
  store = createMcpTaskStore(db);
  tasks = createMcpTasks({ store, log, graceMs: 0, tickMs: 10 });
  other = createMcpTasks({ store, log, graceMs: 0, tickMs: 10 });
});
afterEach(async () => {
  await tasks.close();
  db.close();
  folder.remove();
});

const failed = (thrown: unknown) => ({ error: { code: -32603, message: String(thrown) } });
const open = new AbortController().signal;

/** Begins work in the test's hands, as a task unless it is quicker than that. */
function begin(more: { signal?: AbortSignal; on?: McpTasks; owner?: string } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ content: unknown[] }>();
  const { promise: begun, resolve: begins } = Promise.withResolvers<McpTaskHandle>();
  const { on = tasks, owner = 'ada', signal = open } = more;
  const started = on.run(
    {
      ...{ owner, operation: 'scan', signal },
      work(handle) {
        begins(handle);
        handle.signal.addEventListener('abort', () => reject(handle.signal.reason), { once: true });
        return promise;
      },
    },
    failed,
  );
  started.catch(() => {});
  return { started, begun, resolve, reject };
}

async function beginTask(more: Parameters<typeof begin>[0] = {}) {
  const work = begin(more);
  const started = await work.started;
  if (!('task' in started)) throw new Error('no task');
  return { ...work, handle: await work.begun, task: started.task };
}

const ended = (id: string, on = tasks) =>
  expect.poll(async () => isTaskOpen(await on.read('ada', id))).toBe(false);

describe('a call', () => {
  test('that ends soon has its result and leaves no task', async () => {
    const patient = createMcpTasks({ store, log, graceMs: 60_000 });
    const work = begin({ on: patient });
    work.resolve({ content: ['soon'] });
    expect(await work.started).toEqual({ result: { content: ['soon'] } });
    const wrong = begin({ on: patient });
    wrong.reject(new Error('no'));
    await expect(wrong.started).rejects.toThrow('no');
    expect(await db.read((sql) => sql.all('SELECT * FROM mcp_tasks'))).toEqual([]);
  });

  test('that is cancelled before it is a task ends its work', async () => {
    const caller = new AbortController();
    const work = begin({ on: createMcpTasks({ store, log, graceMs: 60_000 }), signal: caller.signal });
    const { signal } = await work.begun;
    caller.abort(new Error('gone'));
    await expect(work.started).rejects.toThrow('gone');
    expect(signal.aborted).toBe(true);
  });

  test('that was cancelled before it begins does not begin its work', async () => {
    let begun = false;
    const work = begin({ signal: AbortSignal.abort(new Error('gone')) });
    void work.begun.then(() => {
      begun = true;
    });
    await expect(work.started).rejects.toThrow('gone');
    await new Promise(setImmediate);
    expect(begun).toBe(false);
  });

  test('that has become a task outlives its request', async () => {
    const caller = new AbortController();
    const { handle, task, resolve } = await beginTask({ signal: caller.signal });
    caller.abort();
    expect(handle.signal.aborted).toBe(false);
    resolve({ content: ['late'] });
    await ended(task.id);
    expect(await other.read('ada', task.id)).toMatchObject({
      status: 'completed',
      outcome: { result: { resultType: 'complete', content: ['late'] } },
    });
  });

  test('with as many tasks as a user may have is waited for', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => beginTask()));
    const plain = begin();
    plain.resolve({ content: ['plain'] });
    expect(await plain.started).toEqual({ result: { content: ['plain'] } });
    const asking = begin();
    const answer = asking.begun.then(({ requestInput }) => requestInput({ name: {} }));
    await expect(answer).rejects.toThrow('you have 50 tasks');
    await expect(asking.started).rejects.toThrow('you have 50 tasks');
    expect(await beginTask({ owner: 'bob' })).toHaveProperty('task');
    for (const { resolve } of all) resolve({ content: [] });
  });
});

test('a call whose task the database does not take is waited for', async () => {
  const insertTask = () => Promise.reject(new Error('full'));
  const work = begin({ on: createMcpTasks({ store: { ...store, insertTask }, log, graceMs: 0 }) });
  await expect.poll(() => warned.length).toBe(1);
  work.resolve({ content: ['plain'] });
  expect(await work.started).toEqual({ result: { content: ['plain'] } });
});

describe('a task', () => {
  test('tells its progress', async () => {
    const { handle, task } = await beginTask();
    handle.progress('half way');
    await expect.poll(async () => (await other.read('ada', task.id)).message).toBe('half way');
  });

  test.each(['this node', 'another node'] as const)(
    'that is cancelled at %s ends its work',
    async (where) => {
      const { handle, task } = await beginTask();
      await (where === 'this node' ? tasks : other).cancel('ada', task.id);
      await expect.poll(() => handle.signal.aborted).toBe(true);
      expect((await tasks.read('ada', task.id)).status).toBe('cancelled');
    },
  );

  test('fails with the error of its work, and a result that is too large says so', async () => {
    const wrong = await beginTask();
    wrong.reject('broken');
    await ended(wrong.task.id);
    expect(await tasks.read('ada', wrong.task.id)).toMatchObject({
      status: 'failed',
      ...{ message: 'broken' },
    });
    const large = await beginTask();
    large.resolve({ content: ['x'.repeat(4_000_001)] });
    await ended(large.task.id);
    const { status, outcome } = await tasks.read('ada', large.task.id);
    expect([status, JSON.stringify(outcome)]).toEqual([
      'completed',
      expect.stringMatching(/ResponseTooLarge.*"isError":true/),
    ]);
  });

  test('is failed for whoever reads it once its process has died', async () => {
    const { task } = await beginTask();
    // No process has this number.
    const lost = { ...task, id: 'lost', runner: `${task.runner.split(' ')[0]} 4194305 abc` };
    await store.insertTask(lost, 5);
    expect(await other.read('ada', 'lost')).toMatchObject({
      status: 'failed',
      outcome: { error: { message: expect.stringContaining('was stopped before it ended') } },
    });
    expect((await other.read('ada', task.id)).status).toBe('working');
  });

  test('of a process that ends in order is failed at once', async () => {
    const { handle, task } = await beginTask();
    await tasks.close();
    expect(handle.signal.aborted).toBe(true);
    expect((await other.read('ada', task.id)).status).toBe('failed');
  });

  test('keeps its outcome until the database takes it', async () => {
    let broken = false;
    const failing = createMcpTasks({
      store: {
        ...store,
        changeTask: (...given) => (broken ? Promise.reject(new Error('full')) : store.changeTask(...given)),
      },
      ...{ log, graceMs: 0, tickMs: 10 },
    });
    const { task, resolve } = await beginTask({ on: failing });
    broken = true;
    resolve({ content: ['kept'] });
    await expect.poll(() => warned.length).toBeGreaterThan(1);
    expect((await other.read('ada', task.id)).status).toBe('working');
    broken = false;
    await ended(task.id, other);
    expect(await other.read('ada', task.id)).toMatchObject({ outcome: { result: { content: ['kept'] } } });
  });

  test('asks its client, in rounds whose keys differ, and takes answers through any node', async () => {
    const { handle, task } = await beginTask();
    const seen: string[] = [];
    for (const round of ['first', 'second']) {
      const answered = handle.requestInput({ name: { round }, age: { round } });
      await expect.poll(async () => (await other.read('ada', task.id)).status).toBe('input_required');
      const asked = Object.keys((await other.read('ada', task.id)).inputs.requests);
      seen.push(...asked);
      const [one = '', two = ''] = asked;
      await tasks.answer('ada', task.id, { [one]: 'x', other: 'ignored' });
      const { status, inputs } = await other.read('ada', task.id);
      expect([status, Object.keys(inputs.requests)]).toEqual(['input_required', [two]]);
      await other.answer('ada', task.id, { [one]: 'too late', [two]: 'y' });
      expect(await answered).toEqual({ name: 'x', age: 'y' });
      await expect.poll(async () => (await other.read('ada', task.id)).status).toBe('working');
    }
    expect(new Set(seen).size).toBe(4);
    const last = handle.requestInput({ name: {} });
    await tasks.cancel('ada', task.id);
    await expect(last).rejects.toThrow('cancelled');
  });
});

test('an expired task is deleted although no task is added any more', async () => {
  // The other task comes first, because adding one deletes what has expired.
  const kept = await beginTask({ owner: 'bob' });
  const { task, resolve } = await beginTask();
  resolve({ content: ['private'] });
  await ended(task.id);
  await store.changeTask('ada', task.id, () => ({ expiresAt: Date.now() - 1 }));
  const sweeping = createMcpTasks({ store, log, upkeepMs: 1 });
  const rows = () => db.read((sql) => sql.all('SELECT id FROM mcp_tasks'));
  await expect.poll(rows).toEqual([{ id: kept.task.id }]);
  await sweeping.close();
});

test('a task that has ended stays as it is, whatever is done to it afterwards', async () => {
  const step = fc.constantFrom('cancel', 'end', 'fail', 'note', 'answer', 'read');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.boolean(), async (steps, elsewhere) => {
      const on = elsewhere ? other : tasks;
      const task = (await tasks.add({
        owner: `user ${Math.random()}`,
        operation: 'scan',
        message: '',
        job: '{}',
      })) as McpTask;
      const { owner, id } = task;
      let last: McpTask | undefined;
      for (const what of steps) {
        if (what === 'cancel') await on.cancel(owner, id);
        if (what === 'end') await on.end(owner, id, { result: { content: [] } });
        if (what === 'fail') await on.end(owner, id, failed('no'));
        if (what === 'note') await on.note(task, `now ${what}`);
        if (what === 'answer') await on.answer(owner, id, { key: 1 });
        const seen = await tasks.read(owner, id);
        if (last && !isTaskOpen(last)) expect(seen).toEqual(last);
        expect(seen.expiresAt - seen.createdAt).toBeGreaterThanOrEqual(task.expiresAt - task.createdAt);
        last = seen;
      }
      await expect(tasks.read('someone else', id)).rejects.toThrow('there is no task');
    }),
    { numRuns: 60 },
  );
});
