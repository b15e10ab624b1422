import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/network/fetch.ts';
import { createLog } from '../../src/log.ts';
import type { SearchQuery } from '../../src/search/engine.ts';
import { createSearch, type SearchOptions } from '../../src/search/search.ts';
import { createSqlitePageStore } from '../../src/search/stores/pages.ts';
import { createSuspensionStore } from '../../src/search/stores/suspensions.ts';
import type { SearchService } from '../../src/search/types.ts';
import { type EngineSite, hitsAt, startEngine } from '../helpers/engine-site.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { type PassingTime, startPassingTime } from '../helpers/passing-time.ts';
import { openTestDatabase } from '../helpers/test-database.ts';

const log = createLog('silent');
const NAMES = Array.from({ length: 12 }, (_, i) => `p${i}`);

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

/** Engines of the user's own, which are asked every question, unless `about` says otherwise. */
async function open(name: string, about: Parameters<typeof startEngine>[1] = {}, hits = hitsAt(...NAMES)) {
  const site = await startEngine(name, { ...(!about.resultPage && { own: true }), ...about });
  site.answer = { hits };
  sites.push(site);
  return site;
}
const make = (options: Partial<SearchOptions> = {}): SearchService =>
  createSearch({
    fetch,
    engines: sites.map(({ engine }) => engine),
    trusted: [],
    askLocal: false,
    timeoutMs: 10_000,
    log,
    ...options,
  });
interface Asking extends Partial<SearchQuery> {
  readonly owner?: string;
  readonly signal?: AbortSignal;
}
/** Asks without passing time, for several who ask at once. */
const ask = (search: SearchService, text = 'how do magpies build nests', more: Asking = {}) =>
  search.findPages(text, { owner: 'ann', limit: 10, signal: new AbortController().signal, ...more });
const find = (...what: Parameters<typeof ask>) => time.until(ask(...what));
const report = (found: Awaited<ReturnType<typeof find>>, name: string) =>
  found.engines.find((engine) => engine.name === name);

describe('lost engines', () => {
  const LOSSES: Record<string, EngineSite['answer']> = {
    'a captcha': { body: 'captcha' },
    '429': { status: 429 },
    'a fault': { status: 500 },
    'changed markup': { body: '<main>' },
    silence: 'hang',
  };
  test.each(Object.entries(LOSSES))('leave a full answer when any one is lost by %s', async (_, loss) => {
    for (const name of ['a', 'b', 'c', 'd']) await open(name);
    for (const lost of sites) {
      for (const site of sites) site.answer = site === lost ? loss : { hits: hitsAt(...NAMES) };
      const found = await find(make());
      expect(found.pages).toHaveLength(10);
      expect(found.engines.filter(({ ok }) => ok)).toHaveLength(3);
      expect(report(found, lost.engine.name)).toMatchObject({
        ok: false,
        hits: 0,
        reason: expect.any(String),
      });
    }
  });
});

describe('reserve engines', () => {
  test('replace engines that fail, and are not asked otherwise', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await open(name, { resultPage: true });
    const askedOf = () => sites.filter(({ asked }) => asked.length > 0).map(({ engine }) => engine.name);
    await find(make());
    expect(askedOf().join('')).toBe('abcde');
    for (const site of sites) {
      site.asked.length = 0;
      if ('abcd'.includes(site.engine.name)) site.answer = { body: 'captcha' };
    }
    const found = await find(make());
    expect(askedOf().join('')).toBe('abcdefg');
    expect(found.pages).toHaveLength(10);
    expect(
      found.engines
        .filter(({ ok }) => ok)
        .map(({ name }) => name)
        .sort()
        .join(''),
    ).toBe('efg');
  });
});

describe('late engines', () => {
  test('are dropped without a pause when enough results are in', async () => {
    for (const name of ['a', 'b', 'c']) await open(name);
    const late = await open('late');
    late.answer = 'hang';
    const search = make({ timeoutMs: 60_000 });
    const found = await find(search);
    expect(found.pages).toHaveLength(10);
    expect(report(found, 'late')).toMatchObject({ ok: false, reason: 'dropped: enough was in', hits: 0 });
    await expect.poll(() => late.given.up).toBe(1);
    late.answer = { hits: hitsAt('back') };
    expect(report(await find(search, 'another question'), 'late')).toMatchObject({ ok: true, hits: 1 });
  });

  test('get additional time in proportion to the time of the others', async () => {
    for (const name of ['a', 'b', 'c']) (await open(name)).delay = 1000;
    const late = await open('late');
    late.delay = 1200;
    expect(report(await find(make()), 'late')).toMatchObject({ ok: true });
  });

  test('are dropped while they wait for their turn if there are two full answers', async () => {
    const paced = await open('paced', { pace: 900 });
    for (const name of ['a', 'b']) await open(name);
    const search = make();
    expect(report(await find(search), 'paced')).toMatchObject({ ok: true });
    const second = await find(search, 'another question');
    expect(second.pages).toHaveLength(10);
    expect(report(second, 'paced')).toMatchObject({ ok: false, reason: 'dropped: enough was in' });
    // With little else its turn is waited for.
    for (const site of sites)
      site.answer = site === paced ? { hits: hitsAt(...NAMES) } : { hits: hitsAt('p1') };
    expect(report(await find(search, 'a third question'), 'paced')).toMatchObject({ ok: true });
    expect(paced.asked).toHaveLength(2);
  });

  test.each([
    ['two engines only', 2, NAMES],
    ['too few pages', 3, NAMES.slice(0, 9)],
  ])('are waited for with %s', async (_, count, names) => {
    for (let i = 0; i < count; i++) await open(`e${i}`, {}, hitsAt(...names));
    const late = await open('late');
    late.delay = 500;
    expect(report(await find(make()), 'late')).toMatchObject({ ok: true });
  });

  test('are waited for when the other engines do not agree', async () => {
    for (const name of ['a', 'b', 'c'])
      await open(name, {}, hitsAt(...NAMES.map((page) => `${name}${page}`)));
    const late = await open('late');
    late.delay = 500;
    expect(report(await find(make()), 'late')).toMatchObject({ ok: true });
  });

  test('are waited for when they fit the subject of the question, until one of them has ended', async () => {
    for (const name of ['a', 'b', 'c']) await open(name);
    const code = await open('code', { categories: ['code'] });
    const more = await open('more code', { categories: ['code'] });
    code.delay = 500;
    more.answer = 'hang';
    const found = await find(make(), 'TypeError: magpies.build is not a function');
    expect(report(found, 'code')).toMatchObject({ ok: true });
    expect(report(found, 'more code')).toMatchObject({ ok: false, reason: 'dropped: enough was in' });
  });
});

describe('a topic named by the caller', () => {
  const OWN = Array.from({ length: 6 }, (_, i) => `own${i}`);
  const order = (found: Awaited<ReturnType<typeof find>>) =>
    found.pages.map(({ url }) => new URL(url).hostname.replace('.example', ''));

  test('puts its engines first, whatever other engines agree on, and other results fill the list', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await open(name);
    const papers = await open('papers', { categories: ['papers'] }, hitsAt(...OWN));
    papers.delay = 300;
    const found = await find(make(), 'how do magpies build nests', { category: 'papers' });
    expect(order(found)).toEqual([...OWN, 'p0', 'p1', 'p2', 'p3']);
    expect(found.besideTopic).toBeUndefined();
    // Where the operator has named the engines, too.
    const all = await find(make({ askAll: true }), 'of all', { category: 'papers' });
    expect(order(all).slice(0, 6)).toEqual(OWN);
  });

  test('is waited for until its engines have ended or have a full list of their own', async () => {
    for (const name of ['a', 'b', 'c']) await open(name);
    const slow = await open('slow', { categories: ['papers'] }, hitsAt(...OWN));
    slow.delay = 700;
    const other = await open('other', { categories: ['papers'] }, hitsAt('own9'));
    const found = await find(make(), undefined, { category: 'papers' });
    expect(report(found, 'slow')).toMatchObject({ ok: true });
    expect(order(found).slice(0, 2).toSorted()).toEqual(['own0', 'own9']);
    slow.answer = 'hang';
    other.answer = { hits: hitsAt(...NAMES.map((name) => `x${name}`)) };
    const third = await open('third', { categories: ['papers'] });
    third.answer = { hits: hitsAt(...NAMES.map((name) => `y${name}`)) };
    const full = await find(make({ timeoutMs: 60_000 }), 'another question', { category: 'papers' });
    expect(report(full, 'slow')).toMatchObject({ ok: false, reason: 'dropped: enough was in' });
  });

  test('takes precedence over the words of the question, and is reported where no engine knows it', async () => {
    await open('web');
    await open('papers', { categories: ['papers'] });
    const general = await find(make(), 'arxiv magpies', { category: 'general' });
    expect(general.engines.map(({ name }) => name)).toEqual(['web']);
    const places = await find(make(), 'arxiv magpies', { category: 'places' });
    expect(places).toMatchObject({ besideTopic: true, engines: [{ name: 'web' }] });
  });

  test('falls back to general engines when its own engines fail', async () => {
    for (const name of ['a', 'b', 'c']) await open(name);
    const papers = await open('papers', { categories: ['papers'] });
    papers.answer = { status: 500 };
    const found = await find(make(), undefined, { category: 'papers' });
    expect(found.pages).toHaveLength(10);
    expect(report(found, 'papers')).toMatchObject({ ok: false });
  });
});

describe('the choice of engines', () => {
  test('depends on the question, and all engines are asked when the operator named them', async () => {
    await open('web');
    const papers = await open('papers', { categories: ['papers'] });
    expect((await find(make())).engines.map(({ name }) => name)).toEqual(['web']);
    expect((await find(make(), 'arxiv magpies')).engines.map(({ name }) => name)).toEqual(['web', 'papers']);
    const everything = make({ askAll: true });
    await find(everything);
    await find(everything, 'bread news', { timeRange: 'day', site: ['p0.example'] });
    expect(papers.asked).toHaveLength(3);
  });

  test('leaves out an engine that does not support a filter, and the report says so', async () => {
    await open('with', { takes: ['site'] });
    const without = await open('without');
    const found = await find(make(), undefined, { site: ['p3.example'] });
    expect(found.pages.map(({ url }) => url)).toEqual(['https://p3.example/']);
    expect(found.engines).toMatchObject([
      { name: 'with', ok: true },
      { name: 'without', ok: false, reason: 'left out: it cannot search within one site', ms: 0, hits: 0 },
    ]);
    expect(without.asked).toEqual([]);
  });

  test('drops hits outside the site or before the time range, from any engine', async () => {
    await open('a', {}, [
      { title: 'In', url: 'https://docs.e.example/?utm_source=x', snippet: 'magpies build nests' },
      { title: 'Out', url: 'https://other.example/', snippet: 'magpies build nests' },
      {
        title: 'Through',
        url: 'https://www.google.com/url?q=https://e.example/a',
        snippet: 'magpies build nests',
      },
      { title: 'Old', url: 'https://e.example/old', snippet: 'magpies build nests', published: 1_000_000 },
    ]);
    const { pages } = await find(make(), undefined, { site: ['e.example'], timeRange: 'year' });
    expect(pages.map(({ url }) => url)).toEqual(['https://docs.e.example/', 'https://e.example/a']);
  });

  test('passes on the language of the question, unless the caller names one', async () => {
    const site = await open('a');
    const engine = {
      ...site.engine,
      request: (query: SearchQuery) => ({ url: `http://${site.host}/?q=${query.language}` }),
    };
    const search = make({ engines: [engine] });
    await find(search, '喜鹊怎么筑巢');
    await find(search, '喜鹊怎么筑巢', { language: 'en' });
    await find(search, 'how do magpies build');
    expect(site.asked.map(({ q }) => q)).toEqual(['zh', 'en', 'undefined']);
  });
});

describe('suspensions', () => {
  test('survive the process, with their growth, and end with an answer', async () => {
    const folder = temporaryFolder();
    const site = await open('a');
    await open('b');
    const run = async (answer: EngineSite['answer'], text: string) => {
      const db = await openTestDatabase({ folder: folder.path });
      site.answer = answer;
      const suspensions = createSuspensionStore(db);
      const found = await find(make({ suspensions }), text);
      const rows = await suspensions.listSuspensions();
      return { db, found, rows, suspensions };
    };
    const first = await run({ status: 429 }, 'one');
    expect(first.rows).toMatchObject([{ engine: 'a', reason: 'it is asked too often (429)', pause: 30_000 }]);
    first.db.close();

    const second = await run({ hits: [] }, 'two');
    expect(report(second.found, 'a')?.reason).toMatch(
      /^it is asked too often \(429\); it is left alone until /,
    );
    expect(site.asked).toHaveLength(1);
    // Its time is over.
    await second.suspensions.saveSuspension({
      engine: 'a',
      reason: 'x',
      pause: 30_000,
      until: Date.now() - 1,
    });
    second.db.close();

    const third = await run({ body: 'captcha' }, 'three');
    expect(third.rows).toMatchObject([{ engine: 'a', reason: 'it asks for a captcha', pause: 60_000 }]);
    await third.suspensions.saveSuspension({
      engine: 'a',
      reason: 'x',
      pause: 60_000,
      until: Date.now() - 1,
    });
    third.db.close();

    const fourth = await run({ hits: hitsAt('x') }, 'four');
    expect(report(fourth.found, 'a')).toMatchObject({ ok: true });
    await expect.poll(() => fourth.suspensions.listSuspensions()).toEqual([]);
    fourth.db.close();
    folder.remove();
  });

  test('begin with the third consecutive unreadable answer, and a readable answer resets the count', async () => {
    const site = await open('a');
    await open('b');
    const search = make();
    const outcomes: (string | undefined)[] = [];
    for (const [i, answer] of [
      { body: '<' },
      { body: '<' },
      {},
      { body: '<' },
      { body: '<' },
      { body: '<' },
      {},
    ].entries()) {
      site.answer = answer;
      outcomes.push(report(await find(search, `question ${i}`), 'a')?.reason?.replace(/until .*/, 'until'));
    }
    const changed = 'the markup has changed';
    const paused = `${changed}; it is left alone until`;
    expect(outcomes).toEqual([changed, changed, undefined, changed, changed, paused, paused]);
    expect(site.asked).toHaveLength(6);
  });

  test('give an error with the time of the next attempt when all engines are paused', async () => {
    const a = await open('a');
    a.answer = { status: 429, headers: { 'retry-after': '120' } };
    const b = await open('b');
    b.answer = { status: 429, headers: { 'retry-after': '600' } };
    const error = await find(make()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'upstream', message: expect.stringContaining('left alone until') });
    expect((error as { retryAfter: number }).retryAfter).toBeGreaterThan(110);
    expect((error as { retryAfter: number }).retryAfter).toBeLessThanOrEqual(120);
  });
});

describe('many callers', () => {
  test('ask a paced engine no faster than permitted when 24 come at once, and other engines answer all of them', async () => {
    const paced = await open('paced', { pace: 150 });
    await open('free');
    const search = make({ timeoutMs: 2000 });
    const found = await time.until(
      Promise.all(Array.from({ length: 24 }, (_, i) => ask(search, `question ${i} of many`))),
    );
    for (const one of found) expect(report(one, 'free')).toMatchObject({ ok: true });
    const served = found.filter((one) => report(one, 'paced')?.ok);
    expect(served).toHaveLength(paced.asked.length);
    expect(served.length).toBeGreaterThanOrEqual(2);
    // No more than fit into half of the time limit.
    expect(served.length).toBeLessThanOrEqual(8);
    for (const one of found) {
      if (served.includes(one)) continue;
      expect(report(one, 'paced')?.reason).toBe('its turn did not come: it tolerates a request every 0.15 s');
    }
    const times = paced.asked.map(({ at }) => at);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((times.length - 1) * 150 * 0.8);
  });

  test('with several paced engines get answers for more callers than one engine alone could serve', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await open(name, { pace: 300 }, hitsAt(name));
    const search = make({ timeoutMs: 2000 });
    const found = await time.until(
      Promise.allSettled(Array.from({ length: 10 }, (_, i) => ask(search, `question ${i} of many`))),
    );
    const answered = found.filter(({ status }) => status === 'fulfilled');
    // Each engine serves four within the patience: first come, first served would leave six callers with nothing.
    expect(answered.length).toBeGreaterThanOrEqual(8);
  });

  test('with the same question at the same time cause one request', async () => {
    const site = await open('a');
    site.delay = 200;
    const search = make();
    const found = await time.until(
      Promise.all(Array.from({ length: 64 }, (_, i) => ask(search, 'same', { owner: `u${i}` }))),
    );
    expect(site.asked).toHaveLength(1);
    expect(new Set(found.map(({ pages }) => JSON.stringify(pages))).size).toBe(1);
  });

  test('keep their answer when one caller cancels, and the last cancellation ends the request', async () => {
    const site = await open('a');
    site.delay = 300;
    const search = make();
    const stop = new AbortController();
    const gone = ask(search, 'same', { signal: stop.signal });
    const stays = ask(search, 'same', { owner: 'bob' });
    await expect.poll(() => site.asked.length).toBe(1);
    stop.abort();
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
    expect((await time.until(stays)).pages).toHaveLength(10);
    expect(site.given.up).toBe(0);

    site.answer = 'hang';
    const both = [new AbortController(), new AbortController()];
    const asking = both.map(({ signal }) =>
      ask(search, 'other', { signal }).catch((error: Error) => error.name),
    );
    await expect.poll(() => site.asked.length).toBe(2);
    for (const one of both) one.abort();
    expect(await Promise.all(asking)).toEqual(['AbortError', 'AbortError']);
    await expect.poll(() => site.given.up).toBe(1);
    // What was broken off is not joined.
    site.answer = { hits: hitsAt('x') };
    expect((await find(search, 'other')).pages).toHaveLength(1);
  });

  test('ask no engine for a call that is cancelled before it begins', async () => {
    const site = await open('a');
    await expect(find(make(), 'x', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(site.asked).toEqual([]);
  });
});

describe('recent answers', () => {
  test('serve the same owner again and say so, and other questions and other owners cause requests', async () => {
    const site = await open('a');
    const search = make();
    const first = await find(search);
    expect(first.engines[0]?.cached).toBeUndefined();
    const again = await find(search);
    expect(again.pages).toEqual(first.pages);
    expect(again.engines[0]).toMatchObject({ name: 'a', ok: true, cached: true, hits: 12 });
    expect(site.asked).toHaveLength(1);
    await find(search, 'something else');
    await find(search, undefined, { language: 'de' });
    await find(search, undefined, { owner: 'bob' });
    expect(site.asked).toHaveLength(4);
  });

  test('do not include failures', async () => {
    const site = await open('a');
    await open('b');
    site.answer = { status: 500 };
    const search = make();
    expect(report(await find(search), 'a')).toMatchObject({ ok: false });
    site.answer = { hits: hitsAt('x') };
    expect(report(await find(search), 'a')).toMatchObject({ ok: true, hits: 1 });
  });

  test('do not include those of the local index, which is asked each time, for its owner', async () => {
    const folder = temporaryFolder();
    const db = await openTestDatabase({ folder: folder.path });
    await open('a', {}, hitsAt('p0', 'p1'));
    const local = createSqlitePageStore(db, { maxPages: 100, maxBytes: 1_000_000 });
    const search = make({ local, askLocal: true });
    const put = (owner: string, url: string) =>
      search.rememberPages(owner, [{ url, title: 'Nests', text: 'magpies build nests', readAt: 1 }]);
    await put('ann', 'https://ann.example/');
    const urls = async (owner: string) =>
      (await find(search, undefined, { owner })).pages.map(({ url }) => url);
    // What only the local index names stands below the web.
    expect(await urls('ann')).toEqual(['https://p0.example/', 'https://p1.example/', 'https://ann.example/']);
    await put('ann', 'https://p1.example/');
    expect((await urls('ann')).sort()).toEqual([
      'https://ann.example/',
      'https://p0.example/',
      'https://p1.example/',
    ]);
    expect((await urls('ann'))[0]).toBe('https://p1.example/');
    expect(await urls('bob')).toEqual(['https://p0.example/', 'https://p1.example/']);
    db.close();
    folder.remove();
  });
});
