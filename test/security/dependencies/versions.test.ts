import { describe, expect, test } from 'vitest';
import {
  ECOSYSTEMS,
  type Ecosystem,
  type EcosystemFamily,
} from '../../../src/security/scanners/dependencies/ecosystem.ts';
import {
  VERSION_ORDERS,
  versionOrderOf,
} from '../../../src/security/scanners/dependencies/versions/order.ts';
import {
  isVersionInRange,
  VERSION_RANGE_TESTS,
} from '../../../src/security/scanners/dependencies/versions/ranges.ts';

/** As `dpkg --compare-versions` orders them; deb-version(7). */
const DEBIAN = [
  '0~~',
  '0~',
  '0=0:0',
  '1.0~~',
  '1.0~~a',
  '1.0~rc1-1',
  '1.0=1.0-0=01.0',
  '1.0-0ubuntu1',
  '1.0-1~deb12u1',
  '1.0-1',
  '1.0-1+deb12u1',
  '1.0-1+deb12u2',
  '1.0-1+deb12u10',
  '1.0-1.1',
  '1.0-2',
  '1.0a-1',
  '1.0+dfsg-1',
  '1.0.1-1',
  '1.10-1',
  '10-1',
  '2021.1-1',
  '1:0.1-1',
  '2:0~1',
];
/** rpm-version(7): a tilde before the end, a caret after it. */
const RPM = [
  '1.0~alpha-3',
  '1.0~rc1-1.el9',
  '1.0~rc1^git1-1',
  '1.0=0:1.0=01.0',
  '1.0-1.ael7b',
  '1.0-1.el8=1.0-1_el8',
  '1.0-1.el9',
  '1.0-1.el9_2',
  '1.0-1.el9_10',
  '1.0-2.el9',
  '1.0-10.el9',
  '1.0^git1-1',
  '1.0^git2-1',
  '1.0.a=1.0a',
  '1.0aa',
  '1.0b',
  '1.0.1-1=1.0.01-1',
  '1.1-1',
  '1.10-1',
  '20101121',
  '1:0.1-1',
];
/** apk-package(5) */
const ALPINE = [
  '0.1.0_alpha_pre2',
  '0.1.0_alpha',
  '0.1.0_alpha2',
  '1.0_beta-r1',
  '1.0_pre20191002-r0',
  '1.0_rc1',
  '1.0_rc10-r2',
  '1.0',
  '1.0-r0=1.0~abcdef-r0',
  '1.0-r1=1.0-r01',
  '1.0-r10',
  '1.0_cvs1',
  '1.0_git20200101',
  '1.0_p1-r0',
  '1.0_p10',
  '1.0a',
  '1.0b-r3',
  '1.0p1-r0',
  '1.0p2-r0',
  '1.0.1-r5',
  '1.01',
  '1.02.7',
  '1.1',
  '1.9',
  '1.10',
  '006',
  '20230506-r0',
];
const SEMVER = ['0.9.9', '1.0.0-rc.1', '1.0.0=1.0=v1.0.0=1.0.0+meta', '1.2.0', '1.10.0', '2.0.0'];
const R = ['0.01', '0.1-0=0.1.0', '0.1-1', '0.9', '0.75', '1.0-2', '1.0.10=1.0-10', '1.1'];

/** Ascending, as each ecosystem's own documents order them; what stands after `=` is the same. */
const ASCENDING: Readonly<Record<EcosystemFamily, readonly string[]>> = {
  npm: [
    '0.9.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0=1.0=v1.0.0',
    '1.2.0',
    '1.10.0',
    '2.0.0',
  ],
  'crates.io': ['0.1.0-alpha', '0.1.0', '0.1.1', '1.0.0+build=1.0.0', '1.10.0'],
  Pub: ['0.13.3', '1.0.0-dev.1', '1.0.0', '1.0.1', '1.10.0'],
  Hex: ['0.9.0', '1.0.0-rc.1', '1.0.0-rc.2', '1.0.0', '1.10.0'],
  SwiftURL: ['1.9.0', '2.0.0-beta.1', '2.0.0=v2.0.0', '2.9.0', '2.29.0'],
  'GitHub Actions': ['1.2.3', '44.5.1', '44.10.0', '45.0.7=v45.0.7', '46.0.1'],
  Go: ['0.0.0-20190101000000-abcdefabcdef', '0.0.0-20200101000000-abcdefabcdef', '0.1.0', '1.9.0', '1.10.0'],
  PyPI: ['1.0.dev1', '1.0a1', '1.0a2', '1.0b1', '1.0rc1', '1.0=1.0.0', '1.0.post1', '1.0.1', '1!0.5'],
  // https://maven.apache.org/pom.html#version-order-specification
  Maven: [
    '1-alpha-1=1-a1',
    '1-beta',
    '1-milestone',
    '1-rc=1-cr',
    '1-snapshot=1-SNAPSHOT',
    '1=1.0=1-ga=1.final=1-release',
    '1-sp',
    '1-sp.1',
    '1-foo',
    '1-1',
    '1-2',
    '1.0.1=1..1',
    '1.1',
    '1.2',
    '1.8',
    '1.9',
    '1.10',
    '2.0-m1=2-milestone-1',
    '2',
    '2.17.1',
    '30.0-android',
    '30.0-jre',
  ],
  RubyGems: [
    '0.9',
    '1.0.a',
    '1.0.a1',
    '1.0.a2',
    '1.0.a10',
    '1.0.b1',
    '1.0.beta.0=1.0.beta',
    '1.0.beta.2',
    '1.0.beta.10',
    '1.0-rc.1=1.0.pre.rc.1',
    '1.0-rc.2-x.10=1.0.pre.rc.2.pre.x.10',
    '1.0-rc.2',
    '1.0-1=1.0.pre.1=1.0-1.0',
    '1.0.rc1=1.0.0.rc1',
    '1.0=1.0.0=1= 1 =1.0.0.0',
    '1.0.1.pre',
    '1.0.1',
    '1.2',
    '1.10',
    '10.0',
    '12',
  ],
  Packagist: [
    '1.0.0-dev=1.0-dev=1.0.0dev=1.0.0.dev',
    '1.0.0-alpha-dev',
    '1.0.0-alpha',
    '1.0.0-alpha1=1.0.0a1=1.0.0.alpha1=1.0.0_alpha.1=1.0.0-alpha-1=1.0.0-ALPHA1',
    '1.0.0-alpha2-dev=1.0.0-alpha2dev',
    '1.0.0-alpha2',
    '1.0.0-alpha2.1',
    '1.0.0-alpha2.10',
    '1.0.0-alpha12',
    '1.0.0-alpha20240101',
    '1.0.0-beta',
    '1.0.0-beta2=1.0.0b2',
    '1.0.0-RC1=1.0.0rc1',
    '1.0.0=v1.0=1= 1.0 =1.0.0-stable=1.0.0.0=1.0.0+meta=V1',
    '1.0.0-p1=1.0.0-patch1=1.0.0pl1',
    '1.0.0.1',
    '1.0.0.12',
    '1.0.1',
    '1.0.12',
    '1.2',
    '1.10.0',
    '12.0',
    '123456789.0',
  ],
  NuGet: [
    '0.9.9.9',
    '1.0.0-0',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0-2a',
    '1.0.0-alpha=1.0.0-Alpha=1.0.0-alpha+meta',
    '1.0.0-alpha.1',
    '1.0.0-ALPHA.2',
    '1.0.0-alpha.10',
    '1.0.0-alpha.10.0',
    '1.0.0-alpha.a',
    '1.0.0-alpha.a.1',
    '1.0.0-alpha-b',
    '1.0.0-alpha1',
    '1.0.0-beta',
    '1.0.0=1=1.0=1.0.0.0=1.0.0+meta=v1.0=V1= 1.0 ',
    '1.0.0.1-rc',
    '1.0.0.1',
    '1.0.0.2',
    '1.0.0.10',
    '1.0.1',
    '1.0.9',
    '1.0.10',
    '1.2',
    '1.10',
    '2.0',
    '10',
    '9999999999',
  ],
  CRAN: R,
  Bioconductor: R,
  Hackage: ['0', '0.1', '0.1.0', '0.1.0.1', '1.2', '1.10', '2.0', '20170101'],
  GHC: ['6.10.4-rc1', '6.10.4', '9.2.7', '9.4.5-alpha1', '9.4.5', '9.10.1'],
  // Builds count in Julia.
  Julia: ['0.9.9', '1.0.0-rc1', '1.0.0=1.0=v1.0.0', '1.0.0+0', '1.0.0+1', '1.0.0+10', '1.0.1', '3.0.10'],
  opam: ['1.0~alpha', '1.0=01.0', '1.0+ocaml5', '1.0.1', '1.10', '10'],
  ConanCenter: [
    '1.0-pre.1',
    '1.0-pre.2',
    '1=1.0=1.0.0',
    '1.0+build.1',
    '1.1.1',
    '1.1.1a=1.1.1A',
    '1.1.1t',
    '1.2',
    '1.10',
    '3.0.8',
    '20230401',
    'cci.20210118',
  ],
  VSCode: SEMVER,
  Bitnami: SEMVER,
  Kubernetes: SEMVER,
  'Docker Hardened Images': SEMVER,
  Debian: DEBIAN,
  Ubuntu: DEBIAN,
  Echo: [...DEBIAN.slice(6, 20), '1:1.0-1+echo.1', '1:1.0-1+echo.2'],
  Alpine: ALPINE,
  Wolfi: ALPINE,
  Chainguard: ALPINE,
  MinimOS: ALPINE,
  CleanStart: ALPINE,
  Alpaquita: ALPINE,
  'BellSoft Hardened Containers': ALPINE,
  'Red Hat': RPM,
  'Rocky Linux': RPM,
  AlmaLinux: RPM,
  'Azure Linux': RPM,
  'Photon OS': RPM,
  SUSE: RPM,
  openSUSE: RPM,
  openEuler: RPM,
  Mageia: RPM,
  // The order that pkg-version(8) states; what it has no number for comes before all numbers.
  FreeBSD: [
    '2.*',
    '2pl1',
    '2alpha3=2.a3',
    '2beta1',
    '2rc1',
    '2=2.0=2.0.0',
    '2_1',
    '2_10',
    '2.0.1',
    '2.9f7',
    '2.10',
    '10=10..0',
    '10a',
    '10b',
    '10b2=10bx2',
    '14.3',
    '1,1',
    '1_2,1',
    '2,2',
  ],
  Android: [
    '0',
    ':2021-05-05',
    '9:2023-01-05',
    '12:0',
    '12:2022-10-05',
    '12L:2022-10-05',
    '13',
    '13:2023-01-01',
  ],
  Linux: ['2.6.32.9', '2.6.32.71', '4.19', '6.1-rc1', '6.1-rc10', '6.1=6.1.0', '6.1.9', '6.1.10', '6.10'],
  // These are what they build of others; each form stands below.
  'Red Hat Lightwell': [],
  Root: [],
  TuxCare: [],
  'OSS-Fuzz': [],
};

const ORDERED = (Object.entries(ASCENDING) as [EcosystemFamily, string[]][]).filter(
  ([, steps]) => steps.length > 0,
);

/** Those whose own comparison takes letters and dots wherever they stand. */
const LOOSE: ReadonlySet<string> = new Set(
  ECOSYSTEMS.filter((one) => [RPM, DEBIAN].includes(ASCENDING[one] as string[])).concat(
    'Echo',
    'opam',
    'FreeBSD',
    'ConanCenter',
  ),
);

describe.each(ORDERED)('versions of %s', (ecosystem, steps) => {
  const groups = steps.map((step) => step.split('='));
  test('are compared in the order of the ecosystem', () => {
    const wrong: string[] = [];
    groups.forEach((left, i) => {
      groups.forEach((right, j) => {
        for (const a of left)
          for (const b of right) {
            if (Math.sign(versionOrderOf(ecosystem)(a, b)) !== Math.sign(i - j)) wrong.push(`${a} ? ${b}`);
          }
      });
    });
    expect(wrong).toEqual([]);
  });

  test('are neither before nor after when they are invalid', () => {
    // Maven takes any text as a version.
    if (ecosystem === 'Maven') {
      expect(versionOrderOf(ecosystem)('not a version', '1')).not.toBeNaN();
      expect(versionOrderOf(ecosystem)('1'.repeat(256), '1')).toBeGreaterThan(0);
      expect(versionOrderOf(ecosystem)('1'.repeat(257), '1')).toBeNaN();
      return;
    }
    const plain = LOOSE.has(ecosystem) ? [] : ['a1.0', '1..0'];
    for (const text of ['not a version', '', 'x'.repeat(5000), '1'.repeat(257), '1.0 b', ...plain]) {
      expect([
        text,
        versionOrderOf(ecosystem)(text, '1.0.0'),
        versionOrderOf(ecosystem)('1.0.0', text),
      ]).toEqual([text, NaN, NaN]);
    }
  });
});

test('every ecosystem has an order of versions, and a range test where its lockfiles name ranges', () => {
  const rebuilt = ['Echo', 'Root', 'TuxCare', 'Red Hat Lightwell'];
  expect([...Object.keys(VERSION_ORDERS), ...rebuilt].sort()).toEqual([...ECOSYSTEMS].sort());
  const few = ECOSYSTEMS.filter((one) => (ASCENDING[one] ?? []).length < 5);
  expect(few.sort()).toEqual(['OSS-Fuzz', 'Red Hat Lightwell', 'Root', 'TuxCare']);
  const judged = Object.keys(VERSION_RANGE_TESTS);
  expect(judged.filter((one) => !RANGES.some(([ecosystem]) => ecosystem === one))).toEqual([]);
  expect(judged).toContain('npm');
});

test.each<[Ecosystem, readonly string[]]>([
  ['Echo:PyPI', ['1.0a1', '1.0', '1.0+echo.1', '1.0+echo.2', '1.0.1']],
  ['Echo:npm', ['1.2.3-rc.1', '1.2.3', '1.2.3+echo.1', '1.2.3+echo.10', '1.2.4']],
  ['Echo:Maven', ['1-alpha', '1', '1+echo.1', '1+echo.2', '1.1']],
  ['Root:npm', ['1.0.0', '1.0.0.root.io.1', '1.0.0.root.io.2', '1.0.1']],
  ['Root:PyPI', ['1.0rc1', '1.0', '1.0+root.io.1', '1.0+root.io.2', '1.1']],
  ['Root:Alpine:3.18', ['1.0_rc1-r0', '1.0-r1', '1.0-r10071', '1.1-r0']],
  ['Root:Debian:12', ['1.0~rc1-1', '1.0-1', '1.0-1.root.io.1', '1.0-1.root.io.2', '1.0-2']],
  ['TuxCare:Alpine:v3.16', ['1.0_rc1', '1.0', '1.0-r1']],
  ['TuxCare:Red Hat', ['1.0~rc1-1', '1.0-1', '1.0^git1-1']],
  ['Red Hat Lightwell:Maven', ['5.3.18-alpha', '5.3.18', '5.3.19']],
  ['Maven:https://maven.google.com', ['1.0-alpha01', '1.0', '1.1']],
  ['Debian:12', ['1.0~rc1-1', '1.0-1', '1.0-1+deb12u1']],
])('%s orders %j', (ecosystem, steps) => {
  const order = versionOrderOf(ecosystem);
  const wrong = steps.flatMap((a, i) =>
    steps.flatMap((b, j) => (Math.sign(order(a, b)) === Math.sign(i - j) ? [] : [`${a} ? ${b}`])),
  );
  expect(wrong).toEqual([]);
});

test.each<Ecosystem>(['OSS-Fuzz', 'Root', 'TuxCare', 'TuxCare:TuxCare:npm', 'Red Hat Lightwell'])(
  'in %s two versions are equal or their order is unknown',
  (ecosystem) => {
    expect(versionOrderOf(ecosystem)('1.0', '1.0')).toBe(0);
    expect(versionOrderOf(ecosystem)('1.0', '1.1')).toBeNaN();
  },
);

test.each<[Ecosystem, string]>([
  ['Debian', '1.0-'],
  ['Debian', 'x:1'],
  ['Debian', '1_0'],
  ['Alpine', '1.0_foo'],
  ['Alpine', '1.0-x'],
  ['Alpine', '1.0bc'],
  ['Red Hat', '1:2:3'],
  ['Red Hat', 'abc'],
  ['CRAN', '1.0a'],
  ['Hackage', '1.0-1'],
  ['Linux', '6.1-generic'],
  ['FreeBSD', 'x1'],
  ['ConanCenter', 'cci'],
  ['Android', 'Kernel'],
])('in %s the text %s is not a version', (ecosystem, text) => {
  expect(versionOrderOf(ecosystem)(text, '1')).toBeNaN();
});

test('an endless version of digits is compared without delay', () => {
  const long = '1'.repeat(150);
  expect(VERSION_ORDERS.Maven(`1.${long}1`, `1.${long}`)).toBe(1);
  expect(VERSION_ORDERS.RubyGems(`1.${long}`, `1.${long}.1`)).toBe(-1);
  expect(VERSION_ORDERS.Maven('1-'.repeat(120), '1')).toEqual(expect.any(Number));
});

test.each<[Ecosystem, string]>([
  ['RubyGems', 'x1.0'],
  ['RubyGems', '1.0-'],
  ['RubyGems', '1.0-a!'],
  ['RubyGems', '1.0-a.!'],
  ['RubyGems', '1.!'],
  ['RubyGems', `1.${'0'.repeat(255)}`],
  ['Packagist', '1.0.0.0.0'],
  ['Packagist', '1.0-gamma'],
  ['Packagist', '1234567890.0'],
  ['Packagist', 'dev-main'],
  ['Packagist', '1.0.0 + meta'],
  ['NuGet', '1.0.0.0.0'],
  ['NuGet', '12345678901.0'],
  ['NuGet', '1.0-'],
  ['NuGet', '1.0-a..b'],
  ['NuGet', '1.0-a_b'],
  ['NuGet', '1.0+a b'],
])('in %s %s is not a version', (ecosystem, text) => {
  expect(versionOrderOf(ecosystem)(text, '1.0')).toBeNaN();
});

test('more versions than the cache holds are still ordered', () => {
  for (let at = 1; at < 1200; at++) expect(VERSION_ORDERS.NuGet(`1.${at}`, `1.${at - 1}`)).toBe(1);
  expect(VERSION_ORDERS.NuGet('1.0', '1.1')).toBe(-1);
});

test.each<[Ecosystem, string, string]>([
  ['npm', '1.2', '1.2.0'],
  ['npm', '12', '12.0.0'],
  ['npm', 'v1.12', '1.12.0'],
  ['npm', '1.2-rc.1', '1.2.0-rc.1'],
  ['npm', '=1.2.3', '1.2.3'],
  ['Go', 'v1.2.3', '1.2.3'],
])('in %s %s is %s', (ecosystem, short, whole) => {
  expect(versionOrderOf(ecosystem)(short, whole)).toBe(0);
});

/** The lists of Apache Maven's own ComparableVersionTest. */
test.each([
  [
    '1-alpha2snapshot 1-alpha2 1-alpha-123 1-beta-2 1-beta123 1-m2 1-m11 1-rc 1-cr2 1-rc123 1-SNAPSHOT 1 1-sp 1-sp2',
    '1-sp123 1-abc 1-def 1-pom-1 1-1-snapshot 1-1 1-2 1-123',
  ],
  [
    '2.0 2.0.a 2-1 2.0.2 2.0.123 2.1.0 2.1-a 2.1b 2.1-c 2.1-1 2.1.0.1 2.2 2.123 11.a2 11.a11 11.b2 11.b11 11.m2',
    '11.m11 11 11.a 11b 11c 11m',
  ],
])('Maven orders %s', (...lines) => {
  const versions = lines.join(' ').split(' ');
  const wrong = versions.flatMap((low, at) =>
    versions
      .slice(at + 1)
      .filter((high) => VERSION_ORDERS.Maven(low, high) >= 0 || VERSION_ORDERS.Maven(high, low) <= 0)
      .map((high) => `${low} ? ${high}`),
  );
  expect(wrong).toEqual([]);
});

test.each([
  '1',
  '1.0',
  '1.0.0',
  '1-0',
  '1.0-0',
  '1_0',
  '1ga',
  '1-final',
  '1.RELEASE',
  '1-Ga',
  '1-0.ga',
  '1-0.final',
])('to Maven %s is 1', (version) => {
  expect([VERSION_ORDERS.Maven(version, '1'), VERSION_ORDERS.Maven('1', version)].map(Math.abs)).toEqual([
    0, 0,
  ]);
});

test.each(['abc', 'alpha', 'a', 'beta', 'b', 'def', 'milestone', 'm', 'rc'])(
  'to Maven %s after a dot is the same as after a hyphen',
  (word) => {
    expect(VERSION_ORDERS.Maven(`1.0.0.${word}1`, `1.0.0-${word}2`)).toBeLessThan(0);
    for (const [a, b] of [
      [`2-${word}`, `2.0.${word}`],
      [`2-${word}`, `2.0.0.${word}`],
      [`2.0.${word}`, `2.0.0.${word}`],
    ])
      expect(Math.abs(VERSION_ORDERS.Maven(a ?? '', b ?? ''))).toBe(0);
  },
);

/** Words that mean a release count before other items, and numbers above 0 behind zeros. */
test.each([
  ['foo', '0-1'],
  ['1-sp', '1-ga-1'],
  ['1-ga.1', '1-sp'],
  ['1-alpha.1', '1-a.1'],
  ['1-foo', '1-foo.0.1'],
  ['1', '1.0.0.1'],
  ['1+1', '2'],
])('Maven orders %s before %s', (low, high) => {
  expect([Math.sign(VERSION_ORDERS.Maven(low, high)), Math.sign(VERSION_ORDERS.Maven(high, low))]).toEqual([
    -1, 1,
  ]);
});

test.each([
  ['1-foo', '1-foo.0'],
  ['1-foo', '1-foo-0'],
  ['1.1', '1.1.'],
  ['1.1', '1.1-'],
])('to Maven %s is %s', (one, other) => {
  expect(Math.abs(VERSION_ORDERS.Maven(one, other))).toBe(0);
});

const RANGES: readonly (readonly [Ecosystem, string, readonly string[], readonly string[]])[] = [
  ['npm', '^1.2.0', ['1.2.0', '1.9.9'], ['1.1.0', '2.0.0']],
  ['npm', '1.x || >=2.5.0 <3', ['1.0.0', '2.6.0'], ['2.0.0', '3.0.0']],
  ['crates.io', '1.2', ['1.2.0', '1.9.0'], ['2.0.0']],
  ['crates.io', '>=0.1.40, <0.2', ['0.1.45'], ['0.2.0']],
  ['crates.io', '~0.1.4', ['0.1.9'], ['0.2.0']],
  ['PyPI', '>=4.2,<5', ['4.2.11'], ['5.0', '4.1']],
  ['PyPI', '~=4.2.1', ['4.2.9'], ['4.3']],
  ['PyPI', '*', ['1.0'], []],
  ['PyPI', '^1.2.3', ['1.9'], ['2.0', '1.2.2']],
  ['PyPI', '^0.2.3', ['0.2.9'], ['0.3.0']],
  ['PyPI', '~1.2', ['1.2.9'], ['1.3']],
  ['PyPI', '1.2.3', ['1.2.3'], ['1.2.4']],
  ['Pub', '^0.13.3', ['0.13.9'], ['0.14.0', '0.13.2']],
  ['Pub', '>=2.0.0 <3.0.0', ['2.5.0'], ['3.0.0']],
  ['Hex', '~> 1.0 or ~> 2.0', ['1.9.0', '2.3.0'], ['3.0.0', '0.9.0']],
  ['Hex', '>= 1.1.0 and < 1.4.0', ['1.2.0'], ['1.4.0', '1.0.0']],
  ['SwiftURL', '>=2.0.0 <3.0.0', ['2.29.0'], ['3.0.0']],
  ['GitHub Actions', '1.2.3', ['1.2.3'], ['1.2.4']],
  ['RubyGems', '~> 7.0', ['7.1.2'], ['8.0']],
  ['RubyGems', '~> 7.0.1', ['7.0.9'], ['7.1']],
  ['RubyGems', '>= 1.8.5, < 2', ['1.9'], ['2.0', '1.8.4']],
  ['RubyGems', '!= 1.0', ['1.1'], ['1.0']],
  ['Packagist', '^5.4', ['5.4.20', '5.9'], ['6.0', '5.3']],
  ['Packagist', '~1.2', ['1.9'], ['2.0']],
  ['Packagist', '~1.2.3', ['1.2.9'], ['1.3']],
  ['Packagist', '1.2.* || ^2', ['1.2.7', '2.5'], ['1.3.0', '3.0']],
  ['Packagist', '1.0 - 2.0', ['1.5'], ['2.1']],
  ['Packagist', '>=1.0 <1.1@dev', ['1.0.5'], ['1.1']],
  ['NuGet', '12.0.1', ['12.0.1', '13.0.1'], ['12.0.0']],
  ['NuGet', '[1.0,2.0)', ['1.5'], ['2.0', '0.9']],
  ['NuGet', '(,1.0]', ['1.0', '0.1'], ['1.1']],
  ['NuGet', '[1.0]', ['1.0'], ['1.1']],
  ['Maven', '[2.0,3.0)', ['2.17.1'], ['3.0']],
  ['NuGet', '(1.0,2.0]', ['1.0.1', '2.0'], ['1.0', '2.0.1']],
  ['NuGet', ' [ 1.0 , 2.0 ] ', ['1.0', '2.0'], ['0.9', '2.1']],
  ['NuGet', '[1.0,)', ['1.0', '99'], ['0.9']],
  ['NuGet', '(1.0,)', ['1.1'], ['1.0']],
  ['Maven', '[1.0,2.0]', ['1.0', '2.0'], ['2.0.1']],
  ['Maven', ' (,1.0)', ['0.9'], ['1.0']],
  ['RubyGems', '> 1.0', ['1.0.1'], ['1.0']],
  ['RubyGems', '<= 1.0', ['1.0', '0.9'], ['1.0.1']],
  ['RubyGems', '= 1.0', ['1.0'], ['1.1', '0.9']],
  ['RubyGems', '>= 1.0', ['1.0'], ['0.9']],
  ['RubyGems', '~> 2', ['2.0', '2.9'], ['1.9', '3.0']],
  ['Packagist', '1.0 - 2.0', ['1.0', '2.0'], ['0.9']],
  ['Packagist', 'v1.2.*', ['1.2.0', '1.2.9'], ['1.1.9', '1.3']],
  ['Packagist', '*', ['0.1', '9.0'], []],
  ['Packagist', '^0.0.3', ['0.0.3'], ['0.0.4', '0.0.2']],
  ['Packagist', '^0.0', ['0.0.5'], ['0.1']],
  ['Packagist', '1.0||2.0', ['1.0', '2.0'], ['1.5']],
  ['Packagist', '>= 1.0, < 1.5 | ^3', ['1.2', '3.1'], ['1.5', '0.9', '2.0']],
  ['PyPI', '~1', ['1.0', '1.9'], ['2.0', '0.9']],
  ['PyPI', '~1.2.3', ['1.2.3', '1.2.9'], ['1.3', '1.2.2']],
  ['PyPI', '', ['1.0'], []],
  ['PyPI', '1.2.*', ['1.2.5'], ['1.3']],
  ['PyPI', '^1.2 || ^3', ['1.3', '3.0'], ['2.0']],
  ['crates.io', '0.1.2', ['0.1.2', '0.1.9'], ['0.2.0', '0.1.1']],
  ['crates.io', ' >=1.0.0 , <1.5 ', ['1.2.0'], ['1.5.0']],
  ['Packagist', '  1.0  -  2.0  ', ['1.0', '2.0'], ['2.1', '0.9']],
  ['Packagist', '>=  1.0  ,  <  2.0', ['1.0'], ['2.0']],
  ['Packagist', '1.*', ['1.0', '1.9'], ['2.0', '0.9']],
  ['Packagist', '>=v1.0', ['1.0'], ['0.9']],
  ['Packagist', '^0', ['0.9'], ['1.0']],
  ['Packagist', '', ['1.0'], []],
  ['Packagist', '~1', ['1.0'], ['2.0']],
  ['RubyGems', '~> 2.10.3.1', ['2.10.3.1', '2.10.3.9'], ['2.10.4']],
  ['PyPI', ' * ', ['1.0'], []],
  ['PyPI', ' ', ['1.0'], []],
  ['PyPI', '!=1.5,>=1.0', ['1.4'], ['1.5']],
  ['PyPI', '==1.*', ['1.9'], ['2.0']],
  ['PyPI', '^1.2.3.4', ['1.9'], ['2.0']],
  ['crates.io', '>=1.0.0, 1.2', ['1.5.0'], ['2.0.0', '1.1.0']],
  // A local version of a package is the same release.
  ['PyPI', '==2.0', ['2.0', '2.0+cpu'], ['2.1']],
  ['PyPI', '~=1.2 || ^3', ['1.9', '3.1'], ['2.0', '1.1']],
  ['PyPI', '>=1.0,<2.0', ['1.5+cpu'], ['2.0']],
  ['Maven', '[ 1.0 , 2.0 ]', ['1.0', '2.0'], ['0.9', '2.0.1']],
  ['Maven', '[ 1.0 ]', ['1.0'], ['1.1']],
  ['npm', `>=1.0.0${' '.repeat(493)}`, ['1.0.0'], ['0.9.0']],
  ['Packagist', '^0.0.0', ['0.0.0'], ['0.0.1']],
  ['Packagist', ' , 1.0', ['1.0'], ['1.1']],
  ['RubyGems', '>=1.0.a', ['1.0.a', '1.0'], ['0.9']],
  ['RubyGems', '~> 1.2.a', ['1.2', '1.9'], ['2.0', '1.1']],
  ['Go', 'v0.0.0-20190101000000-abcdefabcdef', ['v0.1.0'], ['v2.0.0']],
  ['Go', 'v2.0.0+incompatible', ['v2.1.0+incompatible'], ['v3.0.0']],
  ['Go', 'v1.2.0', ['v1.9.0', '0.5.0'], ['v2.0.0']],
  ['Go', '2.1.0', ['2.0.0'], ['1.9.0', '3.0.0']],
  ['Go', '0.5.0', ['1.0.0'], ['2.0.0']],
  ['Go', '1.2.0', ['1.9.0', '0.5.0'], ['2.0.0']],
];

test.each(RANGES)('in %s the range %s takes in %j and not %j', (ecosystem, range, within, without) => {
  expect(within.map((version) => isVersionInRange(ecosystem, version, range))).toEqual(
    within.map(() => true),
  );
  expect(without.map((version) => isVersionInRange(ecosystem, version, range))).toEqual(
    without.map(() => false),
  );
});

test.each<[Ecosystem, string]>([
  ['npm', 'workspace:*'],
  ['npm', 'git+https://example.com/x.git'],
  ['crates.io', 'nonsense'],
  ['Maven', '2.14.1'],
  ['Go', 'latest'],
  ['Packagist', 'dev-main'],
  ['npm', '^1.0.0 '.repeat(1000)],
  ['Go', ''],
  ['NuGet', 'latest'],
  ['Packagist', '^dev-main || >=x'],
  ['Packagist', '1.0*'],
  ['Packagist', '~x'],
  ['RubyGems', '>= latest'],
  ['Maven', 'x[1.0,2.0]'],
  ['NuGet', 'x[1.0,2.0]'],
  ['NuGet', '[1.0,2.0]x'],
  ['npm', `>=1.0.0${' '.repeat(500)}`],
])('in %s the range %s cannot be judged', (ecosystem, range) => {
  expect(isVersionInRange(ecosystem, '1.0.0', range)).toBeUndefined();
});

test.each<Ecosystem>(['Root:npm', 'Root:Alpine:3.18', 'TuxCare:npm', 'Echo:PyPI', 'Red Hat Lightwell:npm'])(
  'an invalid version compares as unknown in %s',
  (ecosystem) => {
    const order = versionOrderOf(ecosystem);
    expect([order('1.2!', '1.2.3'), order('1.2.3', '1.2!'), order('', '1.2.3')]).toEqual([NaN, NaN, NaN]);
    expect(order('1.2.3', '1.2.4')).toBeLessThan(0);
  },
);
