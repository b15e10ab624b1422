import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../helpers/magpie.ts';
import { monitorRoom, SECRET } from '../helpers/monitor-room.ts';
import { AUTHORITY, startTlsSite, type TlsSite, type TlsSiteOptions } from '../helpers/tls-site.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

/** The room with real TLS servers, a real database and a real receiver of its notifications. */

const OWNER = 'ada';
const signal = new AbortController().signal;
/** Milliseconds between two probes. */
const OFTEN = 100;

let folder: ReturnType<typeof temporaryFolder>;
let receiver: Receiver;
const endings: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = temporaryFolder();
  receiver = await startReceiver();
  endings.push(() => receiver.close());
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end().catch(() => {});
  folder.remove();
});

async function site(options: TlsSiteOptions): Promise<TlsSite> {
  const started = await startTlsSite(options);
  endings.push(() => started.close());
  return started;
}

function listing(sites: Readonly<Record<string, TlsSite>>): string {
  const entries = Object.entries(sites).map(
    ([name, { url }]) => `  ${name}:\n    authority: ${AUTHORITY}\n    urls: [${url}]`,
  );
  return `infrastructure:\n${entries.join('\n')}\n`;
}

async function room(listed: string, more: Partial<Parameters<typeof monitorRoom>[0]> = {}) {
  const made = await monitorRoom({ folder: folder.path, listed, webhook: receiver.url, ...more });
  endings.push(() => made.end());
  return made;
}

/** Waits until every target of the monitors was probed so many times more. */
async function probes(made: Awaited<ReturnType<typeof room>>, ids: readonly string[], more: number) {
  const count = () =>
    Promise.all(
      ids.map(async (id) => (await made.getMonitor(OWNER, id)).coverage.map(({ at }) => at).join()),
    );
  for (let round = 0; round < more; round++) {
    const before = await count();
    await vi.waitUntil(async () => (await count()).every((one, at) => one !== '' && one !== before[at]), {
      timeout: 60_000,
      interval: 20,
    });
  }
}

/** A count once it has stayed the same for a second, in which there is time for several probes. */
async function settled(count: () => number): Promise<number> {
  let last = count();
  let since = performance.now();
  await vi.waitUntil(
    () => {
      if (count() !== last) [last, since] = [count(), performance.now()];
      return performance.now() - since > 1000;
    },
    { timeout: 60_000, interval: 20 },
  );
  return last;
}

describe('alerts', () => {
  test('each problem of real servers raises one alert, and a good server none [monitor.alerts]', async () => {
    const sites = {
      good: await site({ certificate: 'good' }),
      expired: await site({ certificate: 'expired' }),
      misnamed: await site({ certificate: 'other-name' }),
      unvouched: await site({ certificate: 'self-signed' }),
      weak: await site({ certificate: 'weak' }),
      old: await site({ certificate: 'good', old: true }),
      bare: await site({ certificate: 'good', headers: { 'set-cookie': 'sessionid=1' } }),
    };
    const made = await room(listing(sites));
    await made.startWorking();
    const ids = Object.keys(sites);
    for (const id of ids) await made.startMonitor(OWNER, id, { threshold: 4.5, intervalMs: OFTEN }, signal);
    const notified = (id: string) =>
      receiver.got
        .filter(({ notification }) => notification.infrastructure_id === id)
        .map(({ notification }) => notification.alert.finding.id);
    const expected: Record<string, string[]> = {
      good: [],
      expired: ['certificate/expired', 'headers/hsts-invalid'],
      misnamed: ['certificate/wrong-name', 'headers/hsts-invalid'],
      unvouched: ['certificate/untrusted', 'headers/hsts-invalid'],
      weak: ['certificate/weak-key', 'certificate/weak-signature', 'headers/hsts-invalid'],
      old: ['protocol/tls-1-0', 'protocol/tls-1-1'],
      bare: [
        'cookies/session-not-http-only',
        'cookies/session-not-secure',
        'headers/csp-missing',
        'headers/hsts-missing',
      ],
    };
    const all = Object.values(expected).flat().length;
    await vi.waitUntil(() => receiver.got.length >= all, { timeout: 60_000, interval: 20 });
    await probes(made, ids, 3);
    expect(Object.fromEntries(ids.map((id) => [id, notified(id).sort()]))).toEqual(expected);
    expect(await made.getMonitor(OWNER, 'good')).toMatchObject({
      status: 'active',
      openAlerts: 0,
      score: 100,
    });
    expect((await made.getMonitor(OWNER, 'good')).targets[0]?.grade).toEqual({ score: 120, grade: 'A+' });
    expect(await made.getMonitor(OWNER, 'bare')).toMatchObject({ status: 'alerting', openAlerts: 4 });
    const names = receiver.got.map(({ headers }) => headers['webhook-id']);
    expect(new Set(names).size).toBe(names.length);
  });

  test('a server that goes down and comes up raises one alert, which is cleared once [monitor.alerts]', async () => {
    const first = await site({ certificate: 'good' });
    const made = await room(listing({ shop: first }));
    await made.startWorking();
    await made.startMonitor(OWNER, 'shop', { intervalMs: OFTEN }, signal);
    await probes(made, ['shop'], 1);
    expect((await made.getMonitor(OWNER, 'shop')).status).toBe('active');
    await first.close();
    await vi.waitUntil(() => receiver.got.length === 1, { timeout: 60_000, interval: 20 });
    expect((await made.getMonitor(OWNER, 'shop')).status).toBe('down');
    await probes(made, ['shop'], 2);
    await site({ certificate: 'good', port: first.port });
    await vi.waitUntil(() => receiver.got.length === 2, { timeout: 60_000, interval: 20 });
    await probes(made, ['shop'], 3);
    expect(receiver.events()).toEqual(['raised reachability/down', 'cleared reachability/down']);
    const { status, alerts, uptime } = await made.getMonitor(OWNER, 'shop');
    expect(status).toBe('active');
    expect(alerts).toMatchObject([{ clearedAt: expect.any(Number), finding: { severity: 'critical' } }]);
    expect(uptime).toBeGreaterThan(0);
    expect(uptime).toBeLessThan(1);
  });

  test('a failure is confirmed by the configured number of probes, and cleared by two good probes', async () => {
    const gone = await site({ certificate: 'good' });
    await gone.close();
    const made = await room(listing({ shop: gone }), { surveyMs: 86_400_000, confirmMs: 100 });
    await made.startWorking();
    const probing = { retries: 3, retryMs: 100 };
    await made.startMonitor(OWNER, 'shop', { intervalMs: 3000, probing }, signal);
    await vi.waitUntil(() => receiver.got.length === 1, { timeout: 60_000, interval: 20 });
    expect(await made.getMonitor(OWNER, 'shop')).toMatchObject({ status: 'down', openAlerts: 1 });
    const back = await site({ certificate: 'good', port: gone.port });
    await vi.waitUntil(() => receiver.got.length === 2, { timeout: 60_000, interval: 20 });
    expect(receiver.events()).toEqual(['raised reachability/down', 'cleared reachability/down']);
    expect(back.asked).toHaveLength(2);
  });

  test('notifications are signed, retried under the same id, and kept when abandoned [monitor.delivery]', async () => {
    receiver.status = 503;
    const made = await room(listing({ old: await site({ certificate: 'expired' }) }), { retries: [20, 20] });
    await made.startWorking();
    await made.startMonitor(OWNER, 'old', { intervalMs: 60_000 }, signal);
    const dead = async () => (await made.getMonitor(OWNER, 'old')).deliveries;
    await vi.waitUntil(async () => (await dead()).dead === 1, { timeout: 60_000, interval: 20 });
    expect(await dead()).toEqual({ waiting: 0, sent: 0, dead: 1 });
    expect(receiver.got).toHaveLength(3);
    const [first] = receiver.got;
    const headers = first?.headers ?? ({} as Record<string, string>);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${first?.body}`;
    const hash = createHmac('sha256', SECRET).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${hash}`);
    expect(new Set(receiver.got.map((one) => one.headers['webhook-id'])).size).toBe(1);
  });
});

describe('coverage', () => {
  test('a dead site is covered only by reachability, and earlier results keep their time', async () => {
    const gone = await site({ certificate: 'good' });
    await gone.close();
    const shop = await site({ certificate: 'expired' });
    const made = await room(listing({ gone, shop }));
    await made.startMonitor(OWNER, 'shop', { intervalMs: OFTEN }, signal);
    const coverage = async (id: string) =>
      Object.fromEntries(
        (await made.getMonitor(OWNER, id)).coverage.map(({ check, everyMs: _, ...rest }) => [check, rest]),
      );
    expect((await coverage('shop')).certificate).toEqual({ target: shop.url, reason: 'not probed yet' });
    await made.startWorking();
    await made.startMonitor(OWNER, 'gone', { intervalMs: OFTEN }, signal);
    await vi.waitUntil(
      async () => Object.values(await coverage('gone')).every(({ reason = '' }) => !/yet/.test(reason)),
      {
        timeout: 60_000,
        interval: 20,
      },
    );
    const dead = await coverage('gone');
    expect(dead.reachability).toEqual({ target: gone.url, at: expect.any(Number) });
    expect(dead.headers).toEqual({ target: gone.url, reason: 'the page refuses the connection' });
    const seen = Object.entries(dead).filter(([, { at }]) => at !== undefined);
    expect(seen.map(([check]) => check)).toEqual(['reachability']);
    expect((await made.getMonitor(OWNER, 'gone')).status).toBe('down');
    await vi.waitUntil(async () => (await coverage('shop')).certificate?.at !== undefined, {
      timeout: 60_000,
      interval: 20,
    });
    expect((await coverage('shop')).certificate?.reason).toBeUndefined();
    await shop.close();
    await expect
      .poll(async () => (await coverage('shop')).certificate?.reason)
      .toBe(`port ${shop.port} refuses the connection`);
    const { at } = (await coverage('shop')).certificate ?? {};
    await probes(made, ['shop'], 2);
    expect((await coverage('shop')).certificate).toMatchObject({
      at,
      reason: `port ${shop.port} refuses the connection`,
    });
    expect((await made.getMonitor(OWNER, 'shop')).findings.map(({ id }) => id)).toContain(
      'certificate/expired',
    );
    await made.pauseMonitor(OWNER, 'shop');
    expect((await coverage('shop')).reachability).toMatchObject({ reason: 'watching is paused' });
  });

  test('with two ports the answering one is checked, and the findings of the other are kept', async () => {
    const [old, other] = [await site({ certificate: 'expired' }), await site({ certificate: 'expired' })];
    const host = `{ host: localhost, tls: [${old.port}, ${other.port}] }`;
    const made = await room(`infrastructure:\n  pair:\n    hosts: [${host}]\n`);
    await made.startWorking();
    await made.startMonitor(OWNER, 'pair', { intervalMs: OFTEN, threshold: 8.2 }, signal);
    await vi.waitUntil(() => receiver.got.length === 2, { timeout: 60_000, interval: 20 });
    await other.close();
    const certificate = async () =>
      (await made.getMonitor(OWNER, 'pair')).coverage.find(({ check }) => check === 'certificate');
    // A probe that was under way while the port closed says first that its connection broke.
    await expect
      .poll(async () => (await certificate())?.reason)
      .toBe(`port ${other.port} refuses the connection`);
    await probes(made, ['pair'], 4);
    const { openAlerts, findings } = await made.getMonitor(OWNER, 'pair');
    expect(findings.filter(({ id }) => id === 'certificate/expired')).toHaveLength(2);
    expect(openAlerts).toBe(2);
    expect(receiver.events()).toEqual(['raised certificate/expired', 'raised certificate/expired']);
  });
});

describe('monitors', () => {
  test('another start changes the options; pause, resume, stop and remove take effect', async () => {
    const bare = await site({ certificate: 'good', headers: {} });
    const made = await room(listing({ bare }));
    await made.startWorking();
    await made.startMonitor(OWNER, 'bare', { intervalMs: OFTEN }, signal);
    await probes(made, ['bare'], 2);
    expect(await made.getMonitor(OWNER, 'bare')).toMatchObject({
      status: 'active',
      openAlerts: 0,
      threshold: 7,
    });
    const started = await made.startMonitor(OWNER, 'bare', { threshold: 5 }, signal);
    expect(started).toMatchObject({ threshold: 5, intervalMs: OFTEN });
    await vi.waitUntil(() => receiver.got.length > 0, { timeout: 60_000, interval: 20 });
    expect(receiver.events()).toEqual(['raised headers/csp-missing']);
    expect(await made.pauseMonitor(OWNER, 'bare')).toMatchObject({ status: 'stopped', state: 'paused' });
    expect((await made.getMonitor(OWNER, 'bare')).nextRun).toBeUndefined();
    // What is under way comes to its end; then nothing more is requested.
    const asked = await settled(() => bare.asked.length);
    expect(await made.resumeMonitor(OWNER, 'bare')).toMatchObject({ state: 'active', threshold: 5 });
    await vi.waitUntil(() => bare.asked.length > asked, { timeout: 60_000, interval: 20 });
    await made.stopMonitor(OWNER, 'bare');
    expect((await made.listMonitors(OWNER)).map(({ status }) => status)).toEqual(['stopped']);
    await made.removeMonitor(OWNER, 'bare');
    await expect(made.getMonitor(OWNER, 'bare')).rejects.toThrow('there is no monitor of "bare"');
  });

  test('a private or unknown address is refused, and monitors of another user are not found [monitor.private]', async () => {
    const shop = await site({ certificate: 'good' });
    const listed = `${listing({ shop })}    users: [ada]\n`;
    const made = await room(listed);
    const start = (owner: string, id: string) => made.startMonitor(owner, id, {}, signal);
    await expect(start(OWNER, shop.url)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(start(OWNER, 'http://169.254.169.254/')).rejects.toThrow('only from the inventory');
    await expect(start(OWNER, 'shpo')).rejects.toThrow('did you mean shop');
    await expect(start('eve', 'shop')).rejects.toMatchObject({ code: 'bad_request' });
    await expect(made.startMonitor(OWNER, 'shop', { webhook: receiver.url }, signal)).rejects.toThrow(
      /^monitoring_options\.webhook takes a public URL: 127\.0\.0\.1:\d+ is not a public address and is not read$/,
    );
    await start(OWNER, 'shop');
    await expect(made.getMonitor('eve', 'shop')).rejects.toThrow('there is no monitor');
    expect(await made.listMonitors('eve')).toEqual([]);
  });

  test('changes reach listeners, also in other processes [monitor.notices]', async () => {
    const shop = await site({ certificate: 'expired' });
    const made = await room(listing({ shop }));
    const other = await room(listing({ shop }), { runner: 'elsewhere 1 x' });
    const heard: string[] = [];
    other.onChange((owner, id) => heard.push(`${owner} ${id}`));
    await made.startWorking();
    await made.startMonitor(OWNER, 'shop', { intervalMs: OFTEN }, signal);
    await vi.waitUntil(() => receiver.got.length > 0, { timeout: 60_000, interval: 20 });
    const seen = async () =>
      (await made.getMonitor(OWNER, 'shop')).coverage.every(({ reason = '' }) => !/yet/.test(reason));
    await vi.waitUntil(seen, { timeout: 60_000, interval: 20 });
    const before = await settled(() => heard.length);
    expect(before).toBeGreaterThan(0);
    expect(new Set(heard)).toEqual(new Set(['ada shop']));
    // Probes that find what was found before are no change.
    await probes(made, ['shop'], 4);
    expect(await settled(() => heard.length)).toBe(before);
  });
});
