import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnyClient, CONNECTIONS } from '../helpers/clients.ts';
import { git } from '../helpers/git.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { sarifFaults } from '../helpers/sarif-schema.ts';

/** Scans of a real git repository through the whole product: REST, MCP and the terminal. */

const folder = temporaryFolder();
const roots = join(folder.path, 'code');
const shop = join(roots, 'shop');
const env = { ...environment(join(folder.path, 'data')), MAGPIE_SCAN_ROOTS: roots };
let magpie: Running;

/** Made here, so that no file of the project resembles a live secret. */
const KEY = ['AKIA', 'Q3EGKR5W7ZXCVBNM'].join('');
const OLD = ['AKIA', 'ZT6WQ2LMXN4RVKPD'].join('');

async function commit(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(shop, path), text);
  await git(shop, ['add', '-A']);
  await git(shop, ['commit', '-qm', 'files']);
}

beforeAll(async () => {
  mkdirSync(shop, { recursive: true });
  await git(shop, ['init', '-q']);
  await commit({ 'old.js': `const key = '${OLD}';\n` });
  rmSync(join(shop, 'old.js'));
  await commit({
    'app.js': `// the shop\nconst key = '${KEY}';\n`,
    Dockerfile: 'FROM node:24.1\nRUN curl http://get.example/x | sh\nUSER node\n',
  });
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

interface Body {
  readonly success: boolean;
  readonly data: {
    readonly scan_id: string;
    readonly status: string;
    readonly vulnerabilities: readonly {
      readonly id: string;
      readonly severity: string;
      readonly location: string;
    }[];
    readonly commit?: string;
  };
}

function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(new URL('/v1/scan', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

describe('REST', () => {
  test('POST /v1/scan answers the contract body, worst first [path.scan]', async () => {
    const response = await post({ repository: shop, options: { deep_scan: false } });
    expect(response.status).toBe(200);
    const { success, data } = (await response.json()) as Body;
    expect(success).toBe(true);
    expect(data).toMatchObject({
      status: 'completed',
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      vulnerabilities: [
        { id: 'secrets/aws-access-key', severity: 'critical', location: 'app.js:2', cwe: ['CWE-798'] },
        { id: 'infrastructure/shell-remote-script', location: 'Dockerfile:2' },
      ],
    });
    expect(JSON.stringify(data)).not.toContain(KEY);
  });

  test('a deep scan finds secrets of the history, with their commit [scan.history]', async () => {
    const response = await post({ repository: shop, options: { deep_scan: true } });
    const { data } = (await response.json()) as Body;
    expect(data.vulnerabilities).toContainEqual(
      expect.objectContaining({ location: 'old.js:1', commit: expect.stringMatching(/^[0-9a-f]{40}$/) }),
    );
    expect(JSON.stringify(data)).not.toContain(OLD);
  });

  test('Prefer: respond-async is answered 202, and getScan shows its progress [path.getScan] [scan.async]', async () => {
    const response = await post({ repository: shop }, { prefer: 'wait=5, respond-async' });
    expect(response.status).toBe(202);
    expect(response.headers.get('preference-applied')).toBe('respond-async');
    const at = new URL(response.headers.get('location') ?? '', magpie.url);
    const { data } = (await response.json()) as Body;
    expect(at.pathname).toBe(`/v1/scan/${data.scan_id}`);
    const asked = async () => ((await (await fetch(at)).json()) as Body).data;
    await expect.poll(async () => (await asked()).status, { timeout: 60_000 }).toBe('completed');
    expect((await asked()).vulnerabilities).toHaveLength(2);
    at.search = '?severity=high&limit=1';
    expect((await asked()).vulnerabilities).toHaveLength(1);
    at.search = '?limit=1';
    expect(await asked()).toMatchObject({ next_offset: 1, vulnerabilities: [{ severity: 'critical' }] });
  });

  test('Accept selects SARIF for a new scan and for a stored one [scan.sarif]', async () => {
    const accept = { accept: 'application/sarif+json, application/json;q=0.5' };
    const response = await post({ repository: shop }, accept);
    expect(response.headers.get('content-type')).toBe('application/sarif+json');
    const log = (await response.json()) as { runs: { automationDetails: { id: string } }[] };
    expect(sarifFaults(log)).toEqual([]);
    const id = log.runs[0]?.automationDetails.id.split('/')[1];
    const again = await fetch(new URL(`/v1/scan/${id}`, magpie.url), { headers: accept });
    expect(await again.json()).toEqual(log);
    const plain = await fetch(new URL(`/v1/scan/${id}`, magpie.url), { headers: { accept: '*/*' } });
    expect(plain.headers.get('content-type')).toContain('application/json');
  });

  test('errors are problems with the contract member [scan.problem]', async () => {
    const wrong: [number, Response][] = [
      [400, await post({})],
      [400, await post({ repository: '--upload-pack=x' })],
      [403, await post({ repository: folder.path })],
      [404, await fetch(new URL('/v1/scan/none', magpie.url))],
      [400, await post({ repository: shop, baseline: 'x', options: 5 })],
    ];
    for (const [status, response] of wrong) {
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      const body = (await response.json()) as { error: string };
      expect(body).toMatchObject({ error: expect.any(String), status, detail: body.error });
    }
  });
});

describe.each(Object.entries(CONNECTIONS).slice(2, 5))('MCP, %s', (_name, connect) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect({ url: magpie.url, env });
  });
  afterAll(() => client.close());

  test('reports progress and returns a readable text', async () => {
    const messages: unknown[] = [];
    const result = await client.callTool(
      { name: 'scan', arguments: { repository: shop } },
      { onprogress: ({ message }) => messages.push(message) },
    );
    expect(messages[0]).toMatch(/^fetching /);
    expect(result.content).toMatchObject([{ text: expect.stringMatching(/: completed\n\n1 critical, 1 /) }]);
    const { data } = result.structuredContent as unknown as Body;
    const later = await client.callTool({
      name: 'getScan',
      arguments: { scan_id: data.scan_id, severity: 'critical' },
    });
    expect((later.structuredContent as unknown as Body).data.vulnerabilities).toHaveLength(1);
  });
});

describe('the terminal', () => {
  test('exits with 0, 1, 2 or 3, and accepts a baseline [scan.cli]', async () => {
    const scan = (...args: string[]) => runMagpie(['scan', ...args], env);
    const table = await scan(shop, '--fail-on', 'critical');
    expect(table.code).toBe(1);
    expect(table.stdout).toMatch(/^CRITICAL {2}app\.js:2\n/);
    expect(table.stdout).not.toContain('\u001b');
    const sarif = await scan(shop, '--format', 'sarif');
    expect(sarif.code).toBe(0);
    expect(sarifFaults(JSON.parse(sarif.stdout))).toEqual([]);
    const file = join(folder.path, 'known.sarif');
    writeFileSync(file, sarif.stdout);
    expect((await scan(shop, '--fail-on', 'info', '--baseline', file)).code).toBe(0);
    expect((await scan(shop, '--fail-on', 'worst')).code).toBe(2);
    expect((await scan(join(folder.path, 'nothing'))).code).toBe(3);
    const json = await scan(shop, '--json');
    const { data } = JSON.parse(json.stdout) as Body;
    expect((await scan(shop, '--fail-on', 'info', '--baseline', data.scan_id)).code).toBe(0);
    const list = await runMagpie(['scans'], env);
    expect(list.stdout).toContain(data.scan_id);
    await runMagpie(['scans', data.scan_id, '--remove'], env);
    expect((await runMagpie(['scans'], env)).stdout).not.toContain(data.scan_id);
  });

  test('does not pass a build when a scanner fails [scan.cli]', async () => {
    const locked = join(folder.path, 'locked');
    mkdirSync(locked);
    const lock = { lockfileVersion: 3, packages: { 'node_modules/a': { version: '1.0.0' } } };
    writeFileSync(join(locked, 'package-lock.json'), JSON.stringify(lock));
    const offline = { ...env, MAGPIE_ADVISORIES: 'offline' };
    const scan = (...args: string[]) => runMagpie(['scan', locked, '--dependencies', ...args], offline);
    const failed = await scan('--fail-on', 'low', '--format', 'sarif');
    expect(failed.code).toBe(3);
    expect(failed.stderr).toMatch(
      /nothing is found at or above low, but .*the scanner dependencies failed \(/,
    );
    expect(sarifFaults(JSON.parse(failed.stdout))).toEqual([]);
    const plain = await scan();
    expect(plain.code).toBe(0);
    expect(plain.stdout).toContain('\n1 file, ');
    writeFileSync(join(locked, 'a.js'), `const key = '${KEY}';\n`);
    expect((await scan('--fail-on', 'low')).code).toBe(1);
  });

  test('does not pass a build with unscanned parts unless they are accepted [scan.cli]', async () => {
    const part = join(folder.path, 'part');
    mkdirSync(part);
    writeFileSync(join(part, 'package.json'), JSON.stringify({ dependencies: { a: '^1' } }));
    writeFileSync(join(part, 'requirements.txt'), 'flask==3.0.0\n');
    const offline = { ...env, MAGPIE_ADVISORIES: 'off' };
    const scan = (...args: string[]) => runMagpie(['scan', part, '--dependencies', ...args], offline);
    const missed = await scan('--fail-on', 'critical');
    expect(missed.code).toBe(3);
    expect(missed.stdout).toContain('\nNot scanned: packages of PyPI');
    expect(missed.stderr).toContain('magpie advisories update --ecosystem PyPI');
    expect(missed.stderr).toContain('without a lockfile');
    expect(missed.stderr).toContain('--accept lockfiles --accept advisories');
    expect((await scan('--fail-on', 'critical', '--accept', 'lockfiles')).code).toBe(3);
    const all = ['--accept', 'lockfiles', '--accept', 'advisories'];
    expect((await scan('--fail-on', 'critical', ...all)).code).toBe(0);
    expect((await scan()).code).toBe(0);
    const { data } = JSON.parse((await scan('--format', 'json')).stdout) as {
      data: { gaps: readonly { kind: string }[] };
    };
    expect(data.gaps.map(({ kind }) => kind)).toEqual(['lockfiles', 'advisories']);
    writeFileSync(join(part, 'a.js'), `const key = '${KEY}';\n`);
    expect((await scan('--fail-on', 'critical')).code).toBe(1);
  });

  test.each([
    [
      ['scan', '.', '--baseline', 'gone.sarif'],
      'the baseline gone.sarif is neither a file nor the id of a kept',
    ],
    [['scans', '--format', 'sarif'], '--format sarif takes the id of a scan'],
    [['scans', '--remove'], '--remove takes the id of a scan'],
    [['scan', '.', '--json', '--format', 'sarif'], '--json and --format sarif contradict each other'],
    [['scans', 'x', '--json', '--format', 'table'], '--json and --format table contradict each other'],
  ])('%j is an invalid command line', async (args, message) => {
    const { code, stdout, stderr } = await runMagpie(args, env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('scans any folder of its user, also outside the roots of servers', async () => {
    const outside = join(folder.path, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.js'), `const key = '${KEY}';\n`);
    expect((await runMagpie(['scan', outside, '--fail-on', 'high'], env)).code).toBe(1);
  });
});
