import { expect, test } from 'vitest';
import type { Finding, SoftwareComponent } from '../../../src/security/findings/finding.ts';
import { cyclonedxOf } from '../../../src/security/reports/cyclonedx.ts';
import type { SecurityScan } from '../../../src/security/scans/scan.ts';
import { cyclonedxFaults } from '../../helpers/cyclonedx-schema.ts';

const scan: SecurityScan = {
  id: 'c0ffee',
  request: { repository: '/home/somebody/shop', deep: false, dependencies: true },
  state: 'completed',
  createdAt: 0,
  endedAt: Date.UTC(2026, 10, 21),
};

const component = (
  ecosystem: string,
  name: string,
  version: string,
  more: Partial<SoftwareComponent> = {},
): SoftwareComponent => ({ path: 'a.lock', ecosystem, name, version, ...more });

const finding = (id: string, name: string, version: string, more: Partial<Finding> = {}): Finding => ({
  id,
  severity: 'high',
  title: 'Known vulnerability',
  description: 'It breaks.',
  fix: 'Update it.',
  path: 'a.lock',
  scanners: ['dependencies'],
  fingerprint: 'f',
  package: { ecosystem: 'npm', name, version },
  ...more,
});

const SHA = { alg: 'SHA-256', content: 'ab'.repeat(32) };
const components: SoftwareComponent[] = [
  component('npm', '@s/a', '1.0.0', {
    direct: true,
    license: 'MIT',
    needs: ['b@2.0.0', 'gone@1.0.0'],
    hashes: [SHA],
  }),
  component('npm', 'b', '2.0.0', { development: true, license: '(MIT OR Apache-2.0)' }),
  component('npm', 'b', '2.0.0', { path: 'web/a.lock', direct: true }),
  component('PyPI', 'django', '4.2.1', { hashes: [SHA, { alg: 'SHA-256', content: 'cd'.repeat(32) }] }),
  component('Maven', 'org.apache.logging.log4j:log4j-core', '2.14.1'),
  component('Go', 'github.com/a/b/v2', '2.3.0', { development: true }),
  component('Packagist', 'symfony/http-kernel', '5.4.0'),
  component('NuGet', 'Newtonsoft.Json', '12.0.1'),
  component('crates.io', 'time', '0.1.43'),
  component('RubyGems', 'rails', '7.0.0'),
  component('npm', 'own', '1.0.0', { local: true }),
];
const findings: Finding[] = [
  finding('CVE-2024-1', '@s/a', '1.0.0', {
    aliases: ['GHSA-1'],
    cwe: ['CWE-79', 'CWE-79'],
    cvss: { score: 9.8, vector: 'CVSS:3.1/AV:N' },
  }),
  finding('CVE-2024-1', 'b', '2.0.0', { cvss: { score: 9.8, vector: 'CVSS:3.1/AV:N' } }),
  finding('PYSEC-1', 'b', '2.0.0', {
    suppressed: { by: 'file', reason: 'not reached' },
    cvss: { score: 5, vector: 'CVSS:4.0/AV:N' },
  }),
  finding('CVE-2024-9', 'not-listed', '1.0.0'),
];

/** The document as a caller reads it. */
function written(): Bom {
  return JSON.parse(JSON.stringify(cyclonedxOf(scan, components, findings)));
}

test('a bill of materials is valid by the official schema', () => {
  expect(cyclonedxFaults(cyclonedxOf(scan, components, findings))).toEqual([]);
  expect(
    cyclonedxFaults(cyclonedxOf({ ...scan, request: { ...scan.request, repository: '' } }, [], [])),
  ).toEqual([]);
  // The check itself finds errors.
  expect(cyclonedxFaults({ ...cyclonedxOf(scan, components, findings), specVersion: 6 })).not.toEqual([]);
});

test('a bill of materials lists each package once, with its address, digests, licenses and places', () => {
  const document = written();
  expect(document.metadata.component.name).toBe('shop');
  expect(document.components.map(({ purl }) => purl)).toEqual([
    'pkg:npm/%40s/a@1.0.0',
    'pkg:npm/b@2.0.0',
    'pkg:pypi/django@4.2.1',
    'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
    'pkg:golang/github.com/a/b/v2@v2.3.0',
    'pkg:composer/symfony/http-kernel@5.4.0',
    'pkg:nuget/Newtonsoft.Json@12.0.1',
    'pkg:cargo/time@0.1.43',
    'pkg:gem/rails@7.0.0',
    undefined,
  ]);
  const [first, second, django, , go] = document.components;
  expect(first).toMatchObject({
    group: '@s',
    name: 'a',
    hashes: [SHA],
    licenses: [{ license: { name: 'MIT' } }],
    scope: 'required',
  });
  // A package for development in one lockfile only does not count as one for development.
  expect(second).toMatchObject({
    scope: 'required',
    licenses: [{ expression: '(MIT OR Apache-2.0)' }],
    evidence: { occurrences: [{ location: 'a.lock' }, { location: 'web/a.lock' }] },
  });
  expect(django).not.toHaveProperty('hashes');
  expect(django).toMatchObject({
    externalReferences: [{ type: 'distribution', url: 'https://pypi.org/simple/django/' }],
  });
  expect(go).toMatchObject({ scope: 'excluded' });
});

test('a bill of materials lists the dependencies and the known vulnerabilities of each package', () => {
  const { dependencies, vulnerabilities } = written();
  expect(dependencies.slice(0, 3)).toEqual([
    { ref: 'repository', dependsOn: ['pkg:npm/%40s/a@1.0.0', 'pkg:npm/b@2.0.0'] },
    { ref: 'pkg:npm/%40s/a@1.0.0', dependsOn: ['pkg:npm/b@2.0.0'] },
    { ref: 'pkg:npm/b@2.0.0', dependsOn: [] },
  ]);
  expect(vulnerabilities).toMatchObject([
    {
      id: 'CVE-2024-1',
      cwes: [79],
      ratings: [{ severity: 'high', score: 9.8, method: 'CVSSv31' }],
      references: [{ id: 'GHSA-1' }],
      affects: [{ ref: 'pkg:npm/%40s/a@1.0.0' }, { ref: 'pkg:npm/b@2.0.0' }],
    },
    { id: 'PYSEC-1', ratings: [{ method: 'CVSSv4' }], analysis: { detail: 'not reached' } },
  ]);
  expect(vulnerabilities[0]).not.toHaveProperty('analysis');
});

test('the same scan gives the same document', () => {
  expect(JSON.stringify(cyclonedxOf(scan, components, findings))).toBe(
    JSON.stringify(cyclonedxOf(scan, components, findings)),
  );
});

interface Bom {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { readonly purl?: string }[];
  readonly dependencies: readonly object[];
  readonly vulnerabilities: readonly object[];
}

test('packages of distributions and of newer registries have their addresses', () => {
  const all: SoftwareComponent[] = [
    component('Debian:12', 'openssl', '3.0.9-1'),
    component('Alpine:v3.18', 'curl', '8.1.2-r0'),
    component('Ubuntu:22.04', 'git', '1:2.34.1-1'),
    component('Wolfi', 'curl', '8.1.2-r0'),
    component('CRAN', 'jsonlite', '1.8.4'),
    component('Hackage', 'aeson', '2.1.2.1'),
    component('ConanCenter', 'zlib', '1.2.11'),
    component('FreeBSD:ports', 'curl', '8.1.2'),
  ];
  const document = cyclonedxOf(scan, all, []);
  expect(cyclonedxFaults(document)).toEqual([]);
  const bom = JSON.parse(JSON.stringify(document)) as Bom;
  expect(bom.components.map(({ purl }) => purl)).toEqual([
    'pkg:deb/debian/openssl@3.0.9-1?distro=debian-12',
    'pkg:apk/alpine/curl@8.1.2-r0?distro=alpine-3.18',
    'pkg:deb/ubuntu/git@1:2.34.1-1?distro=ubuntu-22.04',
    'pkg:apk/wolfi/curl@8.1.2-r0',
    'pkg:cran/jsonlite@1.8.4',
    'pkg:hackage/aeson@2.1.2.1',
    'pkg:conan/zlib@1.2.11',
    undefined,
  ]);
});
