import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { browseSeveral } from '../../../src/flows/reading/browse-several.ts';
import { callSignal } from '../../../src/lib/concurrency/call-signal.ts';
import type { OperationContext } from '../../../src/operation.ts';

/** Several pages in one call: whatever one page does, the others are answered. */

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const MS = 10_000;
const warn = vi.fn();
const ended: string[] = [];

/** Reads the address `/good`; `/slow` never ends, and `/broken` throws what is no AppError. */
async function readPage(q: string, { signal }: { signal: AbortSignal }) {
  if (q === 'http://x.example/broken') throw new TypeError('the reader has a fault');
  if (q === 'http://x.example/good') return { url: q, title: 'Good', markdown: 'The wheel turns.' };
  expect(callSignal()).toBe(signal);
  signal.addEventListener('abort', () => ended.push(q));
  return new Promise<never>(() => {});
}

const browse = {
  readPage,
  dropAddresses: async (text: string) => text,
  createPortions: async (text: string) => async () => ({ total: 1, parts: [{ text }], outline: [] }),
  withList: async (text: string) => text,
};
const search = { rememberPages: async () => {} };
const contextOf = (signal: AbortSignal, endsAt: number) =>
  ({
    caller: { id: 'a' },
    services: { browse: async () => browse, search: async () => search },
    offers: () => false,
    log: { warn, debug() {} },
    signal,
    endsAt,
    responseBytes: 100_000,
    progress() {},
  }) as unknown as OperationContext;

const read = (urls: readonly [string, ...string[]], signal = new AbortController().signal) =>
  browseSeveral(
    { q: urls[0], urls, percentile: 100, numofpages: 1 } as unknown as Parameters<typeof browseSeveral>[0],
    contextOf(signal, performance.now() + MS),
  );

test.each([
  [['http://x.example/slow', 'http://x.example/good', 'http://x.example/broken']],
  [['http://x.example/broken', 'http://x.example/slow', 'http://x.example/good']],
] as const)('a slow page and a broken one are named beside the others: %j', async (urls) => {
  const reading = read(urls);
  await vi.advanceTimersByTimeAsync(0.85 * MS);
  const { results } = await reading;
  const of = (link: string) => results.find((result) => result.link === link);
  expect(results.map(({ link }) => link)).toEqual(urls);
  expect(of('http://x.example/good')).toMatchObject({ title: 'Good', full_content: 'The wheel turns.' });
  expect(of('http://x.example/slow')?.error).toContain('the time limit was reached');
  expect(of('http://x.example/broken')?.error).toContain('something went wrong inside Magpie');
  expect(ended).toContain('http://x.example/slow');
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ err: expect.anything() }), expect.anything());
});

test('a call that its caller ends fails as a whole', async () => {
  const stop = new AbortController();
  const reading = expect(
    read(['http://x.example/good', 'http://x.example/slow'], stop.signal),
  ).rejects.toThrow('enough');
  await vi.advanceTimersByTimeAsync(10);
  stop.abort(new Error('enough'));
  await reading;
});
