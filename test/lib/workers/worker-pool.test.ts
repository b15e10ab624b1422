import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { countWaitingJobs } from '../../../src/lib/concurrency/waiting-jobs.ts';
import { enableStarterProcess } from '../../../src/lib/workers/process-host.ts';
import { createWorkerPool, type PoolOptions } from '../../../src/lib/workers/worker-pool.ts';
import { createMetrics } from '../../../src/metrics.ts';

const folder = mkdtempSync(join(tmpdir(), 'magpie-pool-'));
const path = join(folder, 'worker.mjs');
writeFileSync(
  path,
  `import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { threadId } from 'node:worker_threads';
const used = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
export const burn = (ms) => {
  for (const from = used(); used() - from < ms; );
};
const wasm = new Uint8Array(${JSON.stringify(
    // (module (func (export "loop") (loop br 0)))
    [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, 108, 111, 111, 112].concat([
      0, 0, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11,
    ]),
  )});
export async function handleJob(job, report) {
  const [what, ms, mark] = job.split(' ');
  if (what === 'loop') for (;;) {}
  if (what === 'expression') /^(a+)+$/.test('a'.repeat(60) + 'b');
  if (what === 'wasm') new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports.loop();
  if (what === 'throw') throw new Error('broken');
  if (what === 'exit') process.exit(3);
  if (what === 'hang') await new Promise(() => {});
  if (what === 'burn') burn(Number(ms));
  if (mark) writeFileSync(mark, '');
  if (what === 'wait') await new Promise((resolve) => setTimeout(resolve, Number(ms)));
  if (what === 'fill') for (const all = []; ; ) all.push(Buffer.alloc(10_000_000, 1));
  if (what === 'heap') for (const all = []; ; ) all.push('x'.repeat(1000) + all.length);
  if (what === 'grow') for (const memory = new WebAssembly.Memory({ initial: 1 }); ; ) {
    memory.grow(160);
    new Uint8Array(memory.buffer).fill(1);
  }
  if (what === 'large') globalThis.kept = Buffer.alloc(70_000_000, 1);
  if (what === 'priorities') return { job: JSON.stringify(readdirSync('/proc/self/task').map((id) => getPriority(Number(id)))), threadId: 0 };
  if (what === 'parent') return { job: String(process.ppid), threadId: 0 };
  if (what === 'environment') return { job: JSON.stringify(process.env), threadId: 0 };
  if (what === 'report') for (let at = 1; at <= 3; at++) report(ms === 'loop' ? process.pid : at);
  if (ms === 'loop') for (;;) {}
  return { job, threadId: threadId || process.pid };
}`,
);
const slowStart = join(folder, 'slow-start.mjs');
writeFileSync(
  slowStart,
  `import { burn, handleJob } from './worker.mjs';\nburn(150);\nexport { handleJob };`,
);
interface Answer {
  readonly job: string;
  readonly threadId: number;
}
const MEMORY_BYTES = 200_000_000;
const { signal } = new AbortController();

/** A pool with the bounds of the tests, but for `options`. */
const makeOf =
  (kind: Partial<PoolOptions>) =>
  (options: Partial<PoolOptions> = {}) =>
    createWorkerPool<string, Answer>({
      file: pathToFileURL(path),
      workers: 1,
      queue: 10,
      idleMs: 60_000,
      stopOnAbort: true,
      ...kind,
      ...options,
    });

describe.each([
  ['threads', {}],
  ['processes', { memoryBytes: MEMORY_BYTES }],
  ['processes of a server', { memoryBytes: MEMORY_BYTES }],
])('%s', (name, kind) => {
  const make = makeOf(kind);
  const pool = make({ queue: 2 });
  let startHere = () => {};
  beforeAll(() => {
    if (name === 'processes of a server') startHere = enableStarterProcess();
  });
  afterAll(async () => {
    await pool.close();
    startHere();
  });

  test('jobs are done in order by a worker that is reused', async () => {
    const answers = await Promise.all(['a', 'b', 'c'].map((job) => pool.run(job, 10_000, signal)));
    const threads = new Set(answers.map((one) => 'answer' in one && one.answer.threadId));
    expect(answers.map((one) => 'answer' in one && one.answer.job)).toEqual(['a', 'b', 'c']);
    expect(threads.size).toBe(1);
  });

  const losses = [
    ['loop', 'time'],
    ['exit', 'broken'],
  ];
  // What ends a process is the same in a server.
  if (name !== 'processes of a server')
    losses.push(['throw', 'broken'], ['expression', 'time'], ['wasm', 'time']);
  test.each(losses)('a worker lost by %s is replaced', async (job, failed) => {
    expect(await pool.run(job, failed === 'time' ? 50 : 10_000, signal)).toEqual({ failed });
    expect(await pool.run('next', 10_000, signal)).toMatchObject({ answer: { job: 'next' } });
  });

  test('a job that waits forever ends by the clock', async () => {
    expect(await pool.run('hang', 1, signal)).toEqual({ failed: 'time' });
    expect(await pool.run('next', 10_000, signal)).toMatchObject({ answer: { job: 'next' } });
  });

  test('reports of a job arrive before its answer', async () => {
    const news: unknown[] = [];
    const onNews = (one: unknown) => news.push(one);
    expect(await pool.run('report', 10_000, signal, { onNews })).toMatchObject({ answer: { job: 'report' } });
    expect(news).toEqual([1, 2, 3]);
  });

  test('a running cancelled job frees its worker at once, a waiting cancelled job frees its place, and jobs beyond the queue are refused', async () => {
    const stop = new AbortController();
    const running = pool.run('hang', 60_000, stop.signal);
    const waits = pool.run('waits', 60_000, stop.signal);
    const stays = pool.run('stays', 60_000, signal);
    await expect(pool.run('more', 1000, signal)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 5,
    });
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await expect(waits).rejects.toThrow('enough');
    expect(await stays).toMatchObject({ answer: { job: 'stays' } });
    await expect(pool.run('late', 1000, stop.signal)).rejects.toThrow('enough');
  });

  test('a worker that cannot start is not a failure of the job: the pool is unavailable for a while', async () => {
    const broken = join(folder, 'no-start.mjs');
    writeFileSync(broken, "throw new Error('no memory left');");
    const none = make({ file: pathToFileURL(broken) });
    const error = await none.run('job', 10_000, signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'unavailable',
      retryAfter: 5,
      message: 'no reader can start on this machine now: ask again in 5 seconds',
    });
    // For the log.
    expect(String((error as Error).cause)).toContain('no memory left');
    await none.close();
  });

  test('a closed pool starts no job: running, waiting and later jobs are unavailable', async () => {
    const mark = join(folder, `started-${name}`);
    const { promise: begun, resolve: begin } = Promise.withResolvers<unknown>();
    const running = pool.run('report loop', 60_000, signal, { onNews: begin });
    const waits = pool.run(`burn 0 ${mark}`, 60_000, signal);
    const ended = Promise.all([running, waits].map((one) => one.catch((error: unknown) => error)));
    await begun;
    await pool.close();
    const shut = { code: 'unavailable', message: expect.stringMatching(/shutting down/) };
    expect(await ended).toMatchObject([shut, shut]);
    await expect(pool.run('late', 60_000, signal)).rejects.toMatchObject(shut);
    expect(existsSync(mark)).toBe(false);
  });
});

const makeThreads = makeOf({});
const makeProcesses = makeOf({ memoryBytes: MEMORY_BYTES });
afterAll(() => rmSync(folder, { recursive: true }));

/** What counts as a job's time does not depend on who starts the processes. */
describe.each([
  ['threads', {}],
  ['processes', { memoryBytes: MEMORY_BYTES }],
])('the time of jobs in %s', (_, kind) => {
  const make = makeOf(kind);

  test('the time of a job is the processor time of its worker, without its start and without waiting', async () => {
    const slow = make({ file: pathToFileURL(slowStart) });
    // The third one is within its time, since what earlier jobs took does not count either.
    for (const job of ['burn 10', 'wait 150', 'burn 50', 'burn 50', 'burn 50']) {
      expect(await slow.run(job, 120, signal)).toMatchObject({ answer: { job } });
    }
    expect(await slow.run('burn 60000', 120, signal)).toEqual({ failed: 'time' });
    await slow.close();
  });

  test('equal work has the same result on an idle machine and beside busy loops', async () => {
    const pool = make();
    const isDone = async (job: string) => 'answer' in (await pool.run(job, 100, signal));
    const outcomes = async () => [await isDone('burn 20'), await isDone('burn 60000')];
    const quiet = await outcomes();
    // The worker runs before the machine is busy.
    await isDone('wait 1');
    const stop = new AbortController();
    const workers = availableParallelism();
    const busy = makeThreads({ workers });
    const loops = Array.from({ length: workers }, () =>
      busy.run('loop', 60_000, stop.signal).catch(() => {}),
    );
    expect(await outcomes()).toEqual(quiet);
    expect(quiet).toEqual([true, false]);
    stop.abort();
    await Promise.all(loops);
    await Promise.all([busy.close(), pool.close()]);
  });
});

test('waiting jobs are counted until they run, are refused or are given up', async () => {
  const small = makeThreads({ queue: 2 });
  const [first, second] = [new AbortController(), new AbortController()];
  const running = small.run('hang', 60_000, first.signal);
  await vi.waitFor(() => expect(countWaitingJobs()).toBe(0));
  const waits = small.run('waits', 60_000, second.signal);
  const stays = small.run('stays', 60_000, signal);
  await expect(small.run('more', 1000, signal)).rejects.toMatchObject({ code: 'unavailable' });
  expect(countWaitingJobs()).toBe(2);
  expect((await createMetrics('1').render()).text).toContain('\nmagpie_jobs_waiting 2\n');
  second.abort(new Error('enough'));
  await expect(waits).rejects.toThrow('enough');
  expect(countWaitingJobs()).toBe(1);
  first.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  await stays;
  expect(countWaitingJobs()).toBe(0);
  await small.close();
});

test('a job cancelled while it gets its place holds no worker, at whatever moment', async () => {
  const small = makeThreads();
  let begun = 0;
  // Up to the second moment in which it has begun: from there on all are alike.
  for (let turns = 0; begun < 2; turns++) {
    const stop = new AbortController();
    const cancelled = small.run('hang', 60_000, stop.signal, { onBegin: () => begun++ });
    for (let turn = 0; turn < turns; turn++) await undefined;
    stop.abort(new Error('enough'));
    await expect(cancelled).rejects.toThrow('enough');
    expect(await small.run('next', 10_000, AbortSignal.timeout(10_000))).toMatchObject({
      answer: { job: 'next' },
    });
  }
  await small.close();
});

test('each owner has a limited share of the queue', async () => {
  const small = makeThreads({ queue: 4, queuePerOwner: 1 });
  const stop = new AbortController();
  const job = (what: string, owner: string) => small.run(what, 60_000, stop.signal, { owner });
  const jobs = [job('hang', 'ada'), job('hang', 'ada'), job('hang', 'bob')];
  const ended = Promise.allSettled(jobs);
  await expect(job('more', 'ada')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('busy with your other calls'),
  });
  stop.abort();
  await ended;
  await small.close();
});

test('an additional limit is called with the processor time of the worker, and can end the job', async () => {
  const pool = makeThreads();
  const seen: number[] = [];
  const isOver = (ms: number) => seen.push(ms) >= 3;
  expect(await pool.run('loop', 600_000, signal, { isOver })).toEqual({ failed: 'time' });
  expect(seen.length).toBe(3);
  expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  await pool.close();
});

test('a job that exceeds its time is ended, also if the machine is too busy to measure that time before its end', async () => {
  const pool = makeThreads();
  expect(await pool.run('first', 10_000, signal)).toMatchObject({ answer: { job: 'first' } });
  const mark = join(folder, 'done');
  const late = pool.run(`burn 60 ${mark}`, 30, signal);
  await new Promise((resolve) => setImmediate(resolve));
  // No other code of this thread runs before the job's last line.
  while (!existsSync(mark));
  expect(await late).toEqual({ failed: 'time' });
  await pool.close();
});

describe.each(['by itself', 'by a small process'])('processes that a program starts %s', (how) => {
  let startHere = () => {};
  const pool = makeProcesses();
  const two = makeProcesses({ workers: 2, memoryBytes: 120_000_000 });
  const answerOf = async (job: string) => {
    const outcome = await pool.run(job, 60_000, signal);
    return 'answer' in outcome ? outcome.answer : { job: '', threadId: 0 };
  };
  beforeAll(() => {
    if (how === 'by a small process') startHere = enableStarterProcess();
  });
  afterAll(async () => {
    await Promise.all([pool.close(), two.close()]);
    startHere();
  });

  // How a process reaches its bound is the same in a server.
  test.each(how === 'by itself' ? ['fill', 'heap', 'grow'] : ['fill'])(
    'a process that takes too much memory (%s) ends, without effect on other processes',
    async (job) => {
      const [hostile, honest] = await Promise.all([
        two.run(job, 60_000, signal),
        two.run('wait 250', 60_000, signal),
      ]);
      expect(hostile).toEqual({ failed: 'memory' });
      expect(honest).toMatchObject({ answer: { job: 'wait 250' } });
      expect(await two.run('next', 60_000, signal)).toMatchObject({ answer: { job: 'next' } });
    },
  );

  test('a process that a job left with much memory gets no other job', async () => {
    const processes = [];
    for (const job of ['a', 'large', 'b', 'c']) processes.push((await answerOf(job)).threadId);
    const [a, large, b, c] = processes;
    expect([large, c]).toEqual([a, b]);
    expect(b).not.toBe(a);
  });

  test('a process gets no environment except the place of compiled code', async () => {
    const names = Object.keys(JSON.parse((await answerOf('environment')).job));
    expect(names.filter((name) => !name.startsWith('NODE_CHANNEL_'))).toEqual(['NODE_COMPILE_CACHE']);
  });

  test.runIf(process.platform === 'linux')(
    'all threads of a process have a lower priority than the main process',
    async () => {
      const priorities: number[] = JSON.parse((await answerOf('priorities')).job);
      // Of the work, of the watch beside it, and several of Node.
      expect(priorities.length).toBeGreaterThan(4);
      const lower = Math.min(constants.priority.PRIORITY_LOW, getPriority() + 5);
      expect([...new Set(priorities)]).toEqual([lower]);
      expect(getPriority()).toBeLessThan(lower);
    },
  );

  test.runIf(process.platform === 'linux')(
    'the parent of a process is this process or the starter process',
    async () => {
      const parent = Number((await answerOf('parent')).job);
      expect(parent > 0 && parent === process.pid).toBe(how === 'by itself');
    },
  );

  test('a long job and its answer arrive whole', async () => {
    // One word: a third one would be the name of a file that the worker writes.
    const job = `text ${'magpie-'.repeat(700_000)}`;
    expect((await answerOf(job)).job === job).toBe(true);
  });
});

test.runIf(process.platform === 'linux')(
  'if no socket can be created in the temporary folder, this process starts its readers itself',
  async () => {
    vi.stubEnv('TMPDIR', join(folder, 'missing'));
    const startHere = enableStarterProcess();
    const pool = makeProcesses();
    const outcome = await pool.run('parent', 60_000, signal);
    expect('answer' in outcome && outcome.answer.job).toBe(String(process.pid));
    await pool.close();
    startHere();
    vi.unstubAllEnvs();
  },
);

test.runIf(process.platform === 'linux')(
  'if the starter process is killed, its processes end, even in the middle of a job',
  async () => {
    const startHere = enableStarterProcess();
    const pool = makeProcesses({ workers: 2 });
    const idle = await pool.run('parent', 60_000, signal);
    const small = 'answer' in idle ? Number(idle.answer.job) : 0;
    const { promise: begun, resolve: begin } = Promise.withResolvers<unknown>();
    const running = pool.run('report loop', 60_000, signal, { onNews: begin });
    const [reader, waiting] = [Number(await begun), await pool.run('next', 60_000, signal)];
    process.kill(small, 'SIGKILL');
    expect(await running).toEqual({ failed: 'broken' });
    const pids = [reader, 'answer' in waiting ? waiting.answer.threadId : 0];
    expect(new Set(pids).size).toBe(2);
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
    expect(await pool.run('after it', 60_000, signal)).toMatchObject({ answer: { job: 'after it' } });
    await pool.close();
    startHere();
  },
);

test('each owner has a limited share of the workers and of the waiting bytes', async () => {
  const pool = makeThreads({ workers: 2, workersPerOwner: 1, bytes: { all: 1100, perOwner: 60 } });
  const stop = new AbortController();
  const first = pool.run('hang', 60_000, stop.signal, { owner: 'ada', bytes: 1000 });
  await expect(pool.run('more', 60_000, signal, { owner: 'ada', bytes: 1 })).rejects.toMatchObject({
    code: 'unavailable',
  });
  const waits = pool.run('waits', 60_000, stop.signal, { owner: 'ada' });
  // The other worker is free for others, however many of the first owner's jobs wait.
  expect(await pool.run('of bob', 60_000, signal, { owner: 'bob' })).toMatchObject({
    answer: { job: 'of bob' },
  });
  await expect(pool.run('more', 60_000, signal, { owner: 'bob', bytes: 101 })).rejects.toMatchObject({
    code: 'unavailable',
  });
  stop.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  await expect(waits).rejects.toThrow('enough');
  // What a job held is free once its worker is.
  await pool.run('after it', 60_000, signal, { owner: 'ada' });
  const [one, two] = ['ada', 'bob'].map((owner) => pool.run('one', 60_000, signal, { owner, bytes: 50 }));
  expect(await Promise.all([one, two])).toHaveLength(2);
  await pool.close();
});

test.each([
  ['a thread', {}],
  ['a process', { memoryBytes: MEMORY_BYTES }],
])('%s keeps its parent process alive while it works, and not afterwards', async (_name, kind) => {
  const script = join(folder, 'ends.mjs');
  const options = { workers: 1, queue: 9, idleMs: 3_600_000, stopOnAbort: true, ...kind };
  writeFileSync(
    script,
    `import { createWorkerPool } from ${JSON.stringify(new URL('../../../src/lib/workers/worker-pool.ts', import.meta.url).href)};
const pool = createWorkerPool({ file: new URL(${JSON.stringify(pathToFileURL(path))}), ...${JSON.stringify(options)} });
const { answer } = await pool.run('wait 20', 10_000, new AbortController().signal);
process.stdout.write(answer.job);`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [[said], [code]] = await Promise.all([once(child.stdout, 'data'), once(child, 'close')]);
  expect([String(said), code]).toEqual(['wait 20', 0]);
});

test('processes end with their parent process, even in the middle of a job', async () => {
  const parent = join(folder, 'parent.mjs');
  const pool = new URL('../../../src/lib/workers/worker-pool.ts', import.meta.url).href;
  writeFileSync(
    parent,
    `import { createWorkerPool } from ${JSON.stringify(pool)};
const pool = createWorkerPool({ file: new URL(${JSON.stringify(pathToFileURL(path))}), workers: 2, queue: 9, idleMs: 60_000, stopOnAbort: true, memoryBytes: ${MEMORY_BYTES} });
const { signal } = new AbortController();
pool.run('report loop', 3_600_000, signal, { onNews: (pid) => process.stdout.write(pid + ' ') });
setInterval(() => {}, 1000);`,
  );
  const child = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'ignore'] });
  // It is said three times, often in one piece.
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  const pid = Number.parseInt(String(said), 10);
  const alive = isAlive(pid);
  child.kill('SIGKILL');
  expect(alive).toBe(true);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
