import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { type MovingClock, startMovingClock } from '../helpers/moving-clock.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

/** Heartbeats through the whole product: a job calls, is late, and calls again. */

const folder = temporaryFolder();
let env: Record<string, string>;
let magpie: Running;
let receiver: Receiver;
let clock: MovingClock;

beforeAll(async () => {
  clock = startMovingClock();
  receiver = await startReceiver();
  env = { ...environment(join(folder.path, 'data')), MAGPIE_MONITOR_WEBHOOK: receiver.url };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await receiver.close();
  clock.stop();
  folder.remove();
});

interface Data {
  readonly status: string;
  readonly options: { readonly heartbeat?: string; readonly grace?: number };
  readonly targets: readonly { readonly kind: string; readonly up?: boolean }[];
  readonly findings: readonly { readonly description: string }[];
}

async function start(id: string, monitoring_options: object): Promise<Data> {
  const response = await fetch(new URL('/v1/monitor/start', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ infrastructure_id: id, monitoring_options }),
  });
  return ((await response.json()) as { data: Data }).data;
}
async function statusOf(id: string): Promise<Data> {
  const response = await fetch(new URL(`/v1/monitor/status/${encodeURIComponent(id)}`, magpie.url));
  return ((await response.json()) as { data: Data }).data;
}
const call = async (path: string, method = 'GET') =>
  (await fetch(new URL(path, magpie.url), { method })).status;
const soon = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 90_000, interval: 50 });

test('a job that is late is down, and its next heartbeat clears the alert [monitor.alerts]', async () => {
  const id = 'heartbeat:nightly';
  const { options, targets } = await start(id, { scan_interval: 10, grace: 15 });
  expect([targets, options.grace]).toMatchObject([[{ kind: 'heartbeat' }], 15]);
  expect(targets[0]?.up).toBeUndefined();
  const path = options.heartbeat ?? '';
  expect(path).toMatch(/^\/heartbeat\/[\w-]{32}$/);
  expect(await call(path)).toBe(200);
  await soon(async () => expect((await statusOf(id)).targets[0]?.up).toBe(true));
  clock.pass(25);
  await soon(() => expect(receiver.events()).toEqual(['raised reachability/down']));
  const late = await statusOf(id);
  expect([late.status, late.findings[0]?.description]).toEqual([
    'down',
    expect.stringMatching(/^it has sent no heartbeat since \S+Z, and it was due by \S+Z$/),
  ]);
  expect(await call(path, 'POST')).toBe(200);
  await soon(() =>
    expect(receiver.events()).toEqual(['raised reachability/down', 'cleared reachability/down']),
  );
});

test('the address of a heartbeat is shown once, and a new address replaces it', async () => {
  const first = (await start('heartbeat:weekly', {})).options.heartbeat ?? '';
  expect((await start('heartbeat:weekly', { grace: 5 })).options.heartbeat).toBeUndefined();
  expect((await statusOf('heartbeat:weekly')).options.heartbeat).toBeUndefined();
  const args = ['monitor', 'start', 'heartbeat:weekly', '--new-token', '--json'];
  const { stdout } = await runMagpie(args, env);
  const second = (JSON.parse(stdout) as Data).options.heartbeat ?? '';
  expect(second).not.toBe(first);
  expect([await call(first), await call(second)]).toEqual([404, 200]);
  const text = await runMagpie(['monitor', 'start', 'heartbeat:weekly', '--new-token'], env);
  expect(text.stdout + text.stderr).toMatch(/\/heartbeat\/[\w-]{32} at the address of magpie serve/);
});

test('a job that reports a failure is down at once, and its next success clears the alert', async () => {
  const id = 'heartbeat:import';
  const path = (await start(id, {})).options.heartbeat ?? '';
  expect(await call(`${path}/start`)).toBe(200);
  expect(await call(`${path}/fail`, 'POST')).toBe(200);
  await soon(async () => {
    const { status, findings } = await statusOf(id);
    expect([status, findings[0]?.description]).toEqual([
      'down',
      expect.stringMatching(/^it said at \S+Z that it has failed$/),
    ]);
  });
  expect(await call(`${path}/0`)).toBe(200);
  await soon(async () => expect((await statusOf(id)).targets[0]?.up).toBe(true));
  expect(await call(`${path}/3`)).toBe(200);
  await soon(async () => expect((await statusOf(id)).targets[0]?.up).toBe(false));
  expect([await call(`${path}/other`), await call(`${path}/__proto__`), await call(`${path}/1000`)]).toEqual([
    404, 404, 404,
  ]);
  const document = (await (await fetch(new URL('/openapi.json', magpie.url))).json()) as { paths: object };
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/heartbeat/{token}', '/heartbeat/{token}/{said}']),
  );
});

test('a wrong token, and a HEAD request, do not count as a heartbeat', async () => {
  const path = (await start('heartbeat:hourly', {})).options.heartbeat ?? '';
  expect(await call(path, 'HEAD')).toBe(404);
  expect(await call(`${path.slice(0, -1)}${path.endsWith('a') ? 'b' : 'a'}`)).toBe(404);
  expect([await call('/heartbeat/short'), await call('/heartbeat/')]).toEqual([404, 404]);
  expect((await statusOf('heartbeat:hourly')).targets[0]?.up).toBeUndefined();
});

test('a browser prefetch does not count as a heartbeat', async () => {
  const id = 'heartbeat:fetched';
  const { options } = await start(id, { scan_interval: 3600 });
  for (const [name, value] of [
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'preview'],
  ] as const) {
    const headers = { [name]: value };
    expect((await fetch(new URL(options.heartbeat ?? '', magpie.url), { headers })).status).toBe(403);
  }
  expect((await statusOf(id)).targets[0]?.up).toBeUndefined();
});
