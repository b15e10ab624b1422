import { createHmac } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { createMailSender } from '../../src/monitor/senders/mail.ts';
import { createSlackSender, createWebhookSender } from '../../src/monitor/senders/webhook.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { monitorRoom } from '../helpers/monitor-room.ts';
import { startSmtpServer } from '../helpers/smtp-server.ts';
import { AUTHORITY, GOOD_HEADERS, startTlsSite, type TlsSite } from '../helpers/tls-site.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

/** Who is notified of what, in which order: real sites that are well or not, and real receivers. */

const OWNER = 'ada';
const signal = new AbortController().signal;
/** Milliseconds between two probes. */
const OFTEN = 100;
const PATIENT = { timeout: 60_000, interval: 20 };

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

/** A site whose only problem is that its headers lack a policy; `well` mends it. */
async function faulty(): Promise<TlsSite & { well(is: boolean): void }> {
  const { 'content-security-policy': _policy, ...headers } = GOOD_HEADERS;
  const site = await startTlsSite({ certificate: 'good', headers });
  endings.push(() => site.close());
  return Object.assign(site, {
    well(is: boolean) {
      site.headers = is ? GOOD_HEADERS : headers;
    },
  });
}

const entry = (name: string, ...sites: readonly TlsSite[]) =>
  `  ${name}:\n    authority: ${AUTHORITY}\n    urls: [${sites.map(({ url }) => url).join(', ')}]\n`;

type Room = Awaited<ReturnType<typeof monitorRoom>>;

async function room(listed: string, more: Partial<Parameters<typeof monitorRoom>[0]> = {}): Promise<Room> {
  const made = await monitorRoom({
    folder: folder.path,
    listed: `infrastructure:\n${listed}`,
    webhook: receiver.url,
    // Once at the start: after that each request is a probe.
    surveyMs: 86_400_000,
    ...more,
  });
  endings.push(() => made.end());
  return made;
}

const watch = (made: Room, id = 'shop') =>
  made.startMonitor(OWNER, id, { threshold: 5, intervalMs: OFTEN }, signal);
const FAULT = 'headers/csp-missing';
/** `raised`, `cleared target_removed`, in the order in which they came. */
const events = () =>
  receiver.got.map(({ notification: { event, alert } }) =>
    [event.slice(6), alert.cleared_reason].filter(Boolean).join(' '),
  );
const got = (count: number) => vi.waitUntil(() => receiver.got.length >= count, PATIENT);
/** Waits until the site was probed so many times more. */
async function probes(site: TlsSite, more: number): Promise<void> {
  const before = site.asked.length;
  await vi.waitUntil(() => site.asked.length >= before + more, PATIENT);
}

describe('the order of notifications', () => {
  test('the raise of an alert arrives before its clear, also when the raise is retried [monitor.order]', async () => {
    receiver.status = 503;
    const site = await faulty();
    const made = await room(entry('shop', site), { retries: Array.from({ length: 400 }, () => 100) });
    await made.startWorking();
    await watch(made);
    await got(1);
    site.well(true);
    await vi.waitUntil(async () => (await made.getMonitor(OWNER, 'shop')).deliveries.waiting === 2, PATIENT);
    const refused = receiver.got.length;
    await got(refused + 3);
    expect(new Set(events())).toEqual(new Set(['raised']));
    receiver.status = 200;
    await vi.waitUntil(async () => (await made.getMonitor(OWNER, 'shop')).deliveries.sent === 2, PATIENT);
    expect(events().filter((event) => event !== 'raised')).toEqual(['cleared recovered']);
    expect(events().at(-1)).toBe('cleared recovered');
  });

  test('a receiver that hangs delays only its own messages', async () => {
    const hanging = new Promise<void>(() => {});
    const names = Array.from({ length: 6 }, (_, at) => `s${at}`);
    const sites = await Promise.all(names.map(faulty));
    const listed = sites.map((site, at) => entry(`s${at}`, site)).join('');
    const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'Magpie test' });
    endings.push(() => fetch.close());
    const made = await room(listed, {
      senders: {
        stuck: { send: async (_name, _notice, stop) => Promise.race([hanging, ended(stop)]) },
        webhook: createWebhookSender({ url: receiver.url, fetch, trusted: true }),
      },
    });
    await made.startWorking();
    for (const name of names) await watch(made, name);
    await got(names.length);
    expect(new Set(receiver.got.map(({ notification }) => notification.infrastructure_id))).toEqual(
      new Set(names),
    );
  });
});

/** Rejects when the signal says so. */
function ended(stop: AbortSignal): Promise<never> {
  return new Promise((_, reject) => stop.addEventListener('abort', () => reject(stop.reason)));
}

describe('alerts that end without a good probe', () => {
  test('the alert of a target that is removed from the entry is cleared once, with the reason [monitor.alerts]', async () => {
    const [stays, leaves] = [await faulty(), await faulty()];
    const made = await room(entry('shop', stays, leaves));
    await made.startWorking();
    await watch(made);
    // One that is not marked as sent when a process ends comes again.
    await vi.waitUntil(async () => (await made.getMonitor(OWNER, 'shop')).deliveries.sent === 2, PATIENT);
    await made.end();
    for (const runner of ['b 2 y', 'c 3 z']) {
      const next = await room(entry('shop', stays), { runner });
      await next.startWorking();
      await probes(stays, 3);
      await vi.waitUntil(
        async () => (await next.getMonitor(OWNER, 'shop')).deliveries.waiting === 0,
        PATIENT,
      );
    }
    expect(events()).toEqual(['raised', 'raised', 'cleared target_removed']);
    const [first, second, last] = receiver.got.map(({ notification }) => notification.alert);
    expect(last?.finding.target).toBe(leaves.url);
    expect([first?.id, second?.id]).toContain(last?.id);
  });

  test('a pause sends nothing, a stop clears alerts, and a new start raises them again', async () => {
    const site = await faulty();
    const made = await room(entry('shop', site));
    await made.startWorking();
    await watch(made);
    await got(1);
    expect(await made.pauseMonitor(OWNER, 'shop')).toMatchObject({ state: 'paused', openAlerts: 1 });
    await made.resumeMonitor(OWNER, 'shop');
    await probes(site, 3);
    expect(events()).toEqual(['raised']);
    expect(await made.stopMonitor(OWNER, 'shop')).toMatchObject({
      status: 'stopped',
      openAlerts: 0,
      alerts: [{ reason: 'monitor_stopped', clearedAt: expect.any(Number) }],
    });
    await got(2);
    for (let round = 0; round < 3; round++) {
      await watch(made);
      await got(3 + 2 * round);
      await made.stopMonitor(OWNER, 'shop');
      await got(4 + 2 * round);
    }
    const [first, end, ...later] = events();
    expect([first, end]).toEqual(['raised', 'cleared monitor_stopped']);
    expect(later.filter((event) => event === 'raised')).toHaveLength(3);
    // Its owner stopped it: the problem did not come and go.
    expect(receiver.got.some(({ notification }) => notification.alert.flapping)).toBe(false);
  });

  test('the removal of a monitor notifies that its alerts are cleared, although its history is deleted', async () => {
    const site = await faulty();
    const made = await room(entry('shop', site));
    const other = await room(entry('shop', site), { runner: 'elsewhere 1 x' });
    const heard: string[] = [];
    other.onChange((owner, id) => heard.push(`${owner} ${id}`));
    await made.startWorking();
    await watch(made);
    await got(1);
    await vi.waitUntil(() => heard.length > 0, PATIENT);
    await made.pauseMonitor(OWNER, 'shop');
    await new Promise((resolve) => setTimeout(resolve, 700));
    const before = heard.length;
    // As a command does, which probes nothing and has none of the operator's places.
    const command = await room(entry('shop', site), { runner: 'command 1 x', senders: {} });
    await command.removeMonitor(OWNER, 'shop');
    await got(2);
    expect(events()).toEqual(['raised', 'cleared monitor_removed']);
    await vi.waitUntil(() => heard.length > before, PATIENT);
    expect(heard.at(-1)).toBe('ada shop');
    await expect(made.getMonitor(OWNER, 'shop')).rejects.toThrow('there is no monitor');
  });

  test('a threshold above the problem clears its alert, and says that the problem remains', async () => {
    const site = await faulty();
    const made = await room(entry('shop', site));
    await made.startWorking();
    await watch(made);
    await got(1);
    await made.startMonitor(OWNER, 'shop', { threshold: 9 }, signal);
    await got(2);
    expect(events()).toEqual(['raised', 'cleared below_threshold']);
    expect((await made.getMonitor(OWNER, 'shop')).findings.map(({ id }) => id)).toContain(FAULT);
  });
});

test('a flapping problem is notified less and less [monitor.flapping]', async () => {
  const site = await faulty();
  const made = await room(entry('shop', site));
  await made.startWorking();
  await watch(made);
  for (const count of [1, 3]) {
    await got(count);
    site.well(true);
    await got(count + 1);
    site.well(false);
  }
  await got(5);
  expect(events()).toEqual(['raised', 'cleared recovered', 'raised', 'cleared recovered', 'raised']);
  expect(receiver.got.map(({ notification }) => notification.alert.flapping)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
  // Two good probes cleared it before; now it takes six in a row.
  for (let round = 0; round < 3; round++) {
    site.well(true);
    await probes(site, 3);
    site.well(false);
    await probes(site, 2);
  }
  expect(receiver.got).toHaveLength(5);
  expect(await made.getMonitor(OWNER, 'shop')).toMatchObject({ openAlerts: 1, status: 'alerting' });
  site.well(true);
  const from = site.asked.length;
  await got(6);
  expect(site.asked.length - from).toBeGreaterThanOrEqual(6);
  expect(events().at(-1)).toBe('cleared recovered');
});

describe('the webhook of a user', () => {
  const hosts: Record<string, string> = {};
  const lookup: LookupFunction = (name, _options, done) =>
    done(null, [{ address: hosts[name] ?? '127.0.0.1', family: 4 }]);
  const OWN_KEY = Buffer.from('the key of one user, thirty bytes');

  /** A network in which 127.0.0.1 is as public as any address, and 10.0.0.1 is not. */
  async function webhooks(more: Partial<Parameters<typeof monitorRoom>[0]> = {}) {
    const fetch = createGuardedFetch({ allowHosts: ['127.0.0.1/32'], userAgent: 'Magpie test', lookup });
    endings.push(() => fetch.close());
    const site = await faulty();
    const guard = createUrlGuard({ allowHosts: ['127.0.0.1/32'], lookup });
    const made = await room(entry('shop', site), {
      senders: {},
      guard,
      ownSender: (_owner, url) => createWebhookSender({ url, fetch, trusted: false, secret: OWN_KEY }),
      ...more,
    });
    const port = new URL(receiver.url).port;
    return { made, site, url: `http://hook.example:${port}/hook?token=abc` };
  }

  test('gets the alerts of its monitor, signed with its key, and a status shows only scheme and host', async () => {
    hosts['hook.example'] = '127.0.0.1';
    const { made, site, url } = await webhooks();
    await made.startWorking();
    await watch(made);
    await made.startMonitor(OWNER, 'shop', { webhook: url }, signal);
    site.well(true);
    await vi.waitUntil(async () => (await made.getMonitor(OWNER, 'shop')).openAlerts === 0, PATIENT);
    const before = receiver.got.length;
    site.well(false);
    await got(before + 1);
    const last = receiver.got.at(-1);
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = last?.headers ?? {};
    const hash = createHmac('sha256', OWN_KEY).update(`${id}.${at}.${last?.body}`).digest('base64');
    expect(signature).toBe(`v1,${hash}`);
    expect((await made.getMonitor(OWNER, 'shop')).webhook).toBe(`${new URL(url).origin}/…`);
    expect(JSON.stringify(await made.getMonitor(OWNER, 'shop'))).not.toContain('token=abc');
    const without = await made.startMonitor(OWNER, 'shop', { webhook: null }, signal);
    expect(without.webhook).toBeUndefined();
    const kept = await made.startMonitor(OWNER, 'shop', { threshold: 5 }, signal);
    expect(kept.webhook).toBeUndefined();
  });

  test('gets nothing while its name resolves to a private address, and has no waiting messages after its removal', async () => {
    hosts['hook.example'] = '127.0.0.1';
    const { made, url } = await webhooks({ retries: [50, 600_000] });
    await made.startMonitor(OWNER, 'shop', { threshold: 5, intervalMs: OFTEN, webhook: url }, signal);
    hosts['hook.example'] = '10.0.0.1';
    await made.startWorking();
    await vi.waitUntil(async () => (await made.getMonitor(OWNER, 'shop')).deliveries.waiting === 1, PATIENT);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(receiver.got).toEqual([]);
    await made.startMonitor(OWNER, 'shop', { webhook: null }, signal);
    expect(await made.getMonitor(OWNER, 'shop')).toMatchObject({
      deliveries: { waiting: 0, sent: 0, dead: 1 },
      deadLetters: [{ channel: 'own', trouble: 'its webhook was removed' }],
    });
    await expect(made.startMonitor(OWNER, 'shop', { webhook: url }, signal)).rejects.toThrow(
      'monitoring_options.webhook takes a public URL',
    );
  });

  test('has its abandoned messages listed, and sent again on request', async () => {
    hosts['hook.example'] = '127.0.0.1';
    receiver.status = 500;
    const { made, url } = await webhooks({ retries: [20] });
    await made.startWorking();
    await made.startMonitor(OWNER, 'shop', { threshold: 5, intervalMs: OFTEN, webhook: url }, signal);
    await vi.waitUntil(async () => (await made.getMonitor(OWNER, 'shop')).deliveries.dead === 1, PATIENT);
    const { host } = new URL(url);
    expect((await made.getMonitor(OWNER, 'shop')).deadLetters).toMatchObject([
      {
        channel: 'own',
        attempts: 2,
        trouble: `the webhook at ${host} answers 500`,
        notification: { event: 'alert.raised', alert: { finding: { id: FAULT } } },
      },
    ]);
    const refused = receiver.got.length;
    receiver.status = 200;
    expect(await made.resendNotifications(OWNER, 'shop')).toEqual({ again: 1, outdated: 0 });
    await got(refused + 1);
    await vi.waitUntil(async () => (await made.getMonitor(OWNER, 'shop')).deliveries.sent === 1, PATIENT);
    expect((await made.getMonitor(OWNER, 'shop')).deadLetters).toEqual([]);
    const names = receiver.got.map(({ headers }) => headers['webhook-id']);
    expect(new Set(names).size).toBe(1);
    await expect(made.resendNotifications('eve', 'shop')).rejects.toThrow('there is no monitor');
  });
});

test('Slack and e-mail get the raise and the clear as text', async () => {
  const smtp = await startSmtpServer('magpie', 'pass word');
  const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'Magpie test' });
  endings.push(
    () => smtp.close(),
    () => fetch.close(),
  );
  const site = await faulty();
  const made = await room(entry('shop', site), {
    senders: {
      slack: createSlackSender({ url: receiver.url, fetch, trusted: true }),
      mail: createMailSender({ server: smtp.url, from: 'magpie@example.org', to: ['ops@example.org'] }),
    },
  });
  await made.startWorking();
  await watch(made);
  await vi.waitUntil(() => smtp.mails.length === 1 && receiver.got.length === 1, PATIENT);
  await made.stopMonitor(OWNER, 'shop');
  await vi.waitUntil(() => smtp.mails.length === 2 && receiver.got.length === 2, PATIENT);
  const texts = receiver.got.map(({ body }) => (JSON.parse(body) as { text: string }).text.split('\n'));
  expect(texts.map(([headline]) => headline)).toEqual([
    expect.stringMatching(/^\*\[\w+\] shop: .*\*$/),
    expect.stringMatching(/^\*\[CLEARED\] shop: .* \(watching was stopped\)\*$/),
  ]);
  expect(texts[0]).toContain(`Target: ${site.url}`);
  const subjects = smtp.mails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]);
  expect(subjects.map((subject) => subject?.slice(0, 10))).toEqual([
    expect.stringMatching(/^\[(MEDIUM|HIGH)\]/),
    '[CLEARED] ',
  ]);
});

test('a process without an inventory leaves entries, and unconfigured channels, to a process that has them', async () => {
  const site = await faulty();
  const made = await room(entry('shop', site));
  const other = await monitorRoom({ folder: folder.path, runner: 'assistant 1 x' });
  endings.push(() => other.end());
  await other.startWorking();
  await made.startWorking();
  await watch(made);
  await got(1);
  await probes(site, 2);
  await other.end();
  const late = await monitorRoom({ folder: folder.path, runner: 'assistant 2 x' });
  endings.push(() => late.end());
  await late.startWorking();
  await probes(site, 4);
  expect(await made.getMonitor(OWNER, 'shop')).toMatchObject({ openAlerts: 1, status: 'alerting' });
  expect((await made.getMonitor(OWNER, 'shop')).trouble).toBeUndefined();
  expect(events()).toEqual(['raised']);
});

test('a server probes and notifies for an assistant, and the assistant takes over when the server is gone', async () => {
  const site = await faulty();
  const assistant = await room(entry('shop', site), { runner: 'assistant 1 x', senders: {} });
  let server = true;
  await assistant.startWorking(undefined, () => server);
  await watch(assistant);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(site.asked).toEqual([]);
  const made = await room(entry('shop', site));
  await made.startWorking();
  await got(1);
  expect(events()).toEqual(['raised']);
  await made.end();
  const before = site.asked.length;
  server = false;
  await vi.waitUntil(() => site.asked.length > before, PATIENT);
});

test('an entry whose name looks like a host is not probed as a host where the entry is not listed', async () => {
  const site = await faulty();
  const id = 'shop.internal';
  const made = await room(entry(id, site));
  await made.startWorking();
  await watch(made, id);
  // Not marked as sent before the end, it would come again.
  await vi.waitUntil(async () => (await made.getMonitor(OWNER, id)).deliveries.sent === 1, PATIENT);
  await made.end();
  const assistant = await monitorRoom({ folder: folder.path, runner: 'assistant 1 x' });
  endings.push(() => assistant.end());
  await assistant.startWorking();
  const targets = async (one: Room) => (await one.getMonitor(OWNER, id)).targets.map(({ name }) => name);
  expect(await targets(assistant)).toEqual([]);
  await assistant.end();
  const next = await room(entry('other', site), { runner: 'b 2 y' });
  await next.startWorking();
  await got(2);
  expect(events()).toEqual(['raised', 'cleared target_removed']);
  expect(await next.getMonitor(OWNER, id)).toMatchObject({
    status: 'degraded',
    trouble: `${id} is no longer in the inventory`,
    targets: [],
  });
  await expect(next.resumeMonitor(OWNER, id)).rejects.toThrow(/shop\.internal is no longer in the inventory/);
});
