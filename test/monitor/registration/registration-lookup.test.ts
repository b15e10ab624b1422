import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import {
  DAY_MS,
  inDays,
  type RegistriesOptions,
  rdapDomain,
  startRegistries,
} from '../../helpers/registries.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function start(options: RegistriesOptions) {
  const registries = await startRegistries(options);
  endings.push(registries.close);
  return registries;
}

const signal = AbortSignal.timeout(60_000);
const UNTIL = '2027-01-12T04:00:00Z';
const NOW = Date.parse('2026-12-01T12:00:00Z');

test('a domain is looked up by RDAP once a day for all that ask, also at once, and again after that', async () => {
  const { open, asked } = await start({
    rdap: { 'shop.org': rdapDomain('shop.org', UNTIL, ['client hold']) },
  });
  const find = open();
  const found = await Promise.all([1, 2, 3].map(() => find('shop.org', undefined, NOW, signal)));
  for (const one of found)
    expect(one).toMatchObject({ until: Date.parse(UNTIL), statuses: ['clienthold'], domain: 'shop.org' });
  await find('shop.org', undefined, NOW + 0.99 * DAY_MS, signal);
  expect(asked).toEqual(['/dns.json', '/v1/domain/shop.org']);
  const { nextAt } = await find('shop.org', undefined, NOW, signal);
  expect(nextAt).toBeGreaterThanOrEqual(NOW + DAY_MS);
  await find('shop.org', undefined, nextAt, signal);
  expect(asked.filter((path) => path.endsWith('shop.org'))).toHaveLength(2);
});

test('what was stored spares a lookup after a restart, for its own domain alone', async () => {
  const rdap = { 'shop.org': rdapDomain('shop.org', UNTIL), 'other.org': rdapDomain('other.org', UNTIL) };
  const { open, asked } = await start({ rdap });
  const { before: _, ...first } = await open()('shop.org', undefined, NOW, signal);
  asked.length = 0;
  const find = open();
  expect(await find('shop.org', JSON.stringify(first), NOW + 1000, signal)).toMatchObject(first);
  expect(asked).toEqual([]);
  expect((await find('other.org', JSON.stringify(first), NOW + 1000, signal)).domain).toBe('other.org');
  expect(asked).toEqual(['/dns.json', '/v1/domain/other.org']);
  for (const broken of ['', '{', 'null', '[]', '{"domain":"more.org"}'])
    expect((await find('more.org', broken, NOW, signal)).unknown).toMatch(/more\.org/);
});

test('a clock that is set back asks again', async () => {
  const { open, asked } = await start({ rdap: { 'shop.org': rdapDomain('shop.org', UNTIL) } });
  const find = open();
  await find('shop.org', undefined, NOW, signal);
  await find('shop.org', undefined, NOW - DAY_MS, signal);
  expect(asked.filter((path) => path.endsWith('shop.org'))).toHaveLength(2);
});

test('a failure says why, is tried again after some hours, and does not last', async () => {
  const { open, asked, answers } = await start({});
  const find = open();
  const { unknown, nextAt } = await find('shop.org', undefined, NOW, signal);
  expect(unknown).toMatch(/gives no answer about shop\.org/);
  expect(nextAt).toBeGreaterThanOrEqual(NOW + DAY_MS / 4);
  answers.set('shop.org', rdapDomain('shop.org', UNTIL));
  expect((await find('shop.org', undefined, nextAt - 1, signal)).unknown).toBe(unknown);
  expect(await find('shop.org', undefined, nextAt, signal)).toMatchObject({ until: Date.parse(UNTIL) });
  expect(asked).toHaveLength(3);
});

test('where RDAP serves no suffix, the WHOIS server that the root names is asked', async () => {
  const { open, asked } = await start({
    whois: {
      ee: 'domain: EE\r\nrefer: whois.registry.ee\r\nwhois: whois.other.ee\r\n',
      'shop.ee': 'domain: shop.ee\r\nexpire:  12.01.2027\r\nstatus: pendingDelete\r\n',
    },
  });
  const found = await open()('shop.ee', undefined, NOW, signal);
  expect(found).toMatchObject({ until: Date.parse('2027-01-12T23:59:59.999Z'), statuses: ['pendingdelete'] });
  expect(asked).toEqual(['/dns.json', 'whois ee', 'whois shop.ee']);
});

test('without the list of IANA the one of this release counts', async () => {
  const { open, asked } = await start({ hasBootstrap: false });
  // The address of the registry of .com leads to 127.0.0.1 here, where nothing answers at its port.
  const { unknown } = await open()('shop.com', undefined, NOW, signal);
  expect(unknown).toMatch(/rdap\.verisign\.com/);
  expect(asked).toEqual(['/dns.json']);
});

const nested = `${'['.repeat(120_000)}${']'.repeat(120_000)}`;
const HOSTILE_RDAP: Readonly<Record<string, unknown>> = {
  'an answer without an end': (response: ServerResponse) => {
    const send = () => {
      if (!response.destroyed && response.write('x'.repeat(65_536))) setImmediate(send);
      else response.once('drain', send);
    };
    send();
  },
  'a drip of bytes': (response: ServerResponse) => {
    response.write('{');
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  },
  'a deep nest': (response: ServerResponse) => response.end(nested),
  'a deep nest of events': (response: ServerResponse) =>
    response.end(`{"objectClassName":"domain","ldhName":"other.org","events":${nested}}`),
  'a redirect in circles': (response: ServerResponse) =>
    response.writeHead(302, { location: '/v1/domain/shop.org' }).end(),
  'no JSON': (response: ServerResponse) => response.end('<html>'),
  null: null,
  'another domain': rdapDomain('other.org', UNTIL),
  'another object': { ...rdapDomain('shop.org', UNTIL), objectClassName: 'entity' },
  'an error': (response: ServerResponse) => response.writeHead(500).end('{}'),
};

for (const [title, answer] of Object.entries(HOSTILE_RDAP))
  test(`RDAP: ${title} ends as a reason`, async () => {
    const { open } = await start({ rdap: { 'shop.org': answer } });
    const found = await open({ timeoutMs: 2000 })('shop.org', undefined, NOW, signal);
    expect(found).toMatchObject({ statuses: [], unknown: expect.stringMatching(/./) });
    expect(found.until).toBeUndefined();
  });

test('RDAP: fields of other types, and ends that differ or are far off, are left out', async () => {
  const end = (eventDate: unknown) => ({ eventAction: 'expiration', eventDate });
  const odd: readonly unknown[] = [
    'text',
    [null, 1, 'x', [], {}],
    [end(5), end(null)],
    [end('9999-12-31T00:00:00Z')],
    [end('0001-01-01T00:00:00Z')],
    [end('soon')],
    [end('03/04/2027')],
    [end(UNTIL), end('2028-01-12T04:00:00Z')],
    Array.from({ length: 2000 }, (_, at) => ({ eventAction: `e${at}`, eventDate: UNTIL })),
  ];
  for (const events of odd) {
    const answer = { objectClassName: 'domain', ldhName: 'shop.org.', status: { a: 1 }, events };
    const { open } = await start({ rdap: { 'shop.org': answer } });
    const found = await open()('shop.org', undefined, NOW, signal);
    expect([found.until, found.statuses, found.unknown]).toEqual([undefined, [], undefined]);
  }
});

test('RDAP and WHOIS reach no private address, not by a redirect nor by a referral', async () => {
  const { open, asked } = await start({
    rdap: {
      'shop.org': (response: ServerResponse) =>
        response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    },
    whois: { ee: 'refer: whois.registry.ee\r\n' },
  });
  const find = open();
  expect((await find('shop.org', undefined, NOW, signal)).unknown).toMatch(/169\.254|private|public/);
  // The root itself has a private address here.
  const { unknown } = await open({ isPublicOnly: true })('shop.ee', undefined, NOW, signal);
  expect(unknown).toMatch(/./);
  expect(asked.filter((one) => one.startsWith('whois'))).toEqual([]);
});

for (const server of [
  '127.0.0.1',
  '[::1]',
  'localhost',
  '2130706433',
  '0x7f.1',
  'a b',
  '',
  `${'a.'.repeat(500)}b`,
])
  test(`WHOIS: a referral to ${JSON.stringify(server.slice(0, 20))} is not followed`, async () => {
    const { open, asked } = await start({ whois: { ee: `refer: ${server}\r\n` } });
    expect((await open()('shop.ee', undefined, NOW, signal)).unknown).toMatch(/no registry of \.ee/);
    expect(asked).toEqual(['/dns.json', 'whois ee']);
  });

test('WHOIS: answers without an end, drips and answers about nothing end as a reason', async () => {
  const hostile: RegistriesOptions['whois'] = {
    'flood.ee': (socket) => {
      const send = () => {
        while (!socket.destroyed && socket.write('expires: 2027-01-12\r\n'.repeat(1000)));
        if (!socket.destroyed) socket.once('drain', send);
      };
      send();
    },
    'drip.ee': (socket) => {
      const timer = setInterval(() => socket.write('x'), 20);
      socket.once('close', () => clearInterval(timer));
    },
    'other.ee': 'domain: someone.ee\r\nexpires: 2027-01-12\r\n',
    'broken.ee': (socket) => socket.resetAndDestroy(),
  };
  const { open } = await start({ whois: { ee: 'whois: whois.registry.ee', ...hostile } });
  const find = open({ timeoutMs: 1500 });
  for (const domain of Object.keys(hostile)) {
    const found = await find(domain, undefined, NOW, signal);
    expect([domain, found.until, found.unknown]).toEqual([domain, undefined, expect.stringMatching(/./)]);
  }
});

test('a caller that gives up ends its own wait, and a later one is answered', async () => {
  let answered: ServerResponse | undefined;
  const arrived = Promise.withResolvers<void>();
  const { open, answers } = await start({
    rdap: {
      'shop.org': (response: ServerResponse) => {
        answered = response;
        arrived.resolve();
      },
    },
  });
  const find = open();
  const stop = new AbortController();
  const first = find('shop.org', undefined, NOW, stop.signal);
  await arrived.promise;
  stop.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  answers.set('shop.org', rdapDomain('shop.org', inDays(3)));
  expect((await find('shop.org', undefined, Date.now(), signal)).until).toBeGreaterThan(Date.now());
  answered?.destroy();
});
