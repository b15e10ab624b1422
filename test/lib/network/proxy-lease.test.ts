import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createProxyLease, type ProxyLeaseLimits } from '../../../src/lib/network/proxy-lease.ts';

/** A pass, how often it has ended, and what ends it. */
function open(limits: Partial<ProxyLeaseLimits> = {}) {
  const stop = new AbortController();
  let ends = 0;
  const lease = createProxyLease({ maxBytes: 1000, signal: stop.signal, ...limits }, () => {
    ends += 1;
  });
  return { lease, stop, ends: () => ends };
}

/** Two streams as the pass holds them for one connection. */
const connection = () => [new PassThrough(), new PassThrough()] as const;
const dropped = (streams: readonly PassThrough[]) => streams.map(({ destroyed }) => destroyed);

test('a pass accepts its own password only, and all passwords differ', () => {
  const [a, b] = [open().lease, open().lease];
  expect(a.username).toMatch(/^[\da-f]{18}$/);
  expect(a.password).toMatch(/^[\da-f]{48}$/);
  expect(new Set([a.username, b.username, a.password, b.password]).size).toBe(4);
  expect(a.accepts(a.password)).toBe(true);
  for (const given of [b.password, '', a.password.slice(1), `${a.password}0`])
    expect(a.accepts(given)).toBe(false);
});

test('each chunk costs its bytes and 64 more, and the pass ends above its limit', () => {
  const { lease, ends } = open({ maxBytes: 1000 });
  lease.spend(436);
  expect([lease.bytes, lease.exhausted]).toEqual([500, false]);
  lease.spend(436);
  expect([lease.bytes, lease.exhausted, ends()]).toEqual([1000, false, 0]);
  expect(lease.accepts(lease.password)).toBe(true);
  lease.spend(0);
  expect([lease.bytes, lease.exhausted, ends()]).toEqual([1064, true, 1]);
  expect(lease.accepts(lease.password)).toBe(false);
});

test('a pass ends once and closes its connections', () => {
  for (const way of ['close', 'abort'] as const) {
    const { lease, stop, ends } = open();
    const streams = connection();
    lease.hold(...streams);
    expect(dropped(streams)).toEqual([false, false]);
    if (way === 'close') lease.close();
    else stop.abort();
    expect(dropped(streams)).toEqual([true, true]);
    lease.close();
    stop.abort();
    expect(ends()).toBe(1);
    expect(lease.accepts(lease.password)).toBe(false);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    const late = connection();
    lease.hold(...late);
    expect(dropped(late)).toEqual([true, true]);
  }
});

test('a pass whose signal is aborted before its start accepts no connection', () => {
  const { lease, ends } = open({ signal: AbortSignal.abort() });
  expect(lease.accepts(lease.password)).toBe(false);
  const streams = connection();
  lease.hold(...streams);
  expect(dropped(streams)).toEqual([true, true]);
  expect(ends()).toBe(0);
});

test.each([
  [{}, 48],
  [{ maxConnections: 2 }, 2],
])('with %o a pass holds %d connections, and another one after one has ended', async (limits, most) => {
  const { lease } = open(limits);
  const held = Array.from({ length: most }, connection);
  for (const streams of held) lease.hold(...streams);
  expect(held.flatMap(dropped)).not.toContain(true);
  const over = connection();
  lease.hold(...over);
  expect(dropped(over)).toEqual([true, true]);
  const ended = held[0] ?? [];
  await Promise.all(
    ended.map((stream) => {
      const closed = new Promise((resolve) => stream.once('close', resolve));
      stream.destroy();
      return closed;
    }),
  );
  const next = connection();
  lease.hold(...next);
  expect(dropped(next)).toEqual([false, false]);
  lease.close();
});
