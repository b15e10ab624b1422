import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { chooseEngines } from '../../src/wiring/engines.ts';
import { listEngineRemedies } from '../../src/wiring/open/open-search.ts';

/** What a search without an answer advises, by the settings. */

const [BROWSER, OWN, KEY] = [/MAGPIE_BROWSER=auto/, /magpie add searxng/, /TAVILY_API_KEY/];

async function remediesOf(env: Record<string, string>): Promise<string[]> {
  const config = loadConfig({}, env);
  return listEngineRemedies(config, await chooseEngines(config));
}

test.each<[string, Record<string, string>, readonly RegExp[]]>([
  ['without settings', {}, [BROWSER, OWN, KEY]],
  ['with a browser and a key', { MAGPIE_BROWSER: 'auto', EXA_API_KEY: 'k' }, [OWN]],
  ['a key adds no engine that keeps nothing', { MAGPIE_SEARCH_PRIVACY: 'keeps-nothing' }, [BROWSER, OWN]],
  ['nor one of your own, and a browser asks none', { MAGPIE_SEARCH_PRIVACY: 'own' }, [OWN]],
  [
    'with a SearXNG that does not answer',
    { MAGPIE_SEARCH_PRIVACY: 'own', MAGPIE_SEARXNG_URL: 'http://127.0.0.1:8888' },
    [],
  ],
  ['engines that are named', { MAGPIE_ENGINES: 'wikipedia' }, [/name `searxng` in MAGPIE_ENGINES/]],
])('%s', async (_, env, expected) => {
  expect(await remediesOf(env)).toEqual(expected.map((one) => expect.stringMatching(one)));
});
