import { expect, test, vi } from 'vitest';
import { BusyError } from '../../../src/errors.ts';
import {
  type LeadingReader,
  PageTimeoutError,
  readLeadingPages,
} from '../../../src/flows/searching/leading-pages.ts';

interface OpenReading extends PromiseWithResolvers<string> {
  readonly signal: AbortSignal;
  readonly onStage: Parameters<LeadingReader<string>>[2];
}

/** Readings that the test ends by hand; each has its place at once unless `isBusy`. */
function desk(isBusy = false) {
  const open = new Map<string, OpenReading>();
  const read: LeadingReader<string> = (url, signal, onStage) => {
    const reading = { ...Promise.withResolvers<string>(), signal, onStage };
    open.set(url, reading);
    if (!isBusy) onStage('fetching');
    signal.addEventListener('abort', () => reading.reject(signal.reason), { once: true });
    return reading.promise;
  };
  const of = (url: string) => {
    const reading = open.get(url);
    if (!reading) throw new Error(`${url} was not asked for`);
    return reading;
  };
  return { read, of, asked: () => [...open.keys()] };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const options = { wanted: 2, patience: 60_000, deadline: 60_000, signal: new AbortController().signal };

test('reads the wanted pages at once, and no further pages if they arrive', async () => {
  const { read, of, asked } = desk();
  const all = readLeadingPages(['a', 'b', 'c'], read, options);
  await settled();
  expect(asked()).toEqual(['a', 'b']);
  of('b').resolve('B');
  of('a').resolve('A');
  expect(await all).toEqual(
    new Map([
      ['b', { page: 'B' }],
      ['a', { page: 'A' }],
    ]),
  );
  expect(asked()).toEqual(['a', 'b']);
});

test('a spare page is read for each failure, until none is left', async () => {
  const { read, of, asked } = desk();
  const all = readLeadingPages(['a', 'b', 'c', 'd'], read, options);
  of('a').reject(new Error('a is down'));
  await settled();
  expect(asked()).toEqual(['a', 'b', 'c']);
  of('c').reject(new Error('c is down'));
  await settled();
  of('d').reject(new Error('d is down'));
  of('b').resolve('B');
  const readings = await all;
  expect(readings.get('b')).toEqual({ page: 'B' });
  for (const url of ['a', 'c', 'd'])
    expect(readings.get(url)).toEqual({ error: new Error(`${url} is down`) });
});

test('a page that has arrived gets no spare, and is read to its end even after the arrival time', async () => {
  const { read, of, asked } = desk();
  const here: LeadingReader<string> = (url, signal, onStage) => {
    const reading = read(url, signal, onStage);
    if (url === 'a') onStage('waiting');
    return reading;
  };
  const all = readLeadingPages(['a', 'b'], here, { ...options, wanted: 1, patience: 5, deadline: 10 });
  await new Promise((resolve) => setTimeout(resolve, 12));
  of('a').resolve('A');
  expect(await all).toEqual(new Map([['a', { page: 'A' }]]));
  expect(asked()).toEqual(['a']);
});

test('a slow page gets a spare beside it, and is given up when enough pages have arrived', async () => {
  const { read, of, asked } = desk();
  const all = readLeadingPages(['a', 'b', 'c'], read, { ...options, patience: 20 });
  of('b').resolve('B');
  await expect.poll(asked).toEqual(['a', 'b', 'c']);
  of('c').resolve('C');
  const readings = await all;
  expect(readings.get('c')).toEqual({ page: 'C' });
  expect(readings.get('a')).toEqual({ error: new PageTimeoutError() });
  expect(of('a').signal.aborted).toBe(true);
});

test('at most two readings run for each wanted page', async () => {
  const { read, asked } = desk();
  const urls = Array.from({ length: 20 }, (_, i) => `u${i}`);
  await readLeadingPages(urls, read, { ...options, patience: 1, deadline: 200 });
  expect(asked()).toHaveLength(4);
});

test('at the deadline the pages that have arrived are returned', async () => {
  const { read, of } = desk();
  const all = readLeadingPages(['a', 'b'], read, { ...options, deadline: 30 });
  of('a').resolve('A');
  const readings = await all;
  expect(readings.get('a')).toEqual({ page: 'A' });
  expect(readings.get('b')).toEqual({ error: new PageTimeoutError() });
});

test('the time begins with the first page that has a slot, and a page without a slot then reports that Magpie is busy', async () => {
  const { read, of } = desk(true);
  const all = readLeadingPages(['a', 'b', 'c'], read, { ...options, wanted: 3, patience: 5, deadline: 20 });
  // Far more time than the pages have: none of it counts before a place is there.
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(['a', 'b', 'c'].map((url) => of(url).signal.aborted)).toEqual([false, false, false]);
  of('a').onStage('fetching');
  of('b').onStage('fetching');
  of('b').onStage('waiting');
  const readings = await all;
  expect(readings.get('a')).toEqual({ error: new PageTimeoutError() });
  for (const url of ['b', 'c']) {
    expect(readings.get(url)).toMatchObject({ error: { code: 'unavailable', retryAfter: 10 } });
    expect(String(Object(readings.get(url)).error.message)).toMatch(/^Magpie is busy and could not read /);
  }
});

test('a page that its reader takes too long for is given up, and a page that its reader has just begun is read', async () => {
  vi.useFakeTimers();
  const { read, of } = desk();
  const all = readLeadingPages(['a', 'b'], read, { ...options, deadline: 8000 });
  for (const url of ['a', 'b']) of(url).onStage('waiting');
  of('a').onStage('reading');
  vi.advanceTimersByTime(15_000);
  of('b').onStage('reading');
  vi.advanceTimersByTime(1000);
  expect([of('a').signal.aborted, of('b').signal.aborted]).toEqual([true, false]);
  of('b').resolve('B');
  const readings = await all;
  vi.useRealTimers();
  expect(readings.get('a')).toEqual({ error: new PageTimeoutError('takes too long to read') });
  expect(readings.get('b')).toEqual({ page: 'B' });
});

test('a page without a slot in Magpie is not replaced by another page', async () => {
  const { read, of, asked } = desk(true);
  const all = readLeadingPages(['a', 'b', 'c'], read, options);
  const busy = new BusyError('Magpie is busy', { retryAfter: 10 });
  of('a').reject(busy);
  of('b').reject(busy);
  expect(await all).toEqual(
    new Map([
      ['a', { error: busy }],
      ['b', { error: busy }],
    ]),
  );
  expect(asked()).toEqual(['a', 'b']);
});

test('a caller who aborts stops every reading', async () => {
  const stop = new AbortController();
  const { read, of } = desk();
  const all = readLeadingPages(['a', 'b'], read, { ...options, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(all).rejects.toThrow('enough');
  expect([of('a').signal.aborted, of('b').signal.aborted]).toEqual([true, true]);
});

test('an empty list of addresses starts no reading', async () => {
  expect(await readLeadingPages([], desk().read, options)).toEqual(new Map());
});
