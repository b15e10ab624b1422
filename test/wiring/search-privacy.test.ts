import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { describeQuestionReceivers } from '../../src/lib/describe-engines.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { createLog } from '../../src/log.ts';
import {
  askableEngineNames,
  checkEngines,
  ENGINES,
  engineNames,
  LOCAL_ENGINE_NAME,
} from '../../src/wiring/engines.ts';
import { createServices } from '../../src/wiring/services.ts';
import { testEngines } from '../../src/wiring/test-engines.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

/** Every engine has a path of its own on one server, which records what it is sent and answers nothing of use. */

const NAMES = Object.keys(ENGINES);
/** Keys of the engines that want one, so that every engine could be asked. */
const KEYS = ['BRAVE', 'TAVILY', 'EXA', 'SERPER', 'KAGI', 'JINA', 'PERPLEXITY', 'MARGINALIA', 'ANYSEARCH'];
const PERSONAL = ['ada.lovelace@mail.example', '+43 660 1234567'];
const QUESTION = `who is ${PERSONAL.join(' ')} news paper code package definition place`;

const received = new Map<string, string>();
const folder = temporaryFolder();
let server: Server;
let env: Record<string, string>;

async function record(request: IncomingMessage): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  const [, name = ''] = (request.url ?? '').split('/');
  received.set(
    name,
    `${received.get(name) ?? ''}${request.url}\n${JSON.stringify(request.headers)}\n${body}`,
  );
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    await record(request);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = {
    MAGPIE_ENGINE_URLS: NAMES.map((name) => `${name}=${origin}/${name}`).join(','),
    ...Object.fromEntries(KEYS.map((name) => [`${name}_API_KEY`, `key-of-${name}`])),
    MAGPIE_SEARXNG_URL: `${origin}/searxng`,
    MAGPIE_YACY_URL: `${origin}/yacy`,
  };
});
beforeEach(() => received.clear());
afterAll(async () => {
  folder.remove();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const configOf = (settings: Record<string, string>) =>
  loadConfig({ data: folder.path }, { ...env, ...settings });

/** The engines that searches of every kind sent anything to. */
async function askedBy(settings: Record<string, string>): Promise<string[]> {
  const services = createServices(configOf(settings), createLog('silent'));
  try {
    const search = await services.search();
    for (const category of [undefined, 'news', 'papers'] as const) {
      await search
        .findPages(QUESTION, { owner: 'ada', limit: 10, category, signal: AbortSignal.timeout(20_000) })
        .catch(() => undefined);
    }
  } finally {
    await services.lifecycle.close();
  }
  return [...received.keys()].toSorted();
}

const GENERAL = ['tavily', 'exa', 'firecrawl', 'keenable', 'parallel'];

test('with any, the question is sent to general services', async () => {
  const asked = await askedBy({});
  expect(asked).toEqual(expect.arrayContaining([...GENERAL, 'searxng', 'yacy', 'brave']));
  expect(received.get('tavily')).toContain(PERSONAL[0]);
});

test.each([
  ['keeps-nothing', ['searxng', 'startpage', 'yacy']],
  ['own', ['searxng', 'yacy']],
])('with %s, the question is sent only to the engines that the setting names', async (privacy, names) => {
  expect(await askedBy({ MAGPIE_SEARCH_PRIVACY: privacy })).toEqual(names);
  for (const name of ['searxng', 'yacy']) {
    expect(decodeURIComponent(received.get(name)?.replaceAll('+', ' ') ?? '')).toContain(PERSONAL[0]);
  }
});

test.each(['any', 'keeps-nothing', 'own'])(
  'with %s, MAGPIE_ENGINES restricts the engines further',
  async (privacy) => {
    const settings = { MAGPIE_SEARCH_PRIVACY: privacy, MAGPIE_ENGINES: 'yacy,local' };
    expect(() => checkEngines(configOf(settings))).not.toThrow();
    expect(await askedBy(settings)).toEqual(['yacy']);
  },
);

test.each([
  ['keeps-nothing', 'searxng,tavily', 'tavily'],
  ['own', 'startpage', 'startpage'],
])('with %s, the start fails if %s is named', async (privacy, engines, left) => {
  const settings = { MAGPIE_SEARCH_PRIVACY: privacy, MAGPIE_ENGINES: engines };
  for (const name of [left, 'MAGPIE_ENGINES', `MAGPIE_SEARCH_PRIVACY=${privacy}`]) {
    expect(() => checkEngines(configOf(settings))).toThrow(name);
  }
  // What is made without the check at the start asks none of them either.
  await expect(askedBy(settings)).rejects.toThrow('MAGPIE_SEARCH_PRIVACY');
  expect([...received.keys()]).toEqual([]);
});

test('the engine test asks only engines that a search would ask', async () => {
  const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'Magpie/test' });
  const run = (names: string[], all = false) =>
    testEngines(
      { config: configOf({ MAGPIE_SEARCH_PRIVACY: 'own' }), fetch },
      { names, all },
      { signal: new AbortController().signal, tried: () => {} },
    );
  try {
    expect((await run([], true)).tried.map(({ name }) => name)).toEqual(['searxng', 'yacy']);
    expect([...received.keys()].toSorted()).toEqual(['searxng', 'yacy']);
    await expect(run(['tavily'])).rejects.toThrow('MAGPIE_SEARCH_PRIVACY');
  } finally {
    await fetch.close();
  }
});

test('with no engine configured, own uses the local index only', () => {
  const config = loadConfig({ data: folder.path }, { MAGPIE_SEARCH_PRIVACY: 'own' });
  expect(engineNames(config)).toEqual([LOCAL_ENGINE_NAME]);
  expect(askableEngineNames(config)).toEqual([]);
  expect(() => checkEngines(config)).not.toThrow();
  expect(() => loadConfig({ data: folder.path }, { MAGPIE_SEARCH_PRIVACY: 'none' })).toThrow('keeps-nothing');
});

test('the engines that declare to keep nothing are those that setup, doctor and README name', () => {
  const names = Object.entries(ENGINES).flatMap(([name, { keepsNothing }]) => (keepsNothing ? [name] : []));
  expect(names).toEqual(['startpage']);
  const one = { title: 'One', host: 'one.example', access: 'official', general: true } as const;
  expect(describeQuestionReceivers([{ about: one }]).join(' ')).toContain('today Startpage alone');
});
