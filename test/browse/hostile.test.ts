import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBrowse } from '../../src/browse/browse.ts';
import type { PageBrowser } from '../../src/browse/types.ts';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/network/fetch.ts';
import { sharedReaders } from '../helpers/shared-readers.ts';
import { countTurns } from '../helpers/turns.ts';

/** Pages that mean to harm their reader, each with a sentence that an honest reader would find, or none. */
interface HostilePage {
  readonly type: string;
  readonly body: string | Buffer;
}

const SENTENCE = 'Magpies build their nests in high trees and roof them with thorns against the crows.';
/** More than a function may call itself. */
const DEEP = 20_000;
const html = (body: string, head = '') =>
  `<!doctype html><html><head><title>A page</title>${head}</head><body>${body}</body></html>`;
const nested = (tag: string, times = DEEP) => `<${tag}>`.repeat(times);

/** With text before and after, so that what is lost is the page's own doing. */
const DEEP_PAGES: Readonly<Record<string, HostilePage>> = {
  'twenty thousand open div': { type: 'text/html', body: html(`<p>${SENTENCE}</p>${nested('div')}x`) },
  'twenty thousand closed div': {
    type: 'text/html',
    body: html(`<p>${SENTENCE}</p>${nested('div')}x${nested('/div')}`),
  },
  'twenty thousand b': { type: 'text/html', body: html(`<p>${SENTENCE}</p>${nested('b')}x`) },
  'twenty thousand misnested': {
    type: 'text/html',
    body: html(`<p>${SENTENCE}</p>${'<b><i></b>'.repeat(DEEP / 10)}x`),
  },
  'twenty thousand links': { type: 'text/html', body: html(`<p>${SENTENCE}</p>${nested('a href=x')}x`) },
  'twenty thousand lists': {
    type: 'text/html',
    body: html(`<p>${SENTENCE}</p>${nested('ul><li', DEEP / 2)}x`),
  },
  'twenty thousand tables': {
    type: 'text/html',
    body: html(`<p>${SENTENCE}</p>${'<table><tr><td>'.repeat(DEEP / 10)}x`),
  },
  'twenty thousand quotes': {
    type: 'text/html',
    body: html(`<p>${SENTENCE}</p>${nested('blockquote')}x`),
  },
  'twenty thousand forms of svg': {
    type: 'text/html',
    body: html(`<p>${SENTENCE}</p><svg>${nested('g')}`),
  },
  'twenty thousand templates': {
    type: 'text/html',
    body: html(`<p>${SENTENCE}</p>${nested('template', DEEP / 10)}x`),
  },
};

const ODD_PAGES: Readonly<Record<string, HostilePage>> = {
  'a tag of a megabyte': { type: 'text/html', body: html(`<p ${'a'.repeat(1e6)}>${SENTENCE}</p>`) },
  'twenty thousand attributes': {
    type: 'text/html',
    body: html(`<p ${Array.from({ length: DEEP }, (_, i) => `a${i}=b`).join(' ')}>${SENTENCE}</p>`),
  },
  'a comment that does not end': {
    type: 'text/html',
    body: `${html(`<p>${SENTENCE}</p>`)}<!-- ${'x'.repeat(1e6)}`,
  },
  'a million entities': {
    type: 'text/html',
    body: html(`<p>${SENTENCE}</p><p>${'&amp;'.repeat(200_000)}</p>`),
  },
  'entities that do not end': {
    type: 'text/html',
    body: html(`<p>${SENTENCE}</p><p>${'&'.repeat(500_000)}</p>`),
  },
  // Among the first characters they would say that this is not text at all.
  'nulls far into the text': {
    type: 'text/html',
    body: html(`<p>${'Some words before. '.repeat(100)}</p><p>\0${SENTENCE}\0</p>`),
  },
  'lone surrogates': {
    type: 'text/html',
    body: html(`<p>${SENTENCE} &#xD800; &#x110000; &#99999999999;</p>`),
  },
  'a type that lies: an image': { type: 'image/png', body: html(`<p>${SENTENCE}</p>`) },
  'a type that lies: a PDF': { type: 'application/pdf', body: html(`<p>${SENTENCE}</p>`) },
  'a type that lies: JSON': { type: 'application/json', body: html(`<p>${SENTENCE}</p>`) },
  'a type that is rubbish': { type: ';;;=,/x', body: html(`<p>${SENTENCE}</p>`) },
  'a charset that is none': { type: 'text/html; charset=klingon', body: html(`<p>${SENTENCE}</p>`) },
  'a charset that is a prototype': { type: 'text/html; charset=__proto__', body: html(`<p>${SENTENCE}</p>`) },
  'a charset of a megabyte': {
    type: `text/html; charset=${'x'.repeat(8000)}`,
    body: html(`<p>${SENTENCE}</p>`),
  },
  'UTF-7, which must not be read': { type: 'text/html; charset=utf-7', body: html(`<p>${SENTENCE}</p>`) },
  'a charset that lies: ASCII as UTF-8': {
    type: 'text/html; charset=us-ascii',
    body: html(`<p>${SENTENCE} Größe</p>`),
  },
  'UTF-8 that is broken': {
    type: 'text/html; charset=utf-8',
    body: Buffer.concat([
      Buffer.from(html(`<p>${SENTENCE}</p>`)),
      Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
    ]),
  },
};

let server: Server;
let host: string;
let fetch: GuardedFetch;
let browse: PageBrowser;
const pages = new Map(Object.entries({ ...DEEP_PAGES, ...ODD_PAGES }));

beforeAll(async () => {
  server = createServer((request, response) => {
    const page = pages.get(decodeURIComponent(request.url?.slice(1) ?? ''));
    if (page) response.writeHead(200, { 'content-type': page.type }).end(page.body);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  fetch = createGuardedFetch({ allowHosts: [host], userAgent: 'test' });
  browse = createBrowse({ fetch, maxBytes: 10_000_000, timeoutMs: 10_000, readers: sharedReaders() });
});

afterAll(async () => {
  await browse.close();
  await fetch.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const read = (name: string) =>
  browse.readPage(`http://${host}/${encodeURIComponent(name)}`, { signal: new AbortController().signal });

test.each(Object.keys(DEEP_PAGES))('%s: the page is read for what it says', async (name) => {
  expect((await read(name)).markdown).toContain(SENTENCE);
});

test.each(Object.keys(ODD_PAGES))('%s: the page is read for what it says', async (name) => {
  expect((await read(name)).markdown).toContain(SENTENCE);
});

test('bytes that are only declared as text are refused with their type', async () => {
  pages.set('picture', { type: 'text/html', body: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') });
  await expect(read('picture')).rejects.toMatchObject({ code: 'unsupported' });
});

test('hostile pages delay no other call', async () => {
  const hostile = Object.keys(DEEP_PAGES)
    .slice(0, 3)
    .map((name) => read(name).catch(() => undefined));
  pages.set('honest', { type: 'text/html', body: html(`<p>${SENTENCE}</p>`) });
  const turns = countTurns();
  expect((await read('honest')).markdown).toContain(SENTENCE);
  await Promise.all(hostile);
  // The event loop of the server keeps running: what takes long is done in workers that can be stopped.
  expect(turns()).toBeGreaterThan(1000);
});
