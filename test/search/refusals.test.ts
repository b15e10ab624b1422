import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/fetch.ts';
import { createLimiter } from '../../src/lib/limiter.ts';
import { createLog } from '../../src/log.ts';
import { createSearch } from '../../src/search/search.ts';
import type { Search } from '../../src/search/types.ts';
import { chooseEngines, engineNames, LOCAL, trustedHosts } from '../../src/wiring/engines.ts';
import {
  isOn,
  questionOn,
  REFUSALS,
  randomOf,
  type SimulatedWeb,
  startSimulatedWeb,
  TOPICS,
} from '../helpers/simulated-web.ts';

/** Engines in their own shapes on a simulated web, of which most refuse in ten ways. */

/** The default set, and an engine of the user's own. */
const NAMES = [...engineNames(loadConfig({}, {})).filter((name) => name !== LOCAL), 'searxng'];

let web: SimulatedWeb;
const fetches: GuardedFetch[] = [];
beforeAll(async () => {
  web = await startSimulatedWeb(NAMES);
});
afterAll(async () => {
  await web.close();
  await Promise.all(fetches.map((fetch) => fetch.close()));
});

/** The room over engines of the simulated web, without their pace: a test's questions come at once. */
async function makeSearch(names: readonly string[], part: string, timeoutMs: number): Promise<Search> {
  const config = loadConfig({}, { MAGPIE_ENGINE_URLS: web.addressesOf(part) });
  const engines = await chooseEngines(config, names);
  // A host that asks for a pause is left alone by all that share a fetch.
  const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'Magpie/test' });
  fetches.push(fetch);
  return createSearch({
    fetch,
    engines: engines.map((engine) => ({ ...engine, about: { ...engine.about, pace: 0 } })),
    trusted: trustedHosts(config),
    askLocal: false,
    timeoutMs,
    log: createLog('silent'),
  });
}

const find = (search: Search, question: string) =>
  search.findPages(question, { owner: 'ann', limit: 10, signal: new AbortController().signal });

/** Hacker News is asked questions on discussions; the others all. */
const TEN = [
  'searxng',
  'duckduckgo',
  'brave',
  'mojeek',
  'startpage',
  'bing',
  'yahoo',
  'qwant',
  'wikipedia',
  'hackernews',
];
const DRAWS = 60;
/** Draws that are asked at the same time: most of a draw's time is waiting for those that are slow. */
const AT_ONCE = 20;

/** Two of the engines answer, each of the others refuses in a way of its own. */
async function findWithTwo(draw: number) {
  const random = randomOf(draw);
  const part = `draw${draw}`;
  const shuffled = TEN.map((name) => ({ name, place: random() })).toSorted((a, b) => a.place - b.place);
  const names = shuffled.map(({ name }) => name);
  const right = names.slice(0, 2);
  const refusals = names.slice(2).map((name, at) => [name, REFUSALS[(draw + at) % REFUSALS.length]] as const);
  for (const [name, refusal] of refusals) web.set(name, refusal, part);
  const topic = TOPICS[Math.floor(random() * TOPICS.length)] ?? { thing: '', side: '' };
  const search = await makeSearch(TEN, part, 8000);
  const found = await find(search, questionOn(topic, right.includes('hackernews'))).catch((error: Error) => ({
    pages: [],
    engines: [],
    error: error.message,
  }));
  const wrong = found.pages.slice(0, 5).filter(({ url }) => !isOn(topic, url));
  const isRight = found.pages.length >= 5 && wrong.length === 0;
  return isRight ? [] : [{ draw, right, refusals, found }];
}

test('whichever two of ten engines answer, the results are right', async () => {
  // Engines are loaded before time counts.
  await makeSearch(TEN, 'first', 1000);
  const limiter = createLimiter({ concurrency: AT_ONCE });
  const draws = Array.from({ length: DRAWS }, (_, draw) => limiter.run(() => findWithTwo(draw)));
  expect((await Promise.all(draws)).flat()).toEqual([]);
});

test('where all ten refuse, whatever the kind, nothing is said to be found or not to be there', async () => {
  const outcomes = await Promise.all(
    REFUSALS.filter((refusal) => refusal !== 'empty').map(async (refusal) => {
      const part = `all ${refusal}`.replaceAll(' ', '-');
      for (const name of TEN) web.set(name, refusal, part);
      const search = await makeSearch(TEN, part, 700);
      return find(search, questionOn({ thing: 'kayak', side: 'repair' }, true)).then(
        ({ pages, fewAnswered }) => ({ refusal, pages, fewAnswered }),
        ({ message }: Error) => message.split(':')[0],
      );
    }),
  );
  // An encyclopaedia and a forum answer in other words too: what these bring is not held to be the web's.
  for (const outcome of outcomes) {
    if (typeof outcome === 'string') expect(outcome).toBe('failed to fetch search results');
    else expect(outcome).toMatchObject({ fewAnswered: { failed: expect.any(Number) } });
  }
});

test('a fresh install answers fifty questions, one a second, while most engines refuse, and all of them again later', async () => {
  const names = NAMES.filter((name) => name !== 'searxng');
  const config = loadConfig({}, { MAGPIE_ENGINE_URLS: web.addressesOf('fifty') });
  const general = (await chooseEngines(config, names))
    .filter(({ about }) => about.categories.includes('general') && !about.categories.includes('definitions'))
    .map(({ name }) => name);
  const kinds = REFUSALS.filter((kind) => kind !== 'slow');
  const random = randomOf(50);
  const well = ['mojeek', 'yahoo'];
  // The time of suspensions is the test's: fifty seconds pass in one.
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const search = await makeSearch(names, 'fifty', 4000);
    const wrong: unknown[] = [];
    for (const [at, topic] of TOPICS.entries()) {
      for (const name of general) {
        const kind = kinds[Math.floor(random() * kinds.length)];
        web.set(name, well.includes(name) ? undefined : kind, 'fifty');
      }
      const found = await find(search, questionOn(topic)).catch((error: Error) => ({ pages: [], error }));
      const fits = found.pages.slice(0, 3).every(({ url }) => isOn(topic, url));
      if (found.pages.length < 5 || !fits) wrong.push({ at, found });
      vi.setSystemTime(Date.now() + 1000);
    }
    expect(wrong).toEqual([]);
    for (const name of general) web.set(name, undefined, 'fifty');
    vi.setSystemTime(Date.now() + 2 * 3_600_000);
    const { engines, fewAnswered } = await find(search, 'what to know of kayak repair in spring');
    expect(fewAnswered).toBeUndefined();
    expect(engines.filter(({ ok, reason }) => !ok && !reason?.startsWith('dropped'))).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
