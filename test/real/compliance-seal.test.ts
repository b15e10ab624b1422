import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REPORT_FORMATS } from '../../src/lib/compliance/report-formats.ts';
import { type ComplianceScan, complianceScan } from '../helpers/compliance-scan.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

/** Reports of a real check, verified by OpenSSL as the reports themselves say. */

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
let scan: ComplianceScan;

beforeAll(async () => {
  scan = await complianceScan();
});
afterAll(async () => {
  await scan.close();
  folder.remove();
});

test('each form can be verified by the published key with openssl alone [compliance.seal]', async () => {
  const published = await fetch(new URL('/.well-known/magpie-compliance.pem', scan.url));
  writeFileSync(at('key.pem'), await published.text());
  const check = await scan.check('slsa');
  for (const format of REPORT_FORMATS) {
    for (const [name, asked] of [
      ['report', format],
      ['report.sig', `${format}&signature=true`],
    ] as const) {
      const answer = await scan.report(check, asked);
      writeFileSync(at(name), Buffer.from(await answer.arrayBuffer()));
    }
    expect(openssl()).toMatch(/Verified Successfully/);
    const fingerprint = execFileSync('sh', [
      '-c',
      'openssl pkey -pubin -in "$0" -outform DER | openssl dgst -sha256',
      at('key.pem'),
    ]).toString();
    const [named = ''] = /[0-9a-f]{64}/.exec(fingerprint) ?? [];
    expect(readFileSync(at('report'), 'latin1')).toContain(`magpie-seal-2 key=${named}`);
    writeFileSync(at('report'), Buffer.concat([readFileSync(at('report')), Buffer.from('\n')]));
    expect(openssl).toThrow();
  }
});

function openssl(): string {
  const args = 'pkeyutl -verify -pubin -inkey key.pem -rawin -in report -sigfile report.sig'.split(' ');
  return execFileSync(process.env.MAGPIE_TEST_OPENSSL ?? '', args, {
    cwd: folder.path,
    stdio: 'pipe',
  }).toString();
}
