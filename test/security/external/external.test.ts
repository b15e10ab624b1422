import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeFindings } from '../../../src/security/findings/merge.ts';
import { EXTERNAL_PROGRAMS } from '../../../src/security/scanners/external/program.ts';
import { sarifFindings } from '../../../src/security/scanners/external/sarif-findings.ts';
import { createExternalScanners } from '../../../src/security/scanners/trees.ts';
import type { FileTree } from '../../../src/security/trees/tree.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

/** Programs of the scanners' names that write SARIF as those do; what they are asked for is really run. */

const folder = temporaryFolder();
const bin = join(folder.path, 'bin');
const work = join(folder.path, 'work');
afterAll(() => folder.remove());

const FILES: Readonly<Record<string, string>> = {
  'src/app.py': 'import os\nos.system(input())\n',
  '.gitleaks.toml': '[allowlist]\npaths = [".*"]\n',
  'deep/.checkov.yaml': 'external-checks-dir: [evil]\n',
};

const tree: FileTree = {
  files: Object.entries(FILES).map(([path, text]) => ({ path, bytes: text.length, blob: path })),
  left: [],
  gaps: [],
  read: async ({ path }) => Buffer.from(FILES[path] ?? ''),
  async materialise(into) {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(into, path)), { recursive: true });
      writeFileSync(join(into, path), text);
    }
    return 0;
  },
  async *history() {},
};

function result(extra: object = {}): string {
  return JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'x',
            rules: [
              {
                id: 'python.os-system',
                shortDescription: { text: 'OS command from input' },
                help: { text: 'Use subprocess with a list.' },
                properties: {
                  tags: ['CWE-78: OS Command Injection', 'security'],
                  'security-severity': '9.8',
                },
              },
            ],
          },
        },
        results: [
          {
            ruleId: 'python.os-system',
            message: { text: 'Input reaches os.system' },
            locations: [
              {
                physicalLocation: { artifactLocation: { uri: 'FILES/src/app.py' }, region: { startLine: 2 } },
              },
            ],
            ...extra,
          },
        ],
      },
    ],
  });
}

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\n${script}`);
  await chmod(join(bin, name), 0o755);
}

beforeAll(async () => {
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'report.json'), result());
  // The last argument is the folder; what is in it is written on standard error of the failing one below.
  await program(
    'semgrep',
    `for a in "$@"; do case "$a" in --output=*) out="\${a#--output=}";; esac; files="$a"; done
env > "${bin}/env"; find "$files" -type f > "${bin}/seen"
sed "s#FILES#$files#" "${bin}/report.json" > "$out"; exit 1\n`,
  );
  await program('gitleaks', 'echo "cannot read /somewhere" >&2; exit 3\n');
  await program('trivy', 'sleep 300 & sleep 300\n');
  await program('osv-scanner', 'exit 0\n');
});

function scanner(name: string, timeoutMs = 60_000) {
  const searchPath = `${bin}:/usr/bin:/bin`;
  const [one] = createExternalScanners({ programs: [name], searchPath, folder: work, timeoutMs });
  if (!one) throw new Error(`there is no ${name}`);
  return (signal = AbortSignal.timeout(60_000)) =>
    one.scan({
      tree,
      options: { deep: false },
      signal,
      progress: () => {},
      uses: () => {},
      miss: () => {},
      leave: () => {},
      fail: () => {},
    });
}

test('an external scanner reads plain files, its configuration cannot come from the files, and its report becomes findings', async () => {
  const { readFileSync } = await import('node:fs');
  expect(await scanner('semgrep')()).toEqual([
    {
      id: 'semgrep/python.os-system',
      severity: 'critical',
      title: 'OS command from input',
      description: 'Input reaches os.system (semgrep)',
      fix: 'Use subprocess with a list.',
      path: 'src/app.py',
      line: 2,
      cwe: ['CWE-78'],
      identity: 'python.os-system Input reaches os.system',
    },
  ]);
  const seen = readFileSync(join(bin, 'seen'), 'utf8').trim().split('\n');
  expect(seen.map((path) => path.replace(/^.*\/semgrep-\w+\/semgrep-\w+\//, ''))).toEqual(['src/app.py']);
  const env = readFileSync(join(bin, 'env'), 'utf8');
  expect(
    env
      .match(/^\w+(?==)/gm)
      ?.filter((name) => !/^(?:_|PWD|OLDPWD|SHLVL)$/.test(name))
      .sort(),
  ).toEqual(['HOME', 'LC_ALL', 'NO_COLOR', 'PATH', 'TMPDIR']);
});

test('a failure of an external scanner is reported, and its work folder is removed', async () => {
  await expect(scanner('gitleaks')()).rejects.toMatchObject({
    code: 'upstream',
    message: 'gitleaks failed with 3: cannot read /somewhere',
  });
  await expect(scanner('osv-scanner')()).rejects.toMatchObject({
    code: 'upstream',
    message: 'osv-scanner wrote no report',
  });
  await expect(scanner('checkov')()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(scanner('trivy', 300)()).rejects.toMatchObject({ code: 'timeout' });
  const cancelled = new AbortController();
  setTimeout(() => cancelled.abort(new Error('no longer wanted')), 200);
  await expect(scanner('trivy')(cancelled.signal)).rejects.toThrow('no longer wanted');
  expect(readdirSync(work)).toEqual([]);
});

test('only the enabled external scanners run', () => {
  const names = (programs: readonly string[]) =>
    createExternalScanners({ programs, searchPath: bin, folder: work }).map(({ name }) => name);
  expect(names([])).toEqual([]);
  expect(names(['trivy', 'semgrep'])).toEqual(['semgrep', 'trivy']);
  expect(names(EXTERNAL_PROGRAMS.map(({ name }) => name))).toHaveLength(5);
});

const origin = { program: 'trivy', folder: '/work/files', cwe: 'CWE-1' };

test.each([
  ['file:///work/files/a%20b.txt', 'a b.txt'],
  ['/work/files/a.txt', 'a.txt'],
  ['work/files/a.txt', 'a.txt'],
  ['./a.txt', 'a.txt'],
  ['a.txt', 'a.txt'],
  ['files/a.txt', 'a.txt'],
  ['a/../../etc/passwd', undefined],
  ['', undefined],
])('the path of a result that is given as %j is read', (uri, path) => {
  const report = result({ locations: [{ physicalLocation: { artifactLocation: { uri } } }] });
  expect(sarifFindings(report, origin).map((one) => one.path)).toEqual(path === undefined ? [] : [path]);
});

test('results get a severity and an advisory id, and results without a finding are left out', () => {
  const one = (extra: object) =>
    sarifFindings(
      result({ locations: [{ physicalLocation: { artifactLocation: { uri: 'a' } } }], ...extra }),
      origin,
    );
  expect(one({ ruleId: 'CVE-2024-12345', level: 'error' })).toMatchObject([
    { id: 'CVE-2024-12345', severity: 'high', cwe: ['CWE-1'] },
  ]);
  expect(
    one({ ruleId: 'other', properties: { 'security-severity': '5.0', tags: ['cwe-0089'] } }),
  ).toMatchObject([{ severity: 'medium', cwe: ['CWE-89'] }]);
  const plain = { ...origin, severity: 'medium' } as const;
  expect(
    sarifFindings(
      result({
        ruleId: 'other',
        level: 'error',
        locations: [{ physicalLocation: { artifactLocation: { uri: 'a' } } }],
      }),
      plain,
    ),
  ).toMatchObject([{ severity: 'medium' }]);
  expect(one({ ruleId: 'other', level: 'note' })).toMatchObject([{ severity: 'low' }]);
  expect(one({ kind: 'pass' })).toEqual([]);
});

/** As semgrep 1.182.0 and checkov 3.3.30 wrote them of a small tree, cut to what is read. */
const semgrep = {
  version: '2.1.0',
  runs: [
    {
      invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
      tool: {
        driver: {
          name: 'Semgrep OSS',
          rules: [
            {
              id: 'python.lang.os-system',
              name: 'python.lang.os-system',
              defaultConfiguration: { level: 'error' },
              shortDescription: { text: 'Semgrep Finding: python.lang.os-system' },
              fullDescription: { text: 'os.system called with $X' },
              help: { text: 'os.system called with $X', markdown: 'os.system called with $X' },
              helpUri: 'https://semgrep.dev/r/python.lang.os-system',
              properties: { precision: 'very-high', tags: ['CWE-78: OS Command Injection', 'security'] },
            },
          ],
        },
      },
      results: [
        {
          fingerprints: { 'matchBasedId/v1': 'requires login' },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: '/work/files/src/app.py', uriBaseId: '%SRCROOT%' },
                region: {
                  startLine: 5,
                  endLine: 5,
                  startColumn: 5,
                  endColumn: 41,
                  snippet: { text: 'os.system(x)' },
                },
              },
            },
          ],
          message: { text: 'os.system called with x' },
          properties: {},
          ruleId: 'python.lang.os-system',
        },
      ],
    },
  ],
};

test('a real semgrep report gives a title, a CWE, a severity and a link', () => {
  expect(sarifFindings(JSON.stringify(semgrep), { program: 'semgrep', folder: '/work/files' })).toEqual([
    {
      id: 'semgrep/python.lang.os-system',
      severity: 'high',
      title: 'Os system',
      description: 'os.system called with x (semgrep)',
      fix: 'See https://semgrep.dev/r/python.lang.os-system',
      path: 'src/app.py',
      line: 5,
      cwe: ['CWE-78'],
      identity: 'python.lang.os-system os.system called with x',
    },
  ]);
});

test('a checkov check without a CWE has the CWE of our equivalent rule', () => {
  const text = 'S3 Bucket has an ACL defined which allows public READ access.';
  const report = {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            rules: [
              {
                id: 'CKV_AWS_20',
                shortDescription: { text },
                fullDescription: { text },
                help: { text: `${text}\nResource: aws_s3_bucket.b` },
              },
            ],
          },
        },
        results: [
          {
            ruleId: 'CKV_AWS_20',
            level: 'error',
            message: { text },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'infra/main.tf' },
                  region: { startLine: 1, endLine: 4 },
                },
              },
            ],
          },
        ],
      },
    ],
  };
  const { classes } = EXTERNAL_PROGRAMS.find(({ name }) => name === 'checkov') ?? {};
  if (!classes) throw new Error('checkov has no classes');
  const theirs = sarifFindings(JSON.stringify(report), { program: 'checkov', folder: '/x', classes });
  expect(theirs).toMatchObject([
    { cwe: ['CWE-732'], fix: 'See the description of this rule in the documentation of its scanner.' },
  ]);
  const ours = {
    ...{ id: 'infrastructure/cloud-public-storage', severity: 'high' as const, title: 't', description: 'd' },
    ...{ fix: 'f', path: 'infra/main.tf', line: 3, cwe: ['CWE-732'] },
  };
  expect(
    mergeFindings([
      { scanner: 'infrastructure', findings: [ours] },
      { scanner: 'checkov', findings: theirs },
    ]),
  ).toMatchObject([
    { id: ours.id, scanners: ['infrastructure', 'checkov'], aliases: ['checkov/CKV_AWS_20'] },
  ]);
});

test('a finding merges first with a finding that names its rule, then with one of its class', () => {
  const ours = (id: string, aliases: string[]) => ({
    ...{
      id: `infrastructure/${id}`,
      aliases,
      severity: 'low' as const,
      title: 't',
      description: 'd',
      fix: 'f',
    },
    ...{ path: 'main.tf', line: 2, cwe: ['CWE-311'] },
  });
  const theirs = { ...ours('x', []), id: 'checkov/CKV_AWS_16', line: 1, endLine: 9 };
  expect(
    mergeFindings([
      {
        scanner: 'infrastructure',
        findings: [ours('a', ['checkov/CKV_AWS_3']), ours('b', ['checkov/CKV_AWS_16'])],
      },
      { scanner: 'checkov', findings: [theirs] },
    ]),
  ).toMatchObject([
    { id: 'infrastructure/a', scanners: ['infrastructure'] },
    { id: 'infrastructure/b', scanners: ['infrastructure', 'checkov'], aliases: ['checkov/CKV_AWS_16'] },
  ]);
});

test.each(['', '{', '[]', '{"runs": 1}', '{"runs": [{"results": [{}]}]}'])(
  'a report that is not SARIF is refused: %j',
  (report) => {
    expect(() => sarifFindings(report, origin)).toThrow(/trivy wrote no SARIF/);
  },
);
