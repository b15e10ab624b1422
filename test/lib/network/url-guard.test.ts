import { getEventListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { parseAllowList } from '../../../src/lib/network/address.ts';
import { createUrlGuard, parseUrl } from '../../../src/lib/network/url-guard.ts';

const NAMES: Readonly<Record<string, string>> = {
  'public.example': '8.8.8.8',
  'inside.example': '10.0.0.1',
};
let asked: string[];
beforeEach(() => {
  asked = [];
});
const lookup: LookupFunction = (name, _options, callback) => {
  asked.push(name);
  const address = NAMES[name];
  if (!address) callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), '', 0);
  else callback(null, [{ address, family: 4 }]);
};
const guard = createUrlGuard({ allowHosts: [], lookup });
const { signal } = new AbortController();

test.each([1, 22, 25, 119, 123, 143, 989, 990, 6000, 6667, 10080])(
  'port %d of another protocol is refused',
  (port) => {
    expect(() => guard.judge(new URL(`http://public.example:${port}/`))).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        message: `public.example:${port} is not read: port ${port} belongs to another protocol than HTTP`,
      }),
    );
  },
);

test('other ports are accepted, and a port of another protocol is accepted if an entry names it, for one call or for all', () => {
  for (const port of ['', ':443', ':8080', ':10081']) {
    expect(guard.judge(new URL(`http://public.example${port}/`))).toBe('guarded');
  }
  const url = new URL('http://mail.example:25/');
  expect(guard.judge(url, parseAllowList(['mail.example:25']))).toBe('open');
  expect(() => guard.judge(url, parseAllowList(['mail.example']))).toThrow('another protocol');
  expect(createUrlGuard({ allowHosts: ['mail.example:25'], lookup }).judge(url)).toBe('open');
});

test('private addresses are accepted by an entry only', () => {
  const allowing = createUrlGuard({ allowHosts: ['10.0.0.0/8', 'nas.home'], lookup });
  const judged = (host: string) => {
    try {
      return allowing.judge(new URL(`http://${host}/`));
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  expect(['10.1.2.3', '11.1.2.3', '192.168.1.1', 'nas.home', 'router', '[::1]'].map(judged)).toEqual([
    'guarded',
    'guarded',
    'forbidden',
    'open',
    'guarded',
    'forbidden',
  ]);
  for (const host of ['router', '10.1.2.3', 'nas.home']) {
    const url = new URL(`http://${host}/`);
    expect(() => guard.judge(url)).toThrow(expect.objectContaining({ code: 'forbidden' }));
    expect(guard.judge(url, parseAllowList([host]))).toBe('open');
  }
});

test('a check resolves names, once, and does not resolve addresses', async () => {
  for (const url of ['http://8.8.8.8/', 'WS://8.8.8.8/', 'wss://[2606:4700::1111]/'])
    await guard.check(url, signal);
  expect(asked).toEqual([]);
  await guard.check('WSS://public.example/a', signal);
  expect(asked).toEqual(['public.example']);
  await expect(guard.check('http://inside.example/', signal)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(guard.check('http://none.example/', signal)).rejects.toMatchObject({ code: 'upstream' });
  await expect(guard.check('awss://public.example/', signal)).rejects.toMatchObject({ code: 'bad_request' });
  await createUrlGuard({ allowHosts: ['inside.example'], lookup }).check('http://inside.example/', signal);
});

test('a name counts as private when all its addresses are private, and not when it is unknown or permitted', async () => {
  const inside = (host: string, verdict: 'open' | 'guarded' = 'guarded', stop = signal) =>
    guard.resolvesToPrivate(new URL(`http://${host}/`), verdict, stop);
  expect(await inside('inside.example')).toBe(true);
  expect(await inside('inside.example', 'open')).toBe(false);
  expect(await inside('public.example')).toBe(false);
  expect(await inside('none.example')).toBe(false);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  asked = [];
  expect(await inside('10.0.0.1')).toBe(false);
  expect(await inside('inside.example', 'guarded', AbortSignal.abort())).toBe(false);
  expect(asked).toEqual([]);
});

test('a cancelled lookup ends at once', async () => {
  const silent = createUrlGuard({ allowHosts: [], lookup: () => {} });
  const stop = new AbortController();
  const [checked, led] = [
    silent.check('http://public.example/', stop.signal),
    silent.resolvesToPrivate(new URL('http://public.example/'), 'guarded', stop.signal),
  ];
  stop.abort();
  await expect(checked).rejects.toMatchObject({ code: 'cancelled' });
  expect(await led).toBe(false);
});

const refusal = (address: string, from?: URL) => {
  try {
    return parseUrl(address, from).href;
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    return `${code}: ${message}`;
  }
};
const long = (length: number) => `mailto:${'x'.repeat(length - 7)}`;

test.each([
  ['http://a.example/b#c', 'http://a.example/b'],
  ['HTTPS://a.example', 'https://a.example/'],
  ['a.example', 'bad_request: "a.example" is not a URL: it takes an http or https URL'],
  [
    'ftp://a.example/',
    'bad_request: "ftp://a.example/" has the scheme ftp: and only http and https are read',
  ],
  [
    `${'s'.repeat(60)}:x?token=S3cr3tMark`,
    `bad_request: "${'s'.repeat(60)}:x?token=[redacted]" has the scheme ${'s'.repeat(40)} and only http and https are read`,
  ],
  [long(200), `bad_request: "${long(200)}" has the scheme mailto: and only http and https are read`],
  [long(201), `bad_request: "${long(197)}..." has the scheme mailto: and only http and https are read`],
  [
    'http://ada@a.example/',
    'bad_request: the address of a.example holds a user name or password: leave it out',
  ],
  [
    'http://:pw@a.example/',
    'bad_request: the address of a.example holds a user name or password: leave it out',
  ],
])('%s is read as %s', (address, read) => {
  expect(refusal(address)).toBe(read);
});

test('a redirect target is decoded from its bytes, and a refusal names the page', () => {
  const from = new URL('https://a.example/b/c');
  expect(refusal('d', from)).toBe('https://a.example/b/d');
  expect(refusal(Buffer.from('/ä').toString('latin1'), from)).toBe('https://a.example/%C3%A4');
  expect(refusal('http://[', from)).toBe(
    'bad_request: a.example redirects to "http://[", which is not a URL: it takes an http or https URL',
  );
  expect(refusal('ftp://b.example/', from)).toBe(
    'bad_request: a.example redirects to "ftp://b.example/", which has the scheme ftp: and only http and https are read',
  );
});
