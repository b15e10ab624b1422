import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printScanTable } from '../../src/commands/scanning/scan-table.ts';
import { AppError } from '../../src/errors.ts';
import type { RawFinding } from '../../src/security/findings/finding.ts';
import { hideSecrets } from '../../src/security/findings/hide.ts';
import { maskLiterals } from '../../src/security/findings/mask.ts';
import { createRepositoryAccess } from '../../src/security/git/remote/repositories.ts';
import { sarifFindings } from '../../src/security/scanners/external/sarif-findings.ts';
import { scanFiles } from '../../src/security/scans/file-job.ts';
import { withoutCredentials } from '../../src/security/scans/scan.ts';
import type { FileScanner, TreeScanner } from '../../src/security/scans/scanner.ts';
import { createLineIndex } from '../../src/security/trees/lines.ts';
import type { ScanAnswer } from '../../tools/schemas/scan.ts';
import { scanText } from '../../tools/schemas/scan-text.ts';
import { type ScanRoom, scanRoom } from '../helpers/scan-room.ts';

/** Marked secrets in every place where a scan may quote one: nothing that it says or keeps holds them. */

const base = mkdtempSync(join(tmpdir(), 'magpie-hidden-'));
const data = mkdtempSync(join(base, 'data-'));
/** The scanners of trees of the one room, which each test has of its own. */
const treeScanners: TreeScanner[] = [];
let made: ScanRoom;
beforeAll(async () => {
  made = await scanRoom({ folder: data, trees: treeScanners, real: true });
});
afterAll(async () => {
  await made.close();
  rmSync(base, { recursive: true, force: true });
});
/** Made here, so that no file of the project resembles a live secret. */
const TOKEN = ['glpat', '-k3Jx9QmZ7vB2nL5tR8wY'].join('');
const AWS = ['AKIA', 'Q3EGKR5W7ZXCVBNM'].join('');
const PASSWORD = 'Zx8!qv-Marked-41';
const BODY = 'MIIEpAIBAAKCAQEA7mArKeDkEyLiNeOnE0123456789abcdefghijklmnopqrst';
const PEM = ['-----BEGIN RSA PRIVATE', ' KEY-----'].join('');

/** Where a text holds any of them. */
function leaks(text: string, ...secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) => {
    const at = text.indexOf(secret);
    return at < 0 ? [] : [text.slice(Math.max(0, at - 150), at + 150).replace(/[^ -~]+/g, '~')];
  });
}

let count = 0;
function folder(files: Readonly<Record<string, string>>): string {
  const root = join(base, `tree-${++count}`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** An external scanner that says this of the tree. */
function saying(findings: readonly RawFinding[], more: Partial<TreeScanner> = {}): TreeScanner {
  return { name: 'gitleaks', scan: async () => findings, ...more };
}

async function everything(root: string, trees: readonly TreeScanner[] = []): Promise<string> {
  const progress: string[] = [];
  treeScanners.push(...trees);
  try {
    const { room } = made;
    const request = { repository: root, deep: true, dependencies: true };
    const watch = {
      signal: AbortSignal.timeout(60_000),
      progress: ({ message }: { message: string }) => void progress.push(message),
    };
    const { id } = await room.scan('ann', request, {}, watch);
    // Once more, out of what is kept.
    await room.scan('ann', request, {}, watch);
    expect((await room.listFindings('ann', id)).length).toBeGreaterThan(0);
    const said = [
      await room.readScan('ann', id),
      await room.listFindings('ann', id),
      await room.listComponents('ann', id),
      progress,
    ];
    const kept = readdirSync(data).map((name) => readFileSync(join(data, name), 'latin1'));
    return [
      JSON.stringify(said),
      await room.writeReport('ann', id, 'sarif'),
      await room.writeReport('ann', id, 'cyclonedx'),
      ...kept,
    ].join('\n');
  } finally {
    treeScanners.length = 0;
  }
}

const at = (path: string, line: number, more: Partial<RawFinding> = {}): RawFinding => ({
  id: 'gitleaks/rule',
  severity: 'high',
  title: 'A rule',
  description: 'Something.',
  fix: 'Mend it.',
  path,
  line,
  cwe: ['CWE-89'],
  ...more,
});

describe('no secret is shown or kept', () => {
  test('that is in the line of another finding, or where an excerpt is cut', async () => {
    const long = `${'x'.repeat(280)}`;
    const root = folder({
      'app.py': `import os\nfrom flask import request\nos.system("a ${TOKEN} " + request.args["x"])\n`,
      'db.py': `from flask import request\ncursor.execute("select '${long}" + request.args["q"], "${TOKEN}")\n`,
      Dockerfile: `FROM node:24.1\nRUN curl -H "x: ${TOKEN}" http://get.example/x | sh\nUSER node\n`,
    });
    const all = await everything(root);
    expect(leaks(all, 'CWE-78')).toHaveLength(1);
    expect(leaks(all, TOKEN.slice(0, 20))).toEqual([]);
  });

  test('that only one scanner recognises, in findings of other scanners on the same line', async () => {
    const root = folder({
      'settings.py': `password = "${PASSWORD}"; cursor.execute("select " + request.args["q"])\n`,
      'split.js': `const password = "Zx8!qv" + "-Marked-41"; eval(req.query.x + "Zx8!qv");\n`,
    });
    const all = await everything(root);
    expect(leaks(all, PASSWORD)).toEqual([]);
    expect(leaks(all, '-Marked-41')).toEqual([]);
  });

  test('that an external scanner quotes in any of its texts', async () => {
    const root = folder({
      'app.js': `// one\nconst key = '${AWS}';\nconst password = "${PASSWORD}";\nrun(password);\n`,
      'key.txt': `${PEM}\n${BODY}\n-----END RSA PRIVATE KEY-----\n`,
      'odd.cfg': 'lock_code "Wq7-Marked-Pin"\n',
    });
    const quoting = (path: string, line: number, secret: string) =>
      at(path, line, {
        title: `Found ${secret}`,
        description: `The value ${secret}, in "${secret}".`,
        fix: `Take ${secret} out`,
        identity: `rule ${secret}`,
      });
    const all = await everything(root, [
      saying([
        quoting('app.js', 2, AWS),
        quoting('app.js', 4, PASSWORD),
        { ...quoting('app.js', 3, PASSWORD), cwe: ['CWE-798'] },
        { ...quoting('key.txt', 1, BODY), cwe: ['CWE-798'], endLine: 3 },
        { ...quoting('odd.cfg', 1, 'Wq7-Marked-Pin'), cwe: ['CWE-798'] },
        quoting('gone.txt', 7, TOKEN),
      ]),
    ]);
    expect(leaks(all, AWS, PASSWORD, BODY, TOKEN, 'Wq7-Marked-Pin')).toEqual([]);
    expect(leaks(all, 'gitleaks')).toHaveLength(1);
  });

  test('that is in a file name, a failure, an omission, progress, or a version', async () => {
    const root = folder({ [`logs/${TOKEN}.js`]: `const key = '${AWS}';\n`, 'a.txt': 'a' });
    const all = await everything(root, [
      saying([at(`logs/${TOKEN}.js`, 1)], {
        async scan({ progress, miss, leave, fail, uses }) {
          progress(`reading logs/${TOKEN}.js`);
          miss('unreadable', `logs/${TOKEN}.js: cannot be read`);
          leave(`https://ann:${PASSWORD}@git.example/`);
          fail(`it said ${TOKEN}`);
          const version = `git+https://ann:${PASSWORD}@git.example/a`;
          uses([{ ecosystem: 'npm', name: 'a', version, path: `logs/${TOKEN}.lock` }]);
          return [at(`logs/${TOKEN}.js`, 1)];
        },
      }),
    ]);
    expect(leaks(all, TOKEN)).toEqual([]);
    expect(leaks(all, PASSWORD)).toEqual([]);
    expect(leaks(all, 'logs/glpa')).toHaveLength(1);
  });

  test('that is in SARIF of an external program', async () => {
    const report = {
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { rules: [{ id: 'r', shortDescription: { text: `has ${TOKEN}` } }] } },
          results: [
            {
              ruleId: 'r',
              message: { text: `match: password = ${PASSWORD}` },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'app.js' },
                    region: { startLine: 1, snippet: { text: PASSWORD } },
                  },
                },
              ],
            },
          ],
        },
      ],
    };
    const findings = sarifFindings(JSON.stringify(report), {
      program: 'gitleaks',
      folder: '/t',
      cwe: 'CWE-798',
    });
    const all = await everything(folder({ 'app.js': `const password = "${PASSWORD}";\n` }), [
      saying(findings),
    ]);
    expect(leaks(all, TOKEN)).toEqual([]);
    expect(leaks(all, PASSWORD)).toEqual([]);
  });

  test('where the scanner that would recognise it fails: the findings show no code', async () => {
    const secrets: FileScanner = {
      name: 'secrets',
      past: false,
      masks: true,
      wants: () => true,
      scan() {
        throw new TypeError('no');
      },
    };
    const source: FileScanner = {
      name: 'source',
      past: false,
      wants: () => true,
      scan: ({ path }) => [
        { ...at(path, 1), excerpt: `key = ${TOKEN}`, trace: [{ path, line: 1, note: TOKEN }] },
      ],
    };
    const job = (scanners: readonly string[]) => ({
      module: '',
      deep: false,
      files: [{ path: 'a.txt', content: Buffer.from(`key = ${TOKEN}\n`), scanners }],
      place: new Int32Array(new SharedArrayBuffer(12)),
    });
    for (const names of [['secrets', 'source'], ['source']]) {
      const results = await scanFiles(job(names), [secrets, source]);
      expect(JSON.stringify(results)).not.toContain(TOKEN);
      expect(results.find(({ scanner }) => scanner === 'source')?.findings).toHaveLength(1);
    }
  });
});

describe('credentials in an address', () => {
  const SECRETS = [TOKEN, PASSWORD, 'pa/ss-Marked', 'plain-Marked'];
  const own = mkdtempSync(join(base, 'logins-'));
  const repositories = createRepositoryAccess({ folder: own, roots: [], allowHosts: ['127.0.0.1'] });
  let fetching: ScanRoom;
  beforeAll(async () => {
    fetching = await scanRoom({ folder: own, openTree: repositories.open });
  });
  afterAll(async () => {
    await fetching.close();
    await repositories.close();
  });
  test.each([
    `https://ann:${PASSWORD}@git.example/shop.git`,
    `https://${TOKEN}@git.example/shop.git`,
    `https://ann:pa/ss-Marked@git.example/shop.git`,
    `git+https://ann:${PASSWORD}@git.example/shop.git`,
    `https:/ann:${PASSWORD}@git.example/shop.git`,
    `https:ann:${PASSWORD}@git.example/shop.git`,
    `ann:plain-Marked@git.example:shop.git`,
    `ssh://ann:plain-Marked@git.example/shop.git`,
    `https://git.example/shop.git?private_token=plain-Marked`,
    `https://git.example/${TOKEN}/shop.git`,
  ])('are in no error, record or progress message: %s', async (repository) => {
    const shown = withoutCredentials(repository);
    expect(leaks(shown, ...SECRETS)).toEqual([]);
    const told: string[] = [];
    const request = { repository, deep: false, dependencies: false };
    const watch = {
      signal: AbortSignal.timeout(30_000),
      progress: ({ message }: { message: string }) => void told.push(message),
    };
    const error = await fetching.room
      .scan('ann', request, { anyFolder: true }, watch)
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    const all = JSON.stringify([(error as AppError).message, told, await fetching.room.listScans('ann')]);
    expect(leaks(all, ...SECRETS)).toEqual([]);
    const kept = readdirSync(own, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of kept) {
      const bytes = readFileSync(join(own, name), 'latin1');
      expect(leaks(bytes, ...SECRETS)).toEqual([]);
    }
  });

  test('are not assumed in an address without a login', () => {
    for (const same of [
      'https://git.example:8443/@scope/shop.git',
      'git@git.example:shop.git',
      '/home/ann/a:b@c/shop',
      './a@b',
      'C:\\work\\a@b',
      'https://git.example/shop.git',
    ]) {
      expect(withoutCredentials(same)).toBe(same);
    }
  });
});

test('each string literal of a line is masked whole', () => {
  expect(maskLiterals(`f("a\\"b", 'c'); g(\`d\`)`)).toBe(`f("…", '…'); g(\`…\`)`);
  expect(maskLiterals('key: abc def')).toBe('key: …');
  expect(maskLiterals('open "abc')).toBe('open "…"');
});

describe('names and texts with direction controls or line breaks', () => {
  const NAMES = ['a\u202egnp.js', 'b\nc.js', 'd\u001b[2K\u200be.js'];
  const UNSEEN = /(?!\n)\p{Cc}|[\u200b\u202e]/u;

  test('are escaped in a table, in Markdown and in SARIF, and stay distinct', async () => {
    const root = folder(Object.fromEntries(NAMES.map((name) => [name, `const key = '${AWS}';\n`])));
    const made = await scanRoom({
      folder: mkdtempSync(join(base, 'data-')),
      real: true,
      trees: [
        saying([], {
          async scan({ leave, miss }) {
            leave('left \u202e one');
            miss('unreadable', `${NAMES[0]} is not there`);
            return [at('x.js', 1, { title: 'odd \u202e', description: 'said\n\u202e', fix: '\u0085fix' })];
          },
        }),
      ],
    });
    try {
      const { room } = made;
      const request = { repository: root, deep: false, dependencies: false };
      const scan = await room.scan(
        'ann',
        request,
        {},
        { signal: AbortSignal.timeout(60_000), progress() {} },
      );
      const found = await room.listVulnerabilities('ann', scan.id);
      const lines: string[] = [];
      await printScanTable(scan, found, async (line) => void lines.push(line));
      const { report, counts } = scan;
      const text = scanText(
        {
          success: true,
          data: {
            scan_id: scan.id,
            status: 'completed',
            vulnerabilities: found as ScanAnswer['data']['vulnerabilities'],
            repository: 'r\u202e',
            ...(counts && { summary: counts }),
            left: [...(report?.left ?? [])],
            gaps: [...(report?.gaps ?? [])],
          },
        },
        'model',
        () => true,
      );
      const sarif = await room.writeReport('ann', scan.id, 'sarif');
      for (const said of [lines.join('\n'), text, sarif]) expect(said).not.toMatch(UNSEEN);
      for (const said of [lines.join('\n'), text]) {
        expect(said).toContain('a\\u202egnp.js:1');
        expect(said).toContain('b\\nc.js:1');
        expect(said).toContain('\\u202egnp.js is not there');
      }
      const { runs } = JSON.parse(sarif) as {
        runs: { results: { message: { text: string }; properties: { location: string } }[] }[];
      };
      const results = runs[0]?.results ?? [];
      // The value itself is what it is, the words that people read are not.
      expect(results.map(({ properties }) => properties.location)).toContain(`${NAMES[0]}:1`);
      for (const { message } of results) expect(message.text).not.toMatch(UNSEEN);
    } finally {
      await made.close();
    }
  });
});

test('a password that is a common word is not removed from the texts of rules', () => {
  const finding = at('app.py', 2, {
    title: 'SQL injection by parameters',
    fix: 'Pass values as parameters.',
    description: 'From parameters.',
  });
  const password = { ...at('app.py', 1, { id: 'secrets/password' }), hides: ['parameters'] };
  const text = createLineIndex('password = "parameters"\nexecute(x)\n');
  const [shown] = hideSecrets([finding, password], text, true);
  expect(shown).toMatchObject({ title: finding.title, fix: finding.fix });
  // What quotes the file is masked all the same.
  expect(shown?.description).not.toContain('parameters');
});
