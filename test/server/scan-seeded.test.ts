// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflows are written so

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareRepository, type Entry, type GitSite, startGitSite } from '../helpers/git.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { sarifFaults } from '../helpers/sarif-schema.ts';

/** `magpie scan <git URL>` as a newcomer runs it: a repository over http with a vulnerability of every class in it. */

const folder = temporaryFolder();
let site: GitSite;
let env: Record<string, string>;

/** Made here, so that no file of the project resembles a live secret. */
const OLD_KEY = ['AKIA', 'ZT6WQ2LMXN4RVKPD'].join('');
const WEBHOOK = [
  'https://hooks.slack.com/services',
  'T8KD3LQ2X',
  'B9WQX7ZPL',
  'a8Xk3LmQ9zTr5Vb2Ny7WcJd4',
].join('/');

const SEEDED: readonly (readonly [path: string, text: string, rules: readonly string[]])[] = [
  [
    'app/views.py',
    `from flask import Flask, request, redirect, render_template_string
import hashlib, os, pickle, random, requests, sqlite3, yaml, ldap
from lxml import etree
app = Flask(__name__)

@app.route('/all')
def everything():
    word = request.args.get('q')
    db = sqlite3.connect('shop.db')
    db.execute("SELECT * FROM goods WHERE name = '" + word + "'")
    os.system('convert ' + word)
    eval(word)
    render_template_string('<b>' + word + '</b>')
    open('/srv/' + word).read()
    requests.get('http://' + word)
    pickle.loads(word)
    requests.get('https://shop.example', verify=False)
    return redirect(word)

def sign(text):
    return hashlib.md5(text).hexdigest()

if __name__ == '__main__':
    app.run(debug=True)
`,
    [
      'source/sql-injection',
      'source/command-injection',
      'source/code-injection',
      'source/template-injection',
      'source/path-traversal',
      'source/server-side-request-forgery',
      'source/unsafe-deserialisation',
      'source/tls-verification-off',
      'source/open-redirect',
      'source/debug-on',
    ],
  ],
  [
    'web/server.js',
    `const express = require('express');
const { exec } = require('node:child_process');
const app = express();
app.get('/hello', (request, response) => {
  response.send('<h1>' + request.query.name + '</h1>');
});
app.get('/run', (request) => exec('ls ' + request.query.folder));
`,
    ['source/cross-site-scripting', 'source/command-injection'],
  ],
  [
    'config/settings.ini',
    '[mail]\nhost = mail.acme.dev\nuser = shop\npassword = Blue-Ostrich-77\n',
    ['secrets/password'],
  ],
  ['notify.sh', `curl -d ok ${WEBHOOK}\n`, ['secrets/slack-webhook']],
  [
    'Dockerfile',
    'FROM node:latest\nRUN curl http://get.acme.dev/x | sh\n',
    [
      'infrastructure/docker-unpinned-image',
      'infrastructure/shell-remote-script',
      'infrastructure/docker-root-user',
    ],
  ],
  [
    'compose.yaml',
    'services:\n  shop:\n    image: acme/shop:1\n    privileged: true\n',
    ['infrastructure/container-privileged'],
  ],
  [
    'k8s/role.yaml',
    'apiVersion: v1\nkind: ClusterRole\nrules:\n  - {resources: ["*"], verbs: ["*"]}\n',
    ['infrastructure/kubernetes-wildcard-role'],
  ],
  [
    'infra/main.tf',
    'resource "aws_s3_bucket" "logs" {\n  acl = "public-read"\n}\n',
    ['infrastructure/public-s3-acl'],
  ],
  [
    '.github/workflows/ci.yml',
    'on: issues\npermissions: {contents: read}\njobs:\n  a:\n    steps:\n      - run: echo "${{ github.event.issue.title }}"\n',
    ['infrastructure/workflow-script-injection'],
  ],
  [
    '.gitlab-ci.yml',
    'a:\n  image: node:24\n  script:\n    - eval "$CI_COMMIT_MESSAGE"\n',
    ['infrastructure/pipeline-eval'],
  ],
  [
    'package-lock.json',
    JSON.stringify(
      {
        name: 'shop',
        lockfileVersion: 3,
        packages: {
          '': { name: 'shop', dependencies: { 'left-hand': '^1.0.0' } },
          'node_modules/left-hand': { version: '1.0.2' },
        },
      },
      null,
      2,
    ),
    ['CVE-2099-0001'],
  ],
];

const ADVISORY = {
  id: 'GHSA-aaaa-bbbb-cccc',
  aliases: ['CVE-2099-0001'],
  modified: '2026-01-01T00:00:00Z',
  published: '2026-01-01T00:00:00Z',
  summary: 'left-hand lets anybody in',
  details: 'It does.',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
  affected: [
    {
      package: { ecosystem: 'npm', name: 'left-hand' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.0.5' }] }],
    },
  ],
  database_specific: { cwe_ids: ['CWE-287'] },
};

beforeAll(async () => {
  const files: Entry[] = SEEDED.map(([path, data]) => ({ path, data }));
  const past: Entry[] = [...files, { path: 'old.env', data: `AWS_ACCESS_KEY_ID=${OLD_KEY}\n` }];
  await bareRepository(join(folder.path, 'git', 'shop.git'), [past, files]);
  const advisories = join(folder.path, 'advisories');
  mkdirSync(advisories, { recursive: true });
  writeFileSync(join(advisories, `${ADVISORY.id}.json`), JSON.stringify(ADVISORY));
  site = await startGitSite(join(folder.path, 'git'));
  env = { ...environment(join(folder.path, 'data')), MAGPIE_ALLOW_HOSTS: site.host };
  const updated = await runMagpie(['advisories', 'update', '--from', advisories], env);
  expect(updated).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

async function scan(format: string) {
  const args = [
    'scan',
    `${site.url}/shop.git`,
    '--deep',
    '--dependencies',
    '--fail-on',
    'high',
    '--format',
    format,
  ];
  return runMagpie(args, env);
}

test('a vulnerability of every class is found, at its place, over http', async () => {
  const { code, stdout, stderr } = await scan('json');
  expect(stderr).not.toMatch(/error/i);
  expect(code).toBe(1);
  const { data } = JSON.parse(stdout) as {
    data: {
      vulnerabilities: {
        id: string;
        location: string;
        aliases?: string[];
        severity: string;
        commit?: string;
        fixedIn?: string;
        trace?: unknown[];
      }[];
    };
  };
  const found = data.vulnerabilities;
  const at = (path: string) => found.filter(({ location }) => location.includes(path));
  for (const [path, , rules] of SEEDED) {
    expect(at(path).map(({ id }) => id)).toEqual(expect.arrayContaining([...rules]));
  }
  expect(at('package-lock.json')).toMatchObject([
    { id: 'CVE-2099-0001', severity: 'critical', fixedIn: '1.0.5', aliases: ['GHSA-aaaa-bbbb-cccc'] },
  ]);
  expect(at('left-hand@1.0.2')).toHaveLength(1);
  // What was taken out of the tree is still in the history.
  expect(at('old.env')).toMatchObject([
    { id: 'secrets/aws-access-key', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
  ]);
  // Data flow shows its way.
  expect(at('app/views.py').find(({ id }) => id === 'source/sql-injection')?.trace?.length).toBeGreaterThan(
    1,
  );
  for (const secret of [OLD_KEY, WEBHOOK.slice(-24), 'Blue-Ostrich-77'])
    expect(stdout + stderr).not.toContain(secret);
});

test('the same findings are valid SARIF', async () => {
  const { code, stdout } = await scan('sarif');
  expect(code).toBe(1);
  const log: unknown = JSON.parse(stdout);
  expect(sarifFaults(log)).toEqual([]);
  expect(stdout).toContain('source/sql-injection');
});
