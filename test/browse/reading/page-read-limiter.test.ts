import { expect, test } from 'vitest';
import { createPageReadLimiter } from '../../../src/browse/reading/page-read-limiter.ts';
import { countWaitingJobs } from '../../../src/lib/concurrency/waiting-jobs.ts';

/** As many places as readers, since a page may be so large: three of four for one user. */
const LARGEST = 200_000_000;
const signal = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

function create(waitMs = 600_000) {
  return createPageReadLimiter({ readers: 4, pageBytes: LARGEST, waitMs });
}

test('one user leaves a place to other users, and waiting pages are counted', async () => {
  const places = create();
  const leaves = await Promise.all([1, 2, 3].map(() => places.enter({ signal, owner: 'ada' })));
  const waits = places.enter({ signal, owner: 'ada' });
  expect(countWaitingJobs()).toBe(1);
  await places.enter({ signal, owner: 'bob' });
  for (const leave of leaves) leave();
  await waits;
  expect(countWaitingJobs()).toBe(0);
});

test('a page of a call in progress is read before pages of calls that have not begun', async () => {
  const places = create();
  const [leave] = await Promise.all([1, 2, 3].map(() => places.enter({ signal, owner: 'ada' })));
  const entered: string[] = [];
  const enter = async (name: string, goesOn: boolean) => {
    const leaves = await places.enter({ signal, owner: 'ada', goesOn });
    entered.push(name);
    leaves();
  };
  const all = [enter('first', false), enter('spare', true)];
  leave?.();
  await Promise.all(all);
  expect(entered).toEqual(['spare', 'first']);
});

test('a page that is given up, or that waits too long, takes no place', async () => {
  const places = create(30);
  const leaves = await Promise.all([1, 2, 3].map(() => places.enter({ signal, owner: 'ada' })));
  await expect(places.enter({ signal, owner: 'ada' })).rejects.toMatchObject({
    code: 'unavailable',
    retryAfter: 10,
    message: expect.stringContaining('Magpie is busy: no page could be begun within '),
  });
  const stop = new AbortController();
  const given = places.enter({ signal: stop.signal, owner: 'ada' });
  const waits = places.enter({ signal, owner: 'ada', alwaysWaits: true });
  leaves[0]?.();
  stop.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  const leave = await waits;
  leave();
  for (const one of leaves.slice(1)) one();
  await settled();
  expect(countWaitingJobs()).toBe(0);
  await Promise.all([1, 2, 3].map(() => places.enter({ signal, owner: 'ada' })));
});

test('pages beyond the limit of waiting pages are refused at once', async () => {
  const places = create();
  const stop = new AbortController();
  const all = Array.from({ length: 1003 }, () => places.enter({ signal: stop.signal, owner: 'ada' }));
  const waiting = Promise.allSettled(all);
  await expect(places.enter({ signal, owner: 'ada' })).rejects.toMatchObject({
    retryAfter: 10,
    message: expect.stringContaining('Magpie is busy: 1000 of your pages wait to be read already'),
  });
  stop.abort(new Error('enough'));
  expect((await waiting).filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});
