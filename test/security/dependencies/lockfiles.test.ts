import { describe, expect, test } from 'vitest';
import type { LockfileContent } from '../../../src/security/scanners/dependencies/lockfile-reader.ts';
import { LOCKFILES } from '../../../src/security/scanners/dependencies/lockfiles.ts';
import { parseLockfile, readerOf } from '../../../src/security/scanners/dependencies/parse.ts';
import { LOCKFILE_CASES } from './lockfile-cases.ts';

function parse(path: string, text: string, beside: Readonly<Record<string, string>> = {}) {
  const reader = readerOf(path);
  if (!reader) throw new Error(`no reader for ${path}`);
  const bytes = Object.entries(beside).map(([name, content]) => [name, Buffer.from(content)] as const);
  return parseLockfile({ kind: reader.kind, path, content: Buffer.from(text), beside: bytes });
}

function locked(path: string, text: string, beside: Readonly<Record<string, string>> = {}): LockfileContent {
  const answer = parse(path, text, beside);
  if ('broken' in answer) throw new Error(answer.broken);
  return answer.locked;
}

describe('what a lockfile holds', () => {
  test.each(LOCKFILE_CASES)(
    '$what',
    ({ path, text, beside, packages, needs = [], asked = [], notes = [] }) => {
      const read = locked(path, text, beside);
      const listed = read.packages.map(({ name, version, line, direct, development, local, ecosystem }) =>
        [
          `${name}@${version}:${line}`,
          ecosystem && `of ${ecosystem}`,
          direct && 'direct',
          development && 'development',
          local && 'local',
        ]
          .filter(Boolean)
          .join(' '),
      );
      expect(listed).toEqual(packages);
      const nameOf = (at: number) => `${read.packages[at]?.name}@${read.packages[at]?.version}`;
      const edges = read.packages.flatMap((one, at) =>
        one.needs.map((to) => `${nameOf(at)} > ${nameOf(to)}`),
      );
      expect(edges.sort()).toEqual([...needs].sort());
      const ranges = read.packages.flatMap(({ name, asked: list }) =>
        list.length > 0 ? `${name}: ${list.join(' | ')}` : [],
      );
      expect(ranges.sort()).toEqual([...asked].sort());
      expect(read.notes).toEqual(notes);
    },
  );

  test('every kind of lockfile has a test case', () => {
    const covered = new Set(LOCKFILE_CASES.map(({ path }) => readerOf(path)?.kind));
    expect(LOCKFILES.map(({ kind }) => kind).filter((kind) => !covered.has(kind))).toEqual([]);
  });

  test('digests are in hex, and licenses and included files are as the lockfile writes them', () => {
    const [first] = locked('package-lock.json', LOCKFILE_CASES[0]?.text ?? '').packages;
    expect(first).toMatchObject({ license: 'MIT', hashes: [{ alg: 'SHA-512', content: '01'.repeat(64) }] });
    const requirements = locked(
      'requirements.txt',
      '-r base.txt\n--requirement=more/x.in\na==1 --hash=sha256:zz\n',
    );
    expect(requirements.includes).toEqual(['base.txt', 'more/x.in']);
    expect(requirements.packages[0]).not.toHaveProperty('hashes');
  });

  test('a package has the shortest path from the direct dependencies of the project', () => {
    const { packages } = locked(
      'package-lock.json',
      JSON.stringify({
        packages: {
          '': { dependencies: { a: '1', b: '1' } },
          'node_modules/a': { version: '1.0.0', dependencies: { c: '1' } },
          'node_modules/b': { version: '1.0.0', dependencies: { d: '1' } },
          'node_modules/c': { version: '1.0.0', dependencies: { d: '1', a: '1' } },
          'node_modules/d': { version: '1.0.0', dependencies: { e: '1' } },
          'node_modules/e': { version: '1.0.0' },
        },
      }),
    );
    expect(packages.map(({ name, from }) => [name, from === undefined ? '' : packages[from]?.name])).toEqual([
      ['a', ''],
      ['b', ''],
      ['c', 'a'],
      ['d', 'b'],
      ['e', 'd'],
    ]);
  });
});

test.each([
  [
    'package-lock.json',
    '{ "packages": { "a": ',
    'it is not valid JSON: line 1 has something that is not a value',
  ],
  [
    'package-lock.json',
    '{ "packages": {}\n <<<<<<< HEAD',
    'it is not valid JSON: line 2 has something that is not a value',
  ],
  ['package-lock.json', '[]', 'it is not a JSON object'],
  [
    'package-lock.json',
    `{"a": ${'['.repeat(100_000)}`,
    'it is not valid JSON: line 1 is nested over 200 deep',
  ],
  [
    'package-lock.json',
    '{"a": "\\u12"}',
    'it is not valid JSON: line 1 has a text with an escape that JSON does not know',
  ],
  ['yarn.lock', 'a@1:\n  version "1"\n<<<<<<< HEAD\n', 'line 3 is not an entry of a lockfile'],
  [
    'yarn.lock',
    Array.from({ length: 100 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
    'line 50 is nested over 50 deep',
  ],
  ['poetry.lock', '[[package]]\nname = "a\n', 'it is not valid TOML: line 2'],
  ['Cargo.lock', `a = ${'['.repeat(100_000)}`, 'it is not valid TOML: line 1'],
  ['pom.xml', 'not at all', 'it is not XML'],
  ['pom.xml', '<html></html>', 'it is not a Maven project'],
  ['pom.xml', '<a>'.repeat(100_000), 'it is nested over 100 deep'],
])('a broken %s is reported in one line', (path, text, why) => {
  expect(parse(path, text)).toEqual({ broken: why });
});

test('a broken accompanying file is reported, and the lockfile is read without it', () => {
  const { packages, notes } = locked('yarn.lock', 'a@^1:\n  version "1.0.0"\n', { 'package.json': '{' });
  expect(packages).toHaveLength(1);
  expect(notes).toEqual(['package.json beside it cannot be read']);
});

test('package names that are also names of JavaScript objects are read like any other name', () => {
  const text =
    '{"packages":{"node_modules/__proto__":{"version":"1.0.0"},"node_modules/constructor":{"version":"2.0.0"}}}';
  expect(locked('package-lock.json', text).packages.map(({ name }) => name)).toEqual([
    '__proto__',
    'constructor',
  ]);
  expect(locked('poetry.lock', '[[package]]\nname = "__proto__"\nversion = "1"\n').packages).toHaveLength(1);
  expect(({} as Record<string, unknown>).version).toBeUndefined();
});

test('entries whose name or version is impossible in a registry are counted and left out', () => {
  const text = JSON.stringify({
    packages: {
      'node_modules/a\nb': { version: '1.0.0' },
      'node_modules/ok': { version: '1.0.0\u001b[2J' },
      [`node_modules/${'x'.repeat(400)}`]: { version: '1.0.0' },
      'node_modules/none': {},
    },
  });
  expect(locked('package-lock.json', text)).toMatchObject({
    packages: [],
    notes: ['4 entries whose name or version no registry could have'],
  });
});

describe('more entries than the limit', () => {
  const MANY = 101_000;
  test.each([
    ['go.sum', () => 'a v1 h\n'.repeat(MANY)],
    ['requirements.txt', () => Array.from({ length: MANY }, (_, at) => `p${at}==1`).join('\n')],
    ['yarn.lock', () => `${Array.from({ length: MANY }, (_, at) => `p${at}@1:\n version 1`).join('\n')}`],
    [
      'package-lock.json',
      () =>
        `{"packages":{${Array.from({ length: MANY }, (_, at) => `"node_modules/${at}":{"version":"1"}`).join(',')}}}`,
    ],
  ])('in %s are read up to the limit', (path, text) => {
    const { packages, notes } = locked(path, text());
    expect(packages.length).toBeLessThanOrEqual(100_000);
    if (packages.length > 1)
      expect(notes).toEqual([expect.stringMatching(/^\d+ packages over the first 100000$/)]);
  });
});

describe('long and hostile lockfiles', () => {
  test('each of many Julia packages has its line number, found in one pass over the file', () => {
    const entries = Array.from({ length: 5000 }, (_, at) => `[[deps.P${at}]]\nversion = "1.0.${at}"\n`);
    const { packages } = locked('Manifest.toml', `manifest_format = "2.0"\n${entries.join('')}`);
    expect([packages.length, packages[0]?.line, packages.at(-1)]).toMatchObject([
      5000,
      2,
      { name: 'P4999', line: 2 + 2 * 4999 },
    ]);
  });

  test('escaped Conan references are found without searching the file again for each', () => {
    const items = Array.from({ length: 8000 }, (_, at) => `"p${at}\\/1.${at}"`);
    const text = `{"version":"0.5","requires":["first/1.0",\n${items.join(',\n')}]}`;
    const { packages } = locked('conan.lock', text);
    expect([packages.length, packages[0]?.line, packages.at(-1)?.name]).toEqual([8001, 1, 'p7999']);
  });

  test.each(['constructor', '__proto__', 'hasOwnProperty'])(
    'an image of the distribution %s is read',
    (id) => {
      const status = 'Package: bash\nStatus: install ok installed\nVersion: 5.2\n';
      const { packages, notes } = locked('var/lib/dpkg/status', status, {
        '../../../etc/os-release': `ID=${id}\nVERSION_ID=12\n`,
      });
      expect([packages.map(({ name }) => name), notes]).toEqual([
        ['bash'],
        [expect.stringContaining('no advisories are known of its distribution')],
      ]);
    },
  );
});
