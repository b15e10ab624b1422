import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import type { SearchBody } from '../../src/flows/searching/search-body.ts';
import { engineNames, LOCAL_ENGINE_NAME } from '../../src/wiring/engines.ts';
import { environment, type Running, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import {
  isOn,
  type Limit,
  questionOn,
  type SimulatedWeb,
  startSimulatedWeb,
  TOPICS,
} from '../helpers/simulated-web.ts';

/** A fresh install whose services without a key reach their limits. Its clock is the test's, and no time is waited for. */

const DEFAULTS = engineNames(loadConfig({}, {})).filter((name) => name !== LOCAL_ENGINE_NAME);
const PAGES = ['duckduckgo', 'brave', 'bing', 'yahoo'];
/** Those of them that answer while others refuse. */
const WELL = ['duckduckgo', 'yahoo'];
/** Seconds of the clock before each question: longer than any engine's pace. */
const BETWEEN = 8;
const HOUR = 3600;
/** Seconds of a first pause where a limit names no time. */
const FIRST_PAUSE = 30;

/** The services' limits. Those that are asked first end last, so that each is asked as soon as its own has ended. */
const LIMITS: Readonly<Record<string, Limit & { readonly rest: number }>> = {
  tavily: { questions: 2, seconds: 1500, rest: 1500 },
  exa: { questions: 3, seconds: 1, rest: FIRST_PAUSE },
  firecrawl: { questions: 4, seconds: 20 * HOUR, rest: HOUR },
  keenable: { questions: 2, seconds: 600, rest: 600 },
  parallel: { questions: 3, seconds: 300, rest: 300 },
};
const SERVICES = Object.keys(LIMITS);

let folder: ReturnType<typeof temporaryFolder>;
let web: SimulatedWeb;
let magpie: Running;
let asked: number;
/** Until when each service is to be left alone, as the last answers have said it. */
let resting: Map<string, number>;

beforeEach(() => {
  folder = temporaryFolder();
  asked = 0;
  resting = new Map();
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 10, 28) });
});
afterEach(async () => {
  vi.useRealTimers();
  await magpie.stop();
  await web.close();
  folder.remove();
});

async function install(names: readonly string[], settings: Record<string, string> = {}): Promise<void> {
  web = await startSimulatedWeb(names);
  const { MAGPIE_ENGINES: _, MAGPIE_SEARXNG_URL: __, ...fresh } = environment(folder.path);
  magpie = await startMagpie({
    ...fresh,
    ...settings,
    MAGPIE_ENGINE_URLS: web.addressesOf(),
    // No engine is slow here: a busy machine gets all the time that it needs.
    MAGPIE_SEARCH_TIMEOUT: '60000',
  });
}

const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);
const secondsUntil = (time = 0) => (time - Date.now()) / 1000;

/** The next question; checks that no service was asked in its pause, and that each says its limit and how to raise it. */
async function ask() {
  pass(BETWEEN);
  const topic = TOPICS[asked++] ?? { thing: '', side: '' };
  const before = web.asked.length;
  const url = new URL('/ultrafastsearch', magpie.url);
  url.search = new URLSearchParams({ q: questionOn(topic), percentile: '3', numofpages: '10' }).toString();
  const response = await fetch(url);
  const body = (await response.json()) as SearchBody & { readonly error?: string };
  const names = web.asked.slice(before);
  for (const [name, until] of resting) if (until > Date.now()) expect(names).not.toContain(name);
  const engines = body.engines ?? [];
  for (const { name, reason = '' } of engines) {
    const until = /raises it.*; it is left alone until (\S+)$/.exec(reason)?.[1];
    if (!until) continue;
    expect(reason).toContain(`the limit of those who have no key is reached: ${name.toUpperCase()}_API_KEY`);
    const known = resting.get(name) ?? 0;
    if (known > Date.now()) expect(Date.parse(until)).toBe(known);
    else resting.set(name, Date.parse(until));
  }
  const links = body.results?.map(({ link }) => link) ?? [];
  const isRight = links.length >= 5 && links.slice(0, 3).every((link) => isOn(topic, link));
  return { response, body, isRight, names, answered: engines.flatMap(({ name, ok }) => (ok ? [name] : [])) };
}

async function askRightly() {
  const answer = await ask();
  expect(answer).toMatchObject({ isRight: true });
  return answer;
}

/** Asks just before a service's pause ends, and just after. */
async function askAround(service: string) {
  pass(secondsUntil(resting.get(service)) - BETWEEN - 1);
  expect((await askRightly()).names).not.toContain(service);
  return askRightly();
}

test('services at their limits pause for the stated time, other services replace them, and then they answer again', async () => {
  await install(DEFAULTS);
  // Three answers are enough: with two pages that answer, a service's own answer or refusal is always waited for.
  web.set('wikipedia', 'empty');
  for (const page of PAGES) web.set(page, WELL.includes(page) ? undefined : 'forbidden');
  for (const service of SERVICES) web.limit(service, LIMITS[service] as Limit);
  for (const service of ['tavily', 'exa', 'firecrawl', 'keenable', 'parallel']) {
    while (!resting.has(service)) await askRightly();
    expect([service, secondsUntil(resting.get(service))]).toEqual([service, LIMITS[service]?.rest]);
  }
  expect(web.asked).toEqual(expect.arrayContaining(WELL));

  for (const service of ['parallel', 'keenable', 'tavily']) {
    const { names, answered } = await askAround(service);
    expect(names).toContain(service);
    expect(answered).toContain(service);
  }
  // Its limit lasts longer than an engine is left alone: it is asked again, and rests for an hour more.
  expect((await askAround('firecrawl')).names).toContain('firecrawl');
  expect(secondsUntil(resting.get('firecrawl'))).toBe(HOUR);
  pass(20 * HOUR);
  for (const page of PAGES) web.set(page, undefined);
  const { answered, body } = await askRightly();
  expect(answered).toEqual(expect.arrayContaining(['tavily', 'exa', 'firecrawl']));
  expect(body.rules).not.toContain('refused');
});

test('a service outside the default set pauses when its limit has no stated time', async () => {
  const names = ['anysearch', ...WELL];
  await install(names, { MAGPIE_ENGINES: names.join(',') });
  web.limit('anysearch', { questions: 2, seconds: 1 });
  for (const answers of [true, true, false]) {
    expect((await askRightly()).answered.includes('anysearch')).toBe(answers);
  }
  expect(secondsUntil(resting.get('anysearch'))).toBe(FIRST_PAUSE);
  expect((await askAround('anysearch')).answered).toContain('anysearch');
});

test('with all services at their limits and all pages refusing, the error says when and what to do; later they answer again', async () => {
  await install(DEFAULTS);
  // An encyclopaedia that finds nothing does not say that the web has nothing.
  web.set('wikipedia', 'empty');
  for (const page of PAGES) web.set(page, 'too many');
  for (const service of SERVICES) web.limit(service, { ...(LIMITS[service] as Limit), questions: 1 });
  while ((await ask()).response.ok) expect(asked).toBeLessThan(10);

  const { response, body, names } = await ask();
  expect(response.status).toBe(502);
  const retryAfter = Number(response.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThan(0);
  const [start, when, ...rest] = body.error?.split('\n') ?? [];
  const reasons = rest.at(-1);
  expect(start).toMatch(/^failed to fetch search results: none of \d+ search engines answered\.$/);
  expect(when).toContain(`Ask again in ${retryAfter} s`);
  // Three lines of what to do besides stand before the reasons.
  expect(rest).toHaveLength(4);
  for (const service of SERVICES) expect(reasons).toContain(`${service}: the limit of those who have no key`);
  expect(names.filter((name) => PAGES.includes(name) || SERVICES.includes(name))).toEqual([]);

  pass(retryAfter - BETWEEN);
  expect((await askRightly()).body.rules).toContain('search engines refused or did not answer');
  for (const page of PAGES) web.set(page, undefined);
  web.set('wikipedia', undefined);
  pass(21 * HOUR);
  expect((await askRightly()).body.rules).not.toContain('refused');
});
