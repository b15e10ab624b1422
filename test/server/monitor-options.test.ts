import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  environment,
  MONITOR_WAITS,
  type Running,
  runMagpie,
  startMagpie,
  temporaryFolder,
} from '../helpers/magpie.ts';
import { startTlsSite, type TlsSite } from '../helpers/tls-site.ts';

/** What one probe decides, set through REST, MCP and the terminal. */

const folder = temporaryFolder();
let env: Record<string, string>;
let magpie: Running;
let site: TlsSite;

beforeAll(async () => {
  site = await startTlsSite({ body: '{"state":"ok"}', answer: () => ({ status: 404, headers: {} }) });
  mkdirSync(folder.path, { recursive: true });
  const file = join(folder.path, 'infrastructure.yaml');
  writeFileSync(file, `infrastructure:\n  shop: { urls: ['${site.url}'] }\n`);
  env = { ...environment(join(folder.path, 'data')), MAGPIE_INVENTORY: file };
  magpie = await startMagpie(env, [], MONITOR_WAITS);
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
  folder.remove();
});

interface Data {
  readonly status: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly targets: readonly { readonly up?: boolean }[];
  readonly findings: readonly { readonly id: string; readonly description: string }[];
}

async function start(monitoring_options: object): Promise<{ status: number; error?: string; data: Data }> {
  const response = await fetch(new URL('/v1/monitor/start', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      infrastructure_id: 'shop',
      monitoring_options: { scan_interval: 10, ...monitoring_options },
    }),
  });
  return { status: response.status, ...((await response.json()) as { error?: string; data: Data }) };
}

async function statusOf(): Promise<Data> {
  const response = await fetch(new URL('/v1/monitor/status/shop', magpie.url));
  return ((await response.json()) as { data: Data }).data;
}

const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 200 });
const reached = ({ findings }: Data) =>
  findings.filter(({ id }) => id.startsWith('reachability/')).map(({ description }) => description);

test('a 404 is down unless it is expected, by REST', async () => {
  const { data } = await start({});
  expect(data.options.expect).toBeUndefined();
  await soon(async () => {
    const now = await statusOf();
    expect([now.status, reached(now)]).toEqual(['down', [`${site.url} answers with status 404`]]);
  });
  const expected = { status: '404', contains: ['state'], json: ['$.state == "ok"'], response_ms: 60_000 };
  expect((await start({ expect: { ...expected, contains: 'state' } })).data.options.expect).toEqual(expected);
  await soon(async () => {
    const now = await statusOf();
    expect([now.targets.map(({ up }) => up), reached(now)]).toEqual([[true], []]);
  });
});

test('expectations stay when another option changes, and an empty object removes them', async () => {
  expect((await start({ expect: { lacks: ['x'] } })).data.options.expect).toEqual({ lacks: ['x'] });
  expect((await start({ alert_threshold: 8 })).data.options.expect).toEqual({ lacks: ['x'] });
  expect((await start({ expect: {} })).data.options.expect).toBeUndefined();
});

test.each([
  [{ status: '2xx' }, 'expect.status has "2xx": it takes codes from 100 to 599 and ranges of them'],
  [{ json: ['state == "ok"'] }, 'expect.json has "state == \\"ok\\"", which cannot be read from'],
  [{ response_ms: 0 }, 'monitoring_options.expect.response_ms is not usable'],
  [{ contains: [''] }, 'monitoring_options.expect.contains'],
])('%j is answered 400, and the value is named', async (expected, words) => {
  const { status, error } = await start({ expect: expected });
  expect([status, error]).toEqual([400, expect.stringContaining(words)]);
});

test('MCP accepts conditions that its tool listing leaves out, and names an unknown condition', async () => {
  const client = new Client({ name: 'magpie-test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', magpie.url)));
  try {
    const call = async (given: object) => {
      const answer = await client.callTool({
        name: 'startMonitoring',
        arguments: { infrastructure_id: 'shop', monitoring_options: { expect: given } },
      });
      return JSON.stringify(answer.content);
    };
    expect(await call({ status: '404' })).toContain('shop: ');
    expect(await call({ statuss: '404' })).toMatch(/unknown parameter .*statuss/);
  } finally {
    await client.close();
  }
});

test('retries are set, shown, kept with another option, and bounded', async () => {
  const { data } = await start({ retries: 3, retry_interval: 5 });
  expect(data.options).toMatchObject({ retries: 3, retry_interval: 5 });
  expect((await start({ retries: 0 })).data.options).toMatchObject({ retries: 0, retry_interval: 5 });
  const { status, error } = await start({ retries: 21 });
  expect([status, error]).toEqual([400, expect.stringContaining('monitoring_options.retries is not usable')]);
});

test('maintenance windows are set, shown while they last, and taken away', async () => {
  const now = Date.now();
  const window = { from: new Date(now - 60_000).toISOString(), to: new Date(now + 3_600_000).toISOString() };
  const weekly = { cron: '0 2 * * sun', minutes: 60, zone: 'Europe/Berlin' };
  const { data } = await start({ maintenance: [window, weekly] });
  expect(data).toMatchObject({
    options: { maintenance: [window, weekly] },
    runs: { maintenance_until: window.to },
  });
  expect((await start({ maintenance: [weekly, { cron: 'daily', minutes: 5 }] })).error).toContain(
    'maintenance has the cron "daily"',
  );
  expect((await start({ maintenance: [{ from: window.from }] })).error).toContain(
    'maintenance takes windows with',
  );
  expect((await start({ maintenance: [{ from: 'now', to: window.to }] })).status).toBe(400);
  const flags = ['--maintenance', '0 2 * * sun for 60 in Europe/Berlin', '--json'];
  const { stdout } = await runMagpie(['monitor', 'start', 'shop', ...flags], env);
  expect((JSON.parse(stdout) as Data).options.maintenance).toEqual([weekly]);
  for (const text of ['sundays', '1/2/26', '2026-12-01T22:00Z/2 Dec 2026']) {
    const wrong = await runMagpie(['monitor', 'start', 'shop', '--maintenance', text], env);
    expect(wrong.stderr).toContain(`--maintenance is ${JSON.stringify(text)}`);
  }
  expect((await start({ maintenance: [] })).data.options.maintenance).toBeUndefined();
});

test('magpie monitor start accepts expectations as flags', async () => {
  const run = async (...flags: string[]) => {
    const { stdout, stderr, code } = await runMagpie(['monitor', 'start', 'shop', '--json', ...flags], env);
    return code === 0 ? (JSON.parse(stdout) as Data).options.expect : stderr;
  };
  const flags = [
    '--status',
    '404',
    '--contains',
    'a',
    '--contains',
    'b',
    '--check',
    '$.state',
    '--within',
    '900',
  ];
  expect(await run(...flags)).toEqual({
    status: '404',
    contains: ['a', 'b'],
    json: ['$.state'],
    response_ms: 900,
  });
  expect(await run('--status', 'ok')).toContain('expect.status has ');
  expect(await run('--anything', '--lacks', 'x')).toContain('--anything removes all expectations');
  expect(await run('--anything')).toBeUndefined();
});
