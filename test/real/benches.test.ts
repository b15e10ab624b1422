import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Benches that nothing else runs, in their short forms: their figures mean nothing here, but their servers and callers work. */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Rows of the tables that a bench prints, without their heads. */
async function rowsOf(...args: readonly string[]): Promise<string[][]> {
  const main = join(root, 'bench', 'main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { cwd: root });
  const rows = stdout
    .split('\n')
    .flatMap((line) => (line.startsWith('| ') ? [line.slice(2, -2).split(' | ')] : []));
  return rows.slice(rows.findIndex(([first]) => first === '---') + 1);
}

test('the bench of surfaces calls each of them', async () => {
  const rows = await rowsOf('surface', '--short');
  expect(rows.map(([surface]) => surface)).toEqual([
    'stdio MCP, beside McpServer',
    'HTTP MCP, 2026 stateless, beside McpServer',
    'HTTP MCP, 2025 session, beside McpServer',
    'HTTP MCP, 2026 stateless, beside low-level Server',
    'HTTP MCP, 2025 session, beside low-level Server',
    'REST, beside node:http',
  ]);
});

test('the bench of lost pages counts none of a few small searches', async () => {
  const [row] = await rowsOf('lost-pages', '--calls', '4', '--callers', '2', '--kilobytes', '10');
  expect(row?.slice(0, 4)).toEqual(['2', '4', '0', '0']);
});
