import { expect, test } from 'vitest';
import { createSecretsScanner } from '../../../src/security/scanners/secrets.ts';
import { scanInPieces } from '../../../src/security/scans/file-job.ts';

/** Files over 2 MB, which the scanner of secrets is given in pieces. */

const scanner = createSecretsScanner();
const TOKEN = ['ghp', `_${'a1B2c3D4e5'.repeat(3)}f6G7h8`].join('');
const KEY = `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${`${'MIIEpAIBAAKCAQEA7bq3'.repeat(3)}\n`.repeat(20)}-----END RSA ${'PRIVATE'} KEY-----\n`;
const LINE = `${'a line of a log that says nothing '.repeat(3)}\n`;

async function found(text: string): Promise<string[]> {
  const findings = await scanInPieces(scanner, { path: 'dump.log', text }, { deep: false });
  return findings.map(
    ({ id, line, endLine }) => `${id}:${line}${endLine === undefined ? '' : `-${endLine}`}`,
  );
}

test('a secret at the end of a large file is found once, with its line number', async () => {
  const before = LINE.repeat(45_000);
  expect(before.length).toBeGreaterThan(4_000_000);
  const small = await found(`${LINE}token ${TOKEN}\n`);
  expect(small).toHaveLength(1);
  const [id = ''] = small[0]?.split(':') ?? [];
  expect(await found(`${before}token ${TOKEN}\n${LINE}`)).toEqual([`${id}:45001`]);
});

test('a multi-line key at any piece boundary is whole in one piece and reported once', async () => {
  const [small = ''] = await found(KEY);
  const lines = Number(small.split('-').at(-1));
  const id = small.split(':')[0];
  const rows = Math.floor(2_000_000 / LINE.length);
  for (const shift of [30, 10, 5, 0]) {
    const before = LINE.repeat(rows - shift);
    const [first = '', ...more] = await found(before + KEY + LINE.repeat(rows));
    expect([first, more]).toEqual([`${id}:${rows - shift + 1}-${rows - shift + lines}`, []]);
  }
});

test('a line that spans several pieces keeps its line number', async () => {
  const [first = ''] = await found(`x\n${'word '.repeat(600_000)}\n${TOKEN}\n`);
  expect(first.split(':')[1]).toBe('3');
});
