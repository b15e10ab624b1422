import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { osvRecord } from '../helpers/osv-records.ts';
import { type OsvServer, startOsv } from '../helpers/osv-server.ts';

/** `scan` of a text, and of a package by its name, in place of a repository. */

const folder = temporaryFolder();
let osv: OsvServer;
let magpie: Running;
let env: Record<string, string>;

beforeAll(async () => {
  osv = await startOsv({
    records: [
      osvRecord('GHSA-jf85-cpcp-j695', 'npm', 'lodash', '4.17.12', { aliases: ['CVE-2019-10744'] }),
      osvRecord('PYSEC-2018-28', 'PyPI', 'requests', '2.20.0'),
      osvRecord('GHSA-4265-ccf5-phj5', 'Maven', 'org.apache.commons:commons-compress', '1.26.0'),
    ],
  });
  env = {
    ...environment(join(folder.path, 'data')),
    MAGPIE_OSV_URL: osv.url,
    MAGPIE_ALLOW_HOSTS: osv.host,
    MAGPIE_ADVISORIES: 'osv',
  };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await osv.close();
  folder.remove();
});

interface Data {
  readonly scan_id: string;
  readonly repository: string;
  readonly vulnerabilities: readonly {
    readonly id: string;
    readonly location: string;
    readonly fix: string;
  }[];
}

async function scan(body: object): Promise<{ status: number; detail: string; data: Data }> {
  const response = await fetch(new URL('/v1/scan', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { detail, data } = (await response.json()) as { detail: string; data: Data };
  return { status: response.status, detail, data };
}

const FLAW = `import subprocess
from flask import Flask, request
app = Flask(__name__)
@app.route('/')
def run():
    subprocess.run('ping ' + request.args['host'], shell=True)
`;

test('a text is scanned as the kind of file that its name says, with its data flow', async () => {
  const { status, data } = await scan({ text: FLAW, file: 'src/app.py' });
  expect(status).toBe(200);
  expect(data.repository).toBe('text src/app.py');
  expect(data.vulnerabilities).toContainEqual(
    expect.objectContaining({ id: 'source/command-injection', location: 'src/app.py:6' }),
  );
  expect((await scan({ text: FLAW, file: 'notes.txt' })).data.vulnerabilities).toEqual([]);
  const kept = await fetch(new URL(`/v1/scan/${data.scan_id}`, magpie.url));
  expect(((await kept.json()) as { data: Data }).data.vulnerabilities).toEqual(data.vulnerabilities);
});

test('a text without a name is searched for secrets, and the answer hides them', async () => {
  const key = ['AKIA', 'Q3EGKR5W7ZXCVBNM'].join('');
  const { data } = await scan({ text: `key = "${key}"` });
  expect(data.vulnerabilities).toMatchObject([{ id: 'secrets/aws-access-key', location: 'text.txt:1' }]);
  expect(JSON.stringify(data)).not.toContain(key);
});

test.each([
  ['lodash@4.17.4', 'npm:lodash@4.17.4'],
  ['lodash 4.17.4', 'npm:lodash@4.17.4'],
  ['npm:lodash@v4.17.4', 'npm:lodash@4.17.4'],
  ['pkg:npm/lodash@4.17.4?x=y', 'npm:lodash@4.17.4'],
  ['requests==2.19.0', 'PyPI:requests@2.19.0'],
  ['pip Requests 2.19.0', 'PyPI:requests@2.19.0'],
  ['org.apache.commons:commons-compress:1.20', 'Maven:org.apache.commons:commons-compress@1.20'],
  ['pkg:maven/org.apache.commons/commons-compress@1.20', 'Maven:org.apache.commons:commons-compress@1.20'],
])('the package %s is looked up in advisories', async (named, location) => {
  const { status, data } = await scan({ package: named });
  expect(status).toBe(200);
  expect(data.vulnerabilities).toMatchObject([{ location, fix: expect.stringContaining('Update') }]);
});

test('a package without an advisory has no findings; an invalid package name is refused', async () => {
  expect((await scan({ package: 'lodash@4.17.21' })).data.vulnerabilities).toEqual([]);
  for (const [named, words] of [
    ['lodash', 'has no version'],
    ['4.17.4', 'has no name'],
    ['lodash@^4.17.4', 'is not a single version'],
    ['lodash@4.x', 'is not a single version'],
    ['lodash@latest', 'is not a single version'],
    ['pkg:deb/debian/curl@7.50', 'name one, such as Debian:12/curl@7.50'],
    ['pkg:gentoo/curl@7.50', 'no advisories are known for packages of'],
  ] as const) {
    const { status, detail } = await scan({ package: named });
    expect([status, detail]).toEqual([400, expect.stringContaining(words)]);
  }
});

test('a request scans one thing at a time, and the error names wrong parameters', async () => {
  for (const [body, words] of [
    [{}, 'repository is required'],
    [
      { repository: 'https://git.example/x.git', text: 'x' },
      'scan takes one of repository, text, package and agents',
    ],
    [{ package: 'a@1', text: 'x' }, 'text and package are given'],
    [{ file: 'a.py', package: 'a@1' }, 'file is the name of text'],
    [{ text: 'x', branch: 'main' }, 'branch is for a repository, and a text is given: leave it out'],
    [
      { package: 'a@1', options: { deep_scan: true, include_dependencies: true } },
      'options.deep_scan and options.include_dependencies are for a repository, and a package is given: leave them out',
    ],
    [
      { text: 'x', options: { deep_scan: true } },
      'options.deep_scan is for a repository, and a text is given',
    ],
    [{ text: 'x', file: '../../etc/passwd' }, 'file takes the name of a file'],
    [{ text: 'x', file: '.git/config' }, 'file takes the name of a file'],
  ] as const) {
    const { status, detail } = await scan(body);
    expect([status, detail]).toEqual([400, expect.stringContaining(words)]);
  }
});

test('the newest twenty scans of texts and packages are kept', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 22; at++) ids.push((await scan({ text: `x = ${at}` })).data.scan_id);
  const status = async (id = '') => (await fetch(new URL(`/v1/scan/${id}`, magpie.url))).status;
  expect(await Promise.all([ids[0], ids[1], ids[2], ids[21]].map(status))).toEqual([404, 404, 200, 200]);
});

test('options for a repository are refused for a package on the terminal too', async () => {
  const { code, stderr } = await runMagpie(
    ['scan', '--package', 'lodash@4.17.4', '--deep', '--branch', 'main'],
    env,
  );
  expect(code).toBe(2);
  expect(stderr).toContain(
    '--branch and --deep are for a repository, and a package is given: leave them out',
  );
});

test('the terminal scans a package', async () => {
  const { code, stdout } = await runMagpie(['scan', '--package', 'lodash@4.17.4', '--fail-on', 'low'], env);
  expect(code).toBe(1);
  expect(stdout).toContain('npm:lodash@4.17.4');
  const other = await runMagpie(['scan', '--package', 'lodash@4.17.4', '--rules', folder.path], env);
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining('--rules is for a repository, and a package is given'),
  ]);
});
