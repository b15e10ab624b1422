import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { osvRecord } from '../helpers/osv-records.ts';
import { startOsv } from '../helpers/osv-server.ts';
import { sarifFaults } from '../helpers/sarif-schema.ts';

/** What mends a finding without judgement is a patch that git applies; what takes judgement is left to people. */

const folder = temporaryFolder();
const shop = join(folder.path, 'shop');
afterAll(() => folder.remove());

/** Made here, so that no file of the project resembles a live secret. */
const SECRET = ['Tr0ub4', 'dor_3xKq9'].join('');
const FILES = {
  'app.py': [
    'import requests, yaml',
    'a = yaml.load(open("a"))',
    'b = yaml.load(open("b"), Loader=yaml.Loader)',
    'def get(url):',
    '\treturn requests.get(url, verify=False)',
    'both = [yaml.load(x), yaml.load(y)]',
    '',
  ].join('\n'),
  'login.py': [
    'import requests',
    `password = "${SECRET}"`,
    `requests.get("https://x.example", auth=("admin", "${SECRET}"), verify=False)`,
    '',
  ].join('\n'),
  'deps/requirements.txt': 'requests==2.19.0  # kept\n',
  'server.js': "const https = require('https');\nhttps.get({ host: 'x', rejectUnauthorized: false });\n",
  'windows.js': "const https = require('https');\r\nhttps.get({ host: 'x', rejectUnauthorized: false });\r\n",
};
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(shop, path)), { recursive: true });
  writeFileSync(join(shop, path), text);
}

test('git applies the patch, and a second scan has nothing left to patch', async () => {
  const osv = await startOsv({
    records: [
      osvRecord('PYSEC-1', 'PyPI', 'requests', '2.20.0'),
      osvRecord('PYSEC-2', 'PyPI', 'requests', '2.31.0'),
    ],
  });
  const env = {
    ...environment(join(folder.path, 'data')),
    MAGPIE_OSV_URL: osv.url,
    MAGPIE_ALLOW_HOSTS: osv.host,
    MAGPIE_ADVISORIES: 'osv',
  };
  const scan = (format: string) => runMagpie(['scan', shop, '--dependencies', '--format', format], env);
  const sarif = JSON.parse((await scan('sarif')).stdout);
  expect(sarifFaults(sarif)).toEqual([]);
  expect(JSON.stringify(sarif)).toContain('"insertedContent"');
  // A line whose excerpt is masked is shown in no change.
  expect(JSON.stringify(sarif)).toContain('login.py');
  expect(JSON.stringify(sarif)).not.toContain(SECRET.slice(4));
  const { code, stdout } = await scan('patch');
  expect(code).toBe(0);
  execFileSync('git', ['init', '-q', shop]);
  execFileSync('git', ['-C', shop, 'apply', '--unidiff-zero', '-'], { input: stdout });
  const read = (path: string) => readFileSync(join(shop, path), 'utf8');
  expect(read('app.py')).toBe(
    FILES['app.py']
      .replace('yaml.load(open("a"))', 'yaml.safe_load(open("a"))')
      .replace('Loader=yaml.Loader', 'Loader=yaml.SafeLoader')
      .replace('verify=False', 'verify=True'),
  );
  expect(read('deps/requirements.txt')).toBe('requests==2.31.0  # kept\n');
  expect(read('server.js')).toBe(
    FILES['server.js'].replace('rejectUnauthorized: false', 'rejectUnauthorized: true'),
  );
  expect(read('login.py')).toBe(FILES['login.py']);
  expect(read('windows.js')).toBe(FILES['windows.js']);
  expect((await scan('patch')).stdout.trim()).toBe('');
  await osv.close();
});

test('the GitLab report has the fields of a code quality report', async () => {
  const env = environment(join(folder.path, 'data'));
  const scan = (format: string) => runMagpie(['scan', shop, '--format', format], env);
  const { data } = JSON.parse((await scan('json')).stdout) as {
    data: { vulnerabilities: { id: string; location: string; also?: readonly { location: string }[] }[] };
  };
  const places = data.vulnerabilities.flatMap(({ id, location, also = [] }) =>
    [location, ...also.map((one) => one.location)].map((place) => ({ id, place })),
  );
  const report = JSON.parse((await scan('gitlab')).stdout) as { fingerprint: string }[];
  expect(report).toHaveLength(places.length);
  expect(new Set(report.map(({ fingerprint }) => fingerprint)).size).toBe(report.length);
  expect(report).toContainEqual({
    description: expect.stringMatching(/certificate/i),
    check_name: places.find(({ place }) => place === 'windows.js:2')?.id,
    fingerprint: expect.any(String),
    severity: expect.stringMatching(/^(?:critical|major)$/),
    location: { path: 'windows.js', lines: { begin: 2 } },
  });
  expect(JSON.stringify(report)).not.toContain(SECRET.slice(4));
});
