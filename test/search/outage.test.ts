import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppError } from '../../src/errors.ts';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/network/fetch.ts';
import { createLog } from '../../src/log.ts';
import { gatherOutcomes } from '../../src/search/asking/gather-outcomes.ts';
import { EngineError, type SearchEngine, type SearchQuery } from '../../src/search/engine.ts';
import { createSearch, type SearchOptions } from '../../src/search/search.ts';
import { type EngineSite, hitsAt, startEngine } from '../helpers/engine-site.ts';
import { type PassingTime, startPassingTime } from '../helpers/passing-time.ts';

/** Searches in which engines of the web refuse, and others have nothing. */

const NAMES = Array.from({ length: 12 }, (_, at) => `p${at}`);
const QUESTION = 'how do magpies build nests';
let fetch: GuardedFetch;
let sites: EngineSite[];
let time: PassingTime;
beforeEach(() => {
  time = startPassingTime();
  fetch = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test', perOrigin: 64 });
  sites = [];
});
afterEach(async () => {
  time.stop();
  await fetch.close();
  await Promise.all(sites.map((site) => site.close()));
});

async function open(name: string, about: Partial<SearchEngine['about']>, answer: EngineSite['answer']) {
  const site = await startEngine(name, about);
  site.answer = answer;
  sites.push(site);
  return site;
}
const make = (options: Partial<SearchOptions> = {}) =>
  createSearch({
    fetch,
    engines: sites.map(({ engine }) => engine),
    trusted: [],
    askLocal: false,
    timeoutMs: 8000,
    log: createLog('silent'),
    ...options,
  });
const find = (search: ReturnType<typeof make>, more: Partial<SearchQuery> = {}) =>
  time.until(
    search.findPages(more.text ?? QUESTION, {
      owner: 'ann',
      limit: 10,
      signal: new AbortController().signal,
      ...more,
    }),
  );
const askedOf = () => sites.filter(({ asked }) => asked.length > 0).map(({ engine }) => engine.name);
const REFUSED = { status: 429, headers: { 'retry-after': '40' } };
const CAPTCHA = { body: 'captcha' };

describe('an outage is not an empty result', () => {
  test.each<[string, Partial<SearchEngine['about']>, Partial<SearchQuery>]>([
    ['an encyclopaedia', { categories: ['general', 'definitions'] }, {}],
    ['an engine of news', { categories: ['news'] }, { text: 'magpie nests news today' }],
    ['an engine of discussions', { categories: ['discussions'] }, { text: 'magpie nests reddit opinions' }],
    [
      'an engine within a time',
      { categories: ['news'], takes: ['timeRange'] },
      { text: 'magpie news', timeRange: 'day' },
    ],
    ['an engine with further pages', { categories: ['general', 'definitions'], pages: 5 }, { page: 2 }],
  ])('where %s alone finds nothing, the error has the reasons and a time', async (_, about, query) => {
    const takes = { takes: ['timeRange'], pages: 5 } as const;
    await open('one', { ...takes, resultPage: true }, REFUSED);
    await open('two', { ...takes, resultPage: true }, CAPTCHA);
    await open('other', about, { hits: [] });
    const remedies = ['Use a browser.', 'Run your own.', 'Set a key.'];
    const error = (await find(make({ remedies }), query).catch((reason: unknown) => reason)) as AppError;
    expect(error.code).toBe('upstream');
    expect(error.retryAfter).toBeGreaterThan(20);
    const [reasons, ...lines] = error.message.split('\n');
    expect(reasons).toMatch(
      /one: it is asked too often .*two: it asks for a captcha.*other found nothing, which alone/,
    );
    expect(lines).toEqual([expect.stringMatching(/^Ask again in \d+ s, or read/), ...remedies]);
  });

  test('the empty answer of an engine counts for the named topic and for the own site of the engine', async () => {
    await open('web', { takes: ['site'] }, CAPTCHA);
    await open(
      'papers',
      { categories: ['papers'], website: 'https://papers.example/', takes: ['site'] },
      { hits: [] },
    );
    expect((await find(make(), { category: 'papers' })).pages).toEqual([]);
    const text = 'arxiv magpie nests';
    expect((await find(make(), { text, site: ['papers.example'] })).pages).toEqual([]);
    await expect(find(make(), { text })).rejects.toMatchObject({ code: 'upstream' });
  });

  test('when many engines refuse, the error begins with their number and the next step, and ends with the reasons', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await open(name, { resultPage: true }, CAPTCHA);
    const error = (await find(make({ remedies: ['Run your own.'] })).catch(
      (reason: unknown) => reason,
    )) as Error;
    const [start, again, remedy, reasons, ...rest] = error.message.split('\n');
    expect(start).toBe('failed to fetch search results: none of 5 search engines answered.');
    expect(again).toMatch(/^Ask again /);
    expect([remedy, rest]).toEqual(['Run your own.', []]);
    expect(reasons).toMatch(/^Reasons: a: it asks for a captcha.*; e: it asks for a captcha/);
  });

  test('the empty answer of one engine among many is not accepted, and two empty answers are', async () => {
    for (const name of ['a', 'b']) await open(name, { resultPage: true }, CAPTCHA);
    const empty = await open('c', { resultPage: true }, { hits: [] });
    await expect(find(make())).rejects.toMatchObject({ code: 'upstream' });
    await open('d', { resultPage: true }, { hits: [] });
    expect((await find(make(), { text: `${QUESTION} there` })).pages).toEqual([]);
    expect(empty.asked).toHaveLength(2);
  });

  test('results that are all outside the requested site are not an answer', async () => {
    const takes = ['site'] as const;
    for (const name of ['a', 'b']) await open(name, { resultPage: true, takes }, CAPTCHA);
    await open('c', { resultPage: true, takes }, { hits: hitsAt(...NAMES) });
    await expect(find(make(), { site: ['docs.example'] })).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('c found nothing, which alone'),
    });
  });

  test('the number of engines that answered is given with the pages of a single one', async () => {
    for (const name of ['a', 'b', 'c']) await open(name, { resultPage: true }, CAPTCHA);
    await open('d', { resultPage: true }, { hits: hitsAt(...NAMES) });
    const found = await find(make());
    expect(found.pages).toHaveLength(10);
    expect(found.fewAnswered).toEqual({ failed: 3, asked: 4, alone: 'd' });
  });

  test('the turn of the only answering engine is waited for when no other engine has answered', async () => {
    await open('a', { resultPage: true }, CAPTCHA);
    // Its turn comes after more than half of the time limit.
    await open('slow turn', { resultPage: true, pace: 2600 }, { hits: hitsAt(...NAMES) });
    const search = make({ timeoutMs: 4000 });
    await find(search);
    const { pages, engines } = await find(search, { text: 'another of many questions' });
    expect(pages).toHaveLength(10);
    expect(engines).toContainEqual(expect.objectContaining({ name: 'slow turn', ok: true }));
  });
});

describe('the reserve', () => {
  test('is asked when the first engines return too few results, services before result pages', async () => {
    for (const name of ['s', 't', 'u']) await open(name, {}, { hits: [] });
    await open('v', {}, { hits: hitsAt('p0', 'p1') });
    for (const name of ['a', 'b']) await open(name, { resultPage: true }, { hits: hitsAt(...NAMES) });
    const found = await find(make());
    expect(found.pages).toHaveLength(10);
    expect(askedOf()).toEqual(['s', 't', 'u', 'v', 'a', 'b']);
  });

  test('is not asked when two services answer', async () => {
    for (const name of ['s', 't', 'u']) await open(name, {}, { hits: hitsAt(...NAMES) });
    for (const name of ['v', 'w']) await open(name, {}, { hits: hitsAt(...NAMES) });
    await open('a', { resultPage: true }, { hits: hitsAt(...NAMES) });
    expect((await find(make())).pages).toHaveLength(10);
    expect(askedOf()).toEqual(['s', 't', 'u']);
  });

  test.each([
    [true, 'none is asked in the place of an engine that was suspended before', []],
    [false, 'one is asked in the place of an engine that refuses', ['page']],
  ])('suspended: %s: %s', async (isSuspended, _, expected) => {
    const asked: string[] = [];
    const refusing = async () => Promise.reject(new EngineError('rate_limited', 'it is left alone', 30_000));
    const answering = (name: string) => ({
      name,
      async ask() {
        asked.push(name);
        return { hits: hitsAt(...NAMES), kept: false };
      },
    });
    const outcomes = await gatherOutcomes(
      [{ name: 'limited', isSuspended, ask: refusing }, answering('service')],
      {
        reserve: [answering('page')],
        signal: new AbortController().signal,
        timeoutMs: 60_000,
        log: createLog('silent'),
        canStop: () => false,
        hasTooFewResults: () => false,
        isOutage: () => false,
      },
    );
    expect(asked).toEqual(['service', ...expected]);
    expect(outcomes.map(({ name, ok }) => [name, ok])).toContainEqual(['limited', false]);
  });

  test('is asked beside unresponsive services before the deadline', async () => {
    for (const name of ['s', 't', 'u']) await open(name, {}, 'hang');
    for (const name of ['a', 'b', 'c']) await open(name, { resultPage: true }, { hits: hitsAt(...NAMES) });
    const found = await find(make({ timeoutMs: 4000 }));
    expect(found.pages).toHaveLength(10);
    expect(found.engines.filter(({ ok }) => ok).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('treats results unrelated to the question as a refusal and does not merge them', async () => {
    const junk = NAMES.map((name) => ({
      title: `Shoes ${name}`,
      url: `https://${name}.shop.example/`,
      snippet: 'Buy.',
    }));
    await open('a', { resultPage: true }, { hits: junk });
    for (const name of ['b', 'c']) await open(name, { resultPage: true }, { hits: hitsAt(...NAMES) });
    const { pages, engines } = await find(make());
    expect(pages.filter(({ url }) => url.includes('shop'))).toEqual([]);
    expect(engines[0]).toMatchObject({
      name: 'a',
      ok: false,
      reason: 'its results have nothing to do with the question',
    });
  });
});

describe('the browser of the user', () => {
  test('is asked when all result pages have refused, for result pages with the question in their address', async () => {
    for (const name of ['a', 'b', 'c']) await open(name, { resultPage: true }, CAPTCHA);
    await open('service', {}, { status: 500 });
    // What a browser is shown where a program is not: the hits, by a header that only this server knows.
    const shown = createServer((request, response) => {
      const isBrowser = request.headers['x-browser'] === 'yes';
      response.end(isBrowser ? JSON.stringify(hitsAt(...NAMES)) : 'captcha');
    });
    shown.listen(0, '127.0.0.1');
    await once(shown, 'listening');
    const origin = `http://127.0.0.1:${(shown.address() as AddressInfo).port}`;
    const opened: string[] = [];
    const openInBrowser: SearchOptions['openInBrowser'] = async (url, { signal }) => {
      opened.push(url);
      const { pathname, search } = new URL(url);
      return (
        await globalThis.fetch(`${origin}${pathname}${search}`, { headers: { 'x-browser': 'yes' }, signal })
      ).text();
    };
    const search = make({ openInBrowser });
    const { pages, engines } = await find(search);
    shown.closeAllConnections();
    shown.close();
    expect(pages).toHaveLength(10);
    expect(opened).toHaveLength(2);
    expect(new URL(opened[0] ?? '').searchParams.get('q')).toBe(QUESTION);
    expect(engines.filter(({ ok }) => ok).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(pages[0]?.engines).toEqual(['a', 'b']);
  });

  test('has its own pauses after a refusal, and the error remains that of the result pages', async () => {
    for (const name of ['a', 'b']) await open(name, { resultPage: true }, CAPTCHA);
    const opened: string[] = [];
    const search = make({
      openInBrowser: async (url) => {
        opened.push(url);
        return 'captcha';
      },
    });
    for (const text of ['one question', 'another question'])
      await expect(find(search, { text })).rejects.toMatchObject({
        message: expect.stringContaining('a: it asks for a captcha'),
      });
    expect(opened).toHaveLength(2);
  });
});
