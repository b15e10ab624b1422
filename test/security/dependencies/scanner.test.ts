import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import type { RawFinding, SoftwareComponent } from '../../../src/security/findings/finding.ts';
import { parseNamedPackages } from '../../../src/security/packages/named-package.ts';
import type { AdvisorySource } from '../../../src/security/scanners/dependencies/advisories/advisory.ts';
import { readOsvRecord } from '../../../src/security/scanners/dependencies/advisories/osv-record.ts';
import { findImports } from '../../../src/security/scanners/dependencies/imports.ts';
import {
  createDependenciesScanner,
  type DependenciesOptions,
} from '../../../src/security/scanners/dependencies.ts';
import type { TreeScanner } from '../../../src/security/scans/scanner.ts';
import type { FileTree } from '../../../src/security/trees/tree.ts';
import { osvRecord } from '../../helpers/osv-records.ts';

/** A source that knows these records, and remembers what it was asked. */
function source(records: readonly object[], asked: string[] = []): AdvisorySource {
  const advisories = records.map(readOsvRecord).filter((one) => one !== undefined);
  return {
    name: 'the test',
    covers: () => true,
    async findAdvisories(packages, { found }) {
      packages.forEach(({ ecosystem, name, version }, index) => {
        asked.push(`${ecosystem} ${name} ${version}`);
        for (const one of advisories) if (one.affected.some((at) => at.name === name)) found(index, one);
      });
    },
  };
}

function treeOf(files: Readonly<Record<string, string>>): FileTree {
  return {
    files: Object.entries(files).map(([path, text]) => ({
      path,
      bytes: text.length,
      blob: createHash('sha1').update(text).digest('hex'),
    })),
    left: [],
    gaps: [],
    read: async ({ path }) => Buffer.from(files[path] ?? ''),
    materialise: async () => 0,
    async *history() {},
  };
}

let components: SoftwareComponent[];
let left: string[];
let failed: string[];
beforeEach(() => {
  components = [];
  left = [];
  failed = [];
});
const stop = new AbortController();
afterEach(() => expect(stop.signal.aborted).toBe(false));

interface Options {
  readonly deniedLicenses?: readonly string[];
  readonly sources?: readonly AdvisorySource[];
  readonly privateNames?: readonly string[];
  readonly fileMs?: number;
}

let sourcesNow: readonly AdvisorySource[] = [];
/** Scanners by their options: each starts a worker that reads lockfiles, which takes longer than a scan. */
const scanners = new Map<string, TreeScanner>();
function scannerOf(options: Omit<DependenciesOptions, 'sources'>): TreeScanner {
  const key = JSON.stringify(options);
  const scanner = scanners.get(key) ?? createDependenciesScanner({ sources: () => sourcesNow, ...options });
  scanners.set(key, scanner);
  return scanner;
}

function scan(
  files: Readonly<Record<string, string>>,
  { sources = [], privateNames = [], ...more }: Options = {},
) {
  sourcesNow = sources;
  return scannerOf({ privateNames, ...more }).scan({
    tree: treeOf(files),
    options: { deep: false },
    signal: stop.signal,
    progress: () => {},
    uses: (used) => void components.push(...used),
    miss: (kind, what, fix) => void left.push(`${kind}: ${what}${fix ? `; ${fix}` : ''}`),
    leave: (what) => void left.push(what),
    fail: (reason) => void failed.push(reason),
  });
}

const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });
const places = (findings: readonly RawFinding[]) =>
  findings.map(({ id, path, package: used }) => `${id} ${path} ${used?.name}@${used?.version}`);

const records = [
  osvRecord('GHSA-1', 'npm', 'a', '1.2.0', { aliases: ['CVE-2024-1'] }),
  osvRecord('PYSEC-1', 'PyPI', 'django', '4.2.2'),
];

test('a package with a denied license is a finding unless another license is offered', async () => {
  const packages = Object.fromEntries(
    Object.entries({
      a: 'AGPL-3.0-only',
      b: 'MIT OR AGPL-3.0-only',
      c: '(MIT AND GPL-2.0-or-later)',
      d: 'GPL-2.0-only WITH Classpath-exception-2.0',
      e: 'MIT OR (BSD-3-Clause AND gpl-3.0)',
      f: 'GPL-3.0 OR AGPL-3.0-only',
      g: 'LGPL-3.0',
      h: 'GPL version 2',
      i: 'SEE LICENSE IN GPL-3.0',
    }).map(([name, license]) => [`node_modules/${name}`, { version: '1.0.0', license }]),
  );
  const files = { 'package-lock.json': lock(packages) };
  const findings = await scan(files, { deniedLicenses: ['AGPL-*', 'gpl-*', 'GPL version 2'] });
  expect(findings.map(({ title }) => title.split(' ').at(-1))).toEqual(['a', 'c', 'd', 'f', 'h']);
  expect(findings[0]).toMatchObject({ id: 'licenses/denied', severity: 'medium', path: 'package-lock.json' });
  expect(await scan(files)).toEqual([]);
});

describe('packages that are known to be vulnerable', () => {
  test('are reported once for each lockfile, however many sources and places report them', async () => {
    const files = {
      'package-lock.json': lock({
        '': { dependencies: { a: '^1.0.0' } },
        'node_modules/a': { version: '1.0.0' },
        'node_modules/b': { version: '1.0.0' },
        'node_modules/b/node_modules/a': { version: '1.0.0' },
        'node_modules/c/node_modules/a': { version: '1.1.0', dev: true },
        'node_modules/d/node_modules/a': { version: '1.2.0' },
      }),
      'web/yarn.lock': 'a@^1:\n  version "1.0.0"\n',
      'requirements.txt': 'Django==4.2.1\n-r deps/more.in\n',
      'deps/more.in': 'django==4.1\n',
    };
    const findings = await scan(files, { sources: [source(records), source(records)] });
    expect(places(findings).sort()).toEqual([
      'CVE-2024-1 package-lock.json a@1.0.0',
      'CVE-2024-1 package-lock.json a@1.1.0',
      'CVE-2024-1 web/yarn.lock a@1.0.0',
      'PYSEC-1 deps/more.in django@4.1',
      'PYSEC-1 requirements.txt django@4.2.1',
    ]);
    expect(
      findings.filter(({ development }) => development).map(({ package: used }) => used?.version),
    ).toEqual(['1.1.0']);
    expect(findings.find(({ path }) => path === 'package-lock.json')).toMatchObject({
      fixedIn: '1.2.0',
      line: 1,
    });
    expect([left, failed]).toEqual([[], []]);
  });

  test('show where the project imports them, or that nothing imports them', async () => {
    const flawed = ['a', '@x/b', 'c', 'd'].map((name, at) => osvRecord(`GHSA-${at}`, 'npm', name, '9.0.0'));
    const others = [
      osvRecord('PYSEC-2', 'PyPI', 'pyyaml', '9.0'),
      osvRecord('GO-1', 'Go', 'example.com/m', '9.0.0'),
      osvRecord('GHSA-r', 'RubyGems', 'rack', '9.0.0'),
      osvRecord('GHSA-v', 'Packagist', 'acme/p', '9.0.0'),
    ];
    const files = {
      'package-lock.json': lock({
        '': { dependencies: { a: '1', '@x/b': '1', c: '1' } },
        'node_modules/a': { version: '1.0.0' },
        'node_modules/@x/b': { version: '1.0.0' },
        'node_modules/c': { version: '1.0.0', dependencies: { d: '1' } },
        'node_modules/d': { version: '1.0.0' },
      }),
      'src/one.ts': `// import 'c'\nconst c = 'c';\nimport x from 'a/deep.js';\nimport y from 'abc';\n`,
      'src/two.cjs': `const b = require("@x/b");\nconst a = await import('a');\n`,
      'node_modules/c/index.js': `require('c')`,
      'requirements.txt': 'PyYAML==5.0\n',
      'app.py': 'import os, sys\nyamlfile = 1\nfrom yaml import load\n',
      'go.mod': 'module m\ngo 1.20\nrequire example.com/m v1.0.0\n',
      'main.go': 'package main\nimport (\n\t"fmt"\n\t"example.com/m/sub"\n)\n',
      'Gemfile.lock': 'GEM\n  specs:\n    rack (1.0)\n\nDEPENDENCIES\n  rack\n',
      'app.rb': "# rack\nrequire 'rack'\n",
      'composer.lock': JSON.stringify({ packages: [{ name: 'acme/p', version: '1.0.0' }] }),
      'index.php': '<?php use Acme\\P;',
    };
    const findings = await scan(files, { sources: [source([...flawed, ...others])] });
    const ends = findings.map(({ package: used, description }) => [
      used?.name,
      /(?:It is imported in|No file of the project).*$/.exec(description)?.[0],
    ]);
    expect(Object.fromEntries(ends)).toEqual({
      a: 'It is imported in src/one.ts:3 and 1 more file.',
      '@x/b': 'It is imported in src/two.cjs:1.',
      c: 'No file of the project imports it by its name.',
      d: undefined,
      pyyaml: 'It is imported in app.py:3.',
      'example.com/m': 'It is imported in main.go:4.',
      rack: 'It is imported in app.rb:2.',
      'acme/p': undefined,
    });
  });

  test('are still reported when a file that is searched for imports cannot be read', async () => {
    const tree = treeOf({ 'gone.js': '', 'here.js': "import 'a';" });
    const read: FileTree['read'] = async (file) => {
      if (file.path === 'gone.js') throw new AppError('upstream', 'gone.js has changed');
      return tree.read(file);
    };
    const asked = new Map([['npm a', { ecosystem: 'npm', name: 'a', version: '1.0.0' }]]);
    const found = await findImports({ ...tree, read }, asked, stop.signal);
    expect(found.get('npm a')).toEqual({ path: 'here.js', line: 1, files: 1 });
  });

  test('are listed with their dependencies for the bill of materials', async () => {
    await scan({
      'package-lock.json': lock({
        '': { dependencies: { a: '1' } },
        'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '1' } },
        'node_modules/b': { version: '2.0.0' },
      }),
    });
    expect(components).toEqual([
      {
        path: 'package-lock.json',
        ecosystem: 'npm',
        name: 'a',
        version: '1.0.0',
        direct: true,
        license: 'MIT',
        needs: ['b@2.0.0'],
      },
      { path: 'package-lock.json', ecosystem: 'npm', name: 'b', version: '2.0.0' },
    ]);
    expect(left).toEqual([
      'advisories: packages of npm: no source of advisories that is switched on knows them; ' +
        'run `magpie advisories update --ecosystem npm`, or let OSV be asked: MAGPIE_ADVISORIES=osv',
    ]);
  });

  test('of an ecosystem with an outdated source are reported as a gap, unless another source is up to date', async () => {
    const files = { 'package-lock.json': lock({ 'node_modules/a': { version: '1.0.0' } }) };
    const old = { ...source(records), stale: new Map([['npm' as const, Date.UTC(2025, 0, 2)]]) };
    await scan(files, { sources: [old, source(records)] });
    expect(left).toEqual([]);
    expect(await scan(files, { sources: [old] })).toHaveLength(1);
    expect(left).toEqual([
      expect.stringMatching(/^advisories: advisories of npm after 2025-01-02: .*update --ecosystem npm`$/),
    ]);
  });

  test('are a gap when a private package is requested by name', async () => {
    const asked: string[] = [];
    const missed: string[] = [];
    const scanner = createDependenciesScanner({
      sources: () => [source([], asked)],
      privateNames: ['@acme/*'],
    });
    await scanner.scan({
      tree: { ...treeOf({}), packages: parseNamedPackages('@acme/x@1.0.0') },
      options: { deep: false },
      signal: stop.signal,
      progress() {},
      uses() {},
      miss: (kind, what) => missed.push(`${kind} ${what}`),
      leave() {},
      fail() {},
    });
    expect(asked).toEqual([]);
    expect(missed).toEqual([
      expect.stringMatching(/^advisories .*@acme\/x 1\.0\.0: MAGPIE_PRIVATE_PACKAGES/),
    ]);
  });

  test('are not asked about when they are private, local, or vendored', async () => {
    const asked: string[] = [];
    const files = {
      'package-lock.json': lock({
        'node_modules/@acme/secret': { version: '1.0.0' },
        'node_modules/a': { version: '1.0.0' },
        'node_modules/own': { version: '1.0.0', resolved: 'git+ssh://git@example.com/own.git' },
      }),
      'node_modules/x/package-lock.json': lock({ 'node_modules/hidden': { version: '1.0.0' } }),
      'vendor/y/go.mod': 'module y\nrequire example.com/z v1.0.0\n',
    };
    await scan(files, { sources: [source(records, asked)], privateNames: ['@acme/*'] });
    expect(asked).toEqual(['npm a 1.0.0']);
    expect(components.map(({ name }) => name)).toEqual(['@acme/secret', 'a', 'own']);
  });
});

test('a source that fails is named, and the findings so far of all sources are kept', async () => {
  const failing: AdvisorySource = {
    ...source(records),
    name: 'the broken one',
    async findAdvisories(packages, watch) {
      await source(records).findAdvisories(packages, watch);
      throw new AppError('upstream', 'it answered 500');
    },
  };
  const findings = await scan(
    { 'package-lock.json': lock({ 'node_modules/a': { version: '1.0.0' } }) },
    { sources: [failing, source([])] },
  );
  expect(places(findings)).toEqual(['CVE-2024-1 package-lock.json a@1.0.0']);
  expect(failed).toEqual([
    'the broken one could not be asked: it answered 500; `magpie advisories update` makes a database that needs no network',
  ]);
});

describe('lockfiles of hostile repositories', () => {
  test('are reported when broken, and the other lockfiles are read', async () => {
    const findings = await scan(
      {
        'a/package-lock.json': '{"packages": {',
        'b/package-lock.json': lock({ 'node_modules/a': { version: '1.0.0' } }),
        'c/poetry.lock': '[[[',
      },
      { sources: [source(records)] },
    );
    expect(findings.map(({ id, severity, path }) => [id, severity, path])).toEqual([
      ['dependencies/unreadable-lockfile', 'info', 'a/package-lock.json'],
      ['dependencies/unreadable-lockfile', 'info', 'c/poetry.lock'],
      ['CVE-2024-1', 'critical', 'b/package-lock.json'],
    ]);
  });

  test('are abandoned one by one when reading takes too long', async () => {
    const many = (line: (at: number) => string) =>
      Array.from({ length: 60_000 }, (_, at) => line(at)).join('\n');
    const files = {
      'Cargo.lock': many((at) => `[[package]]\nname = "a${at}"\nversion = "1.0.0"`),
      'requirements.txt': many((at) => `a${at}==1.0.0`),
    };
    const findings = await scan(files, { sources: [source(records)], fileMs: 1 });
    expect(findings.map(({ path, description }) => [path, description])).toEqual([
      ['Cargo.lock', expect.stringContaining('reading it took over 0.001 seconds of processor time')],
      ['requirements.txt', expect.stringContaining('reading it took over 0.001 seconds')],
    ]);
  });

  test('are read once when they include themselves, and missing files are skipped', async () => {
    await scan({
      'requirements.txt': '-r requirements.txt\n-r ../../etc/passwd\n-r more.in\na==1\n',
      'more.in': '-r requirements.txt\nb==1\n',
    });
    expect(components.map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
