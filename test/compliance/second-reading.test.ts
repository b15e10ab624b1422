import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { differs, isOpen, merged, readingsFrom } from '../../docs/readings.ts';
import { CATALOGUES } from '../../src/compliance/catalogues/list.ts';
import { parseMappings, readMappings } from '../../src/compliance/mappings/mappings.ts';

/** The second reading of a table: printed without the first one's reasons, and taken in line by line. */

const HEAD = 'control\treading\tchecks\twhy\tfirst\tsecond\tsettled\n';
const ROWS = parseMappings(
  `${HEAD}1.1\tpart\tsecrets\tA credential lies in code.\tA 2026-11-23\t\t\n1.2\twhole\tcwe:89 cwe:564\tIt is the weakness.\tA 2026-11-23\t\t\n`,
);

test('the answers of a reader are stored in their rows, with the note; blank lines and the header are not', () => {
  const page = `
| control | its words | check | reading | note |
| --- | --- | --- | --- | --- |
| 1.1 | One. | \`secrets\` | None | it is another matter |
| 1.2 | Two. | \`cwe:89 cwe:564\` | whole |  |
| 1.3 |  | \`crypto\` |  |  |
`;
  const { rows, unknown } = merged(ROWS, readingsFrom(page), 'B 2026-11-24', ['1.1', '1.2', '1.3']);
  expect(unknown).toEqual([]);
  expect(rows.map(({ second }) => second)).toEqual([
    'B 2026-11-24 none: it is another matter',
    'B 2026-11-24 whole',
  ]);
  expect(rows.map(differs)).toEqual([true, false]);
});

test('a missing pair becomes a row in its place, which counts nowhere until it is settled', () => {
  const page =
    '| 1.0 | x | `crypto` | part | a weak cipher speaks against it |\n| 9 |  | `crypto` | part |  |\n| 1.1 |  | `secrets` | yes |  |';
  const { rows, unknown } = merged(ROWS, readingsFrom(page), 'B 2026-11-24', ['1.0', '1.1', '1.2']);
  expect(rows.map(({ control, reading }) => `${control} ${reading}`)).toEqual([
    '1.0 none',
    '1.1 part',
    '1.2 whole',
  ]);
  expect(rows[0]).toMatchObject({ first: '-', second: 'B 2026-11-24 part: a weak cipher speaks against it' });
  expect(unknown).toEqual(['9 crypto: part', '1.1 secrets: yes']);
});

test('a table is printed with every pair, and without reasons and readings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-readings-'));
  try {
    const program = fileURLToPath(new URL('../../docs/second-reading.ts', import.meta.url));
    execFileSync(process.execPath, [program, 'print', folder]);
    const page = readFileSync(join(folder, 'hipaa.md'), 'utf8');
    const rows = readMappings('hipaa');
    for (const { control, checks } of rows) {
      const lines = page.split('\n').filter((line) => line.startsWith(`| ${control} |`));
      expect(lines.filter((line) => line.endsWith(`| \`${checks.join(' ')}\` |  |  |`))).toHaveLength(1);
    }
    expect(rows.filter(({ why }) => page.includes(why))).toEqual([]);
    expect(readingsFrom(page)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a difference is settled by the requirement of the control, or stays open; only differences can be settled', () => {
  const rows = CATALOGUES.flatMap(({ id }) => readMappings(id));
  const settled = rows.filter((row) => row.settled !== '');
  expect(settled.filter((row) => !differs(row) || isOpen(row))).toEqual([]);
  expect(settled.filter((row) => !/^[A-Z] \d{4}-\d\d-\d\d: .{10}/.test(row.settled))).toEqual([]);
  // A whole reading is not given up: what its checks did not find would be left to people.
  expect(settled.filter(({ reading }) => reading === 'whole')).toEqual([]);
  expect(rows.filter(isOpen).length).toBeLessThan(60);
});
