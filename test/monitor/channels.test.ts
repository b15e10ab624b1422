import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseChannelAddress, redactChannelAddress } from '../../src/lib/network/channel-address.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { checkWebhook, isSignedWebhook } from '../../src/monitor/alerts/own-webhook.ts';
import { createChannelSender } from '../../src/monitor/senders/channel.ts';
import { createMailSender } from '../../src/monitor/senders/mail.ts';
import type { AlertNotification } from '../../src/monitor/types.ts';
import { type SmtpServer, startSmtpServer } from '../helpers/smtp-server.ts';

/** Each place gets the body that its service documents: a local server checks it as the service would. */

const TOKEN = '123456:AAbbccddeeffgghhiijjkkllmmnnooppqq1';
const signal = AbortSignal.timeout(60_000);
const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'Magpie test' });

/** What came last, and the answer to the next. */
let got: { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> } | undefined;
let answer: (response: ServerResponse) => void;
let server: Server;
let smtp: SmtpServer;
let host: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>;
      got = { path: request.url ?? '', headers: request.headers, body };
      answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  smtp = await startSmtpServer('magpie', 'pass word');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await smtp.close();
  await fetch.close();
});
beforeEach(() => {
  got = undefined;
  answer = (response) => response.writeHead(200).end('{"ok":true}');
});

function notification(
  change: Partial<AlertNotification['alert']['finding']> = {},
  isEnd = false,
): AlertNotification {
  return {
    event: isEnd ? 'alert.cleared' : 'alert.raised',
    infrastructure_id: 'shop',
    alert: {
      id: 7,
      flapping: false,
      raised_at: '2026-11-21T12:00:00.000Z',
      ...(isEnd && { cleared_at: '2026-11-21T12:05:00.000Z', cleared_reason: 'recovered' as const }),
      finding: {
        id: 'reachability/down',
        severity: 'critical',
        score: 9,
        title: 'It is <b>down</b> & *out*',
        description: '@everyone <!channel> [click](https://evil.example) _x_ `y`',
        fix: 'Check the server.',
        target: 'https://shop.example/',
        fingerprint: 'f',
        ...change,
      },
    },
  };
}
const LONG = notification({ title: '*<&🐦'.repeat(400), description: '<&*_🐦'.repeat(20_000) });

async function send(text: string, what: AlertNotification): Promise<Record<string, unknown>> {
  const address = parseChannelAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  await createChannelSender(address, { fetch, trusted: true }).send('name-1', what, signal);
  return got?.body ?? {};
}

/** Half a character is refused by JSON parsers of services. */
const isWhole = (text: unknown) => typeof text === 'string' && text.isWellFormed();

describe('Slack', () => {
  test('the message is one text with three characters escaped', async () => {
    const { text, ...rest } = await send(`slack+http://${host}/services/T0/B0/secret`, notification());
    expect(rest).toEqual({});
    expect(text).toContain('*[CRITICAL] shop: It is &lt;b&gt;down&lt;/b&gt; &amp; out*');
    expect(text).toContain('&lt;!channel&gt;');
  });

  test('a long text is cut below the limit of Slack', async () => {
    const { text } = await send(`slack+http://${host}/services/T0/B0/secret`, LONG);
    expect(isWhole(text)).toBe(true);
    expect(String(text).length).toBeLessThan(40_000);
  });
});

describe('Discord', () => {
  interface Embed {
    readonly title: string;
    readonly description: string;
    readonly color: number;
    readonly timestamp: string;
  }
  const embedOf = (body: Record<string, unknown>) => (body.embeds as Embed[])[0] as Embed;

  test('the message is one embed with escaped markup that mentions no one', async () => {
    const body = await send(`discord+http://${host}/api/webhooks/1/secret`, notification());
    expect(body.allowed_mentions).toEqual({ parse: [] });
    const { title, description, timestamp } = embedOf(body);
    expect(title).toContain('\\*out\\*');
    expect(description).toContain('\\[click\\](https://evil.example) \\_x\\_ \\`y\\`');
    expect(timestamp).toBe('2026-11-21T12:00:00.000Z');
    const end = embedOf(await send(`discord+http://${host}/api/webhooks/1/secret`, notification({}, true)));
    expect(end.title).toContain('[CLEARED\\]');
    expect(end.timestamp).toBe('2026-11-21T12:05:00.000Z');
    expect(end.color).not.toBe(embedOf(body).color);
  });

  test('the message stays within the limits of an embed', async () => {
    const { title, description } = embedOf(await send(`discord+http://${host}/x`, LONG));
    expect([title.length <= 256, description.length <= 4096]).toEqual([true, true]);
    expect(title.length + description.length).toBeLessThanOrEqual(6000);
    expect([isWhole(title), isWhole(description), title.endsWith('…')]).toEqual([true, true, true]);
  });
});

test('Teams: the message is an Adaptive Card of text runs without markup, under 28 KB', async () => {
  const body = await send(`teams+http://${host}/workflows/secret`, notification());
  const [attachment] = body.attachments as {
    contentType: string;
    content: { type: string; body: { type: string; inlines: { type: string; text: string }[] }[] };
  }[];
  expect(body.type).toBe('message');
  expect(attachment?.contentType).toBe('application/vnd.microsoft.card.adaptive');
  expect(attachment?.content.type).toBe('AdaptiveCard');
  const runs = attachment?.content.body.flatMap(({ inlines }) => inlines.map(({ text }) => text)) ?? [];
  expect(runs[0]).toBe('[CRITICAL] shop: It is <b>down</b> & *out*');
  expect(attachment?.content.body.every(({ type }) => type === 'RichTextBlock')).toBe(true);
  await send(`teams+http://${host}/workflows/secret`, LONG);
  expect(Buffer.byteLength(JSON.stringify(got?.body))).toBeLessThan(28_000);
});

describe('Telegram', () => {
  const place = (thread = '') => `tg+http://${TOKEN}@${host}/-100123${thread}`;

  test('the bot sends a message to its chat, in HTML with three characters escaped', async () => {
    const body = await send(place('?thread=5'), notification());
    expect(got?.path).toBe(`/bot${TOKEN}/sendMessage`);
    expect(body).toMatchObject({ chat_id: '-100123', message_thread_id: 5, parse_mode: 'HTML' });
    expect(body.text).toContain('<b>[CRITICAL] shop: It is &lt;b&gt;down&lt;/b&gt; &amp; *out*</b>');
    expect(String(body.text).replace(/<\/?b>/g, '')).not.toMatch(/[<>]/);
  });

  test('the message has at most 4096 characters, counted without markup', async () => {
    const { text } = await send(place(), LONG);
    const parsed = String(text)
      .replace(/<\/?b>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    expect(parsed.length).toBeLessThanOrEqual(4096);
    expect(isWhole(text)).toBe(true);
  });

  test('the waiting time of a 429 answer is read, and no error contains the token', async () => {
    answer = (response) =>
      response
        .writeHead(429, { 'content-type': 'application/json' })
        .end('{"ok":false,"error_code":429,"parameters":{"retry_after":17}}');
    const failed = await send(place(), notification()).catch((error: unknown) => error);
    expect(failed).toMatchObject({ retryAfter: 17 });
    server.closeAllConnections();
    const gone = await send(`tg+http://${TOKEN}@127.0.0.1:9/-100123`, notification()).catch(
      (error: unknown) => error as Error,
    );
    expect(JSON.stringify([String(gone), (gone as Error).stack, (gone as Error).cause])).not.toContain(
      TOKEN.split(':')[1],
    );
  });
});

describe('ntfy', () => {
  test('the message is JSON for the topic, with a priority, and the token is in a header', async () => {
    const body = await send(`ntfy+http://:tk_secret@${host}/alerts_7`, notification());
    expect(got?.path).toBe('/');
    expect(got?.headers.authorization).toBe('Bearer tk_secret');
    expect(body).toMatchObject({ topic: 'alerts_7', priority: 5, tags: ['rotating_light'] });
    expect(body.title).toBe('[CRITICAL] shop: It is <b>down</b> & *out*');
    await send(`ntfy+http://ada:pass@${host}/alerts_7`, notification({}, true));
    expect(got?.headers.authorization).toBe(`Basic ${Buffer.from('ada:pass').toString('base64')}`);
    expect(got?.body).toMatchObject({ priority: 3, tags: ['white_check_mark'] });
  });

  test('the message has at most 4096 bytes, so that it does not become a file', async () => {
    const { title, message } = await send(`ntfy+http://${host}/alerts_7`, LONG);
    expect(Buffer.byteLength(String(message))).toBeLessThanOrEqual(4096);
    expect(Buffer.byteLength(String(title))).toBeLessThanOrEqual(250);
    expect([isWhole(title), isWhole(message)]).toEqual([true, true]);
  });
});

test('a mail is sent through the server of the operator, only to the given address', async () => {
  const address = parseChannelAddress('mailto:ops@example.org');
  const mail = (to: string) => createMailSender({ server: smtp.url, from: 'magpie@example.org', to: [to] });
  if (!address) throw new Error('it is an address');
  await createChannelSender(address, { fetch, trusted: false, mail }).send('m', notification(), signal);
  expect(smtp.mails.at(-1)?.to).toEqual(['ops@example.org']);
  const none = createChannelSender(address, { fetch, trusted: false, mail: () => undefined });
  await expect(none.send('m', notification(), signal)).rejects.toThrow('this Magpie cannot send mail');
});

test.each([
  ['a header in seconds', { 'retry-after': '30' }, '', 30],
  ['a body as Discord has it', {}, '{"message":"You are being rate limited.","retry_after":1.4}', 2],
  ['neither', {}, 'slow down', undefined],
])('a 429 answer gives the waiting time by %s', async (_name, headers, text, seconds) => {
  answer = (response) => response.writeHead(429, headers).end(text);
  const failed = send(`http://${host}/hook`, notification());
  await expect(failed).rejects.toMatchObject({ retryAfter: seconds });
  await expect(failed).rejects.toThrow('429');
});

test.each([
  ['https://hooks.slack.com/services/T/B/secretsecret', 'slack', 'https://hooks.slack.com/…'],
  ['https://discord.com/api/webhooks/1/secretsecret', 'discord', 'https://discord.com/…'],
  ['https://discord.com/api/webhooks/1/secretsecret/slack', 'slack', 'https://discord.com/…'],
  [
    'https://x.westeurope.logic.azure.com/workflows/secretsecret',
    'teams',
    'https://x.westeurope.logic.azure.com/…',
  ],
  [`tg://${TOKEN}@-100123`, 'telegram', 'tg://…'],
  [`tg://${TOKEN}@channelname`, 'telegram', 'tg://…'],
  ['ntfy://ntfy.sh/secretsecret', 'ntfy', 'ntfy://ntfy.sh/…'],
  ['https://ntfy.sh/secretsecret', 'ntfy', 'ntfy://ntfy.sh/…'],
  ['mailto:ada@example.org', 'mail', 'mailto:…@example.org'],
  ['slack+https://mattermost.example/hooks/secretsecret', 'slack', 'slack+https://mattermost.example/…'],
  ['https://user:secretsecret@hook.example/secretsecret', 'webhook', 'https://hook.example/…'],
])('%s is recognised by its address, and shown without its secret', (text, kind, shown) => {
  expect(parseChannelAddress(text)?.kind).toBe(kind);
  expect(redactChannelAddress(text)).toBe(shown);
  expect(isSignedWebhook(text)).toBe(kind === 'webhook');
});

test.each([
  'ftp://hook.example/',
  'tg://-100123',
  'tg://123456@-100123',
  `tg://${TOKEN}@a b`,
  'ntfy://ntfy.sh/',
  'ntfy://ntfy.sh/two/parts',
  'mailto:ada@example.org,eve@example.org',
  'mailto:ada',
  'mailto:a%0d%0aBcc:eve@example.org',
  'slack+ftp://x/',
  'nonsense',
])('%s is not an address of a channel', (text) => {
  expect(parseChannelAddress(text)).toBeUndefined();
});

test('the webhook of a monitor must be public, and a mail address must be one that the operator allows', async () => {
  const guard = createUrlGuard({ allowHosts: [] });
  const check = (text: string, mayMail = false) => checkWebhook(text, guard, () => mayMail, signal);
  for (const text of [
    `discord+http://${host}/x`,
    `tg+http://${TOKEN}@${host}/-1`,
    `ntfy+http://${host}/topic`,
  ]) {
    await expect(check(text)).rejects.toThrow('monitoring_options.webhook takes a public URL');
  }
  await expect(check('mailto:eve@example.org')).rejects.toThrow(
    'this Magpie cannot send mail to that address',
  );
  await expect(check('mailto:ada@example.org', true)).resolves.toBeUndefined();
});
