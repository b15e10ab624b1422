import { Client } from '@modelcontextprotocol/client';
import { afterAll, expect, test } from 'vitest';
import { toolListing } from '../../../src/server/mcp/tools/tools.ts';
import { operations } from '../../../tools/index.ts';
import { environment, temporaryFolder } from '../../helpers/magpie.ts';
import { runStdio } from '../../helpers/stdio-run.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Bytes of the whole answer to tools/list on the wire: every conversation begins with it. */
const BUDGET = 26_000;

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'the tool %s is as reviewed',
  async (name, operation) => {
    await expect(`${JSON.stringify(toolListing(operation), null, 2)}\n`).toMatchFileSnapshot(
      `../../snapshots/tools/${name}.json`,
    );
  },
);

test('the answer to tools/list keeps to its budget, on the wire, in both eras', async () => {
  for (const era of [{}, { versionNegotiation: { mode: { pin: '2026-07-28' } } }] as const) {
    const { transport, lines } = runStdio(environment(folder.path));
    const client = new Client({ name: 'test', version: '1' }, era);
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(operations.length);
    const line = lines().find((one) => one.includes('"inputSchema"')) ?? '';
    expect(Buffer.byteLength(line)).toBeGreaterThan(10_000);
    expect(Buffer.byteLength(line)).toBeLessThan(BUDGET);
    await client.close();
  }
});

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'the declaration of %s is complete',
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
