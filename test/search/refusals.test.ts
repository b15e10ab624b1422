import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/network/fetch.ts';
import { createLog } from '../../src/log.ts';
import { createSearch } from '../../src/search/search.ts';
import type { SearchService } from '../../src/search/types.ts';
import { chooseEngines, engineNames, LOCAL_ENGINE_NAME, trustedHosts } from '../../src/wiring/engines.ts';
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

const DEFAULTS = engineNames(loadConfig({}, {})).filter((name) => name !== LOCAL_ENGINE_NAME);
const SERVICES = ['tavily', 'exa', 'firecrawl', 'keenable', 'parallel', 'anysearch'];
const PAGES = ['duckduckgo', 'brave', 'startpage', 'bing', 'yahoo'];
/** Engines of the web: of these any two are enough. */
const WEB = ['searxng', ...SERVICES, ...PAGES];
const ALL = [...WEB, 'wikipedia', 'hackernews'];
/** All of them have an address on loopback: no question leaves this machine. */
const NAMES = [...new Set([...DEFAULTS, ...ALL])];

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
async function makeSearch(names: readonly string[], part: string, timeoutMs: number): Promise<SearchService> {
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

const find = (search: SearchService, question: string) =>
  search.findPages(question, { owner: 'ann', limit: 10, signal: new AbortController().signal });

/** Each engine with four others. */
const PAIRS = [1, 2, 4, 5].flatMap((step) =>
  WEB.map((one, at) => [one, WEB[(at + step) % WEB.length] ?? one]),
);

/** Milliseconds that a search may take, and by which a test moves its clock. */
const TIMEOUT_MS = 60_000;
const STEP_MS = 500;
/** Turns of the event loop in which whatever an engine has answered is read. */
const TURNS_OF_A_STEP = 20;

/**
 * Waits for a search whose clock only moves while slow engines are all that it waits for: how fast the machine is
 * decides nothing, and no time is waited for.
 */
async function passTimeUntil<T>(search: Promise<T>): Promise<T> {
  let hasEnded = false;
  const ended = search.finally(() => {
    hasEnded = true;
  });
  ended.catch(() => {});
  while (!hasEnded) {
    for (let turn = 0; turn < TURNS_OF_A_STEP; turn++) await new Promise((done) => setImmediate(done));
    if (web.hasOnlySlow()) vi.advanceTimersByTime(STEP_MS);
  }
  return ended;
}

/** Two of the engines answer, each of the others refuses in a way of its own. */
async function findWithTwo(right: readonly string[], draw: number, seen: Set<string>) {
  const random = randomOf(draw);
  const part = `draw${'x'.repeat(draw % 6)}${draw}`;
  // Within ten draws each engine has each refusal, and in the next ten beside others.
  const stride = 1 + Math.floor(draw / REFUSALS.length);
  const refusals = ALL.map(
    (name, at) => [name, REFUSALS[(draw + at * stride) % REFUSALS.length]] as const,
  ).filter(([name]) => !right.includes(name));
  for (const [name, refusal] of refusals) {
    web.set(name, refusal, part);
    seen.add(`${name} ${refusal}`);
  }
  const topic = TOPICS[Math.floor(random() * TOPICS.length)] ?? { thing: '', side: '' };
  const search = await makeSearch(ALL, part, TIMEOUT_MS);
  const found = await passTimeUntil(find(search, questionOn(topic, draw % 5 === 0))).catch(
    (error: Error) => ({
      pages: [],
      engines: [],
      error: error.message,
    }),
  );
  const wrong = found.pages.slice(0, 5).filter(({ url }) => !isOn(topic, url));
  const isRight = found.pages.length >= 5 && wrong.length === 0;
  return isRight ? [] : [{ draw, right, refusals, found }];
}

test('when two web engines answer, the results are right', async () => {
  const seen = new Set<string>();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const wrong: unknown[] = [];
    for (const [draw, right] of PAIRS.entries()) wrong.push(...(await findWithTwo(right, draw, seen)));
    expect(wrong).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
  // Each engine has refused in each way.
  expect(seen.size).toBe(ALL.length * REFUSALS.length);
});

test('when all engines refuse, whatever the kind, no answer says that something was found or does not exist', async () => {
  const outcomes = await Promise.all(
    REFUSALS.filter((refusal) => refusal !== 'empty').map(async (refusal) => {
      const part = `all ${refusal}`.replaceAll(' ', '-');
      for (const name of ALL) web.set(name, refusal, part);
      const search = await makeSearch(ALL, part, 700);
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

test('a fresh installation answers fifty questions, one a second, while most engines refuse, and all questions again later', async () => {
  const config = loadConfig({}, { MAGPIE_ENGINE_URLS: web.addressesOf('fifty') });
  const general = (await chooseEngines(config, DEFAULTS))
    .filter(({ about }) => about.categories.includes('general') && !about.categories.includes('definitions'))
    .map(({ name }) => name);
  const kinds = REFUSALS.filter((kind) => kind !== 'slow');
  const random = randomOf(50);
  const well = ['duckduckgo', 'yahoo'];
  // The time of suspensions is the test's: fifty seconds pass in one.
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const search = await makeSearch(DEFAULTS, 'fifty', TIMEOUT_MS);
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
