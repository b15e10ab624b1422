import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { zip } from '../../helpers/archives.ts';
import { cyclonedxFaults } from '../../helpers/cyclonedx-schema.ts';
import { environment, runMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { osvRecord } from '../../helpers/osv-records.ts';
import { type OsvServer, startOsv } from '../../helpers/osv-server.ts';

/** `magpie advisories update`, and scans of dependencies from the command line and over REST. */

const RECORD = osvRecord('GHSA-jf85-cpcp-j695', 'npm', 'lodash', '4.17.12', { aliases: ['CVE-2019-10744'] });
let folder: ReturnType<typeof temporaryFolder>;
let env: Record<string, string>;
let repository: string;
let server: OsvServer | undefined;

beforeEach(() => {
  folder = temporaryFolder();
  repository = join(folder.path, 'shop');
  mkdirSync(repository);
  const packages = {
    '': { dependencies: { lodash: '^4.17.0' } },
    'node_modules/lodash': { version: '4.17.4', license: 'MIT' },
  };
  writeFileSync(join(repository, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  env = {
    ...environment(join(folder.path, 'data')),
    MAGPIE_OSV_URL: 'http://127.0.0.1:9',
    MAGPIE_SCAN_ROOTS: repository,
  };
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  folder.remove();
});

const magpie = (...args: string[]) => runMagpie(args, env);

test('a database built from a file serves scans without a network', async () => {
  const archive = join(folder.path, 'all.zip');
  writeFileSync(archive, zip({ 'a.json': JSON.stringify(RECORD) }));
  const made = await magpie('advisories', 'update', '--from', archive);
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^npm +1 advisory of \d{4}-\d\d-\d\d$/m),
  });
  const { code, stdout } = await magpie('scan', repository, '--dependencies', '--fail-on', 'critical');
  expect(code).toBe(1);
  expect(stdout).toContain('package-lock.json:lodash@4.17.4');
  expect(stdout).toContain('CVE-2019-10744');
  expect(stdout).toContain('Update lodash to 4.17.12, which the range in use allows.');

  const bill = await magpie('scan', repository, '--dependencies', '--format', 'cyclonedx');
  const document = JSON.parse(bill.stdout);
  expect(cyclonedxFaults(document)).toEqual([]);
  expect(document).toMatchObject({
    components: [{ purl: 'pkg:npm/lodash@4.17.4' }],
    vulnerabilities: [{ id: 'CVE-2019-10744' }],
  });
});

test('an unreadable database is refused, and without a source the scan lists the unchecked packages', async () => {
  const refused = await magpie('advisories', 'update', '--from', join(folder.path, 'none.zip'));
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('none.zip cannot be read') });
  env.MAGPIE_ADVISORIES = 'off';
  const { stdout } = await magpie('scan', repository, '--dependencies');
  expect(stdout).toContain(
    'Not scanned: packages of npm: no source of advisories that is switched on knows them',
  );
  expect(stdout).toContain('magpie advisories update --ecosystem npm');
});

test('over REST the bill of materials has its media type, with the data of OSV', async () => {
  server = await startOsv({ records: [RECORD] });
  env.MAGPIE_OSV_URL = server.url;
  const running = await startMagpie(env);
  try {
    const scan = (accept: string) =>
      fetch(`${running.url}/v1/scan`, {
        method: 'POST',
        headers: { accept, 'content-type': 'application/json' },
        body: JSON.stringify({ repository, options: { include_dependencies: true } }),
      });
    const bill = await scan('application/vnd.cyclonedx+json');
    expect(bill.headers.get('content-type')).toContain('application/vnd.cyclonedx+json');
    const document = await bill.json();
    expect(cyclonedxFaults(document)).toEqual([]);
    expect(document).toMatchObject({ vulnerabilities: [{ id: 'CVE-2019-10744' }] });
    expect(await (await scan('application/json')).json()).toMatchObject({
      data: {
        vulnerabilities: [
          { id: 'CVE-2019-10744', location: 'package-lock.json:lodash@4.17.4', severity: 'critical' },
        ],
      },
    });
    // Names and versions are all that is sent.
    expect(server.bodies.every((body) => !body.includes('package-lock') && !body.includes('shop'))).toBe(
      true,
    );
  } finally {
    await running.stop();
  }
});
