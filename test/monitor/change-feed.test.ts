import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createMonitorChangeFeed } from '../../src/monitor/change-feed.ts';

/** Listeners hear of changed monitors, from the time on at which they began; by a clock of the test's own. */

let logged: { level: string; msg: string }[];
/** Changes in the order in which they were made; the mark is how many there are. */
let made: { owner: string; id: string }[];
/** Marks after which changes were asked for. */
let asked: number[];
let markReads: number;
type MonitorChangeFeed = ReturnType<typeof createMonitorChangeFeed>;

let changes: MonitorChangeFeed | undefined;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  [logged, made, asked, markReads] = [[], [], [], 0];
});
afterEach(async () => {
  await changes?.close();
  vi.useRealTimers();
});

function start(fails: () => boolean = () => false): MonitorChangeFeed {
  const read = () => {
    if (fails()) throw new Error('locked');
  };
  changes = createMonitorChangeFeed(
    {
      async newestMark() {
        markReads++;
        read();
        return made.length;
      },
      async changedSince(mark) {
        asked.push(mark);
        read();
        return { mark: made.length, changes: made.slice(mark) };
      },
    },
    createLog('info', (line) => logged.push(JSON.parse(line))),
  );
  return changes;
}

function listenTo(from: MonitorChangeFeed) {
  const heard: string[] = [];
  const stop = from.listen((owner, id) => heard.push(`${owner} ${id}`));
  return { heard, stop };
}

test('each listener gets each change after the start once, twice a second, until it stops', async () => {
  made.push({ owner: 'ada', id: 'before' });
  const room = start();
  await pass(10_000);
  // Without a listener nothing is read but the mark.
  expect([markReads, asked]).toEqual([1, []]);
  const [first, second] = [listenTo(room), listenTo(room)];
  made.push({ owner: 'ada', id: 'shop' }, { owner: 'bob', id: 'blog' });
  await pass(499);
  expect(first.heard).toEqual([]);
  await pass(1);
  expect([first.heard, second.heard]).toEqual([
    ['ada shop', 'bob blog'],
    ['ada shop', 'bob blog'],
  ]);
  second.stop();
  made.push({ owner: 'cyd', id: 'mail' });
  await pass(500);
  expect(first.heard).toEqual(['ada shop', 'bob blog', 'cyd mail']);
  expect(second.heard).toHaveLength(2);
  expect(asked).toEqual([1, 3]);
});

test('a failed read is logged and repeated from the same change', async () => {
  let fails = false;
  const room = start(() => fails);
  const { heard } = listenTo(room);
  await pass(500);
  fails = true;
  made.push({ owner: 'ada', id: 'shop' });
  await pass(1000);
  expect(logged).toMatchObject(
    Array(2).fill({ level: 'warn', msg: 'changes of monitors cannot be read', err: { message: 'locked' } }),
  );
  fails = false;
  await pass(500);
  expect(heard).toEqual(['ada shop']);
  expect(logged).toHaveLength(2);
});

test('after a failed start, a listener gets the changes since the first successful read', async () => {
  let fails = true;
  const room = start(() => fails);
  const { heard } = listenTo(room);
  await pass(0);
  fails = false;
  made.push({ owner: 'ada', id: 'early' });
  await pass(500);
  made.push({ owner: 'ada', id: 'late' });
  await pass(500);
  expect([heard, asked, markReads]).toEqual([['ada late'], [1], 2]);
});

test('after a close nothing is read for old or new listeners, and no failure is logged', async () => {
  let fails = false;
  const room = start(() => fails);
  const { heard } = listenTo(room);
  await pass(500);
  const read = asked.length;
  await room.close();
  fails = true;
  listenTo(room);
  made.push({ owner: 'ada', id: 'shop' });
  await pass(5000);
  expect([heard, asked.length, logged]).toEqual([[], read, []]);
});

test('a close waits for the read in progress, starts no other, and logs no failure of it', async () => {
  const gate = Promise.withResolvers<void>();
  let reads = 0;
  changes = createMonitorChangeFeed(
    {
      newestMark: async () => 0,
      async changedSince() {
        reads++;
        await gate.promise;
        throw new Error('closed');
      },
    },
    createLog('info', (line) => logged.push(JSON.parse(line))),
  );
  listenTo(changes);
  await pass(500);
  let closed = false;
  const closing = changes.close().then(() => {
    closed = true;
  });
  await pass(5000);
  expect(closed).toBe(false);
  gate.resolve();
  await closing;
  await pass(5000);
  expect([reads, logged]).toEqual([1, []]);
});
