import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visitConsole } from '../../../helpers/console-visit.ts';
import {
  environment,
  type Running,
  runMagpie,
  startMagpie,
  temporaryFolder,
} from '../../../helpers/magpie.ts';

/** Monitors in the console, over HTTP. */

const folder = temporaryFolder();
let [magpie, site] = [{} as Running, {} as Server];
let env: Record<string, string> = {};
let status = 200;
const visit = () => visitConsole(() => magpie.url);

beforeAll(async () => {
  site = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Basket</h1>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  mkdirSync(join(folder.path, 'data'), { recursive: true });
  const inventory = join(folder.path, 'inventory.yaml');
  writeFileSync(
    inventory,
    `infrastructure:\n  shop: { urls: ['${url}'] }\n  other: { urls: ['${url}other'] }\n`,
  );
  env = { ...environment(join(folder.path, 'data')), MAGPIE_INVENTORY: inventory };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  site.closeAllConnections();
  site.close();
  folder.remove();
});

const WATCH = { interval: '10', threshold: '7' };

describe('an open server', () => {
  test('the empty page says what to do first, and its example fills the form', async () => {
    const { page } = visit();
    expect(await page('/app/monitors')).toContain('Nothing is watched yet');
    expect(await page('/app/monitors?what=example.com')).toMatch(/name="id" value="example\.com"/);
  });

  test('a monitored site is up, with bars, answers and percentiles in words', async () => {
    const { page, post } = visit();
    const made = await post('/app/monitors/watch', {
      ...WATCH,
      id: 'shop',
      name: 'The "shop" <b>',
      contains: 'Basket\n',
    });
    expect(made.headers.get('location')).toBe('/app/monitors/one?id=shop');
    await expect.poll(() => page('/app/monitors')).toMatch(/class="tag good">Up</);
    const listed = await page('/app/monitors');
    expect(listed).toContain('The &quot;shop&quot; &lt;b&gt;');
    expect(listed).toMatch(/aria-label="Uptime of 90 days: 100%, of the 1 days that are known"/);
    expect(listed).toMatch(
      /aria-label="Response time of 24 hours: [\d.]+ m?s to [\d.]+ m?s, [\d.]+ m?s at last"/,
    );
    const shown = await page('/app/monitors/one?id=shop');
    for (const part of [
      '24 hours',
      '7 days',
      '30 days',
      '90 days',
      'Alerts',
      'Incidents of 90 days',
      'Maintenance',
      'Notifications',
    ]) {
      expect(shown).toContain(part);
    }
    // What it is watched by stands in the form that changes it.
    expect(shown).toMatch(/name="contains"[^>]*>Basket</);
  });

  test('an unexpected answer is a finding, an alert and an incident', async () => {
    const { page, post } = visit();
    status = 503;
    await post('/app/monitors/watch', { ...WATCH, id: 'other', status: '200', retries: '0' });
    await expect.poll(() => page('/app/monitors/one?id=other')).toMatch(/<b dir="auto">[\s\S]*status 503/);
    const shown = await page('/app/monitors/one?id=other');
    expect(shown).toContain('Down now');
    expect(shown).toMatch(/class="tag bad">Open</);
    expect(shown).toContain('How to mend it');
    expect(await page('/app/monitors')).toMatch(/bad-ink">1<\/b><small>down now/);
    status = 200;
    await post('/app/monitors/act', { id: 'other', act: 'forget' });
  });

  test('an emptied field in the form of a monitored site removes the value', async () => {
    const { page, post } = visit();
    await post('/app/monitors/watch', { ...WATCH, id: 'shop', watched: '1', interval: '60' });
    const shown = await page('/app/monitors/one?id=shop');
    expect(shown).toMatch(/name="contains"[^>]*></);
    expect(shown).toMatch(/name="interval" value="60"/);
    expect(shown).toContain('<h1>shop</h1>');
  });

  test('maintenance windows are added and removed; an invalid window keeps its input', async () => {
    const { page, post } = visit();
    await post('/app/monitors/maintenance', { id: 'shop', from: '2030-01-01T22:00', to: '2030-01-02T02:00' });
    await post('/app/monitors/maintenance', {
      id: 'shop',
      cron: '0 2 * * sun',
      minutes: '120',
      zone: 'Europe/Berlin',
    });
    expect(await page('/app/monitors/one?id=shop')).toMatch(
      /1 Jan 2030, 22:00[\s\S]*0 2 \* \* sun<\/code> for 120 minutes, Europe\/Berlin/,
    );
    const wrong = await post('/app/monitors/maintenance', { id: 'shop', cron: 'now and then', minutes: '5' });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toMatch(/role="alert">[^<]*now and then[\s\S]*value="now and then"/);
    await post('/app/monitors/maintenance', { id: 'shop', remove: '0' });
    expect(await page('/app/monitors/one?id=shop')).not.toContain('2030-01-01');
  });

  test('a monitor is paused, resumed, stopped and deleted', async () => {
    const { page, post, get } = visit();
    for (const [act, word] of [
      ['pause', 'Paused'],
      ['resume', 'Up'],
      ['stop', 'Stopped'],
    ]) {
      await post('/app/monitors/act', { id: 'shop', act: act ?? '' });
      await expect
        .poll(() => page('/app/monitors/one?id=shop'))
        .toMatch(new RegExp(`class="tag[^"]*">${word}<`));
    }
    expect(
      (
        await get('/app/monitors/act', {
          method: 'POST',
          body: new URLSearchParams({ id: 'shop', act: 'forget' }),
        })
      ).status,
    ).toBe(403);
    await post('/app/monitors/act', { id: 'shop', act: 'forget' });
    expect((await get('/app/monitors/one?id=shop')).status).toBe(404);
  });

  test('a heartbeat shows its address once; an invalid value is named, and the others are kept', async () => {
    const { page, post } = visit();
    const made = await post('/app/monitors/watch', { ...WATCH, id: 'heartbeat:backup' });
    expect(made.status).toBe(200);
    expect(await made.text()).toMatch(/\/heartbeat\/[\w-]{20,}/);
    expect(await page('/app/monitors/one?id=heartbeat:backup')).not.toMatch(/\/heartbeat\/[\w-]{20,}/);
    const odd = await post('/app/monitors/watch', { ...WATCH, id: 'not a host' });
    expect(await odd.text()).toContain('What to watch is &quot;not a host&quot;');
    const wrong = await post('/app/monitors/watch', {
      ...WATCH,
      id: 'other',
      interval: 'soon',
      group: '"><script>',
    });
    expect(wrong.status).toBe(422);
    const shown = await wrong.text();
    expect(shown).toMatch(/role="alert">[^<]*scan_interval/);
    expect(shown).toContain('value="soon"');
    expect(shown).toContain('value="&quot;&gt;&lt;script&gt;"');
  });

  test('the status page is created, changed and switched off', async () => {
    const { page, post, get } = visit();
    await post('/app/monitors/page', { title: 'Acme', slug: 'acme-status' });
    expect(await page('/app/monitors')).toContain('href="/status/acme-status"');
    expect((await get('/status/acme-status')).status).toBe(200);
    const wrong = await post('/app/monitors/page', { title: 'Acme <i>', slug: 'No!' });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain('value="Acme &lt;i&gt;"');
    await post('/app/monitors/page', { end: '1' });
    expect((await get('/status/acme-status')).status).toBe(404);
  });
});

test('a page for a key without the scope monitor names the missing scope', async () => {
  const made = await runMagpie(['key', 'create', '--scope', 'read', '--json'], env);
  const key = /magpie_\w+/.exec(made.stdout)?.[0] ?? '';
  const browser = visit();
  await expect.poll(async () => (await browser.get('/app/monitors')).status).toBe(401);
  await browser.get('/app/sign-in', { method: 'POST', body: new URLSearchParams({ key }) });
  for (const path of ['/app/monitors', '/app/monitors/one?id=shop']) {
    expect(await browser.page(path)).toContain('lacks the scope <b>monitor</b>');
  }
  expect((await browser.post('/app/monitors/watch', { ...WATCH, id: 'shop' })).status).toBe(403);
  expect((await browser.post('/app/monitors/page', { title: 'x' })).status).toBe(403);
  expect((await browser.post('/app/monitors/maintenance', { id: 'shop', remove: '0' })).status).toBe(403);
});
