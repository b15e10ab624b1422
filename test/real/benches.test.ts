import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePostgres, type PostgresPlace } from '../helpers/postgres.ts';

/** `npm run bench -- <name> --short` runs a bench in its short form. The figures mean nothing here, but servers, callers and tables work. */

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const main = join('bench', 'main.ts');
let database: PostgresPlace;

beforeAll(async () => {
  database = await makePostgres();
});
afterAll(() => database.remove());

/** Rows of the tables that a bench prints, their heads among them. */
async function rowsOf(name: string): Promise<string[][]> {
  // A bench asks for a checkpoint, which an administrator may.
  const url = new URL(process.env.MAGPIE_TEST_POSTGRES ?? '');
  url.pathname = new URL(database.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [main, name, '--short'], {
    cwd,
    env: { ...process.env, DATABASE_URL: url.href },
  });
  const rows = stdout.split('\n').filter((line) => line.startsWith('| '));
  return rows.map((line) => line.slice(2, -2).split(' | ')).filter((row) => !row.includes('---'));
}

/** What its rows must be, where more than a figure is known of them. */
const EXPECTED: Readonly<Record<string, (rows: readonly (readonly string[])[]) => void>> = {
  surface(rows) {
    expect(rows.map(([surface]) => surface)).toEqual([
      'stdio MCP, beside McpServer',
      'HTTP MCP, 2026 stateless, beside McpServer',
      'HTTP MCP, 2025 session, beside McpServer',
      'HTTP MCP, 2026 stateless, beside low-level Server',
      'HTTP MCP, 2025 session, beside low-level Server',
      'REST, beside node:http',
    ]);
  },
  // No page of a few small searches is lost.
  'lost-pages': ([row]) => expect(row?.slice(0, 4)).toEqual(['2', '4', '0', '0']),
  extract: ([row]) => expect(row?.slice(0, 2)).toEqual(['Magpie, one thread', '1.0000']),
  // Words find the text whose title they are.
  retrieve: ([row]) => expect(row?.slice(3, 6)).toEqual(['30', '3', '1.000 / 1.000 / 1.000']),
};

const names = spawnSync(process.execPath, [main, '?'], { cwd, encoding: 'utf8' })
  .stderr.trim()
  .split('the benches are ')[1]
  ?.split(', ');

test.each(names ?? [])('%s', async (name) => {
  const [, ...rows] = await rowsOf(name);
  expect(rows.flat().join(' ')).toMatch(/\d/);
  EXPECTED[name]?.(rows);
});

test('there are more than twenty', () => {
  expect(names?.length).toBeGreaterThan(20);
});
