import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  environment,
  MONITOR_WAITS,
  type Running,
  runMagpie,
  startMagpie,
  temporaryFolder,
} from '../helpers/magpie.ts';

/** The public status page through the whole product: off at first, switched on at the terminal, read by anyone. */

const folder = temporaryFolder();
let env: Record<string, string>;
let magpie: Running;
let key: string;
let good: Server;
let bad: Server;

async function listening(status: number): Promise<Server> {
  const server = createServer((_request, response) => response.writeHead(status).end('hidden words'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  [good, bad] = [await listening(200), await listening(500)];
  const file = join(folder.path, 'infrastructure.yaml');
  const entry = (server: Server) =>
    `{ owner: web team, urls: ['http://127.0.0.1:${portOf(server)}/hidden-path'] }`;
  writeFileSync(file, `infrastructure:\n  shop: ${entry(good)}\n  bank: ${entry(bad)}\n`);
  env = { ...environment(join(folder.path, 'data')), MAGPIE_INVENTORY: file };
  const { stdout } = await runMagpie(['key', 'create', '--scope', 'read,write,monitor', '--json'], env);
  key = /magpie_[\w-]+/.exec(stdout)?.[0] ?? '';
  magpie = await startMagpie(env, [], MONITOR_WAITS);
  const start = (id: string, monitoring_options: object) =>
    fetch(new URL('/v1/monitor/start', magpie.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ infrastructure_id: id, monitoring_options }),
    });
  expect((await start('shop', { group: 'Web', name: 'The <b>shop</b>' })).status).toBe(200);
  expect((await start('bank', { group: 'Web' })).status).toBe(200);
}, 120_000);
afterAll(async () => {
  await magpie.stop();
  for (const server of [good, bad]) {
    server.closeAllConnections();
    server.close();
  }
  folder.remove();
});

const get = (path: string) => fetch(new URL(path, magpie.url));
const asOwner = async (path: string) => {
  const response = await fetch(new URL(path, magpie.url), { headers: { authorization: `Bearer ${key}` } });
  return (await response.json()) as { data: Record<string, unknown> };
};

test('groups are listed with their status, and can be filtered', async () => {
  await vi.waitFor(
    async () => {
      const { data } = await asOwner('/v1/monitor');
      expect(data.groups).toEqual([{ name: 'Web', status: 'down', monitors: 2, down: 1 }]);
    },
    { timeout: 60_000, interval: 100 },
  );
  expect((await asOwner('/v1/monitor?group=Web')).data.monitors).toHaveLength(2);
  expect((await asOwner('/v1/monitor?group=Other')).data).toEqual({ monitors: [] });
  const { stdout } = await runMagpie(['monitor', '--group', 'Web'], env);
  expect(stdout).toContain('group Web  down  down 1 of 2');
  expect((await runMagpie(['monitor', '--group', 'Other'], env)).stdout).not.toContain('shop');
});

test('the page is off until its owner switches it on, and off again', async () => {
  expect((await get('/status/acme')).status).toBe(404);
  expect((await runMagpie(['monitor', 'page'], env)).stdout).toContain('The status page is off');
  const on = await runMagpie(['monitor', 'page', 'on', '--slug', 'acme', '--title', 'Acme & <Co>'], env);
  expect(on.stdout).toContain('/status/acme');
  expect((await get('/status/acme')).status).toBe(200);
  const random = await runMagpie(['monitor', 'page', 'on', '--json'], env);
  expect(JSON.parse(random.stdout)).toMatchObject({ path: '/status/acme', addresses: false });
  expect((await runMagpie(['monitor', 'page', 'on', '--slug', 'A!'], env)).stderr).toContain('slug takes');
  await runMagpie(['monitor', 'page', 'off'], env);
  expect((await get('/status/acme')).status).toBe(404);
  expect((await get('/status/acme/uptime.svg')).status).toBe(404);
  const made = JSON.parse((await runMagpie(['monitor', 'page', 'on', '--json'], env)).stdout) as {
    path: string;
  };
  expect(made.path).toMatch(/^\/status\/[0-9a-f]{32}$/);
  await runMagpie(['monitor', 'page', 'on', '--slug', 'acme', '--title', 'Acme & <Co>'], env);
  expect((await get(made.path)).status).toBe(404);
});

test('the page is public: it has names and states, and no private data', async () => {
  const response = await get('/status/acme');
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(response.headers.get('cache-control')).toBe('public, max-age=30');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/);
  const page = await response.text();
  expect(page).toContain('Acme &amp; &lt;Co&gt;');
  expect(page).toContain('The &lt;b&gt;shop&lt;/b&gt;');
  expect(page).toContain('<bdi>bank</bdi></b> was down from');
  expect(page).not.toContain('<script');
  const json = await get('/status/acme.json');
  const text = await json.text();
  for (const hidden of [
    '127.0.0.1',
    'hidden-path',
    'hidden words',
    'web team',
    'local',
    String(portOf(good)),
  ]) {
    expect(page).not.toContain(hidden);
    expect(text).not.toContain(hidden);
  }
  expect(json.headers.get('access-control-allow-origin')).toBe('*');
  expect(JSON.parse(text)).toMatchObject({
    title: 'Acme & <Co>',
    state: 'partly',
    groups: [{ name: 'Web', services: [{ name: 'The <b>shop</b>', state: 'up' }, { state: 'down' }] }],
    incidents: [{ service: 'bank' }],
  });
  // Nothing else is open to who has no key.
  expect((await get('/v1/monitor')).status).toBe(401);
});

test('the owner of the page may show the addresses', async () => {
  await runMagpie(['monitor', 'page', 'on', '--addresses', 'shown'], env);
  expect(await (await get('/status/acme')).text()).toContain('/hidden-path answers with status 500');
  await runMagpie(['monitor', 'page', 'on', '--addresses', 'hidden'], env);
  expect(await (await get('/status/acme')).text()).not.toContain('hidden-path');
});

test('badges stand on fixed paths, for all and for each service', async () => {
  const { groups } = (await (await get('/status/acme.json')).json()) as {
    groups: { services: { ref: string; name: string }[] }[];
  };
  const ref = groups[0]?.services.find(({ name }) => name === 'bank')?.ref;
  for (const [path, words] of [
    ['/status/acme/status.svg', 'status: partly down'],
    [`/status/acme/${ref}/status.svg`, 'status: down'],
    [`/status/acme/${ref}/uptime.svg?window=24h`, 'uptime 24h: 0%'],
    [`/status/acme/${ref}/response.svg`, 'response 30d: unknown'],
  ] as const) {
    const response = await get(path);
    expect(response.headers.get('content-type')).toContain('image/svg+xml');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(await response.text()).toContain(`aria-label="${words}"`);
  }
  expect((await get('/status/acme/other.svg')).status).toBe(404);
  expect((await get('/status/acme/0123456789ab/status.svg')).status).toBe(404);
  expect((await get('/status/acme/uptime.svg?window=1y')).status).toBe(400);
  expect((await get('/status/ACME')).status).toBe(404);
});

test('a maintenance window replaces the state down: on the page, in JSON and on badges', async () => {
  const to = new Date(Date.now() + 3_600_000).toISOString();
  const window = { from: new Date(Date.now() - 60_000).toISOString(), to };
  const response = await fetch(new URL('/v1/monitor/start', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ infrastructure_id: 'bank', monitoring_options: { maintenance: [window] } }),
  });
  expect(response.status).toBe(200);
  // The page of before is kept for half a minute, and not that of other settings.
  await runMagpie(['monitor', 'page', 'on', '--title', 'Acme in maintenance'], env);
  const page = await (await get('/status/acme')).text();
  expect(page).toMatch(/<span class="tag maintenance">Maintenance<\/span>/);
  expect(page).toContain(`Maintenance until <time datetime="${to}">`);
  expect(page).not.toMatch(/class="(?:tag|state) (?:down|partly)"/);
  const json = (await (await get('/status/acme.json')).json()) as {
    state: string;
    groups: { services: { ref: string; name: string; state: string; maintenance_until?: string }[] }[];
  };
  const bank = json.groups[0]?.services.find(({ name }) => name === 'bank');
  expect([json.state, bank?.state, bank?.maintenance_until]).toEqual(['up', 'maintenance', to]);
  expect(await (await get(`/status/acme/${bank?.ref}/status.svg`)).text()).toContain('status: maintenance');
});
