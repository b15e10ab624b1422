import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** Times of texts: when they were said (`at`), until when they hold (`until`), and questions `asOf` a time. */

const folder = temporaryFolder();
let web: TestWeb;
let env: Record<string, string>;
let magpie: Running;

beforeAll(async () => {
  web = await startWeb();
  env = { ...environment(folder.path, web), ...(await withoutModel()) };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await web.close();
  folder.remove();
});
beforeEach(() => call('reset', { q: '' }));

interface Body {
  readonly id: string;
  readonly error: string;
  readonly status: { readonly status: string };
  readonly entries: { readonly id: string; readonly createdAt: string; readonly until?: string }[];
  readonly matches: {
    readonly score: number;
    readonly ended?: boolean;
    readonly supersededBy?: string;
    readonly metadata: { readonly text: string; readonly until?: string };
  }[];
}

async function call(name: string, input: Record<string, string>, status = 200): Promise<Body> {
  const response = await fetch(new URL(`/${name}?${new URLSearchParams(input)}`, magpie.url));
  expect(response.status).toBe(status);
  return response.json() as Promise<Body>;
}

const keep = (q: string, more: Record<string, string> = {}) => call('upsert', { q, ...more });
const ask = async (q: string, more: Record<string, string> = {}) =>
  (await call('query', { q, ...more })).matches;
const texts = async (...args: Parameters<typeof ask>) =>
  (await ask(...args)).map(({ metadata }) => metadata.text);

async function post(name: string, input: unknown): Promise<Response> {
  return fetch(new URL(`/${name}`, magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
}

test('a text is as old as its time, whenever it was given', async () => {
  await keep('The rent of the flat is 900 euros.', { at: '2025-06-01' });
  await keep('The rent of the flat is 820 euros.', { at: '2024-03-05T10:00:00Z' });
  const [first, second] = await ask('rent of the flat');
  expect(first?.metadata.text).toContain('900');
  expect(second).toMatchObject({ supersededBy: expect.any(String) });
  const { entries } = await call('listEntries', { until: '2024-12-31' });
  expect(entries).toMatchObject([{ createdAt: '2024-03-05T10:00:00.000Z' }]);
});

test('a question as of a time finds what was said until then', async () => {
  await keep('The rent of the flat is 820 euros.', { at: '2024-03-05' });
  await keep('The rent of the flat is 900 euros.', { at: '2025-06-01' });
  expect(await texts('rent of the flat', { asOf: '2024-12-31' })).toEqual([
    'The rent of the flat is 820 euros.',
  ]);
  expect(await texts('rent of the flat', { asOf: '2025-06-01' })).toHaveLength(2);
  expect(await texts('rent of the flat', { asOf: '2023-12-31' })).toEqual([]);
});

test('a text that has ended comes after those that hold, and says so', async () => {
  await keep('The gym is open from 6 to 22.', { at: '2024-01-02', until: '2024-06-30' });
  await keep('The gym is closed on Sundays, and open on other days.');
  const now = await ask('when is the gym open');
  expect(now.map(({ ended = false }) => ended)).toEqual([false, true]);
  expect(now[1]?.metadata.until?.slice(0, 4)).toBe('2024');
  expect(now[0]?.score).toBeGreaterThanOrEqual(now[1]?.score ?? 1);
  const [then, ...others] = await ask('when is the gym open', { asOf: '2024-06-30' });
  expect(others).toEqual([]);
  expect(then?.metadata.text).toContain('22');
  expect(then?.ended).toBeUndefined();
});

test('an end is changed and removed, and survives trash and restore', async () => {
  const { id } = await keep('The coupon gives ten percent.', { until: '2020-02-01' });
  expect((await ask('coupon percent'))[0]?.ended).toBe(true);
  expect((await post('updateEntry', { id, until: ' ' })).status).toBe(200);
  expect((await ask('coupon percent'))[0]?.ended).toBeUndefined();
  expect((await post('updateEntry', { id, until: '2020-03-01T00:00:00Z' })).status).toBe(200);
  expect((await post('deleteEntry', { id })).status).toBe(200);
  expect((await post('deleteEntry', { id, restore: true })).status).toBe(200);
  expect((await call('listEntries', {})).entries).toMatchObject([{ id, until: '2020-03-01T00:00:00.000Z' }]);
});

test('a new text of a key does not end with the old one', async () => {
  await keep('I live in Bonn.', { key: 'address', until: '2023-01-01' });
  const { id } = await keep('I live in Berlin.', { key: 'address' });
  expect((await ask('where do I live'))[0]?.ended).toBeUndefined();
  await keep('I live in Bern.', { id, until: '2023-01-01' });
  await keep('I live in Bari.', { id });
  expect((await ask('where do I live'))[0]).toMatchObject({ metadata: { text: 'I live in Bari.' } });
  expect((await ask('where do I live'))[0]?.ended).toBeUndefined();
});

test('a text said again with an end gets it', async () => {
  const { id } = await keep('The museum is free for pupils.');
  await keep('The museum is free for pupils.', { until: '2031-01-31T12:00:00Z' });
  expect((await call('listEntries', {})).entries).toMatchObject([{ id, until: '2031-01-31T12:00:00.000Z' }]);
});

test.each([['backup.jsonl'], ['notes']])('export to %s and import carry times and ends', async (target) => {
  await keep('The lease runs.', { at: '2024-03-05T10:00:00Z', until: '2030-05-06T07:08:09Z' });
  const to = `${folder.path}/${target}`;
  const exported = await runMagpie(['kb', 'export', to], env);
  expect(exported.code, exported.stderr).toBe(0);
  await call('reset', { q: '' });
  const imported = await runMagpie(['kb', 'import', to], env);
  expect(imported.code, imported.stderr).toBe(0);
  expect((await call('listEntries', {})).entries).toMatchObject([
    { createdAt: '2024-03-05T10:00:00.000Z', until: '2030-05-06T07:08:09.000Z' },
  ]);
});

test.each([
  [{ at: 'soon' }, 'at is "soon": it takes a value such as 2026-01-31'],
  [{ at: '2099-01-01' }, 'up to now'],
  [{ until: 'never' }, 'until is "never"'],
  [{ id: 'x-1', at: '2024-01-01' }, 'at and id are both given'],
])('upsert with %o says what is taken', async (more, error) => {
  expect((await call('upsert', { q: 'x', ...(more as Record<string, string>) }, 400)).error).toContain(error);
});

test('an older text does not replace the newer text of its key', async () => {
  await keep('Weight 80 kg', { key: 'weight', at: '2025-05-01' });
  const { error } = await call('upsert', { q: 'Weight 85 kg', key: 'weight', at: '2024-01-01' }, 400);
  expect(error).toContain('leave out key to keep both');
  await keep('Weight 79 kg', { key: 'weight', at: '2025-06-01' });
  expect(await texts('weight')).toEqual(['Weight 79 kg']);
});
