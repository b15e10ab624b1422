import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/network/fetch.ts';
import { createLog } from '../../src/log.ts';
import type { SearchEngine } from '../../src/search/engine.ts';
import { duckduckgo } from '../../src/search/engines/duckduckgo.ts';
import { searxng } from '../../src/search/engines/searxng.ts';
import { wikipedia } from '../../src/search/engines/wikipedia.ts';
import { createSearch, type SearchOptions } from '../../src/search/search.ts';
import { createSqlitePageStore } from '../../src/search/stores/pages.ts';
import type { SearchService } from '../../src/search/types.ts';
import type { Database } from '../../src/storage/sqlite.ts';
import { openTestDatabase } from '../helpers/test-database.ts';

const log = createLog('silent');

/** What a site answers; `hang` never answers. */
type Answer = { status?: number; headers?: Record<string, string>; body?: string } | 'hang';

/** One engine's site on loopback: answers as the test sets and records what it was asked. */
class Site {
  answer: Answer = {};
  readonly asked: { path: string; body: string; headers: IncomingMessage['headers'] }[] = [];
  readonly server = createServer((request, response) => void this.reply(request, response));
  url = '';
  host = '';
  gaveUp = Promise.withResolvers<void>();
  arrived = Promise.withResolvers<void>();

  async open(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    this.url = `http://${this.host}`;
    return this;
  }

  private async reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    this.asked.push({ path: request.url ?? '', body, headers: request.headers });
    response.on('close', () => {
      if (!response.writableEnded) this.gaveUp.resolve();
    });
    this.arrived.resolve();
    if (this.answer === 'hang') return;
    const { status = 200, headers = {}, body: text = '' } = this.answer;
    response.writeHead(status, headers).end(text);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

const ddgPage = (...urls: string[]) =>
  `<div id="links" class="results">${urls
    .map(
      (url, i) => `<div class="result results_links results_links_deep web-result"><h2 class="result__title">
  <a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=1">DDG ${i}</a></h2>
  <a class="result__snippet" href="#">snippet of duckduckgo ${i}: the magpie builds a nest</a></div>`,
    )
    .join('')}</div>`;
const CAPTCHA =
  '<form id="challenge-form"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form>';
const wikiPage = (...titles: string[]) =>
  JSON.stringify({
    batchcomplete: true,
    query: {
      pages: titles.map((title, i) => ({
        title,
        index: i + 1,
        fullurl: `https://en.wikipedia.org/wiki/${title}`,
        extract: `${title} is an article of the encyclopedia.`,
      })),
    },
  });
const searxPage = (...urls: string[]) =>
  JSON.stringify({
    query: 'q',
    results: urls.map((url) => ({ url, title: 'SearXNG', content: 'the magpie builds a nest' })),
  });

let ddg: Site;
let wiki: Site;
let searx: Site;
let fetch: GuardedFetch;
let folder: string;
let db: Database;

beforeEach(async () => {
  [ddg, wiki, searx] = await Promise.all([new Site().open(), new Site().open(), new Site().open()]);
  ddg.answer = { status: 202, body: ddgPage('https://a.example/', 'https://en.wikipedia.org/wiki/Magpie') };
  wiki.answer = { body: wikiPage('Magpie', 'Corvidae') };
  searx.answer = { body: searxPage('https://a.example/?utm_source=searx', 'https://s.example/') };
  fetch = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test' });
  folder = mkdtempSync(join(tmpdir(), 'magpie-search-'));
  db = await openTestDatabase({ folder });
});
afterEach(async () => {
  await fetch.close();
  await Promise.all([ddg.close(), wiki.close(), searx.close()]);
  db.close();
  rmSync(folder, { recursive: true });
});

/** Without their pace, which pace.test.ts and together.test.ts cover. */
const allEngines = (): SearchEngine[] =>
  [searxng({ baseUrl: searx.url }), duckduckgo({ baseUrl: ddg.url }), wikipedia({ baseUrl: wiki.url })].map(
    (engine) => ({ ...engine, about: { ...engine.about, pace: 0 } }),
  );
const make = (options: Partial<SearchOptions> = {}): SearchService =>
  createSearch({
    fetch,
    engines: allEngines(),
    trusted: [],
    askLocal: true,
    timeoutMs: 4000,
    log,
    ...options,
  });
const local = () => createSqlitePageStore(db, { maxPages: 100, maxBytes: 1e9 });
const ask = (search: SearchService, text = 'magpie', signal = new AbortController().signal, owner = 'ann') =>
  search.findPages(text, { owner, limit: 10, signal });
const engineOf = async (search: SearchService, name: string) =>
  (await ask(search)).engines.find((engine) => engine.name === name);

describe('several engines', () => {
  test('are all asked, merged and reported one by one [body.engines]', async () => {
    const { pages, engines } = await ask(make());
    expect(pages.map(({ url, engines: names }) => [url, names])).toEqual([
      ['https://a.example/', ['searxng', 'duckduckgo']],
      ['https://en.wikipedia.org/wiki/Magpie', ['wikipedia', 'duckduckgo']],
      ['https://s.example/', ['searxng']],
      ['https://en.wikipedia.org/wiki/Corvidae', ['wikipedia']],
    ]);
    expect(engines).toEqual(
      ['searxng', 'duckduckgo', 'wikipedia'].map((name) => ({
        name,
        ok: true,
        ms: expect.any(Number),
        hits: 2,
      })),
    );
    expect(new URLSearchParams(ddg.asked[0]?.body).get('q')).toBe('magpie');
    expect(ddg.asked[0]?.headers['user-agent']).toMatch(/^Mozilla\/5\.0 \(/);
  });

  test('receive any text unchanged', async () => {
    const text = `"quoted" & ü=🐦 \u0000 ' <b> %41 #x`;
    await ask(make(), text);
    expect(new URLSearchParams(ddg.asked[0]?.body).get('q')).toBe(text);
    expect(new URL(wiki.asked[0]?.path ?? '', wiki.url).searchParams.get('gsrsearch')).toBe(text);
    expect(new URL(searx.asked[0]?.path ?? '', searx.url).searchParams.get('q')).toBe(text);
    await expect(ask(make(), `\ud800${'long '.repeat(100_000)}`)).resolves.toBeDefined();
  });

  test('receive the language of the question, unless the caller names one', async () => {
    const text = 'wie funktioniert die Wärmepumpe und was kostet sie';
    const options = { owner: 'ann', limit: 10, signal: new AbortController().signal };
    const search = make();
    const languages: (string | null)[] = [];
    for (const language of [undefined, 'fr']) {
      await search.findPages(text, { ...options, language });
      languages.push(new URL(searx.asked.at(-1)?.path ?? '', searx.url).searchParams.get('language'));
    }
    expect(languages).toEqual(['de', 'fr']);
  });

  test('are used without an engine that is down, which is reported', async () => {
    await searx.close();
    const { pages, engines } = await ask(make());
    expect(pages).toHaveLength(3);
    expect(engines[0]).toMatchObject({
      name: 'searxng',
      ok: false,
      hits: 0,
      reason: `${searx.host} refuses the connection: check the address and its port, and that the service runs`,
    });
    searx = await new Site().open();
  });

  test('are used without a slow engine after the deadline', async () => {
    wiki.answer = 'hang';
    const { pages, engines } = await ask(make({ timeoutMs: 3000 }));
    expect(pages.length).toBeGreaterThan(0);
    expect(engines.find(({ name }) => name === 'wikipedia')).toMatchObject({
      ok: false,
      reason: 'it did not answer within 3 s',
    });
    await wiki.gaveUp.promise;
  });

  test('give an error with each reason and the next step when all fail [failure.all-engines]', async () => {
    ddg.answer = { status: 404 };
    wiki.answer = { status: 503 };
    searx.answer = { body: '{}' };
    await expect(ask(make({ local: local() }))).rejects.toMatchObject({
      code: 'upstream',
      status: 502,
      message:
        'failed to fetch search results: searxng: its answer is not what SearXNG answers; ' +
        'duckduckgo: its address has no search (404); wikipedia: it is overloaded or down (503).\n' +
        'Ask again later, or read a known address with browse.',
    });
  });

  test('give the network failure for the next question too, and not only a pause', async () => {
    const unknown = duckduckgo({ baseUrl: 'http://engine.invalid' });
    const engines = [{ ...unknown, about: { ...unknown.about, pace: 60_000 } }];
    const search = make({ engines, timeoutMs: 30_000 });
    const said = (text: string) => ask(search, text).then(String, (error: Error) => error.message);
    const first = await said('magpie');
    expect(first).toMatch(/name service/);
    expect(await said('jackdaw')).toBe(first);
  });

  test('give one network failure with the engines named, and separately the failure of another engine', async () => {
    // No name service knows a name of this kind (RFC 6761), with or without a network.
    const lost = [
      duckduckgo({ baseUrl: 'http://ddg.invalid' }),
      wikipedia({ baseUrl: 'http://wiki.invalid' }),
    ];
    const timeoutMs = 30_000;
    const message = (engines: SearchEngine[]) =>
      ask(make({ engines, timeoutMs })).then(
        () => '',
        (error: Error) => error.message,
      );
    expect(await message(lost)).toBe(
      'failed to fetch search results: duckduckgo, wikipedia cannot be reached: there is no network, or its name ' +
        "service does not answer.\nCheck this machine's network connection.",
    );
    searx.answer = { status: 500 };
    expect(await message([searxng({ baseUrl: searx.url }), ...lost])).toMatch(
      /^failed to fetch search results: searxng: .* \(500\); duckduckgo, wikipedia cannot be reached: .*\nAsk again/,
    );
    // One alone may be a wrong name.
    expect(await message(lost.slice(0, 1))).toMatch(
      /: duckduckgo: ddg\.invalid (is not known|cannot be resolved)/,
    );
  });

  test('give an empty result, not an error, when an answering engine finds nothing', async () => {
    ddg.answer = { body: '<div id="links" class="results"><div class="no-results">No results.</div></div>' };
    wiki.answer = { status: 500 };
    searx.answer = { status: 500 };
    const { pages, engines } = await ask(make());
    expect(pages).toEqual([]);
    expect(engines.map(({ ok }) => ok)).toEqual([false, true, false]);
  });

  test('give the setting to change when none is configured', async () => {
    await expect(ask(make({ engines: [] }))).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('name one in MAGPIE_ENGINES'),
    });
  });

  test('end every request when the caller cancels', async () => {
    for (const site of [ddg, wiki, searx]) site.answer = 'hang';
    const stop = new AbortController();
    const found = ask(make({ timeoutMs: 60_000 }), 'magpie', stop.signal);
    await Promise.all([ddg, wiki, searx].map((site) => site.arrived.promise));
    stop.abort();
    await expect(found).rejects.toMatchObject({ name: 'AbortError' });
    await Promise.all([ddg, wiki, searx].map((site) => site.gaveUp.promise));
  });
});

describe('refusals', () => {
  test('pause the engine after a captcha, with the reason and the end of the pause', async () => {
    ddg.answer = { status: 202, body: CAPTCHA };
    const search = make();
    const reason = expect.stringMatching(
      /^it asks for a captcha; it is left alone until \d{4}-\d\d-\d\dT[\d:]{8}Z$/,
    );
    expect(await engineOf(search, 'duckduckgo')).toMatchObject({ ok: false, reason });
    ddg.answer = { body: ddgPage('https://back.example/') };
    const { engines } = await ask(search, 'another question');
    expect(engines.find(({ name }) => name === 'duckduckgo')).toMatchObject({ ok: false, reason });
    expect(ddg.asked).toHaveLength(1);
    expect(wiki.asked).toHaveLength(2);
    expect(await engineOf(make(), 'duckduckgo')).toMatchObject({ ok: true });
  });

  test('pause the engine after 429 as long as its Retry-After asks', async () => {
    wiki.answer = { status: 429, headers: { 'retry-after': '600' } };
    searx.answer = { status: 429, headers: { 'retry-after': new Date(Date.now() + 900_000).toUTCString() } };
    const search = make();
    const before = Date.now();
    const { engines } = await ask(search);
    const until = (name: string) =>
      Date.parse(/until (\S+)$/.exec(engines.find((one) => one.name === name)?.reason ?? '')?.[1] ?? '');
    expect(engines.find(({ name }) => name === 'wikipedia')?.reason).toContain('it is asked too often (429)');
    expect(until('wikipedia') - before).toBeGreaterThan(590_000);
    expect(until('searxng') - before).toBeGreaterThan(880_000);
    await ask(search);
    expect([wiki.asked.length, searx.asked.length]).toEqual([1, 1]);
  });

  test.each([
    [401, 'it wants a key or password (401)'],
    [403, 'it refuses the request (403)'],
    [404, 'its address has no search (404)'],
    [418, 'it returned no results (418)'],
    [500, 'it failed (500)'],
    [503, 'it is overloaded or down (503)'],
  ])(
    'are explained for HTTP %i, and the engine is asked again by the next search',
    async (status, reason) => {
      wiki.answer = { status };
      const search = make();
      expect(await engineOf(search, 'wikipedia')).toMatchObject({ ok: false, reason });
      wiki.answer = { body: '{"batchcomplete":true}' };
      expect(await engineOf(search, 'wikipedia')).toMatchObject({ ok: true });
    },
  );

  test('name the setting for a SearXNG without its JSON format, by status or by page', async () => {
    const search = make();
    for (const answer of [
      { status: 403, body: '<!doctype html><title>403 Forbidden</title>' },
      { body: '<!DOCTYPE html><html class="no-js theme-auto"></html>' },
    ]) {
      searx.answer = answer;
      expect((await engineOf(search, 'searxng'))?.reason).toContain(
        'add json to search.formats in its settings.yml',
      );
    }
  });

  test('distinguish changed markup from an endless answer', async () => {
    ddg.answer = { body: '<main><section>New design</section></main>' };
    wiki.answer = { body: `{"batchcomplete": true, "x": "${'x'.repeat(2_100_000)}"}` };
    const { engines } = await ask(make());
    expect(engines.find(({ name }) => name === 'duckduckgo')?.reason).toContain('the markup has changed');
    expect(engines.find(({ name }) => name === 'wikipedia')?.reason).toContain('ResponseTooLarge');
  });
});

describe('private addresses', () => {
  const strict = () => createGuardedFetch({ allowHosts: [], userAgent: 'Magpie/test' });

  test('are permitted for an engine of the operator alone', async () => {
    const guarded = strict();
    const { engines } = await ask(make({ fetch: guarded, trusted: [searx.host] }));
    expect(engines.map(({ name, ok }) => [name, ok])).toEqual([
      ['searxng', true],
      ['duckduckgo', false],
      ['wikipedia', false],
    ]);
    expect(ddg.asked).toHaveLength(0);
    await guarded.close();
  });

  test('are refused when an engine redirects to the private address of another engine', async () => {
    ddg.answer = { status: 302, headers: { location: `${searx.url}/search?q=x&format=json` } };
    const guarded = strict();
    const { engines } = await ask(make({ fetch: guarded, trusted: [searx.host, ddg.host] }));
    expect(engines.find(({ name }) => name === 'duckduckgo')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('not a public address'),
    });
    expect(searx.asked).toHaveLength(1);
    await guarded.close();
  });
});

describe('the local index', () => {
  const page = (url: string, text: string) => ({ url, title: `Title of ${url}`, text, readAt: 1000 });

  test('finds stored pages when no engine can be reached [local.offline]', async () => {
    for (const site of [ddg, wiki, searx]) site.answer = { status: 500 };
    const search = make({ local: local() });
    await search.rememberPages('ann', [
      page('https://read.example/?utm_source=x', 'the magpie builds a nest'),
    ]);
    const { pages, engines } = await ask(search, 'magpie nests');
    expect(pages).toEqual([
      {
        url: 'https://read.example/',
        title: 'Title of https://read.example/?utm_source=x',
        snippet: 'the magpie builds a nest',
        engines: ['local'],
      },
    ]);
    expect(engines.map(({ name, ok }) => [name, ok])).toEqual([
      ['searxng', false],
      ['duckduckgo', false],
      ['wikipedia', false],
      ['local', true],
    ]);
    await expect(ask(search, 'magpie nests', undefined, 'bob')).rejects.toMatchObject({ code: 'upstream' });
  });

  test('puts a page that the web does not list in third place when it has all the words', async () => {
    searx.answer = { body: searxPage(...Array.from({ length: 12 }, (_, i) => `https://s${i}.example/`)) };
    ddg.answer = { body: ddgPage(...Array.from({ length: 30 }, (_, i) => `https://d${i}.example/`)) };
    const search = make({ local: local() });
    await search.rememberPages('ann', [page('https://some.example/', 'the magpie flies over the house')]);
    await search.rememberPages('ann', [
      page('https://own.example/', 'our magpies keep building their nests here'),
    ]);
    await search.rememberPages('ann', [page('https://own2.example/', 'the magpie builds a nest')]);
    await search.rememberPages('bob', [page('https://bob.example/', 'the magpie builds a nest')]);
    const { pages } = await ask(search, 'how does the magpie build a nest');
    const owned = pages.filter(({ engines }) => engines.includes('local'));
    expect(pages).toHaveLength(10);
    expect(owned.map(({ url }) => [url, pages.findIndex((page) => page.url === url)])).toEqual([
      [expect.stringMatching(/^https:\/\/own2?\.example\//), 2],
    ]);
  });

  test('does not put a page with some of the words before a full list of the web', async () => {
    searx.answer = { body: searxPage(...Array.from({ length: 12 }, (_, i) => `https://s${i}.example/`)) };
    const search = make({ local: local() });
    await search.rememberPages('ann', [page('https://own.example/', 'the magpie flies over the house')]);
    for (const question of ['the magpie and its nest', 'magpie']) {
      const { pages } = await ask(search, question);
      expect(pages.filter(({ engines }) => engines.includes('local'))).toEqual([]);
    }
  });

  test('answers alone, and an empty result is not an error', async () => {
    const search = make({ engines: [], local: local() });
    expect(await ask(search)).toMatchObject({ pages: [], engines: [{ name: 'local', ok: true, hits: 0 }] });
  });

  test('has its failure reported like that of any other engine', async () => {
    const search = make({ local: local() });
    db.close();
    const { pages, engines } = await ask(search);
    expect(pages.length).toBeGreaterThan(0);
    expect(engines.at(-1)).toMatchObject({
      name: 'local',
      ok: false,
      reason: expect.stringContaining('shutting down'),
    });
  });

  test('stores pages even when searches do not ask the local index', async () => {
    const search = make({ local: local(), askLocal: false });
    await search.rememberPages('ann', [page('https://read.example/', 'magpie')]);
    expect((await ask(search)).engines.map(({ name }) => name)).not.toContain('local');
    expect((await search.listRecentPages('ann', 10)).pages.map(({ url }) => url)).toEqual([
      'https://read.example/',
    ]);
  });

  test('stores one page for all forms of its address', async () => {
    const search = make({ local: local() });
    await search.rememberPages('ann', [page('https://Read.example/a?utm_source=x#top', 'old')]);
    await search.rememberPages('ann', [page('https://read.example/a', 'new')]);
    expect((await search.listRecentPages('ann', 10)).pages).toHaveLength(1);
    expect((await search.recallPage('ann', 'https://read.example/a?gclid=1'))?.text).toBe('new');
    expect(await search.recallPage('bob', 'https://read.example/a')).toBeUndefined();
  });

  test('stores nothing when it is switched off', async () => {
    const search = make();
    await search.rememberPages('ann', [page('https://read.example/', 'magpie')]);
    expect(await search.recallPage('ann', 'https://read.example/')).toBeUndefined();
    expect(await search.listRecentPages('ann', 10)).toEqual({ pages: [] });
  });
});
