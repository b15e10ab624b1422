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
import { type SmtpServer, startSmtpServer } from '../helpers/smtp-server.ts';
import { runStdio } from '../helpers/stdio-run.ts';
import { AUTHORITY, startTlsSite, type TlsSite } from '../helpers/tls-site.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

/** Notifications of alerts through the whole product, and what an operator does with them. */

vi.setConfig({ testTimeout: 120_000 });
const PATIENT = { timeout: 60_000, interval: 50 };
/** A public address, so that it is taken; nothing is there that a test could reach. */
const HOOK = 'https://93.184.215.14:65000/hooks/T0KEN-in-the-path?token=T0KEN';

const folder = temporaryFolder();
let env: Record<string, string>;
let magpie: Running;
let hook: Receiver;
let slack: Receiver;
let smtp: SmtpServer;
let site: TlsSite;

beforeAll(async () => {
  [hook, slack] = [await startReceiver(), await startReceiver()];
  smtp = await startSmtpServer('magpie', 'pass word');
  site = await startTlsSite({ certificate: 'expired' });
  mkdirSync(folder.path, { recursive: true });
  const file = join(folder.path, 'infrastructure.yaml');
  const entry = `{ authority: ${AUTHORITY}, urls: ['${site.url}'] }`;
  writeFileSync(file, `infrastructure:\n  old: ${entry}\n  other: ${entry}\n`);
  env = {
    ...environment(join(folder.path, 'data')),
    MAGPIE_INVENTORY: file,
    MAGPIE_MONITOR_WEBHOOK: hook.url,
    MAGPIE_MONITOR_SLACK: slack.url,
    MAGPIE_MONITOR_SMTP: smtp.url.replace(' ', '%20'),
    MAGPIE_MONITOR_MAIL_TO: 'ops@example.org',
  };
  hook.status = 503;
  magpie = await startMagpie(env, [], MONITOR_WAITS);
});
afterAll(async () => {
  await magpie.stop();
  await Promise.all([hook.close(), slack.close(), smtp.close(), site.close()]);
  folder.remove();
});

async function ask(path: string, body?: unknown) {
  const response = await fetch(new URL(`/v1/monitor/${path}`, magpie.url), {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  const text = await response.text();
  return { status: response.status, text, data: (JSON.parse(text) as { data: Data }).data };
}

interface Data {
  readonly status: string;
  readonly resent: number;
  readonly options: { readonly webhook?: string; readonly webhook_secret?: string };
  readonly runs: { readonly deliveries: { waiting: number; sent: number; dead: number } };
  readonly dead_deliveries?: readonly unknown[];
}

const start = (id: string, monitoring_options: object) =>
  ask('start', { infrastructure_id: id, monitoring_options });
const deliveries = async (id: string) => (await ask(`status/${id}`)).data.runs.deliveries;

async function metric(line: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', magpie.url))).text();
  return Number(
    text
      .split('\n')
      .find((one) => one.startsWith(`${line} `))
      ?.slice(line.length + 1) ?? 0,
  );
}

test('an alert reaches a webhook that fails at first, Slack and e-mail, and /metrics counts it [monitor.delivery]', async () => {
  await start('old', { alert_threshold: 8, scan_interval: 3600 });
  await vi.waitUntil(() => hook.got.length > 0, PATIENT);
  hook.status = 200;
  await vi.waitUntil(async () => (await deliveries('old')).sent === 3, PATIENT);
  expect(hook.got.map(({ notification }) => notification.alert.finding.id)).toEqual([
    'certificate/expired',
    'certificate/expired',
  ]);
  const { text } = JSON.parse(slack.got[0]?.body ?? '') as { text: string };
  expect(text).toMatch(/^\*\[HIGH\] old: The certificate has expired\*\n/);
  expect(smtp.mails).toMatchObject([{ to: ['ops@example.org'] }]);
  expect(smtp.mails[0]?.text).toContain('Subject: [HIGH] old: The certificate has expired');
  expect(await metric('magpie_monitor_alerts_total{event="alert.raised"}')).toBe(1);
  const notices = (channel: string, outcome: string) =>
    metric(`magpie_monitor_notices_total{channel="${channel}",outcome="${outcome}"}`);
  expect(await notices('webhook', 'failed')).toBe(1);
  for (const channel of ['webhook', 'slack', 'mail']) expect(await notices(channel, 'sent')).toBe(1);
  const checks = 'magpie_monitor_check_duration_seconds_count{check="certificate",outcome="findings"}';
  expect(await metric(checks)).toBeGreaterThan(0);
});

test('the secret of a webhook is only in the answer that sets it, and its address is shown nowhere [monitor.secrets]', async () => {
  const set = await start('other', { alert_threshold: 8, scan_interval: 3600, webhook: HOOK });
  expect(set.data.options).toEqual({
    alert_threshold: 8,
    scan_interval: 3600,
    webhook: 'https://93.184.215.14:65000/…',
    webhook_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/=]{40,}$/),
  });
  const secret = set.data.options.webhook_secret ?? '';
  const client = await connect();
  const answers = [
    (await ask('status/other')).text,
    (await start('other', { scan_interval: 1800 })).text,
    JSON.stringify(await client.readResource({ uri: 'monitor://other' })),
    JSON.stringify(
      await client.callTool({ name: 'getMonitoringStatus', arguments: { infrastructure_id: 'other' } }),
    ),
    (await runMagpie(['monitor', 'status', 'other', '--json'], env)).stdout,
    (await runMagpie(['monitor', 'status', 'other'], env)).stdout,
  ];
  await client.close();
  for (const answer of answers) {
    expect(answer).toContain('other');
    expect(answer).not.toContain('T0KEN');
    expect(answer).not.toContain(secret);
  }
  expect(await runMagpie(['monitor', 'secret'], env)).toMatchObject({ code: 0, stdout: `${secret}\n` });
  const again = await runMagpie(['monitor', 'start', 'other', '--webhook', HOOK], env);
  expect(again.stdout).toContain(secret);
  expect(again.stdout).not.toContain('T0KEN');
});

test('a webhook that is null stays as it is, as over MCP, and one that is empty is removed', async () => {
  const { webhook } = (await start('other', { webhook: HOOK })).data.options;
  expect(webhook).toBeDefined();
  const hooks: unknown[] = [];
  for (const given of [null, '']) {
    const { status, data } = await start('other', { webhook: given });
    hooks.push(status, data.options.webhook);
  }
  expect(hooks).toEqual([200, webhook, 200, undefined]);
});

test.each([['nowhere'], ['ftp://a.example/'], [7], ['http://127.0.0.1/']])(
  'a webhook %j is refused, and the error names it',
  async (webhook) => {
    const { status, text } = await start('other', { webhook });
    expect(status).toBe(400);
    expect(text).toContain('monitoring_options.webhook');
  },
);

test('abandoned notifications are listed, and are sent again over REST, MCP and the terminal', async () => {
  const dead = async () => {
    await vi.waitUntil(async () => {
      const { waiting, dead: given } = await deliveries('other');
      return waiting === 0 && given === 1;
    }, PATIENT);
  };
  await dead();
  const { data } = await ask('status/other');
  expect(data.dead_deliveries).toMatchObject([
    {
      channel: 'own',
      event: 'alert.raised',
      title: 'The certificate has expired',
      target: site.url,
      at: expect.stringMatching(/^20\d\d-.*Z$/),
      trouble: 'its webhook was removed',
    },
  ]);
  const list = await runMagpie(['monitor', 'deliveries', 'other'], env);
  expect(list.stdout).toMatch(/^sent 3 {2}waiting 0 {2}given up 1\n/);
  expect(list.stdout).toContain('own  raised  The certificate has expired');
  expect(list.stdout).toContain('its webhook was removed');
  expect((await ask('resend', { infrastructure_id: 'other' })).data).toEqual({
    infrastructure_id: 'other',
    resent: 1,
    outdated: 0,
  });
  await dead();
  const client = await connect();
  const answer = await client.callTool({
    name: 'resendNotices',
    arguments: { infrastructure_id: 'other' },
  });
  await client.close();
  expect(answer.structuredContent).toMatchObject({ data: { resent: 1 } });
  await dead();
  expect(await runMagpie(['monitor', 'resend', 'other'], env)).toMatchObject({
    code: 0,
    stdout: 'Sent again: 1.\n',
  });
  expect((await ask('resend', { infrastructure_id: 'unseen' })).status).toBe(404);
});

test('an assistant beside the server, without its settings, leaves probing and notifications to the server', async () => {
  const { MAGPIE_INVENTORY, MAGPIE_MONITOR_WEBHOOK, MAGPIE_MONITOR_SLACK, MAGPIE_MONITOR_SMTP, ...bare } =
    env;
  expect([MAGPIE_INVENTORY, MAGPIE_MONITOR_WEBHOOK, MAGPIE_MONITOR_SLACK, MAGPIE_MONITOR_SMTP]).not.toContain(
    undefined,
  );
  const client = new Client({ name: 'magpie-test', version: '1.0.0' });
  await client.connect(runStdio(bare, [], MONITOR_WAITS).transport);
  try {
    // It begins to watch a little after its start.
    await client.callTool({ name: 'listMonitors', arguments: {} });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const before = hook.got.length;
    await ask('stop', { infrastructure_id: 'other' });
    await start('other', { scan_interval: 10 });
    await vi.waitUntil(
      () => hook.got.slice(before).some(({ notification }) => notification.event === 'alert.raised'),
      PATIENT,
    );
    const { data } = await ask('status/other');
    expect(data.status).toBe('alerting');
    expect(hook.got.slice(before).map(({ notification }) => notification.event)).toEqual([
      'alert.cleared',
      'alert.raised',
    ]);
  } finally {
    await client.close();
  }
});

test('a forgotten monitor is removed, and its subscribers and receivers are notified [monitor.notices]', async () => {
  const client = await connect();
  const updated: string[] = [];
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void updated.push(params.uri),
  );
  await client.subscribeResource({ uri: 'monitor://old' });
  const both = await ask('stop', { infrastructure_id: 'old', pause: true, forget: true });
  expect(both.status).toBe(400);
  // Changes are read only since there is a listener.
  await new Promise((resolve) => setTimeout(resolve, 500));
  updated.length = 0;
  const { data } = await ask('stop', { infrastructure_id: 'old', forget: true });
  expect(data).toEqual({ infrastructure_id: 'old', status: 'removed' });
  expect((await ask('status/old')).status).toBe(404);
  await vi.waitUntil(() => updated.includes('monitor://old'), PATIENT);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).not.toContain('monitor://old');
  await client.close();
  await vi.waitUntil(() => hook.events().includes('cleared certificate/expired'), PATIENT);
  expect(hook.got.at(-1)?.notification.alert.cleared_reason).toBe('monitor_removed');
});

async function connect(): Promise<Client> {
  const client = new Client({ name: 'magpie-test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', magpie.url)));
  return client;
}
