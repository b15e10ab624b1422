import { describe, expect, test } from 'vitest';
import type { Advisory } from '../../../src/security/scanners/dependencies/advisories/advisory.ts';
import {
  fixesFor,
  isAffected,
  lastAffected,
} from '../../../src/security/scanners/dependencies/advisories/affected-versions.ts';
import { readOsvRecord } from '../../../src/security/scanners/dependencies/advisories/osv-record.ts';
import {
  cvssOf,
  groupByVulnerability,
  vulnerabilityFinding,
} from '../../../src/security/scanners/dependencies/vulnerable.ts';

interface Parts {
  readonly ecosystem?: string;
  readonly events?: readonly object[];
  readonly type?: string;
  readonly versions?: readonly string[];
}

function record({ ecosystem = 'npm', events, type = 'SEMVER', versions }: Parts, more: object = {}) {
  return {
    id: 'GHSA-aaaa-bbbb-cccc',
    affected: [
      {
        package: { ecosystem, name: 'a' },
        ...(events && { ranges: [{ type, events }] }),
        ...(versions && { versions }),
      },
    ],
    ...more,
  };
}

function read(parts: Parts, more: object = {}): Advisory {
  const advisory = readOsvRecord(record(parts, more));
  if (!advisory) throw new Error('no advisory');
  return advisory;
}

const at = (version: string, ecosystem = 'npm') => ({ ecosystem, name: 'a', version });

describe('which versions an advisory holds for', () => {
  test.each<[string, Parts, readonly string[], readonly string[]]>([
    [
      'introduced and fixed',
      { events: [{ introduced: '1.0.0' }, { fixed: '1.2.0' }] },
      ['1.0.0', '1.1.9'],
      ['0.9.0', '1.2.0', '2.0.0'],
    ],
    [
      'from the first version on',
      { events: [{ introduced: '0' }, { fixed: '1.2.0' }] },
      ['0.0.1', '1.2.0-rc.1'],
      ['1.2.0'],
    ],
    ['without an end', { events: [{ introduced: '1.0.0' }] }, ['1.0.0', '99.0.0'], ['0.9.0']],
    ['last affected', { events: [{ introduced: '0' }, { last_affected: '1.2.0' }] }, ['1.2.0'], ['1.2.1']],
    [
      'one version alone',
      { events: [{ introduced: '1.2.0' }, { last_affected: '1.2.0' }] },
      ['1.2.0'],
      ['1.1.9', '1.2.1'],
    ],
    [
      'several ranges, listed in any order',
      { events: [{ fixed: '2.1.0' }, { introduced: '2.0.0' }, { fixed: '1.2.0' }, { introduced: '0' }] },
      ['1.0.0', '2.0.5'],
      ['1.2.0', '1.9.0', '2.1.0'],
    ],
    [
      'a stretch that begins where another ends',
      { events: [{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '1.0.0' }, { fixed: '2.0.0' }] },
      ['0.5.0', '1.0.0'],
      ['2.0.0'],
    ],
    ['a limit', { events: [{ introduced: '1.0.0' }, { limit: '1.5.0' }] }, ['1.4.0'], ['1.5.0', '2.0.0']],
    ['a limit of any', { events: [{ introduced: '1.0.0' }, { limit: '*' }] }, ['9.0.0'], ['0.1.0']],
    ['versions one by one', { versions: ['1.0.0', '1.1.0'] }, ['1.1.0'], ['1.0.5']],
    [
      'git ranges, which say nothing of versions',
      { type: 'GIT', events: [{ introduced: '0' }] },
      [],
      ['1.0.0'],
    ],
    [
      'Python by its own rules',
      { ecosystem: 'PyPI', type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '4.2.1' }] },
      ['4.2', '4.2rc1', '4.2.1.dev1'],
      ['4.2.1', '4.2.1.post1', '4.10'],
    ],
    [
      'Maven by its own rules',
      { ecosystem: 'Maven', type: 'ECOSYSTEM', events: [{ introduced: '2.0-beta9' }, { fixed: '2.15.0' }] },
      ['2.14.1', '2.0-rc1'],
      ['2.0-beta8', '2.15.0'],
    ],
    [
      'NuGet without regard to trailing zeros',
      { ecosystem: 'NuGet', type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '13.0.1' }] },
      ['12.0.3'],
      ['13.0.1.0'],
    ],
    [
      'events without a valid version are skipped',
      { events: [{ introduced: 'main' }, { introduced: '1.0.0' }, { fixed: '2.0.0' }] },
      ['1.5.0'],
      ['0.5.0', '2.0.0'],
    ],
  ])('%s', (_, parts, within, without) => {
    const advisory = read(parts);
    const ecosystem = parts.ecosystem ?? 'npm';
    expect(within.filter((version) => !isAffected(advisory, at(version, ecosystem)))).toEqual([]);
    expect(without.filter((version) => isAffected(advisory, at(version, ecosystem)))).toEqual([]);
  });

  test('package names are compared by the rules of their ecosystem', () => {
    const python = readOsvRecord({
      id: 'PYSEC-1',
      affected: [{ package: { ecosystem: 'PyPI', name: 'Zope.Interface' }, versions: ['1.0'] }],
    });
    expect(python && isAffected(python, { ecosystem: 'PyPI', name: 'zope-interface', version: '1.0' })).toBe(
      true,
    );
    expect(python && isAffected(python, { ecosystem: 'npm', name: 'zope-interface', version: '1.0' })).toBe(
      false,
    );
  });

  test('the named fixes are later than the version and are not affected again', () => {
    const advisory = read({
      events: [
        { introduced: '0' },
        { fixed: '1.2.0' },
        { introduced: '2.0.0' },
        { fixed: '2.1.0' },
        { introduced: '2.1.0' },
        { fixed: '2.2.0' },
      ],
    });
    expect(fixesFor(advisory, at('1.0.0'))).toEqual(['1.2.0', '2.2.0']);
    expect(fixesFor(advisory, at('2.0.0'))).toEqual(['2.2.0']);
    expect(
      lastAffected(read({ events: [{ introduced: '0' }, { last_affected: '3.0.0' }] }), at('1.0.0')),
    ).toBe('3.0.0');
  });
});

test.each([
  ['withdrawn', record({ versions: ['1'] }, { withdrawn: '2024-01-01T00:00:00Z' })],
  ['of another ecosystem', record({ ecosystem: 'Gentoo', versions: ['1'] })],
  ['without a package', { id: 'GHSA-x' }],
  ['with an id that is none', record({ versions: ['1'] }, { id: '../../etc/passwd' })],
  ['null', null],
  ['a text', 'GHSA-x'],
  [
    'of other shapes',
    { id: 'GHSA-x', affected: [null, 5, { package: [] }, { package: { ecosystem: 'npm', name: {} } }] },
  ],
])('a record %s is skipped', (_, value) => {
  expect(readOsvRecord(value)).toBeUndefined();
});

test('texts of records are cut to one line without terminal control characters', () => {
  const { summary } = read({ versions: ['1'] }, { summary: 'a\u001b[31m\nb\u202e', details: 'not this' });
  expect(summary).toBe('a [31m b');
  const { details } = read({ versions: ['1'] }, { details: 'long '.repeat(1000) });
  expect(details.length).toBeLessThanOrEqual(602);
});

test.each([
  [['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'], 9.8],
  [['CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H'], 10],
  [['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'], 9.3],
  [
    [
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L',
      'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N',
    ],
    8.7,
  ],
])('%j has the score %d', (vectors, score) => {
  expect(cvssOf(vectors)).toEqual({ score, vector: expect.stringMatching(/^CVSS:/) });
});

test.each([[[]], [['AV:N/AC:L/Au:N/C:P/I:P/A:P']], [['CVSS:3.1/nonsense']], [['CVSS:4.0/AV:N']]])(
  '%j has no score',
  (vectors) => {
    expect(cvssOf(vectors)).toBeUndefined();
  },
);

describe('a finding', () => {
  const lockfile = (asked: readonly string[], direct = true) => ({
    path: 'package-lock.json',
    ecosystem: 'npm' as const,
    packages: [
      { name: 'root', version: '3.0.0', line: 1, direct: true, asked: [], needs: [1] },
      {
        name: 'a',
        version: '1.0.0',
        line: 7,
        direct,
        asked: [...asked],
        needs: [],
        ...(!direct && { from: 0 }),
      },
    ],
  });
  const finding = (records: readonly Advisory[], asked: readonly string[] = [], direct = true) => {
    const from = lockfile(asked, direct);
    const used = from.packages[1];
    if (!used) throw new Error('no package');
    return vulnerabilityFinding(from, used, records);
  };
  const fixed = [{ introduced: '0' }, { fixed: '1.2.0' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }];

  test('names the advisory by its CVE and lists the other ids', () => {
    const github = read(
      { events: fixed },
      {
        aliases: ['CVE-2024-1'],
        summary: 'It breaks',
        severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
        database_specific: { cwe_ids: ['CWE-79'] },
      },
    );
    const other = read(
      { versions: ['1.0.0'] },
      { id: 'PYSEC-2024-1', aliases: ['CVE-2024-1'], summary: 'Other words' },
    );
    const [group = []] = groupByVulnerability([other, github]);
    expect(group).toHaveLength(2);
    expect(finding(group, ['^1.0.0'])).toMatchObject({
      id: 'CVE-2024-1',
      aliases: ['GHSA-aaaa-bbbb-cccc', 'PYSEC-2024-1'],
      severity: 'critical',
      description: 'a 1.0.0: It breaks.',
      cwe: ['CWE-79'],
      cvss: { score: 9.8 },
      line: 7,
      package: { ecosystem: 'npm', name: 'a', version: '1.0.0' },
      fixedIn: '1.2.0',
      fix: 'Update a to 1.2.0, which the range in use allows.',
    });
  });

  test('names the lowest fix that the ranges reach, or says that there is none', () => {
    const advisory = read({ events: fixed });
    expect(finding([advisory], ['>=2'])).toMatchObject({ fixedIn: '2.1.0' });
    expect(finding([advisory], ['^1.0.0', '~1.0.0'])).toMatchObject({
      fixedIn: '1.2.0',
      fix: 'Update a to 1.2.0: the range in use (~1.0.0) does not allow it, so change the range.',
    });
    expect(finding([advisory], ['1.0.0'], false)).toMatchObject({
      description: expect.stringContaining(' It is required by root@3.0.0.'),
      fix: expect.stringContaining('or update what asks for it'),
    });
    expect(finding([advisory])).toMatchObject({ fixedIn: '1.2.0', fix: 'Update a to 1.2.0 or later.' });
    const none = finding([read({ events: [{ introduced: '0' }] })]);
    expect(none).toMatchObject({ fix: expect.stringContaining('No fixed version is known') });
    expect(none).not.toHaveProperty('fixedIn');
  });

  test('takes its severity from the score, else from the database, else medium; a malicious package is critical', () => {
    const level = (severity: string) =>
      finding([read({ versions: ['1.0.0'] }, { database_specific: { severity } })]).severity;
    expect([level('MODERATE'), level('LOW'), level('HIGH'), level('?')]).toEqual([
      'medium',
      'low',
      'high',
      'medium',
    ]);
    expect(finding([read({ versions: ['1.0.0'] }, { id: 'MAL-2024-1' })])).toMatchObject({
      id: 'MAL-2024-1',
      severity: 'critical',
      title: 'Malicious package a',
      cwe: ['CWE-506'],
      fix: expect.stringContaining('Remove a'),
    });
  });

  test('records that share an id through a third record are one vulnerability', () => {
    const make = (id: string, aliases: string[]) => read({ versions: ['1.0.0'] }, { id, aliases });
    const groups = groupByVulnerability([
      make('GHSA-1', []),
      make('PYSEC-1', ['CVE-1']),
      make('GO-1', ['CVE-1', 'GHSA-1']),
      make('GHSA-2', []),
    ]);
    expect(groups.map((group) => group.map(({ id }) => id).sort())).toEqual([
      ['GHSA-1', 'GO-1', 'PYSEC-1'],
      ['GHSA-2'],
    ]);
  });
});

describe('releases of a distribution', () => {
  const stated = (ecosystem: string, fixed: string) => ({
    package: { ecosystem, name: 'openssl' },
    ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
  });
  const holds = (asked: string, version: string, ...affected: object[]) => {
    const advisory = readOsvRecord({ id: 'DSA-1', affected });
    return advisory && isAffected(advisory, { ecosystem: asked, name: 'openssl', version });
  };

  test.each([
    // Each release has its own fix.
    ['Debian:12', '3.0.9-1', true],
    ['Debian:12', '3.0.11-1~deb12u1', false],
    ['Debian:11', '1.1.1n-0+deb11u4', true],
    ['Debian:11', '1.1.1n-0+deb11u5', false],
    // 1.1.1 would be before any 3.0 of another release.
    ['Debian:10', '1.1.1', false],
  ])('release %s at version %s is affected: %j', (asked, version, expected) => {
    const entries = [stated('Debian:12', '3.0.11-1~deb12u1'), stated('Debian:11', '1.1.1n-0+deb11u5')];
    expect(holds(asked, version, ...entries)).toBe(expected);
  });

  test.each([
    ['Debian:12', 'Debian', true],
    ['Alpine:v3.18', 'Alpine:3.18', true],
    ['Ubuntu:22.04', 'Ubuntu:22.04:LTS', true],
    ['Ubuntu:22.04:LTS', 'Ubuntu:22.04', true],
    ['Ubuntu:22.04', 'Ubuntu:Pro:22.04:LTS', true],
    ['Ubuntu:22.04:LTS', 'Ubuntu:Pro:22.04:LTS', true],
    ['Ubuntu:Pro:22.04:LTS', 'Ubuntu:22.04:LTS', false],
    ['Ubuntu:22.04', 'Ubuntu:20.04:LTS', false],
    ['Red Hat:enterprise_linux:9', 'Red Hat:enterprise_linux:9::baseos', true],
    ['Red Hat:enterprise_linux:9::baseos', 'Red Hat:enterprise_linux:9::appstream', false],
    ['Red Hat:enterprise_linux:9', 'Red Hat:enterprise_linux:90', false],
    ['openSUSE:Leap 15.6', 'openSUSE:Leap 15.5', false],
    ['Debian:12', 'Ubuntu:12', false],
  ])('for %s an entry of %s applies: %j', (asked, ecosystem, expected) => {
    expect(holds(asked, '1.0-1', stated(ecosystem, '2.0-1'))).toBe(expected);
  });

  test('the only upstream id of a record is an alias, and a word in place of a vector is the severity', () => {
    const record = {
      id: 'UBUNTU-CVE-2024-1',
      upstream: ['CVE-2024-1'],
      severity: [{ type: 'Ubuntu', score: 'negligible' }],
      affected: [stated('Ubuntu:22.04:LTS', '2.0-1')],
    };
    expect(readOsvRecord(record)).toMatchObject({ aliases: ['CVE-2024-1'], level: 'low' });
    const several = readOsvRecord({ ...record, id: 'USN-1-1', upstream: ['CVE-2024-1', 'CVE-2024-2'] });
    expect(several?.aliases).toEqual([]);
  });

  test('names of rebuilt packages are compared by the rules of the original ecosystem', () => {
    const advisory = readOsvRecord({
      id: 'ECHO-1',
      affected: [{ package: { ecosystem: 'Echo:PyPI', name: 'Zope.Interface' }, versions: ['1.0'] }],
    });
    const asked = { ecosystem: 'Echo:PyPI', name: 'zope_interface', version: '1.0' };
    expect(advisory && isAffected(advisory, asked)).toBe(true);
  });
});
