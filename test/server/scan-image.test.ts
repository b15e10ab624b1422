import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { osvRecord } from '../helpers/osv-records.ts';
import { type OsvServer, startOsv } from '../helpers/osv-server.ts';
import { imageEntries, tarOf } from '../helpers/tar.ts';

/** `scan` of an image as a tar archive, and of a single file, at the terminal and over REST. */

const folder = temporaryFolder();
const images = join(folder.path, 'images');
let osv: OsvServer;
let magpie: Running;
let env: Record<string, string>;

beforeAll(async () => {
  osv = await startOsv({
    records: [
      osvRecord('GHSA-jf85-cpcp-j695', 'npm', 'lodash', '4.17.12'),
      osvRecord('DEBIAN-CVE-2022-37434', 'Debian:12', 'zlib', '1:1.2.13.dfsg-9'),
      osvRecord('PYSEC-2018-28', 'PyPI', 'requests', '2.20.0'),
    ],
  });
  env = {
    ...environment(join(folder.path, 'data')),
    MAGPIE_OSV_URL: osv.url,
    MAGPIE_ALLOW_HOSTS: osv.host,
    MAGPIE_ADVISORIES: 'osv',
    MAGPIE_SCAN_ROOTS: images,
  };
  mkdirSync(images);
  const lower = tarOf([
    ['etc/os-release', 'ID=debian\nVERSION_ID="12"\n'],
    [
      'var/lib/dpkg/status',
      'Package: zlib1g\nStatus: install ok installed\nSource: zlib\nVersion: 1:1.2.13.dfsg-1\n',
    ],
  ]);
  const upper = tarOf([
    ['app/node_modules/lodash/package.json', '{"name":"lodash","version":"4.17.4"}'],
    ['app/page.py', 'import hashlib\n'],
  ]);
  writeFileSync(join(images, 'shop.tar'), tarOf(imageEntries([lower, upper], 'oci')));
  const components = [
    { type: 'library', name: 'requests', version: '2.19.0', purl: 'pkg:pypi/requests@2.19.0' },
  ];
  writeFileSync(
    join(images, 'shop.cdx.json'),
    JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components }),
  );
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await osv.close();
  folder.remove();
});

test('an image is compared with advisories without a word', async () => {
  const { code, stdout } = await runMagpie(['scan', join(images, 'shop.tar'), '--fail-on', 'low'], env);
  expect(stdout).toContain('Known vulnerability in lodash');
  expect(stdout).toContain('Known vulnerability in zlib');
  expect(stdout).not.toContain('were not compared');
  expect(code).toBe(1);
});

test('a bill of materials is scanned as a single file', async () => {
  const { stdout } = await runMagpie(['scan', join(images, 'shop.cdx.json'), '--dependencies'], env);
  expect(stdout).toContain('Known vulnerability in requests');
});

test('a server scans files below its folders alone', async () => {
  const scan = async (repository: string) => {
    const response = await fetch(new URL('/v1/scan', magpie.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ repository }),
    });
    return { status: response.status, text: await response.text() };
  };
  const seen = await scan(join(images, 'shop.tar'));
  expect(seen.status).toBe(200);
  expect(seen.text).toContain('app/node_modules/lodash/package.json:lodash@4.17.4');
  writeFileSync(join(folder.path, 'outside.tar'), tarOf([['a', 'b']]));
  expect(await scan(join(folder.path, 'outside.tar'))).toMatchObject({ status: 403 });
});
