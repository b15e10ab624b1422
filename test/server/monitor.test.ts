import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CONNECTIONS } from '../helpers/clients.ts';
import {
  environment,
  MONITOR_WAITS,
  type Running,
  runMagpie,
  startMagpie,
  temporaryFolder,
} from '../helpers/magpie.ts';
import { type MovingClock, startMovingClock } from '../helpers/moving-clock.ts';
import { AUTHORITY, startTlsSite, type TlsSite } from '../helpers/tls-site.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

/** Monitoring through the whole product: REST, MCP, the terminal, and a receiver of its alerts. */

const folder = temporaryFolder();
const file = join(folder.path, 'infrastructure.yaml');
let env: Record<string, string>;
let magpie: Running;
let receiver: Receiver;
let clock: MovingClock;
let expired: TlsSite;
let shop: TlsSite;

beforeAll(async () => {
  clock = startMovingClock();
  receiver = await startReceiver();
  expired = await startTlsSite({ certificate: 'expired' });
  shop = await startTlsSite({ certificate: 'good' });
  mkdirSync(folder.path, { recursive: true });
  const entry = (site: TlsSite) => `{ authority: ${AUTHORITY}, owner: web team, urls: ['${site.url}'] }`;
  writeFileSync(file, `infrastructure:\n  old: ${entry(expired)}\n  shop: ${entry(shop)}\n`);
  env = {
    ...environment(join(folder.path, 'data')),
    MAGPIE_INVENTORY: file,
    MAGPIE_MONITOR_WEBHOOK: receiver.url,
  };
  magpie = await startMagpie(env, [], MONITOR_WAITS);
});
afterAll(async () => {
  await magpie.stop();
  await Promise.all([receiver.close(), expired.close(), shop.close().catch(() => {})]);
  folder.remove();
  clock.stop();
});

function start(body: unknown): Promise<Response> {
  return fetch(new URL('/v1/monitor/start', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

interface Status {
  readonly history?: unknown;
  readonly status: string;
  readonly runs: { readonly last?: string; readonly open_alerts: number };
  readonly findings: readonly { readonly id: string }[];
}

async function statusOf(id: string): Promise<Status> {
  const response = await fetch(new URL(`/v1/monitor/status/${encodeURIComponent(id)}`, magpie.url));
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: Status };
  return data;
}

/** Two views of a monitor that is probed between them. */
async function same(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
  await vi.waitFor(async () => expect(await one()).toEqual(await other()), {
    timeout: 60_000,
    interval: 100,
  });
}

test('POST /v1/monitor/start starts a monitor, and GET shows its status [path.startMonitoring] [path.getMonitoringStatus]', async () => {
  const response = await start({
    infrastructure_id: 'old',
    monitoring_options: { alert_threshold: 7, scan_interval: 10 },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    success: true,
    data: {
      infrastructure_id: 'old',
      options: { alert_threshold: 7, scan_interval: 10 },
      runs: { owner: 'web team' },
    },
  });
  await vi.waitUntil(() => receiver.got.length > 0, { timeout: 60_000, interval: 50 });
  const status = await statusOf('old');
  expect(status.status).toBe('alerting');
  expect(status.findings[0]).toMatchObject({ id: 'certificate/expired', severity: 'high' });
  clock.pass(10);
  // Two probes: the time between them is known, and the site was up.
  await vi.waitFor(
    async () => {
      const { history } = (await statusOf('old')) as { history?: { windows: { window: string }[] } };
      expect(history?.windows.map(({ window }) => window)).toEqual(['24h', '7d', '30d', '90d']);
      expect(history?.windows[0]).toMatchObject({ uptime: 1, p50_ms: expect.any(Number) as number });
      expect(history).toMatchObject({ incidents: [] });
    },
    { timeout: 60_000, interval: 100 },
  );
  const without = await fetch(new URL('/v1/monitor/status/old?history=false', magpie.url));
  expect(((await without.json()) as { data: object }).data).not.toHaveProperty('history');
  const { stdout } = await runMagpie(['monitor', 'status', 'old'], env);
  expect(stdout).toContain('24h  up 100%  p50 ');
  const asked = await runMagpie(['call', 'getMonitoringStatus', '--infrastructure_id', 'old'], env);
  expect(asked.stdout).toMatch(
    /last 24h: up 100%( of the time that is known \((under )?[\d.]+%\))?; answers 50% in \d+ ms/,
  );
  const metrics = await (await fetch(new URL('/metrics', magpie.url))).text();
  expect(metrics).toContain('magpie_monitor_alerts_total{event="alert.raised"} 1');
});

test.each([
  [{ alert_threshold: 11 }, /monitoring_options\.alert_threshold/],
  [{ scan_interval: 9 }, /monitoring_options\.scan_interval/],
  [{ scan_interval: 'often' }, /monitoring_options/],
])('wrong options %j are 400 and named [monitor.options]', async (monitoring_options, named) => {
  const response = await start({ infrastructure_id: 'old', monitoring_options });
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(((await response.json()) as { error: string }).error).toMatch(named);
});

test('an unknown option is ignored, as an unknown parameter is [parameter.unknown]', async () => {
  const monitoring_options = { scan_interval: 10, interval: 60 };
  expect((await start({ infrastructure_id: 'old', monitoring_options })).status).toBe(200);
});

test('an unknown infrastructure is 400, and what is not watched 404', async () => {
  expect((await start({ infrastructure_id: 'nothing here' })).status).toBe(400);
  expect((await fetch(new URL('/v1/monitor/status/unseen.example', magpie.url))).status).toBe(404);
});

describe.each(Object.entries(CONNECTIONS).slice(2, 5))('MCP over %s', (_name, connect) => {
  test('reads a monitor as a resource', async () => {
    const client = await connect({ url: magpie.url, env });
    try {
      await same(
        async () => {
          const { contents } = await client.readResource({ uri: 'monitor://old' });
          return JSON.parse((contents as { text: string }[])[0]?.text ?? '') as unknown;
        },
        () => statusOf('old'),
      );
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toContain('monitor://old');
    } finally {
      await client.close();
    }
  });
});

test('a subscribed client is notified of a change by another process [monitor.notices]', async () => {
  const client = new Client({ name: 'magpie-test', version: '1.0.0' });
  const updated: string[] = [];
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void updated.push(params.uri),
  );
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', magpie.url)));
  try {
    await client.subscribeResource({ uri: 'monitor://old' });
    expect(await runMagpie(['monitor', 'start', 'old', '--threshold', '6'], env)).toMatchObject({ code: 0 });
    await expect.poll(() => updated, { timeout: 60_000 }).toContain('monitor://old');
    expect(new Set(updated)).toEqual(new Set(['monitor://old']));
  } finally {
    await client.close();
  }
});

test('magpie monitor lists, pauses and resumes', async () => {
  const list = await runMagpie(['monitor'], env);
  expect(list).toMatchObject({ code: 0, stdout: expect.stringContaining('old  alerting') });
  const paused = await runMagpie(['monitor', 'pause', 'old', '--json'], env);
  expect(JSON.parse(paused.stdout)).toMatchObject({
    infrastructure_id: 'old',
    status: 'stopped',
    runs: { paused: true, started: expect.stringMatching(/Z$/) },
  });
  const json = async (...args: string[]) =>
    JSON.parse((await runMagpie(['monitor', ...args, '--json'], env)).stdout) as unknown;
  await same(
    () => json('status', 'old'),
    () => statusOf('old'),
  );
  await same(
    () => json(),
    async () => {
      const listed = await fetch(new URL('/v1/monitor', magpie.url));
      return ((await listed.json()) as { data: { monitors: unknown } }).data.monitors;
    },
  );
  const resumed = await runMagpie(['monitor', 'resume', 'old'], env);
  expect(resumed.stdout).toContain('The certificate has expired');
  const unknown = await runMagpie(['monitor', 'status', 'nothing'], env);
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no monitor of "nothing"'),
  });
});

test('an invalid inventory stops the start, and the error names its line', async () => {
  const faulty = join(folder.path, 'faulty.yaml');
  writeFileSync(
    faulty,
    'infrastructure:\n  db:\n    hosts:\n      - host: 10.0.0.5\n        ports: [22, 99999]\n',
  );
  const data = join(folder.path, 'other');
  const { code, stderr } = await runMagpie(['serve'], {
    ...env,
    MAGPIE_INVENTORY: faulty,
    MAGPIE_DATA: data,
  });
  expect(code).not.toBe(0);
  expect(stderr).toContain(`${faulty}:5: infrastructure.db.hosts[0].ports[1] is not usable`);
});
