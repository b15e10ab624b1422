import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/automation/plan.ts';
import { comparison } from '../../src/automation/platforms/n8n-code.ts';

/** The program of n8n's Code node, run as n8n runs it: with its items, and static data that lasts. */

const PAGE = 'https://shop.example/x';
const plan = (change: Partial<Plan>): Plan => ({
  task: 'a "task" with `marks` and \u2028',
  pages: [PAGE],
  extract: { kind: 'text' },
  when: { kind: 'change' },
  send: { kind: 'platform' },
  ...change,
});

type Item = { json: Record<string, unknown> };

function runs(of: Plan) {
  const memory = {};
  const script = new Script(`(() => {${comparison(of)}})()`);
  return (...items: Record<string, unknown>[]): Item[] =>
    script.runInNewContext({
      $getWorkflowStaticData: () => memory,
      $input: { all: () => items.map((json) => ({ json })) },
    }) as Item[];
}

test('a change is sent once, with the state before, and the first run is not a change', () => {
  const run = runs(plan({}));
  expect(run({ found: ' One  two ' })).toEqual([]);
  expect(run({ found: 'One two' })).toEqual([]);
  const [sent] = run({ found: 'Three' });
  expect(sent?.json).toMatchObject({ page: PAGE, before: 'One two', found: 'Three', task: plan({}).task });
  expect(run({ found: 'Three' })).toEqual([]);
});

test('a page that fails keeps its state, and is not a change', () => {
  const run = runs(plan({}));
  run({ found: 'One' });
  expect(run({ error: 'timeout' })).toEqual([]);
  expect(run({ found: null })).toEqual([]);
  expect(run({ found: 'One' })).toEqual([]);
});

test.each([
  [
    { kind: 'below', value: 100 },
    ['$120', '$99.90', '$80', '$120', '1.0 €'],
    [false, true, false, false, true],
  ],
  [{ kind: 'above', value: 1000 }, ['€ 999', '€ 1.299,00', '€ 900'], [false, true, false]],
  [
    { kind: 'word', word: 'Sold Out' },
    ['in stock', 'now SOLD OUT', 'sold out', 'back', 'sold out'],
    [false, true, false, false, true],
  ],
  [
    { kind: 'gone', word: 'Sold out' },
    ['SOLD OUT', 'sold out', 'buy now', 'buy now', 'sold out', ''],
    [false, false, true, false, false, true],
  ],
  [{ kind: 'always' }, ['a', 'a'], [true, true]],
] as const)('%j is sent when it becomes true', (when, pages, sent) => {
  const run = runs(plan({ when: { ...when } }));
  expect(pages.map((found) => run({ found }).length > 0)).toEqual(sent);
});

test('prices are taken out of a text, and lists are joined', () => {
  const prices = runs(plan({ extract: { kind: 'prices' }, when: { kind: 'always' } }));
  expect(prices({ found: 'Now $1,299.00, was 1.400 EUR; 3 left' })[0]?.json.found).toBe(
    '$1,299.00\n1.400 EUR',
  );
  const list = runs(plan({ extract: { kind: 'links' }, when: { kind: 'always' } }));
  expect(list({ found: ['/a', ' ', '/b'] })[0]?.json.found).toBe('/a\n/b');
});

test('several pages are compared separately', () => {
  const run = runs(plan({ pages: [PAGE, 'https://b.example/'] }));
  run({ found: 'a' }, { found: 'b' });
  expect(run({ found: 'a' }, { found: 'c' }).map(({ json }) => json.page)).toEqual(['https://b.example/']);
});
