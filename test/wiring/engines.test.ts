import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { engineSettingProblem, engineTable, loadEngines } from '../../docs/engines.ts';
import { loadConfig } from '../../src/config/config.ts';
import { CATEGORIES, type SearchEngine } from '../../src/search/engine.ts';
import { chooseEngines, ENGINES } from '../../src/wiring/engines.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

const made = async (name: string): Promise<SearchEngine> => {
  const make = await ENGINES[name]?.load();
  if (!make) throw new Error(`no engine ${name}`);
  return make({});
};

test.each(Object.entries(ENGINES))(
  '%s is listed by its own name, with a key only where the engine requires one',
  async (name, entry) => {
    const engine = await made(name);
    expect(engine.name).toBe(name);
    expect(engine.about.needsKey ?? false).toBe(entry.key !== undefined && !entry.keyIsOptional);
    expect(engine.about.facts.keeps === 'nothing').toBe(entry.keepsNothing ?? false);
  },
);

const SUITES = fileURLToPath(new URL('../search/engines', import.meta.url));

test('every engine of the list has a contract test, and every contract test belongs to an engine', () => {
  const missing = Object.keys(ENGINES).filter((name) => {
    const path = `${SUITES}/${name}.test.ts`;
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(`describeSearchEngine('${name}', {`);
  });
  expect(missing).toEqual([]);
  const tested = readdirSync(SUITES).map((file) => file.replace('.test.ts', ''));
  expect(tested.filter((name) => !Object.hasOwn(ENGINES, name))).toEqual([]);
});

test('an engine whose key is optional is tested with its key and without', () => {
  const optional = Object.entries(ENGINES).flatMap(([name, entry]) => (entry.keyIsOptional ? [name] : []));
  const suites = optional.map((name) => readFileSync(`${SUITES}/${name}.test.ts`, 'utf8'));
  expect(optional.length).toBeGreaterThan(5);
  expect(optional.filter((_, at) => !suites[at]?.includes('  keyIsOptional: true,'))).toEqual([]);
  const twice = (text: string | undefined) => text?.split('describeSearchEngine(').length === 3;
  expect(optional.filter((_, at) => !twice(suites[at]))).toEqual([]);
});

test('the table of engines and the text of MAGPIE_ENGINES name every engine', async () => {
  const engines = await loadEngines();
  for (const { name } of engines) expect(engineTable(engines)).toContain(`| \`${name}\` |`);
  expect(engineSettingProblem(engines)).toBeUndefined();
  const [first, ...rest] = engines;
  const another = [{ ...(first as (typeof engines)[number]), name: 'another', standard: true }, ...rest];
  expect(engineSettingProblem(another)).toContain('another');
});

/** What is asked with nothing configured. */
const standard = async () => {
  const folder = temporaryFolder();
  const engines = await chooseEngines(loadConfig({ data: folder.path }, {}));
  folder.remove();
  return engines;
};

test('the default set knows every category and every filter, and needs no key', async () => {
  const engines = await standard();
  expect(engines.filter(({ about }) => about.needsKey)).toEqual([]);
  for (const category of CATEGORIES) {
    expect(
      engines.some(({ about }) => about.categories.includes(category)),
      category,
    ).toBe(true);
  }
});

test('the default set survives the loss of any one engine', async () => {
  const engines = await standard();
  for (const lost of engines) {
    const left = engines.filter((engine) => engine !== lost);
    const general = left.filter(({ about }) => about.categories.includes('general'));
    expect(general.length, lost.name).toBeGreaterThanOrEqual(3);
    for (const filter of ['language', 'region', 'timeRange', 'site'] as const) {
      const takers = general.filter(({ about }) => about.takes.includes(filter));
      expect(takers.length, `${filter} without ${lost.name}`).toBeGreaterThanOrEqual(2);
    }
  }
});
