import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { PARTS } from '../../bench/parts.ts';
import { askPeers } from '../../bench/peers.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { groupsOf, type Rows, runBenches, runShortBenches } from '../helpers/short-benches.ts';

/**
 * `npm run bench -- <names> --short` runs benches in their short forms. The figures mean nothing here, but servers, callers and tables work.
 * Those of PostgreSQL are in test/real/postgres-benches.test.ts.
 */

/** What its rows must be, where more than a figure is known of them. */
const EXPECTED: Readonly<Record<string, (rows: Rows) => void>> = {
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
  orders: (rows) => expect(rows.at(-1)).toEqual(['injected: all of ours', '120', '120', '100.00%']),
  extract: ([row]) => expect(row?.slice(0, 2)).toEqual(['Magpie, one thread', '1.0000']),
};

const names = Object.keys(PARTS).filter((name) => !PARTS[name]?.onPostgres);

describe.each(groupsOf(names).map((group) => [group]))('%s', (group) => {
  let ran: ReadonlyMap<string, Rows>;
  beforeAll(async () => {
    ran = await runShortBenches(group);
  });

  test.each(group)('%s', (name) => {
    const [, ...rows] = ran.get(name) ?? [];
    expect(rows.flat().join(' ')).toMatch(/\d/);
    EXPECTED[name]?.(rows);
  });
});

test('there are more than twenty benches, and an unknown name is answered with all names', async () => {
  expect(Object.keys(PARTS).length).toBeGreaterThan(20);
  await expect(runBenches(['surfaces'])).rejects.toMatchObject({
    code: 2,
    stderr: `"surfaces" is not a bench; the benches are ${Object.keys(PARTS).join(', ')}\n`,
  });
});

test('peers get passages, questions and vectors, and their answers are read', () => {
  const folder = temporaryFolder();
  // The peers themselves are almost a gigabyte of packages: stand-ins have their names.
  const python = join(folder.path, 'python');
  const peers = fileURLToPath(new URL('../fixtures/peers', import.meta.url));
  writeFileSync(python, `#!/bin/sh\nPYTHONDONTWRITEBYTECODE=1 PYTHONPATH='${peers}' exec python3 "$@"\n`);
  chmodSync(python, 0o700);
  const vectorOf = (at: number) => Float32Array.from({ length: 384 }, (_, n) => Number(n === at));
  const textsOf = (places: readonly number[]) => places.map((at) => ({ id: `${at}`, text: `text ${at}.` }));
  const passages = [0, 1, 2, 3];
  const queries = [2, 1];
  const answers = askPeers(python, {
    passages: textsOf(passages),
    passageVectors: passages.map(vectorOf),
    queries: textsOf(queries),
    queryVectors: queries.map(vectorOf),
  });
  folder.remove();
  expect(answers.chroma.map((ids) => [ids.length, ids[0]])).toEqual([
    [4, '2'],
    [4, '1'],
  ]);
  expect(answers.lancedb).toEqual([['2'], ['1']]);
});
