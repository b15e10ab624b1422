import { describe, expect, test } from 'vitest';
import { ECOSYSTEMS, type Ecosystem } from '../../../src/security/scanners/dependencies/locked.ts';
import { ORDERS } from '../../../src/security/scanners/dependencies/versions/order.ts';
import { reaches } from '../../../src/security/scanners/dependencies/versions/reach.ts';

/** Ascending, as each ecosystem's own documents order them; what stands after `=` is the same. */
const ASCENDING: Readonly<Record<Ecosystem, readonly string[]>> = {
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
    '1.1',
    '1.2',
    '1.10',
    '2.0-m1=2-milestone-1',
    '2',
    '2.17.1',
    '30.0-android',
    '30.0-jre',
  ],
  RubyGems: [
    '1.0.a',
    '1.0.a1',
    '1.0.a2',
    '1.0.b1',
    '1.0.rc1=1.0.0.rc1',
    '1.0=1.0.0=1',
    '1.0.1.pre',
    '1.0.1',
    '1.2',
    '1.10',
  ],
  Packagist: [
    '1.0.0-dev',
    '1.0.0-alpha1',
    '1.0.0-alpha2',
    '1.0.0-beta',
    '1.0.0-beta2',
    '1.0.0-RC1',
    '1.0.0=v1.0=1',
    '1.0.0-p1=1.0.0-patch1',
    '1.0.0.1',
    '1.2',
    '1.10.0',
  ],
  NuGet: [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-ALPHA.2',
    '1.0.0-beta',
    '1.0.0=1.0=1.0.0.0=1.0.0+meta',
    '1.0.0.1',
    '1.0.1',
    '1.10',
  ],
};

describe.each(Object.entries(ASCENDING) as [Ecosystem, string[]][])('versions of %s', (ecosystem, steps) => {
  const groups = steps.map((step) => step.split('='));
  test('are ordered as it orders them', () => {
    const wrong: string[] = [];
    groups.forEach((left, i) => {
      groups.forEach((right, j) => {
        for (const a of left)
          for (const b of right) {
            if (Math.sign(ORDERS[ecosystem](a, b)) !== Math.sign(i - j)) wrong.push(`${a} ? ${b}`);
          }
      });
    });
    expect(wrong).toEqual([]);
  });

  test('that are invalid are neither before nor after', () => {
    // Maven takes any text as a version.
    if (ecosystem === 'Maven') expect(ORDERS[ecosystem]('not a version', '1')).not.toBeNaN();
    else
      for (const text of ['not a version', '', 'x'.repeat(5000)])
        expect(ORDERS[ecosystem](text, '1.0.0')).toBeNaN();
  });
});

test('every ecosystem has versions in order and ranges', () => {
  expect(Object.keys(ORDERS).sort()).toEqual([...ECOSYSTEMS].sort());
  expect(ECOSYSTEMS.filter((one) => (ASCENDING[one] ?? []).length < 5)).toEqual([]);
  expect(ECOSYSTEMS.filter((one) => !RANGES.some(([ecosystem]) => ecosystem === one))).toEqual([]);
});

test('a version of digits without end is compared without delay', () => {
  const long = '1'.repeat(150);
  expect(ORDERS.Maven(`1.${long}1`, `1.${long}`)).toBe(1);
  expect(ORDERS.RubyGems(`1.${long}`, `1.${long}.1`)).toBe(-1);
  expect(ORDERS.Maven('1-'.repeat(120), '1')).toEqual(expect.any(Number));
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
  ['Go', '1.2.0', ['1.9.0', '0.5.0'], ['2.0.0']],
];

test.each(RANGES)('in %s the range %s takes in %j and not %j', (ecosystem, range, within, without) => {
  expect(within.map((version) => reaches(ecosystem, version, range))).toEqual(within.map(() => true));
  expect(without.map((version) => reaches(ecosystem, version, range))).toEqual(without.map(() => false));
});

test.each<[Ecosystem, string]>([
  ['npm', 'workspace:*'],
  ['npm', 'git+https://example.com/x.git'],
  ['crates.io', 'nonsense'],
  ['Maven', '2.14.1'],
  ['Go', 'latest'],
  ['Packagist', 'dev-main'],
  ['npm', '^1.0.0 '.repeat(1000)],
])('in %s the range %s cannot be judged', (ecosystem, range) => {
  expect(reaches(ecosystem, '1.0.0', range)).toBeUndefined();
});
