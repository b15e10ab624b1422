import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** A data folder that is not there: what only reads does not make it, and says so. */

let folder: ReturnType<typeof temporaryFolder>;
let data: string;
let env: Record<string, string>;
beforeEach(async () => {
  folder = temporaryFolder();
  data = join(folder.path, 'above', 'mistyped');
  env = { ...environment(data), ...(await withoutModel()) };
});
afterEach(() => folder.remove());

test.each([
  ['query', 'magpies'],
  ['listEntries'],
  ['metadatakb'],
  ['listpdfs'],
  ['document', 'what', '--fileName', 'a.pdf', '--partId', '1'],
  ['listMonitors'],
  ['call', 'getScan', '--scan_id', '3f1c5f0a9b7d4e2a8c6b1d0e'],
  ['kb', 'export'],
  ['kb', 'trash'],
  ['kb', 'duplicates'],
  ['scans'],
  ['monitor', 'list'],
  ['index', '--list'],
  ['key', 'list'],
  ['key', 'usage', 'k7x2m9qab'],
])('%s reads nothing there', async (...args) => {
  const { code, stdout, stderr } = await runMagpie(args, env);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`there is no data folder at ${data}`);
  expect(stderr).toContain('check --data and MAGPIE_DATA');
  expect(existsSync(join(folder.path, 'above'))).toBe(false);
});

test('a password in words that a command does not accept is not shown', async () => {
  const { code, stderr } = await runMagpie(['migrate', 'postgres://ada:marked@db.example/magpie'], env);
  expect([code, stderr]).toEqual([2, expect.stringContaining('migrate takes no words')]);
  expect(stderr).not.toContain('marked');
});

test.each([['help'], ['list'], ['kb', 'check'], ['model', 'list']])(
  '%s needs no data folder, and creates none',
  async (...args) => {
    expect((await runMagpie(args, env)).code).toBe(0);
    expect(existsSync(join(folder.path, 'above'))).toBe(false);
  },
);

test.each([
  ['upsert', 'magpies collect nothing'],
  ['key', 'create', '--scope', 'read'],
  ['scan', '.'],
  ['compliance', 'standards'],
])('%s stores data, and creates the folder', async (...args) => {
  const repository = join(folder.path, 'code');
  mkdirSync(repository);
  writeFileSync(join(repository, 'plan.md'), 'A plan.');
  const line = args.map((word) => (word === '.' ? repository : word));
  expect((await runMagpie(line, env)).code).toBe(0);
  expect(existsSync(join(data, 'magpie.sqlite'))).toBe(true);
});

test('the error names --data, and has the exit code of a failed command', async () => {
  const other = join(folder.path, 'other');
  for (const [code, ...line] of [
    [1, 'listEntries', '--json'],
    [3, 'compliance', 'list'],
  ] as const) {
    const ended = await runMagpie([...line, '--data', other], env);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(`there is no data folder at ${other}`);
  }
  expect(existsSync(other)).toBe(false);
});

test('data in PostgreSQL is read without a data folder', async () => {
  const port = await closedPort();
  const { code, stderr } = await runMagpie(['query', 'magpies'], {
    ...env,
    DATABASE_URL: `postgres://ada@127.0.0.1:${port}/magpie`,
  });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`the database 127.0.0.1:${port}/magpie does not answer`),
  ]);
});

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
