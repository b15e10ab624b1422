import { expect, test } from 'vitest';
import type { Finding, SoftwareComponent } from '../../../src/security/findings/finding.ts';
import { createVexJudge, readVex } from '../../../src/security/findings/vex.ts';
import { cyclonedxOf } from '../../../src/security/reports/cyclonedx.ts';
import { openVexOf } from '../../../src/security/reports/openvex.ts';
import { spdxOf } from '../../../src/security/reports/spdx.ts';
import { parseLockfile } from '../../../src/security/scanners/dependencies/parse.ts';
import type { SecurityScan } from '../../../src/security/scans/scan.ts';

/** SPDX and VEX, in and out. */

const scan: SecurityScan = {
  id: 'c0ffee',
  request: { repository: '/home/somebody/shop', deep: false, dependencies: true },
  state: 'completed',
  createdAt: 0,
  endedAt: Date.UTC(2026, 10, 21),
};
const components: SoftwareComponent[] = [
  {
    path: 'a.lock',
    ecosystem: 'npm',
    name: '@s/a',
    version: '1.0.0',
    direct: true,
    license: 'MIT',
    needs: ['b@2.0.0'],
  },
  { path: 'a.lock', ecosystem: 'npm', name: 'b', version: '2.0.0', license: 'see the file LICENSE' },
  { path: 'b.lock', ecosystem: 'Go', name: 'github.com/a/b/v2', version: '2.3.0', direct: true },
  {
    path: 'b.lock',
    ecosystem: 'Maven',
    name: 'org.acme:core',
    version: '2.14.1',
    hashes: [{ alg: 'SHA-256', content: 'ab'.repeat(32) }],
  },
  { path: 'b.lock', ecosystem: 'PyPI', name: 'django', version: '4.2.1' },
  { path: 'b.lock', ecosystem: 'Debian:12', name: 'openssl', version: '3.0.9-1' },
];
const finding = (
  id: string,
  ecosystem: string,
  name: string,
  version: string,
  more: Partial<Finding> = {},
): Finding => ({
  id,
  severity: 'high',
  title: 'Known vulnerability',
  description: 'It breaks.',
  fix: 'Update it.',
  path: 'a.lock',
  scanners: ['dependencies'],
  fingerprint: 'f',
  package: { ecosystem, name, version },
  ...more,
});
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

function readBack(document: unknown) {
  const content = Buffer.from(JSON.stringify(document));
  const answer = parseLockfile({ kind: 'bill of materials', path: 'bom.json', content, beside: [] });
  if ('broken' in answer) throw new Error(answer.broken);
  return answer.locked.packages.map(({ ecosystem, name, version, direct = false, needs }) => ({
    one: `${ecosystem} ${name}@${version}${direct ? ' direct' : ''}`,
    needs: needs.map((index) => answer.locked.packages[index]?.name),
  }));
}

test('SPDX and CycloneDX of a scan, read as lockfiles, give the same packages and needs', () => {
  const wanted = components.map(({ ecosystem, name, version, direct, needs = [] }) => ({
    one: `${ecosystem} ${name}@${version}${direct ? ' direct' : ''}`,
    needs: needs.map((one) => one.replace(/@[^@]*$/, '')),
  }));
  expect(readBack(spdxOf(scan, components))).toEqual(wanted);
  expect(readBack(cyclonedxOf(scan, components, []))).toEqual(wanted);
});

test('an SPDX document names each element once, and relates only what is there', () => {
  const { packages, relationships, creationInfo, documentNamespace } = plain(
    spdxOf(scan, [...components, ...components]),
  );
  const ids = packages.map(({ SPDXID }: { SPDXID: string }) => SPDXID) as string[];
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(components.length + 1);
  for (const id of ids) expect(id).toMatch(/^SPDXRef-[A-Za-z0-9.-]+$/);
  for (const { spdxElementId, relatedSpdxElement } of relationships)
    for (const id of [spdxElementId, relatedSpdxElement]) expect(['SPDXRef-DOCUMENT', ...ids]).toContain(id);
  expect(creationInfo.created).toBe('2026-11-21T00:00:00Z');
  expect(documentNamespace).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  expect(packages[1]).toMatchObject({
    name: '@s/a',
    licenseDeclared: 'MIT',
    downloadLocation: 'NOASSERTION',
  });
  expect(packages[2]).toMatchObject({
    licenseDeclared: 'NOASSERTION',
    licenseComments: 'see the file LICENSE',
  });
  expect(packages[4].checksums).toEqual([{ algorithm: 'SHA256', checksumValue: 'ab'.repeat(32) }]);
  expect(JSON.stringify(packages)).not.toContain('somebody');
});

test('what OpenVEX and CycloneDX say to be harmless is harmless when it is read back', () => {
  const harmless = { by: 'vex' as const, reason: 'not affected: code not reachable' };
  const findings = [
    finding('CVE-1', 'npm', '@s/a', '1.0.0', { aliases: ['GHSA-1'], suppressed: harmless }),
    finding('CVE-2', 'Go', 'github.com/a/b/v2', '2.3.0'),
    finding('CVE-3', 'npm', 'b', '2.0.0', { suppressed: { by: 'comment', reason: 'we live with it' } }),
  ];
  for (const document of [openVexOf(scan, findings), cyclonedxOf(scan, components, findings)]) {
    const judge = createVexJudge(readVex(JSON.stringify(document), 'a.json'));
    expect(judge({ id: 'ghsa-1' }, 'pkg:npm/%40s/a@1.0.0')).toContain('code not reachable');
    expect(judge({ id: 'CVE-1' }, 'pkg:npm/%40s/a@1.0.1')).toBeUndefined();
    expect(judge({ id: 'CVE-2' }, 'pkg:golang/github.com/a/b/v2@v2.3.0')).toBeUndefined();
    expect(judge({ id: 'CVE-3' }, 'pkg:npm/b@2.0.0')).toBeUndefined();
  }
  expect(plain(openVexOf(scan, findings)).statements[2]).toMatchObject({
    status: 'affected',
    action_statement: 'Accepted: we live with it',
  });
});

const openVex = (...statements: object[]) =>
  JSON.stringify({ '@context': 'https://openvex.dev/ns/v0.2.0', '@id': 'x', author: 'a', statements });
const statement = (products: unknown, status: string, more: object = {}) => ({
  vulnerability: { name: 'CVE-1' },
  products,
  status,
  ...more,
});

test.each([
  ['a product that is the package', [{ '@id': 'pkg:npm/b@2.0.0' }], true],
  ['a package without a version', [{ '@id': 'pkg:npm/b' }], true],
  ['another version', [{ '@id': 'pkg:npm/b@2.0.1' }], false],
  ['another package', [{ '@id': 'pkg:npm/c@2.0.0' }], false],
  ['an identifier', [{ '@id': 'https://x.example/b', identifiers: { purl: 'pkg:npm/b@2.0.0' } }], true],
  ['a part of an image', [{ '@id': 'pkg:oci/shop', subcomponents: [{ '@id': 'pkg:npm/b@2.0.0' }] }], true],
  ['another part of an image', [{ '@id': 'pkg:oci/shop', subcomponents: [{ '@id': 'pkg:npm/c' }] }], false],
  ['the image as a whole', [{ '@id': 'pkg:oci/shop@sha256%3Aab' }], true],
  ['a product in words', ['our shop'], true],
  ['a package that is not written well', [{ '@id': 'pkg:npm/%zz' }], false],
  ['another package beside an image', ['pkg:npm/c', 'pkg:oci/shop'], false],
  ['a package of another kind', ['pkg:generic/openssl@1.0'], false],
  [
    'a part of another kind',
    [{ '@id': 'pkg:oci/shop', subcomponents: [{ '@id': 'pkg:conda/numpy' }] }],
    false,
  ],
])('a statement about %s', (_, products, isHarmless) => {
  const judge = createVexJudge(readVex(openVex(statement(products, 'not_affected')), 'a.json'));
  expect(judge({ id: 'X', aliases: ['CVE-1'] }, 'pkg:npm/b@2.0.0')).toBe(
    isHarmless ? 'not affected' : undefined,
  );
});

test('the last statement decides, and open states do not count', () => {
  const judge = (...statuses: string[]) =>
    createVexJudge(
      readVex(openVex(...statuses.map((one) => statement([{ '@id': 'pkg:npm/b' }], one))), 'a.json'),
    )({ id: 'CVE-1' }, 'pkg:npm/b@2.0.0');
  expect(judge('under_investigation')).toBeUndefined();
  expect(judge('not_affected', 'affected')).toBeUndefined();
  expect(judge('affected', 'fixed')).toBe('fixed');
});

test.each([['{'], ['{}'], ['[]'], ['{"@context":"https://openvex.dev/ns","statements":[{}]}']])(
  'a file that is not a VEX document is refused by name: %s',
  (text) => {
    expect(() => readVex(text, 'shop.json')).toThrow(
      'shop.json is not a VEX document: --vex takes OpenVEX or CycloneDX',
    );
  },
);

test('the order of statements decides, whichever id of the vulnerability they name', () => {
  const judge = createVexJudge(
    readVex(
      openVex(statement(['pkg:npm/b'], 'not_affected'), {
        ...statement(['pkg:npm/b'], 'affected'),
        vulnerability: { name: 'GHSA-1' },
      }),
      'a.json',
    ),
  );
  expect(judge({ id: 'GHSA-1', aliases: ['CVE-1'] }, 'pkg:npm/b@1')).toBeUndefined();
  expect(judge({ id: 'CVE-1', aliases: ['GHSA-1'] }, 'pkg:npm/b@1')).toBeUndefined();
});

const bom = (ref: string, more: object = {}) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    metadata: { component: { 'bom-ref': 'shop' } },
    components: [{ 'bom-ref': 'a', components: [{ 'bom-ref': 'b', purl: 'pkg:npm/b@2.0.0' }] }],
    vulnerabilities: [{ id: 'CVE-1', affects: [{ ref, ...more }], analysis: { state: 'not_affected' } }],
  });

test.each([
  ['a component within a component', bom('b'), true],
  ['the product itself', bom('shop'), true],
  ['a component that is not there', bom('some-other-lib'), false],
  ['some versions', bom('b', { versions: [{ version: '2.0.1', status: 'unaffected' }] }), false],
])('an analysis of CycloneDX about %s', (_, text, isHarmless) => {
  const found = createVexJudge(readVex(text, 'a.json'))({ id: 'CVE-1' }, 'pkg:npm/b@2.0.0');
  expect(found).toBe(isHarmless ? 'not affected' : undefined);
});

test('a statement about one release of a distribution leaves others', () => {
  const judge = createVexJudge(
    readVex(openVex(statement(['pkg:deb/debian/vim@9.0-1?distro=debian-11'], 'fixed')), 'a.json'),
  );
  expect(judge({ id: 'CVE-1' }, 'pkg:deb/debian/vim@9.0-1?distro=debian-12')).toBeUndefined();
  expect(judge({ id: 'CVE-1' }, 'pkg:deb/debian/vim@9.0-1?distro=debian-11')).toBe('fixed');
});

test('each package has its own fix in OpenVEX', () => {
  const document = plain(
    openVexOf(scan, [
      finding('CVE-1', 'npm', 'a', '1', { fix: 'Update a to 2.' }),
      finding('CVE-1', 'npm', 'b', '1', { fix: 'Update b to 3.' }),
    ]),
  );
  expect(document.statements.map((one: { action_statement: string }) => one.action_statement)).toEqual([
    'Update a to 2.',
    'Update b to 3.',
  ]);
});
