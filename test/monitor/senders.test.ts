import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChannelAddress } from '../../src/lib/network/channel-address.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { NotificationRefusedError } from '../../src/monitor/alerts/notification.ts';
import { createChannelSender } from '../../src/monitor/senders/channel.ts';
import { createMailSender } from '../../src/monitor/senders/mail.ts';
import { createOwnSender } from '../../src/monitor/senders/own.ts';
import { createSlackSender, createWebhookSender } from '../../src/monitor/senders/webhook.ts';
import type { AlertNotification } from '../../src/monitor/types.ts';
import { type SmtpServer, startSmtpServer } from '../helpers/smtp-server.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

const notification: AlertNotification = {
  event: 'alert.raised',
  infrastructure_id: 'shop',
  alert: {
    id: 7,
    flapping: false,
    raised_at: '2026-11-21T12:00:00.000Z',
    finding: {
      id: 'certificate/expired',
      severity: 'high',
      score: 8.5,
      title: 'The certificate has <expired>',
      description: 'it ended & is over\nBcc: eve@example.org',
      fix: 'Renew it.',
      target: 'https://shop.example/',
      fingerprint: 'f',
    },
  },
};
const signal = AbortSignal.timeout(30_000);
const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'Magpie test' });
let receiver: Receiver;
let smtp: SmtpServer;

beforeAll(async () => {
  receiver = await startReceiver();
  smtp = await startSmtpServer('magpie', 'pass word');
});
afterAll(async () => {
  await receiver.close();
  await smtp.close();
  await fetch.close();
});

test('a mail arrives through the server of the operator, and a finding cannot add a header', async () => {
  const mail = createMailSender({ server: smtp.url, from: 'magpie@example.org', to: ['ops@example.org'] });
  await mail.send('name-1', notification, signal);
  expect(smtp.mails).toHaveLength(1);
  const [{ from, to, text } = { from: '', to: [], text: '' }] = smtp.mails;
  expect({ from, to }).toEqual({ from: 'magpie@example.org', to: ['ops@example.org'] });
  const [head = '', body = ''] = text.split('\n\n', 2);
  expect(head).toContain('Subject: [HIGH] shop: The certificate has <expired>');
  expect(head).toContain('Message-ID: <name-1@magpie.invalid>');
  expect(head).not.toContain('Bcc');
  expect(body).toContain('[HIGH] shop');
});

test('a mail that the server refuses is an error', async () => {
  smtp.refusing = true;
  const mail = createMailSender({ server: smtp.url, from: 'a@example.org', to: ['b@example.org'] });
  await expect(mail.send('name-2', notification, signal)).rejects.toThrow('550');
  expect(smtp.mails).toHaveLength(1);
});

test('a login or a mail that the server refuses permanently is a refusal, and sending pauses', async () => {
  const server = smtp.url.replace('pass word', 'another');
  const sender = (url: string) =>
    createMailSender({ server: url, from: 'a@example.org', to: ['b@example.org'] });
  for (const [url, message] of [
    [server, 'the mail server refuses the login (535)'],
    [smtp.url, 'the mail server refuses the mail (550)'],
  ] as const) {
    const failure = await sender(url)
      .send('name-2', notification, signal)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NotificationRefusedError);
    expect(failure).toMatchObject({ message, retryAfter: 300 });
  }
  const channel = createChannelSender(
    { kind: 'mail', to: 'b@example.org', shown: '', secrets: [] } as ChannelAddress,
    {
      fetch,
      trusted: false,
      mail: () => sender(server),
    },
  );
  await expect(channel.send('m', notification, signal)).rejects.toBeInstanceOf(NotificationRefusedError);
  const silent = sender('smtp://127.0.0.1:1');
  await expect(silent.send('m', notification, signal)).rejects.not.toBeInstanceOf(NotificationRefusedError);
});

test('a Slack message is one text with three characters escaped', async () => {
  await createSlackSender({ url: receiver.url, fetch, trusted: true }).send('name-3', notification, signal);
  const { text } = JSON.parse(receiver.got[0]?.body ?? '') as { text: string };
  expect(text).toContain('*[HIGH] shop: The certificate has &lt;expired&gt;*\nTarget: https://shop.example/');
  expect(text).toContain('it ended &amp; is over');
});

test('the webhook of a user cannot reach a private address', async () => {
  const before = receiver.got.length;
  const own = createWebhookSender({ url: receiver.url, fetch, trusted: false });
  await expect(own.send('name-4', notification, signal)).rejects.toMatchObject({ code: 'forbidden' });
  expect(receiver.got).toHaveLength(before);
});

const KEY = Buffer.from('a key of the tests, thirty-two bytes');

test('a webhook request is signed as Standard Webhooks require, with the id of the message', async () => {
  const odd = { ...notification, infrastructure_id: 'shöp 🐦 \ud800' };
  await createWebhookSender({ url: receiver.url, fetch, trusted: true, secret: KEY }).send(
    'name-7',
    odd,
    signal,
  );
  const { headers = {}, body = '' } = receiver.got.at(-1) ?? {};
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature } = headers;
  expect(id).toBe('name-7');
  const hash = createHmac('sha256', KEY).update(`${id}.${seconds}.${body}`).digest('base64');
  expect(signature).toBe(`v1,${hash}`);
  const secret = `whsec_${KEY.toString('base64')}`;
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
  await createWebhookSender({ url: receiver.url, fetch, trusted: true }).send('name-8', notification, signal);
  const unsigned = receiver.got.at(-1)?.headers ?? {};
  expect([unsigned['webhook-id'], unsigned['webhook-signature']]).toEqual(['name-8', undefined]);
});

test.each([
  ['hooks.slack.com', '/services/T0/B0/x', true],
  ['discord.com', '/api/webhooks/1/x/slack', true],
  ['discord.com', '/api/v10/webhooks/1/x/slack', true],
  ['hooks.slack.com.example.org', '/services/T0/B0/x', false],
])('the webhook of a user at %s%s gets the Slack body without a signature: %s', async (name, path, slack) => {
  const { port } = new URL(receiver.url);
  const local = createGuardedFetch({
    allowHosts: [`${name}:${port}`],
    userAgent: 'Magpie test',
    lookup: (_name, { all }, done) =>
      all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
  });
  try {
    const own = createOwnSender({ url: `http://${name}:${port}${path}`, fetch: local, secret: KEY });
    await own.send('name-5', notification, signal);
  } finally {
    await local.close();
  }
  const { headers = {}, body = '' } = receiver.got.at(-1) ?? {};
  expect(headers.host).toBe(`${name}:${port}`);
  expect(Object.keys(JSON.parse(body) as object)).toEqual(slack ? ['text'] : Object.keys(notification));
  expect(headers['webhook-signature'] === undefined).toBe(slack);
});

test('the webhook of a user with the host name of Slack is not called at a private address', async () => {
  const before = receiver.got.length;
  const { port } = new URL(receiver.url);
  const lured = createGuardedFetch({
    allowHosts: [],
    userAgent: 'Magpie test',
    lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  const own = createOwnSender({
    url: `http://hooks.slack.com:${port}/services/x`,
    fetch: lured,
    secret: KEY,
  });
  await expect(own.send('name-6', notification, signal)).rejects.toMatchObject({ code: 'forbidden' });
  await lured.close();
  expect(receiver.got).toHaveLength(before);
});
