import { expect, test } from 'vitest';
import { createPoliteness, parseRetryAfterMs } from '../../../src/lib/network/politeness.ts';

const SITE = new URL('http://site.example/');
const never = () => new AbortController().signal;
/** Lets everything run that has been resolved. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a site has a limited number of places, and further requests wait in order of arrival', async () => {
  const politeness = createPoliteness({ concurrencyPerOrigin: 2 });
  const order: number[] = [];
  const leave: (() => void)[] = [];
  for (let i = 0; i < 5; i++) {
    void politeness.enter(SITE, never(), true).then((left) => {
      order.push(i);
      leave.push(left);
    });
  }
  await settle();
  expect(order).toEqual([0, 1]);
  // Leaving twice gives one place only.
  leave[1]?.();
  leave[1]?.();
  await settle();
  expect(order).toEqual([0, 1, 2]);
  leave[0]?.();
  leave[2]?.();
  await settle();
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test('releasing a place twice frees one place, also for later requests', async () => {
  const politeness = createPoliteness({ concurrencyPerOrigin: 2 });
  const [first] = [await politeness.enter(SITE, never(), true), await politeness.enter(SITE, never(), true)];
  first();
  first();
  const entered: string[] = [];
  for (const name of ['third', 'fourth']) {
    void politeness.enter(SITE, never(), true).then(() => entered.push(name));
  }
  await settle();
  expect(entered).toEqual(['third']);
});

test('a site is stored as long as a request waits for it or is in progress', async () => {
  const politeness = createPoliteness({ concurrencyPerOrigin: 1 });
  expect(politeness.busyOrigins()).toBe(0);
  const leave = await politeness.enter(SITE, never(), true);
  const stop = new AbortController();
  const waiting = politeness.enter(SITE, stop.signal, true);
  const other = await politeness.enter(new URL('http://other.example/'), never(), true);
  expect(politeness.busyOrigins()).toBe(2);
  other();
  expect(politeness.busyOrigins()).toBe(1);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(politeness.busyOrigins()).toBe(1);
  leave();
  leave();
  expect(politeness.busyOrigins()).toBe(0);
});

test('another site, port or scheme has places of its own', async () => {
  const politeness = createPoliteness({ concurrencyPerOrigin: 1 });
  for (const url of ['http://a.example/', 'https://a.example/', 'http://a.example:81/', 'http://b.example/'])
    await politeness.enter(new URL(url), never(), true);
});

test('a request that gives up leaves the queue, and the others move up', async () => {
  const politeness = createPoliteness({ concurrencyPerOrigin: 1 });
  const leave = await politeness.enter(SITE, never(), true);
  const stop = new AbortController();
  const second = politeness.enter(SITE, stop.signal, true);
  const third = politeness.enter(SITE, never(), true);
  stop.abort(new Error('enough'));
  await expect(second).rejects.toThrow('enough');
  leave();
  (await third)();
  await expect(politeness.enter(SITE, AbortSignal.abort(new Error('late')), true)).rejects.toThrow('late');
  (await politeness.enter(SITE, never(), true))();
});

test('a queue is bounded', async () => {
  const politeness = createPoliteness({ concurrencyPerOrigin: 1 });
  await politeness.enter(SITE, never(), true);
  const stop = new AbortController();
  const line = Array.from({ length: 200 }, () => politeness.enter(SITE, stop.signal, true));
  await expect(politeness.enter(SITE, never(), true)).rejects.toMatchObject({
    code: 'unavailable',
    retryAfter: 5,
    message: expect.stringContaining('200 requests already wait for site.example'),
  });
  stop.abort(new Error('enough'));
  expect((await Promise.allSettled(line)).every(({ status }) => status === 'rejected')).toBe(true);
});

test.each([429, 503])(
  'a site that answers %i with Retry-After gets no requests until that time',
  async (status) => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const politeness = createPoliteness({ concurrencyPerOrigin: 1, now: () => now });
    const leave = await politeness.enter(SITE, never(), true);
    const waiting = expect(politeness.enter(SITE, never(), true)).rejects.toMatchObject({ code: 'upstream' });
    politeness.heard(SITE, status, '90');
    leave();
    await waiting;
    await expect(politeness.enter(SITE, never(), true)).rejects.toMatchObject({
      code: 'upstream',
      retryAfter: 90,
      message: expect.stringContaining('site.example asked for no requests until 2026-01-01T00:01:30Z'),
    });
    (await politeness.enter(SITE, never(), false))();
    (await politeness.enter(new URL('http://other.example/'), never(), true))();
    now += 90_000;
    (await politeness.enter(SITE, never(), true))();
  },
);

test('a paused site refuses at once, though its places are taken, and a request that gave up before gets its own error', async () => {
  const politeness = createPoliteness({ concurrencyPerOrigin: 1, now: () => 0 });
  await politeness.enter(SITE, never(), true);
  politeness.heard(SITE, 429, '90');
  let code: unknown;
  void politeness.enter(SITE, never(), true).catch((error: { code?: unknown }) => {
    code = error.code;
  });
  await settle();
  expect(code).toBe('upstream');
  await expect(politeness.enter(SITE, AbortSignal.abort(new Error('late')), true)).rejects.toThrow('late');
});

test('an answer without a time does not end an earlier pause', async () => {
  const politeness = createPoliteness({ concurrencyPerOrigin: 9, now: () => 0 });
  politeness.heard(SITE, 429, '90');
  for (const value of ['0', null]) politeness.heard(SITE, 429, value);
  await expect(politeness.enter(SITE, never(), true)).rejects.toMatchObject({ retryAfter: 90 });
});

test('a site is paused for at most an hour, and only if it asks for a pause', async () => {
  const politeness = createPoliteness({ concurrencyPerOrigin: 9, now: () => 0 });
  politeness.heard(SITE, 200, '90');
  politeness.heard(SITE, 429, null);
  politeness.heard(SITE, 429, 'soon');
  await politeness.enter(SITE, never(), true);
  politeness.heard(SITE, 429, '999999999');
  await expect(politeness.enter(SITE, never(), true)).rejects.toMatchObject({ retryAfter: 3600 });
});

test('the number of stored pauses is bounded', async () => {
  const politeness = createPoliteness({ concurrencyPerOrigin: 9, now: () => 0 });
  for (let i = 0; i <= 2000; i++) politeness.heard(new URL(`http://s${i}.example/`), 429, '60');
  await politeness.enter(new URL('http://s0.example/'), never(), true);
  await expect(politeness.enter(new URL('http://s1.example/'), never(), true)).rejects.toThrow(
    'asked for no requests',
  );
});

test('a site that asks again becomes the newest stored site', async () => {
  const politeness = createPoliteness({ concurrencyPerOrigin: 9, now: () => 0 });
  for (let i = 0; i < 2000; i++) politeness.heard(new URL(`http://s${i}.example/`), 429, '60');
  for (const name of ['s0', 'new']) politeness.heard(new URL(`http://${name}.example/`), 429, '60');
  await politeness.enter(new URL('http://s1.example/'), never(), true);
  await expect(politeness.enter(new URL('http://s0.example/'), never(), true)).rejects.toThrow(
    'asked for no requests',
  );
});

test('a date in Retry-After is converted to the time from now', () => {
  expect(parseRetryAfterMs('Thu, 01 Jan 1970 00:01:00 GMT', 50_000)).toBe(10_000);
  expect(parseRetryAfterMs('Thu, 01 Jan 1970 00:01:00 GMT', 70_000)).toBe(0);
});

test.each([
  ['120', 120_000],
  [' 5 ', 5000],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['-5', 0],
  ['1.5', 0],
  ['99999999999999', 0],
  ['tomorrow', 0],
  ['after Thu, 01 Jan 1970 00:01:00 GMT', 0],
  ['', 0],
  [null, 0],
])('Retry-After %j means %i ms', (value, expected) => {
  expect(parseRetryAfterMs(value, 0)).toBe(expected);
});
