import { expect, test } from 'vitest';
import { toolListing } from '../../../src/server/mcp/tools.ts';
import { operations } from '../../../tools/index.ts';

/** Tools of the finished product, what their list may weigh, and what one of those still to come may take. */
const FINISHED = 35;
const BUDGET = 25_000;
const ONE_TO_COME = 750;

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'the tool %s is as reviewed',
  async (name, operation) => {
    await expect(`${JSON.stringify(toolListing(operation), null, 2)}\n`).toMatchFileSnapshot(
      `../../snapshots/tools/${name}.json`,
    );
  },
);

test('tools/list keeps to its share of the budget', () => {
  const bytes = Buffer.byteLength(JSON.stringify({ tools: operations.map(toolListing) }));
  expect(bytes).toBeLessThan(BUDGET - (FINISHED - operations.length) * ONE_TO_COME);
});

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'the declaration of %s is whole',
  (_name, operation) => {
    expect(operation.description).toMatch(/\.$/);
    expect(operation.description.length).toBeLessThan(300);
    expect(operation.routes.length).toBeGreaterThan(0);
    expect(operation.input.safeParse(operation.example).error).toBeUndefined();
    for (const [name, value] of Object.entries(operation.start ?? {})) {
      expect(operation.example).toHaveProperty(name, value);
    }
  },
);

test('names and routes are unique', () => {
  const names = operations.map(({ name }) => name);
  const routes = operations.flatMap((operation) => operation.routes);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(routes).size).toBe(routes.length);
});
