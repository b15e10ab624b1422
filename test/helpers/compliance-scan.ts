import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workTree } from './git.ts';
import { environment, startMagpie, temporaryFolder } from './magpie.ts';
import { osvRecord } from './osv-records.ts';
import { startOsv } from './osv-server.ts';

/** Made here, so that no file of the project looks like a live secret. */
export const KEY = ['AKIA', 'Q3EGKR5W7ZXCVBNM'].join('');

/** A scan of a real repository with faults of all kinds, by a Magpie of its own, and the checks made from it. */
export interface ComplianceScan {
  readonly scanId: string;
  /** Where the server is. */
  readonly url: string;
  /** Findings of the scan. */
  readonly found: number;
  /** Id of a check of that scan against one standard. */
  check(standard: string): Promise<string>;
  report(check: string, format: string): Promise<Response>;
  close(): Promise<void>;
}

const FILES: Readonly<Record<string, string>> = {
  LICENSE: 'Free.\n',
  'app/views.py': `from flask import Flask, request
import hashlib, sqlite3
app = Flask(__name__)

@app.route('/goods')
def goods():
    word = request.args.get('q')
    return sqlite3.connect('shop.db').execute("SELECT * FROM goods WHERE name = '" + word + "'")

def sign(text):
    return hashlib.md5(text).hexdigest()
`,
  'app/settings.js': `export const key = '${KEY}';\n`,
  Dockerfile: 'FROM node:latest\nUSER root\n',
  '.github/workflows/ci.yml':
    'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm test\n',
  'package.json': '{"name":"shop","version":"1.0.0","dependencies":{"minimist":"1.2.0"}}\n',
  'package-lock.json': `${JSON.stringify({
    name: 'shop',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'shop', version: '1.0.0', dependencies: { minimist: '1.2.0' } },
      'node_modules/minimist': { version: '1.2.0' },
    },
  })}\n`,
};

export async function complianceScan(): Promise<ComplianceScan> {
  const folder = temporaryFolder();
  const shop = await workTree(join(folder.path, 'code', 'shop'), () => {
    for (const [path, text] of Object.entries(FILES)) {
      const file = join(folder.path, 'code', 'shop', path);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
    }
  });
  const osv = await startOsv({ records: [osvRecord('CVE-2021-44906', 'npm', 'minimist', '1.2.6')] });
  const magpie = await startMagpie({
    ...environment(join(folder.path, 'data')),
    MAGPIE_SCAN_ROOTS: join(folder.path, 'code'),
    MAGPIE_ADVISORIES: 'osv',
    MAGPIE_OSV_URL: osv.url,
    MAGPIE_ALLOW_HOSTS: osv.host,
  });
  async function post<T>(path: string, body: unknown): Promise<T> {
    const response = await fetch(new URL(path, magpie.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  }
  const options = { deep_scan: true, include_dependencies: true };
  const { scan_id: scanId, vulnerabilities } = await post<{ scan_id: string; vulnerabilities: unknown[] }>(
    '/v1/scan',
    { repository: shop, options },
  );
  return {
    scanId,
    url: magpie.url,
    found: vulnerabilities.length,
    async check(standard) {
      const made = await post<{ check_id: string }>('/v1/compliance/check', {
        standards: [standard],
        scope: scanId,
      });
      return made.check_id;
    },
    report: (check, format) => fetch(new URL(`/v1/compliance/report/${check}?format=${format}`, magpie.url)),
    async close() {
      await magpie.stop();
      await osv.close();
      folder.remove();
    },
  };
}
