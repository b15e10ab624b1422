import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { engineNames, LOCAL_ENGINE_NAME } from '../../src/wiring/engines.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import {
  isOn,
  questionOn,
  REFUSALS,
  type SimulatedWeb,
  startSimulatedWeb,
  TOPICS,
} from '../helpers/simulated-web.ts';

/** A fresh install with its own pace and pauses in real time, a question a second, on the simulated web. */

const NAMES = engineNames(loadConfig({}, {})).filter((name) => name !== LOCAL_ENGINE_NAME);
/** Engines of the web that answer, beside those of the user; the other result pages refuse. */
const WELL = ['searxng', 'yahoo'];
const REFUSING = ['duckduckgo', 'brave', 'bing'];

const folder = temporaryFolder();
let web: SimulatedWeb;
let magpie: RunningProcess;
beforeAll(async () => {
  web = await startSimulatedWeb([...new Set([...NAMES, ...WELL])]);
  for (const [at, name] of REFUSING.entries()) web.set(name, REFUSALS[at]);
  const { MAGPIE_ENGINES: _, MAGPIE_SEARXNG_URL: __, ...fresh } = environment(folder.path);
  const urls = web.addressesOf();
  const searxng = /(?:^|,)searxng=([^,]+)/.exec(urls)?.[1] ?? '';
  magpie = await spawnServer({ ...fresh, MAGPIE_ENGINE_URLS: urls, MAGPIE_SEARXNG_URL: searxng });
});
afterAll(async () => {
  await magpie?.stop();
  await web.close();
  folder.remove();
});

test('all fifty questions are answered with fitting pages', async () => {
  const wrong: unknown[] = [];
  for (const topic of TOPICS) {
    const url = new URL('/ultrafastsearch', magpie.url);
    url.search = new URLSearchParams({ q: questionOn(topic), percentile: '3', numofpages: '10' }).toString();
    const [response] = await Promise.all([fetch(url), wait(1000)]);
    const body = (await response.json()) as { results?: { link: string }[] };
    const links = body.results?.map(({ link }) => link) ?? [];
    const fits = links.length >= 5 && links.slice(0, 3).every((link) => isOn(topic, link));
    if (!fits) wrong.push({ topic, status: response.status, body });
  }
  expect(wrong).toEqual([]);
});
