import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { osvRecord } from '../helpers/osv-records.ts';
import { startOsv } from '../helpers/osv-server.ts';

/** VEX documents that a scan writes and takes, at the terminal. */

const folder = temporaryFolder();
const shop = join(folder.path, 'shop');
let osv: Awaited<ReturnType<typeof startOsv>>;

beforeAll(async () => {
  mkdirSync(shop);
  writeFileSync(join(shop, 'requirements.txt'), 'requests==2.19.0\n');
  osv = await startOsv({ records: [osvRecord('PYSEC-1', 'PyPI', 'requests', '2.20.0')] });
});
afterAll(async () => {
  await osv.close();
  folder.remove();
});

function scan(...args: string[]) {
  const env = {
    ...environment(join(folder.path, 'data')),
    MAGPIE_OSV_URL: osv.url,
    MAGPIE_ALLOW_HOSTS: osv.host,
    MAGPIE_ADVISORIES: 'osv',
  };
  return runMagpie(['scan', shop, '--dependencies', ...args], env);
}

test('a vulnerability that a VEX document holds to be harmless does not count, and is written so', async () => {
  const document = JSON.parse((await scan('--format', 'openvex')).stdout);
  expect(document.statements).toMatchObject([
    {
      vulnerability: { name: 'PYSEC-1' },
      products: [{ '@id': 'pkg:pypi/requests@2.19.0' }],
      status: 'affected',
    },
  ]);
  const file = join(folder.path, 'shop.openvex.json');
  const [statement] = document.statements;
  const harmless = { ...statement, status: 'not_affected', justification: 'vulnerable_code_not_present' };
  writeFileSync(file, JSON.stringify({ ...document, statements: [harmless] }));
  expect((await scan('--fail-on', 'low')).code).toBe(1);
  expect((await scan('--fail-on', 'low', '--vex', file)).code).toBe(0);
  const { data } = JSON.parse((await scan('--vex', file, '--json')).stdout);
  expect(data.vulnerabilities[0].suppressed).toEqual({
    by: 'vex',
    reason: 'not affected: vulnerable code not present',
  });
  const again = JSON.parse((await scan('--vex', file, '--format', 'openvex')).stdout);
  expect(again.statements[0].status).toBe('not_affected');
});

test('a file that is missing or no VEX document is named', async () => {
  const gone = await scan('--vex', join(folder.path, 'gone.json'));
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('gone.json cannot be read')]);
  const other = await scan('--vex', join(shop, 'requirements.txt'));
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('is not a VEX document')]);
});
