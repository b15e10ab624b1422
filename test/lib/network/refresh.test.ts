import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createGuardedFetch, type GuardedFetch } from '../../../src/lib/network/fetch.ts';
import { findRefreshTarget } from '../../../src/lib/network/refresh.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const HERE = new URL('https://a.example/dir/page?x=1');
const target = async (html: string, headers: Record<string, string> = {}, noscript = true) =>
  (
    await findRefreshTarget(
      {
        url: HERE,
        headers: new Headers({ 'content-type': 'text/html', ...headers }),
        body: Buffer.from(html),
      },
      noscript,
    )
  )?.href;
const meta = (content: string) => `<meta http-equiv="refresh" content="${content}">`;

describe('the target of a page refresh', () => {
  test.each([
    ['0; url=next', 'https://a.example/dir/next'],
    ['0;URL=/next', 'https://a.example/next'],
    ['0, url = //b.example/', 'https://b.example/'],
    ['0 https://b.example/', 'https://b.example/'],
    ["0; url='next page' more", 'https://a.example/dir/next%20page'],
    ['0;url=&quot;next&quot;', 'https://a.example/dir/next'],
    ['0; url=?x=2&amp;y=3', 'https://a.example/dir/page?x=2&y=3'],
    ['0; url=münchen', 'https://a.example/dir/m%C3%BCnchen'],
    ['10; url=next', 'https://a.example/dir/next'],
    ['.9; url=next', 'https://a.example/dir/next'],
    ['1.5; url=next', 'https://a.example/dir/next'],
    [' 3 ; url=next ', 'https://a.example/dir/next'],
    ['0; urls=1', 'https://a.example/dir/urls=1'],
    ['11; url=next', undefined],
    ['300; url=next', undefined],
    ['0', undefined],
    ['30', undefined],
    ['0; url=', undefined],
    ['url=next', undefined],
    ['soon; url=next', undefined],
    ['0x; url=next', undefined],
    ['0; url=/dir/page?x=1', undefined],
    ['0; url=#there', undefined],
    ['0; url=http://', undefined],
  ])('for the content %j is %s', async (content, expected) => {
    expect(await target(meta(content))).toBe(expected);
    const header = content.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    expect(await target('', { refresh: Buffer.from(header).toString('latin1') })).toBe(expected);
  });

  test.each([
    ['in the body', `<body><p>Moved</p>${meta('0;url=next')}`],
    ['with other signs', "<META CONTENT=0;url=next HTTP-EQUIV='Refresh' />"],
    ['the first of two', meta('0;url=next') + meta('0;url=other')],
    ['the page has a base', `<base href="/dir/">${meta('0;url=next')}`],
    [
      'in <noscript> of a page without text',
      `<title>${'t'.repeat(300)}</title><noscript>${meta('0;url=next')}</noscript>`,
    ],
    ['of no type', meta('0;url=next'), ''],
  ])('%s', async (_name, html, type = 'text/html; charset=utf-8') => {
    expect(await target(html, { 'content-type': type })).toBe('https://a.example/dir/next');
  });

  test('is relative to the base that the page names', async () => {
    expect(await target(`<base href="https://b.example/c/">${meta('0;url=d')}`)).toBe(
      'https://b.example/c/d',
    );
  });

  test('is taken from the header before the page', async () => {
    expect(await target(meta('0;url=page'), { refresh: '0;url=header' })).toBe(
      'https://a.example/dir/header',
    );
    expect(await target(meta('0;url=page'), { refresh: '60' })).toBeUndefined();
  });

  test('is found in UTF-16', async () => {
    const body = Buffer.from(`\ufeff${meta('0;url=next')}`, 'utf16le');
    const headers = new Headers({ 'content-type': 'text/html' });
    expect((await findRefreshTarget({ url: HERE, headers, body }, false))?.pathname).toBe('/dir/next');
  });

  const text = `<p>${'Here is the text of the page. '.repeat(20)}</p>`;
  test.each([
    ['a comment', `<!-- ${meta('0;url=next')} -->`],
    ['a script', `<script>x = '${meta('0;url=next')}'</script>`],
    ['a template', `<template>${meta('0;url=next')}</template>`],
    ['a text area', `<textarea>${meta('0;url=next')}</textarea>`],
    ['text', `<p>&lt;meta http-equiv="refresh" content="0;url=next"&gt;</p>`],
    ['<noscript> of a page with text', `<noscript>${meta('0;url=next')}</noscript>${text}`],
    [
      'another meta',
      '<meta http-equiv="refresher" content="0;url=next"><meta name="refresh" content="0;url=next">',
    ],
    ['text/plain', meta('0;url=next'), 'text/plain'],
    ['what comes after 64 KB', `${' '.repeat(65_536)}${meta('0;url=next')}`],
  ])('is not set by %s', async (_name, html, type = 'text/html') => {
    expect(await target(html, { 'content-type': type })).toBeUndefined();
  });

  test('is not set by <noscript> for a reader that runs scripts', async () => {
    expect(await target(`<noscript>${meta('0;url=next')}</noscript>`, {}, false)).toBeUndefined();
  });

  test.each([
    ['digits without end', meta(`${'1'.repeat(60_000)}x; url=next`)],
    ['blanks without end', meta(`0;${' '.repeat(60_000)}x`)],
    ['tags without end', `<meta http-equiv=refresh ${'<meta '.repeat(10_000)}`],
    ['attributes without end', `<meta http-equiv=refresh ${'a '.repeat(30_000)}`],
    ['templates without end', `http-equiv refresh${'<template>'.repeat(6_000)}`],
    ['end tags', `http-equiv refresh${'<a>'.repeat(8_000)}${'</b>'.repeat(8_000)}`],
    ['entities', `http-equiv refresh ${'&amp;'.repeat(12_000)}`],
  ])('is found in little time in %s', async (_name, html) => {
    let work: Promise<unknown> = Promise.resolve();
    await target(meta('0;url=next'));
    const seconds = processorSeconds(() => {
      work = Promise.all(Array.from({ length: 10 }, () => target(html)));
    });
    const begun = process.cpuUsage();
    await work;
    const { user, system } = process.cpuUsage(begun);
    expect(seconds + (user + system) / 1e6).toBeLessThan(5);
  });
});

describe('the guarded fetch', () => {
  let server: Server;
  let host: string;
  let get: GuardedFetch;
  let asked: string[] = [];

  beforeAll(async () => {
    const pages: Readonly<Record<string, string>> = {
      '/end': '<p>The end</p>',
      '/meta': meta('0;url=/end'),
      '/ring-a': `<p>A</p>${meta('0;url=/ring-b')}`,
      '/ring-b': `<p>B</p>${meta('0;url=/ring-a')}`,
      '/self': `<p>Self</p>${meta('0')}`,
      '/inside': meta('0;url=http://169.254.169.254/latest/'),
      '/file': `<p>File</p>${meta('0;url=file:///etc/passwd')}`,
      '/script': `<p>Script</p>${meta('0;url=javascript:alert(1)')}`,
      '/secret': `<p>Secret</p>${meta('0;url=http://user:secret@b.example/')}`,
    };
    server = createServer((request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      response.setHeader('content-type', 'text/html');
      const [, hop] = /^\/hop\/(\d+)$/.exec(path) ?? [];
      if (hop && Number(hop) % 2 === 1) {
        return response.writeHead(302, { location: `/hop/${Number(hop) + 1}` }).end();
      }
      if (hop) return response.end(meta(`0;url=/hop/${Number(hop) + 1}`));
      if (path === '/header') response.setHeader('refresh', '0; url=/meta');
      if (path === '/gone') response.writeHead(404);
      return response.end(path === '/gone' ? meta('0;url=/end') : (pages[path] ?? ''));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    get = createGuardedFetch({ allowHosts: [host], userAgent: 'Magpie-test' });
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(async () => {
    await get.close();
    server.closeAllConnections();
    server.close();
  });

  const fetched = async (path: string, follow = true) => {
    const { signal } = new AbortController();
    const followRefresh = follow ? { noscript: true } : undefined;
    const { url, body, status } = await get(`http://${host}${path}`, { signal, followRefresh });
    return { path: new URL(url).pathname, status, text: Buffer.from(body).toString() };
  };

  test('follows header and page refreshes only on request', async () => {
    expect(await fetched('/header')).toMatchObject({ path: '/end', text: '<p>The end</p>' });
    expect(asked).toEqual(['/header', '/meta', '/end']);
    expect((await fetched('/header', false)).path).toBe('/header');
  });

  test('ends a ring of refreshes with its last page, without a second request for any page', async () => {
    expect(await fetched('/ring-a')).toMatchObject({ path: '/ring-b', status: 200 });
    expect(asked).toEqual(['/ring-a', '/ring-b']);
    expect((await fetched('/self')).text).toContain('Self');
  });

  test('counts refreshes and redirects together', async () => {
    await expect(fetched('/hop/0')).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('redirects more than 5 times'),
    });
    expect(asked).toEqual([0, 1, 2, 3, 4, 5].map((hop) => `/hop/${hop}`));
  });

  test('does not follow the refresh of a failed page', async () => {
    expect(await fetched('/gone')).toMatchObject({ path: '/gone', status: 404 });
  });

  test('refuses a private address, and does not follow another scheme or a password [safety.private]', async () => {
    await expect(fetched('/inside')).rejects.toMatchObject({ code: 'forbidden' });
    expect(await fetched('/secret')).toMatchObject({
      path: '/secret',
      text: expect.stringContaining('Secret'),
    });
    expect((await fetched('/file')).text).toContain('File');
    expect((await fetched('/script')).text).toContain('Script');
  });
});
