import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createGuardedFetch } from '../../../src/lib/network/fetch.ts';
import type { RawFinding } from '../../../src/security/findings/finding.ts';
import { parseNamedPackages } from '../../../src/security/packages/named-package.ts';
import type { Ecosystem } from '../../../src/security/scanners/dependencies/ecosystem.ts';
import { createRegistries } from '../../../src/security/scanners/dependencies/registries/ask-registries.ts';
import names from '../../../src/security/scanners/dependencies/registries/famous-names.json' with {
  type: 'json',
};
import lookAlikes from '../../../src/security/scanners/dependencies/registries/look-alikes.json' with {
  type: 'json',
};
import { readRegistryAnswer } from '../../../src/security/scanners/dependencies/registries/registry-answer.ts';
import {
  findResemblance,
  isFamousName,
} from '../../../src/security/scanners/dependencies/registries/resemblance.ts';
import { createDependenciesScanner } from '../../../src/security/scanners/dependencies.ts';
import type { FileTree } from '../../../src/security/trees/tree.ts';

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Answers by path. A function answers by itself. Other paths are not there. */
let answers: Readonly<Record<string, unknown>> = {};
let asked: { readonly path: string; readonly body: string; readonly headers: object }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const path = decodeURIComponent(request.url ?? '');
  asked.push({ path: `${request.method} ${path}`, body, headers: request.headers });
  const answer = answers[path];
  if (typeof answer === 'function') return void (answer as (to: ServerResponse) => void)(response);
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
});
const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'test' });
let url = '';
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await fetch.close();
});
afterEach(() => {
  answers = {};
  asked = [];
});

const ECOSYSTEMS = ['npm', 'PyPI', 'crates.io', 'RubyGems', 'NuGet', 'Packagist', 'Hex', 'Pub'] as const;

interface Asked {
  readonly maxNames?: number;
  readonly privateNames?: readonly string[];
  readonly isOffline?: boolean;
  readonly signal?: AbortSignal;
  readonly package?: string;
  readonly registries?: ReturnType<typeof createRegistries>;
  readonly timeoutMs?: number;
}

function registriesOf({ maxNames, timeoutMs }: Asked = {}) {
  const urls = Object.fromEntries(ECOSYSTEMS.map((one) => [one, url]));
  return createRegistries({ fetch, urls, maxNames, timeoutMs });
}

async function scan(files: Readonly<Record<string, string>>, more: Asked = {}) {
  const left: string[] = [];
  const failed: string[] = [];
  const tree: FileTree = {
    files: Object.entries(files).map(([path, text]) => ({ path, bytes: text.length, blob: path })),
    left: [],
    gaps: [],
    packages: more.package === undefined ? [] : parseNamedPackages(more.package),
    read: async ({ path }) => Buffer.from(files[path] ?? ''),
    materialise: async () => 0,
    async *history() {},
  };
  const registries = more.registries ?? registriesOf(more);
  const findings = await createDependenciesScanner({
    sources: () => [],
    privateNames: more.privateNames ?? [],
    registries: () => (more.isOffline ? undefined : registries),
  }).scan({
    tree,
    options: { deep: false },
    signal: more.signal ?? AbortSignal.timeout(60_000),
    progress() {},
    uses() {},
    // These scans have no source of advisories.
    miss: (_, what) => void (what.includes('no source of advisories') || left.push(what)),
    leave: (what) => void left.push(what),
    fail: (reason) => void failed.push(reason),
  });
  return { findings, left, failed };
}

const lock = (packages: Readonly<Record<string, object>>, direct: readonly string[] = []) => ({
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: Object.fromEntries(direct.map((name) => [name, '*'])) },
      ...Object.fromEntries(Object.entries(packages).map(([name, one]) => [`node_modules/${name}`, one])),
    },
  }),
});
const told = (findings: readonly RawFinding[]) =>
  findings.map(({ id, severity, title }) => `${severity} ${id}: ${title.split(': ').at(-1)}`);

interface Release {
  readonly days?: number;
  readonly by?: string;
  readonly more?: object;
}
const npmAnswer = (releases: Readonly<Record<string, Release>>, created = 900) => ({
  time: {
    created: ago(created),
    ...Object.fromEntries(Object.entries(releases).map(([version, { days = 400 }]) => [version, ago(days)])),
  },
  versions: Object.fromEntries(
    Object.entries(releases).map(([version, { by, more }]) => [
      version,
      { version, ...(by && { _npmUser: { name: by } }), ...more },
    ]),
  ),
});
/** Widely used names that are near a famous one. */
const looks = new Set(
  Object.entries(lookAlikes.honest).flatMap(([family, lines]) =>
    lines.flatMap((line) => line.split(' ')).map((name) => `${family} ${name}`),
  ),
);
const V1 = { version: '1.0.0' };

describe('what npm says of a package', () => {
  test('is a finding with a grade: missing, new, deprecated, by a new publisher, with a script', async () => {
    const steady = Object.fromEntries([1, 2, 3, 4, 5].map((one) => [`0.${one}.0`, { by: 'ann' }]));
    const script = { more: { hasInstallScript: true } };
    answers = {
      '/steady': npmAnswer({ '1.0.0': {} }),
      '/days-old': npmAnswer({ '1.0.0': { days: 4 } }, 4),
      '/weeks-old': npmAnswer({ '1.0.0': { days: 20 } }, 20),
      '/reakt-dom': npmAnswer({ '1.0.0': { days: 20 } }, 20),
      '/fresh-version': npmAnswer({ '0.9.0': {}, '1.0.0': { days: 1 } }),
      '/gone-version': npmAnswer({ '2.0.0': {} }),
      '/old-thing': npmAnswer({ '1.0.0': { more: { deprecated: 'use\u001b[31m new-thing\n' } } }),
      '/handed-over': npmAnswer({ ...steady, '1.0.0': { days: 9, by: 'eve' } }),
      '/armed': npmAnswer({ ...steady, '1.0.0': { days: 9, by: 'eve', ...script } }),
      '/builds': npmAnswer({
        ...steady,
        '1.0.0': { days: 9, more: { _npmUser: { name: 'eve', trustedPublisher: { id: 'github' } } } },
      }),
      '/native': npmAnswer({ '0.9.0': { days: 500, ...script }, '1.0.0': script }),
      '/expres-s': npmAnswer({ '1.0.0': {} }),
    };
    const all = [...Object.keys(answers).map((path) => path.slice(1)), 'made-up', 'loadsh', '@acme/core'];
    const { findings, failed, left } = await scan(
      lock(Object.fromEntries(all.map((name) => [name, V1])), ['made-up']),
    );
    expect(told(findings).sort()).toEqual(
      [
        'high packages/does-not-exist: loadsh',
        'high packages/new: reakt-dom',
        'info packages/install-script: armed',
        'info packages/install-script: native',
        'info packages/new-version: fresh-version 1.0.0',
        'info packages/resembles: expres-s',
        'low packages/deprecated: old-thing',
        'low packages/new-publisher: New publisher of handed-over',
        'low packages/new: weeks-old',
        'low packages/version-does-not-exist: gone-version 1.0.0',
        'medium packages/does-not-exist: @acme/core',
        'medium packages/does-not-exist: made-up',
        'medium packages/new-publisher: New publisher of armed',
        'medium packages/new: days-old',
      ].sort(),
    );
    expect([failed, left]).toEqual([[], []]);
    const words = findings.find(({ id }) => id === 'packages/deprecated');
    expect(words?.description).toContain('is deprecated by its authors: "use [31m new-thing". It');
    for (const one of findings) {
      expect(one.path).toBe('package-lock.json');
      expect(`${one.title} ${one.description} ${one.fix}`).not.toMatch(/[{}]|undefined|NaN/);
      expect(one.package).toBeUndefined();
    }
  });

  test('is asked with the name alone, direct dependencies first, and a second scan asks nothing', async () => {
    answers = { '/a': npmAnswer({ '1.0.0': {} }), '/b': npmAnswer({ '1.0.0': {} }) };
    const registries = registriesOf({ maxNames: 2 });
    const files = lock({ c: V1, a: { version: '1.0.0-secret' }, b: V1 }, ['b']);
    const { left } = await scan(files, { registries });
    expect(asked.map(({ path }) => path).sort()).toEqual(['GET /b', 'GET /c']);
    expect(left).toEqual(['1 package past the first 2, about which no registry was asked']);
    expect(JSON.stringify(asked)).not.toContain('1.0.0');
    expect(asked.every(({ body }) => body === '')).toBe(true);
    await scan(files, { registries });
    expect(asked.length).toBe(2);
  });

  test('is not asked about private, foreign, local and odd names, and about nothing offline', async () => {
    const far = 'https://npm.acme.example/a.tgz';
    const files = {
      ...lock({
        '@own/a': V1,
        '@kept/b': V1,
        foreign: { ...V1, resolved: far },
        folder: { ...V1, resolved: 'file:folder' },
        git: { ...V1, resolved: 'git+ssh://git@example.org/a.git' },
        '..': V1,
        'a/../b': V1,
        'sp%2fam': V1,
        plain: V1,
        loadsh: V1,
      }),
      'web/.npmrc': '@kept:registry=https://npm.acme.example/\n//npm.acme.example/:_authToken=x\n',
    };
    const { left } = await scan(files, { privateNames: ['@own/*'] });
    expect(asked.map(({ path }) => path).sort()).toEqual(['GET /loadsh', 'GET /plain']);
    expect(left).toEqual(['facts about 2 packages of other registries than the public ones']);
    asked = [];
    const { findings } = await scan(files, { isOffline: true });
    expect([asked, told(findings)]).toEqual([[], ['info packages/resembles: loadsh']]);
  });
});

const [PYPI, ACME] = ['https://pypi.org/simple', 'https://pypi.acme.example/simple'];
const npmLock = lock({ zz: V1 });
const phpLock = { 'composer.lock': JSON.stringify({ packages: [{ name: 'a/zz', version: '1.0' }] }) };
const gemLock = { 'Gemfile.lock': 'GEM\n  remote: https://rubygems.org/\n  specs:\n    zz (1.0)\n' };
const pubLock = {
  'pubspec.lock':
    'packages:\n  zz:\n    dependency: "direct main"\n    description:\n      name: zz\n      url: "https://pub.dev"\n    source: hosted\n    version: "1.0.0"\n',
};
const hexLock = { 'mix.lock': '%{\n  "zz": {:hex, :zz, "1.0.0", "aa", [:mix], [], "hexpm", "bb"},\n}\n' };

test.each<[string, Readonly<Record<string, string>>]>([
  ['npm', { '.npmrc': 'registry="https://registry.npmjs.org/" # see https://acme.example\n', ...npmLock }],
  ['PyPI', { 'requirements.txt': `--index-url ${PYPI}\nzz==1.0\n` }],
  ['Packagist', { 'composer.json': '{"repositories":[{"type":"path","url":"../a"}]}', ...phpLock }],
  [
    'RubyGems',
    { Gemfile: 'source "https://rubygems.org"\ngit_source(:a) { |one| "https://a/#{one}" }\n', ...gemLock },
  ],
  ['Pub', { 'pubspec.yaml': 'dependencies:\n  zz: ^1.0.0\n', ...pubLock }],
  ['Hex', { 'mix.exs': '{:zz, "~> 1.0"}', ...hexLock }],
])('settings of %s that name public registries alone keep nothing from being asked', async (_, files) => {
  const { left } = await scan(files);
  expect(asked.length).toBe(1);
  expect(left).toEqual([]);
});

describe('settings of package managers that name another registry', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['npm', { '.npmrc': 'registry = "https://npm.acme.example"\n', ...lock({ zz: V1 }) }],
    ['yarn', { '.yarnrc.yml': 'npmRegistryServer: "https://npm.acme.example"\n', ...lock({ zz: V1 }) }],
    ['pip', { 'requirements.txt': '--extra-index-url https://pypi.acme.example/simple\nzz==1.0\n' }],
    [
      'pip.conf',
      { 'pip.conf': '[global]\nindex-url = https://pypi.acme.example\n', 'requirements.txt': 'zz==1.0' },
    ],
    [
      'uv',
      {
        'pyproject.toml': '[[tool.uv.index]]\nname = "acme"\nurl = "https://pypi.acme.example"\n',
        'requirements.txt': 'zz==1.0',
      },
    ],
    [
      'uv.lock',
      {
        'uv.lock':
          'version = 1\n[[package]]\nname = "zz"\nversion = "1.0"\nsource = { registry = "https://pypi.acme.example" }\n',
      },
    ],
    [
      'poetry',
      {
        'poetry.lock':
          '[[package]]\nname = "zz"\nversion = "1.0"\n[package.source]\ntype = "legacy"\nurl = "https://pypi.acme.example"\n',
      },
    ],
    [
      'Gemfile',
      {
        Gemfile: "source 'https://gems.acme.example'\n",
        'Gemfile.lock': 'GEM\n  remote: https://rubygems.org/\n  specs:\n    zz (1.0)\n',
      },
    ],
    [
      'Gemfile.lock',
      { 'Gemfile.lock': 'GEM\n  remote: https://gems.acme.example/\n  specs:\n    zz (1.0)\n' },
    ],
    [
      'NuGet',
      {
        'NuGet.Config': '<add key="acme" value="https://nuget.acme.example/v3" />',
        'packages.config': '<packages><package id="zz" version="1.0"/></packages>',
      },
    ],
    [
      'Composer',
      {
        'composer.lock': JSON.stringify({
          packages: [
            { name: 'a/zz', version: '1.0', 'notification-url': 'https://php.acme.example/downloads/' },
          ],
        }),
      },
    ],
    [
      'yarn.lock',
      {
        'yarn.lock':
          '# yarn lockfile v1\n\nzz@^1.0.0:\n  version "1.0.0"\n  resolved "https://npm.acme.example/zz.tgz"\n',
      },
    ],
    ...(
      [
        ['.npmrc', 'registry=$\u007bNPM_URL}\n', npmLock],
        ['.npmrc', "registry='https://npm.acme.example/'\n", npmLock],
        ['.npmrc', '@acme:registry="https://npm.acme.example/"\n', lock({ '@acme/zz': V1 })],
        ['.yarnrc.yml', 'npmScopes:\n  acme:\n    npmRegistryServer: "$\u007bURL}"\n', npmLock],
        ['bunfig.toml', '[install.scopes]\nacme = "https://npm.acme.example/"\n', npmLock],
        [
          'pip.conf',
          `[global]\nextra-index-url =\n    ${PYPI}\n    ${ACME}\n`,
          { 'requirements.txt': 'zz==1.0' },
        ],
        ['requirements.txt', `-i ${PYPI} --extra-index-url ${ACME}\nzz==1.0\n`, {}],
        ['requirements.txt', `--index-url ${PYPI}\n--extra-index-url ${ACME}\nzz==1.0\n`, {}],
        [
          'pyproject.toml',
          `[tool.uv]\nextra-index-url = [\n  "${PYPI}",\n  "${ACME}",\n]\n`,
          { 'requirements.txt': 'zz==1.0' },
        ],
        [
          'pyproject.toml',
          `[tool.uv]\nindex = [{ name = "acme", url = "${ACME}" }]\n`,
          { 'requirements.txt': 'zz==1.0' },
        ],
        ['uv.toml', `[[index]]\nurl = "${ACME}"\n`, { 'requirements.txt': 'zz==1.0' }],
        ['composer.json', '{"repositories":[{"url":"https://php.acme.example","type":"composer"}]}', phpLock],
        [
          'composer.json',
          '{"repositories":{"a":{"type":"vcs","url":"git@git.acme.example:a/zz.git"}}}',
          phpLock,
        ],
        [
          'Gemfile',
          "source 'https://rubygems.org'\ngem 'zz', source: 'https://gems.acme.example'\n",
          gemLock,
        ],
        ['Gemfile', "source ENV.fetch('GEMS')\n", gemLock],
        [
          'pubspec.yaml',
          'dependencies:\n  zz:\n    hosted:\n      name: zz\n      url: https://pub.acme.example\n',
          pubLock,
        ],
        ['pubspec.yaml', 'dependencies:\n  zz:\n    hosted: https://pub.acme.example\n', pubLock],
        ['mix.exs', '{:zz, "~> 1.0", organization: "acme"}', hexLock],
      ] as const
    ).map(([name, text, files]): [string, Readonly<Record<string, string>>] => [
      `${name}: ${text}`,
      { ...files, [name]: text },
    ]),
    [
      'bun.lock',
      {
        'bun.lock':
          '{"lockfileVersion":1,"workspaces":{"":{}},"packages":{"zz":["zz@1.0.0","https://npm.acme.example/",{},"sha512-AAAA"]}}',
      },
    ],
  ])('%s', async (_, files) => {
    const { findings, left } = await scan(files);
    expect([asked, told(findings)]).toEqual([[], []]);
    expect(left).toContain('facts about 1 package of other registries than the public ones');
  });
});

test.each<[Ecosystem, string, unknown, readonly string[]]>([
  [
    'PyPI',
    '/pypi/zz/json',
    {
      releases: {
        '1.0': [{ upload_time_iso_8601: ago(9), yanked: true, yanked_reason: 'broken' }],
        '0.1': [],
      },
    },
    ['low packages/new: zz', 'low packages/yanked: zz 1.0.0'],
  ],
  [
    'crates.io',
    '/2/zz',
    `{"vers":"0.9.0","yanked":false,"pubtime":"${ago(99)}"}\n{"vers":"1.0.0","yanked":true,"pubtime":"${ago(1)}"}\n`,
    ['info packages/new-version: zz 1.0.0', 'low packages/yanked: zz 1.0.0'],
  ],
  [
    'RubyGems',
    '/api/v1/versions/zz.json',
    [{ number: '1.0.0', created_at: ago(8) }],
    ['low packages/new: zz'],
  ],
  [
    'NuGet',
    '/v3/registration5-gz-semver2/zz/index.json',
    {
      items: [
        {
          items: [
            { catalogEntry: { version: '1.0.0', published: ago(99), deprecation: { reasons: ['Legacy'] } } },
          ],
        },
      ],
    },
    ['low packages/deprecated: zz'],
  ],
  [
    'Packagist',
    '/packages/zz.json',
    { package: { time: ago(2), abandoned: 'new/zz', versions: { 'v1.0.0': { time: ago(99) } } } },
    ['low packages/deprecated: zz', 'medium packages/new: zz'],
  ],
  [
    'Hex',
    '/api/packages/zz',
    {
      inserted_at: ago(99),
      releases: [{ version: '1.0.0', inserted_at: ago(98) }],
      retirements: { '1.0.0': { message: 'bug' } },
    },
    ['low packages/yanked: zz 1.0.0'],
  ],
  [
    'Pub',
    '/api/packages/zz',
    {
      isDiscontinued: true,
      replacedBy: 'yy',
      versions: [{ version: '1.0.0', published: ago(99), retracted: true }],
    },
    ['low packages/deprecated: zz', 'low packages/yanked: zz 1.0.0'],
  ],
])('%s answers in its own form', async (ecosystem, path, answer, expected) => {
  answers = { [path]: answer };
  const { findings } = await scan({}, { package: `${ecosystem} zz@1.0.0` });
  expect([asked.map((one) => one.path), told(findings).sort()]).toEqual([[`GET ${path}`], expected]);
  answers = {};
  const gone = await scan({}, { package: `${ecosystem} zz@1.0.0` });
  expect(told(gone.findings)).toEqual(['medium packages/does-not-exist: zz']);
});

describe('a package without its registry', () => {
  test('is missing only where none has it', async () => {
    const missing = await scan({}, { package: 'qqzz@1.0.0' });
    expect(told(missing.findings)).toEqual(['medium packages/does-not-exist: qqzz']);
    expect(missing.findings[0]?.description).toContain(
      'npm, PyPI, crates.io, RubyGems, NuGet has no package',
    );
    answers = { '/pypi/qqzz/json': { releases: { '1.0.0': [{ upload_time_iso_8601: ago(99) }] } } };
    expect((await scan({}, { package: 'qqzz@1.0.0' })).findings).toEqual([]);
  });

  test('does not resemble a name of one registry where it is famous in another', async () => {
    expect((await scan({}, { package: 'requests@2.0.0', isOffline: true })).findings).toEqual([]);
    expect(told((await scan({}, { package: 'npm loadsh@1.0.0', isOffline: true })).findings)).toHaveLength(1);
  });
});

test('versions past the first 50 of a package are left out in words', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`${at}/requirements.txt`, `zz==1.${at}\n`]),
  );
  answers = { '/pypi/zz/json': { releases: { '9.0': [{}] } } };
  const { findings, left } = await scan(files);
  expect(findings.length).toBe(50);
  expect(left).toEqual(['versions past the first 50 of 1 package']);
});

describe('a registry that does not answer as it should', () => {
  test.each<[string, (to: ServerResponse) => void, string]>([
    ['refuses', (to) => void to.writeHead(403).end(), 'answered with status 403'],
    ['breaks off', (to) => void to.destroy(), 'a registry was not asked about'],
    ['answers no JSON', (to) => void to.end('<html>'), "about which a registry's answer cannot be read"],
    ['answers another JSON', (to) => void to.end('[[[]]]'), "about which a registry's answer cannot be read"],
  ])('is a word in the report when it %s', async (_, answer, word) => {
    answers = { '/a': answer, '/pypi/b/json': { releases: { '1': [{ upload_time_iso_8601: ago(2) }] } } };
    const files = { ...lock({ a: V1 }), 'requirements.txt': 'b==1\n' };
    const { findings, left, failed } = await scan(files);
    expect(told(findings)).toEqual(['medium packages/new: b']);
    expect(failed).toEqual([]);
    expect(left).toEqual([expect.stringContaining(word)]);
  });

  test.each([400, 405, 414, 422])('is asked about other names after status %i for one', async (status) => {
    answers = {
      '/a': (to: ServerResponse) => to.writeHead(status).end(),
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [`/b${at}`, npmAnswer({ '1.0.0': {} }, 2)]),
      ),
    };
    const names = ['a', ...Array.from({ length: 20 }, (_, at) => `b${at}`)];
    const { findings, left } = await scan(lock(Object.fromEntries(names.map((name) => [name, V1]))));
    expect(findings.length).toBe(20);
    expect(left).toEqual(["1 package about which a registry's answer cannot be read"]);
  });

  test('ends with the scan when the caller gives up', async () => {
    const stop = new AbortController();
    answers = {
      '/a': (to: ServerResponse) => {
        to.write('{');
        stop.abort(new Error('enough'));
      },
    };
    await expect(scan(lock({ a: V1 }), { signal: stop.signal })).rejects.toThrow('enough');
  });

  test('is a word in the report when it is too slow, or stays busy', async () => {
    answers = { '/a': (to: ServerResponse) => to.write('{') };
    const slow = await scan(lock({ a: V1 }), { timeoutMs: 50 });
    expect(slow.left).toEqual(['1 package that a registry was not asked about: it took too long']);
    answers = { '/a': (to: ServerResponse) => to.writeHead(503, { 'retry-after': '60' }).end() };
    const busy = await scan(lock({ a: V1 }));
    expect(busy.left).toEqual([expect.stringContaining('answered with status 503')]);
    expect([...slow.failed, ...busy.failed]).toEqual([]);
  });

  test('hostile answers are read in linear time and give facts or nothing', () => {
    const job = (content: unknown) => ({
      ecosystem: 'npm' as const,
      content: Buffer.from(JSON.stringify(content)),
      versions: ['1.0.0', '__proto__'],
    });
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('versions', 'time', 'releases'), (text, member) => {
        const facts = readRegistryAnswer(job({ [member]: JSON.parse(text), versions: JSON.parse(text) }));
        expect(facts === undefined || facts.length === 2).toBe(true);
      }),
    );
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`1.0.${at}`, {}]));
    expect(readRegistryAnswer(job({ versions: many }))?.[0]).toMatchObject({ hasVersion: true });
  });
});

test('a version is found as it is written, or else by its order, as often as it is asked', () => {
  const version = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(fc.uniqueArray(version, { minLength: 1 }), fc.array(version), (there, wanted) => {
      const releases = Object.fromEntries([...there, 'odd'].map((one) => [one, [{}]]));
      const facts = readRegistryAnswer({
        ecosystem: 'PyPI',
        content: Buffer.from(JSON.stringify({ releases })),
        versions: wanted.map((one) => `${one}.0`),
      });
      expect(facts?.map(({ hasVersion }) => hasVersion)).toEqual(wanted.map((one) => there.includes(one)));
    }),
  );
});

describe('names that resemble famous ones', () => {
  const families = Object.keys(names) as (keyof typeof names)[];
  const all = (family: keyof typeof names) => names[family].flatMap((line) => line.split(' '));

  test('there are enough famous names, and none resembles another', () => {
    for (const family of families) {
      const list = all(family);
      expect(list.length).toBeGreaterThan(family === 'npm' || family === 'PyPI' ? 500 : 100);
      expect(list.filter((name) => findResemblance(family, name) !== undefined)).toEqual([]);
    }
  });

  test('random edits of famous names are found', () => {
    const edits: Readonly<Record<string, (name: string, at: number, letter: string) => string>> = {
      swap: (name, at) => name.slice(0, at) + (name[at + 1] ?? '') + name[at] + name.slice(at + 2),
      double: (name, at) => name.slice(0, at) + name[at] + name.slice(at),
      drop: (name, at) => name.slice(0, at) + name.slice(at + 1),
      insert: (name, at, letter) => name.slice(0, at) + letter + name.slice(at),
      replace: (name, at, letter) => name.slice(0, at) + letter + name.slice(at + 1),
      separator: (name) => name.replace(/[-_.]/, ''),
      'look-alike': (name) => name.replace('o', '0').replace('l', '1'),
      cyrillic: (name) => name.replace('a', 'а').replace('e', 'е'),
    };
    fc.assert(
      fc.property(
        fc
          .constantFrom(...families)
          .chain((family) => fc.tuple(fc.constant(family), fc.constantFrom(...all(family)))),
        fc.constantFrom(...Object.keys(edits)),
        fc.nat(),
        fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
        ([family, famous], kind, place, letter) => {
          // A scope belongs to its owner, so a name is edited before its last slash too rarely to be drawn.
          fc.pre(!famous.includes('/') && famous.length >= 7);
          const edited = edits[kind]?.(famous, 1 + (place % (famous.length - 2)), letter) ?? famous;
          const isKnown = edited.toLowerCase() === famous.toLowerCase() || isFamousName(family, edited);
          const isOrdinary = isKnown || looks.has(`${family} ${edited}`);
          expect(
            isOrdinary || findResemblance(family, edited) !== undefined,
            `${family} ${famous} ${edited}`,
          ).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('a scope that is lost or mistyped is found, and the packages of a famous scope are not', () => {
    expect(findResemblance('npm', 'types-node')).toMatchObject({ famous: '@types/node', isWeak: false });
    expect(findResemblance('npm', '@type/node')).toMatchObject({ famous: '@types/node' });
    expect(findResemblance('npm', '@babel/cor')).toBeUndefined();
    expect(findResemblance('Go', 'github.com/gin-gonik/gin')).toMatchObject({
      famous: 'github.com/gin-gonic/gin',
    });
    expect(findResemblance('Packagist', 'symfony/consol')).toBeUndefined();
  });

  test('additions and numbers are weak signs', () => {
    for (const name of ['python-requests', 'requests-py', 'requestss2'.slice(0, -1)])
      expect(findResemblance('PyPI', name)).toBeDefined();
    expect(findResemblance('PyPI', 'python-requests')).toEqual({ famous: 'requests', isWeak: true });
    expect(findResemblance('npm', 'react-dom2')).toEqual({ famous: 'react-dom', isWeak: true });
  });

  test('words of a dictionary are hardly ever taken for a famous name', () => {
    const text = readFileSync('src/knowledge/embedders/all-minilm-l6-v2-int8/tokenizer.json', 'utf8');
    const { model } = JSON.parse(text) as { model: { vocab: Record<string, number> } };
    const words = Object.keys(model.vocab).filter((word) => /^[a-z]{4,}$/.test(word));
    for (const family of families) {
      const taken = words.filter((word) => findResemblance(family, word)?.isWeak === false);
      expect(taken.length / words.length, `${family}: ${taken.slice(0, 20)}`).toBeLessThan(0.01);
    }
  });
});
