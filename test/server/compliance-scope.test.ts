import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareRepository, type Entry, type GitSite, git, startGitSite, workTree } from '../helpers/git.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** What a scope stands for, and that only what was really checked counts: on real monitors and repositories. */

const folder = temporaryFolder();
const served = join(folder.path, 'git');
const code = join(folder.path, 'code');
const APP: Entry = { path: 'app.js', data: 'export const one = 1;\n' };
const POLICY: Entry = { path: 'SECURITY.md', data: 'Write to us.\n' };
const PAGE = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><title>A shop</title>');
});

interface Control {
  readonly id: string;
  readonly status: string;
  readonly reason: string;
  readonly evidence: { readonly checks: readonly string[]; readonly at?: string };
}
interface Data {
  readonly check_id: string;
  readonly scope: string;
  readonly subjects: readonly { readonly name: string; readonly kind: string; readonly commit?: string }[];
  readonly standards: readonly { readonly id: string; readonly controls: readonly Control[] }[];
}

let site: GitSite;
let magpie: Running;
let env: Record<string, string>;
/** Where a page is, and nothing that is no page. */
let page: string;
let shop: string;

beforeAll(async () => {
  await bareRepository(join(served, 'shop.git'), [[APP]]);
  await bareRepository(join(served, 'plain'), [[APP, POLICY]]);
  site = await startGitSite(served);
  shop = `${site.url}/shop.git`;
  await new Promise<void>((resolve) => PAGE.listen(0, '127.0.0.1', resolve));
  page = `http://127.0.0.1:${(PAGE.address() as AddressInfo).port}`;
  // What is not there any more refuses connections.
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const dead = `https://127.0.0.1:${(gone.address() as AddressInfo).port}/`;
  await new Promise((resolve) => gone.close(resolve));
  mkdirSync(code);
  const inventory = join(folder.path, 'infrastructure.yaml');
  writeFileSync(inventory, `infrastructure:\n  dead: { urls: ['${dead}'] }\n  till: { urls: ['${dead}'] }\n`);
  env = {
    ...environment(join(folder.path, 'data')),
    MAGPIE_ALLOW_HOSTS: `${site.host},${new URL(page).host}`,
    MAGPIE_SCAN_ROOTS: code,
    MAGPIE_INVENTORY: inventory,
  };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
  PAGE.closeAllConnections();
  PAGE.close();
  folder.remove();
});

async function post(path: string, body: unknown): Promise<{ status: number; data: Data; error?: string }> {
  const response = await fetch(new URL(path, magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as { data: Data; error?: string }) };
}

async function check(scope: string, standards: readonly string[] = ['scorecard']): Promise<Data> {
  const { data, error } = await post('/v1/compliance/check', { standards, scope });
  expect(error).toBeUndefined();
  return data;
}

async function scan(repository: string, deep = false): Promise<string> {
  const { data, error } = await post('/v1/scan', { repository, options: { deep_scan: deep } });
  expect(error).toBeUndefined();
  return (data as unknown as { scan_id: string }).scan_id;
}

function control(data: Data, id: string): Control | undefined {
  return data.standards.flatMap(({ controls }) => controls).find((one) => one.id === id);
}

describe('monitored systems', () => {
  test.each([
    'shop.example',
    'SHOP.example',
    'https://shop.example',
    'https://Shop.Example:443/',
    'shop.example:443',
    'shop.example/',
  ])('%s names the monitor of the site', async (scope) => {
    const started = await post('/v1/monitor/start', { infrastructure_id: 'shop.example' });
    expect(started.error).toBeUndefined();
    const made = await check(scope);
    expect(made.scope).toBe('https://shop.example/');
    expect(made.subjects).toEqual([{ name: 'https://shop.example/', kind: 'infrastructure' }]);
  });

  test.each([
    [
      'till',
      /"till" is in the inventory, and you do not monitor it yet: call startMonitoring .*"till"; check again/,
    ],
    [
      'other.example',
      /call startMonitoring with infrastructure_id "https:\/\/other\.example\/"; check again/,
    ],
    ['https://other.example/', /do not monitor https:\/\/other\.example\/ yet/],
    ['https://other.example/pay?step=2', /do not monitor/],
    ['other.example:8443', /"https:\/\/other\.example:8443\/"; check again/],
    ['192.0.2.7', /"https:\/\/192\.0\.2\.7\/"; check again/],
    [
      'https://ada:pass1word@other.example/',
      /^(?!.*pass1word).*do not monitor https:\/\/other\.example\/ yet/,
    ],
    [
      'http://shop.example/',
      /do not monitor http:\/\/shop\.example\/ yet: you monitor https:\/\/shop\.example\/, which scope takes/,
    ],
  ])('%s is refused as not monitored', async (scope, words) => {
    await post('/v1/monitor/start', { infrastructure_id: 'shop.example' });
    const { status, error } = await post('/v1/compliance/check', { standards: ['slsa'], scope });
    expect([status, error]).toEqual([404, expect.stringMatching(words)]);
  });

  test('the refused scopes were not scanned', async () => {
    const { stdout } = await runMagpie(['scans', '--json'], env);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  test('a git URL is scanned, with .git or without', async () => {
    expect((await check(shop)).subjects).toMatchObject([{ name: shop, kind: 'repository' }]);
    const plain = `${site.url}/plain`;
    expect((await check(plain)).subjects).toMatchObject([{ name: plain, kind: 'repository' }]);
  });

  test('the error for a page says how to monitor it', async () => {
    const { status, error } = await post('/v1/compliance/check', {
      standards: ['slsa'],
      scope: `${page}/checkout`,
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(error).toMatch(
      /If it is not a repository: you do not monitor http:.*checkout yet: call startMonitoring/,
    );
    const slip = await post('/v1/compliance/check', { standards: ['slsa'], scope: 'daed' });
    expect(slip.error).not.toContain('did you mean');
    await post('/v1/monitor/start', { infrastructure_id: 'dead' });
    const near = await post('/v1/compliance/check', { standards: ['slsa'], scope: 'daed' });
    expect(near.error).toMatch(/did you mean dead\?/);
  });

  test('at the terminal a folder may have the same name as a site', async () => {
    const made = join(code, 'shop.folder');
    mkdirSync(made);
    // Each of its names stands for its whole path.
    const words = ['call', 'checkCompliance', '--standards', 'slsa', '--json', '--scope'];
    const { stdout, code: exit } = await runMagpie([...words, relative(process.cwd(), made)], env);
    expect([exit, JSON.parse(stdout).data.subjects]).toEqual([0, [{ name: made, kind: 'repository' }]]);
    const site = await runMagpie(
      ['call', 'checkCompliance', '--standards', 'slsa', '--scope', 'a.example'],
      env,
    );
    expect(site).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('magpie monitor start https://a.example/'),
    });
  });
});

describe('controls that a monitor could not probe', () => {
  const LIVE = /^(?:certificate|protocol|headers|cookies|redirection|cors|security-txt)\//;

  test('a dead site is assessed only as unreachable [compliance.evidence]', async () => {
    await post('/v1/monitor/start', {
      infrastructure_id: 'dead',
      monitoring_options: { scan_interval: 10 },
    });
    const seen = async () => check('dead', ['nist', 'pci-dss', 'asvs', 'soc2']);
    await expect
      .poll(async () => control(await seen(), 'SC-17')?.reason, { timeout: 60_000, interval: 300 })
      .toMatch(/refuses the connection/);
    const controls = (await seen()).standards.flatMap((one) => one.controls);
    const relying = controls.filter(({ evidence }) => {
      const { checks } = evidence;
      return checks.some((one) => LIVE.test(one)) && !checks.some((one) => one.startsWith('reachability/'));
    });
    expect(relying.length).toBeGreaterThan(20);
    expect(relying.filter(({ status }) => status !== 'not_assessed')).toEqual([]);
    expect(control(await seen(), 'SC-17')?.reason).toMatch(/Not checked: certificate in dead/);
    expect(controls.filter(({ status }) => status === 'pass')).toEqual([]);
  });

  test('a stopped monitor assesses nothing, and the reason says when it last probed the site', async () => {
    await post('/v1/monitor/stop', { infrastructure_id: 'dead' });
    const stopped = control(await check('dead', ['nist']), 'SC-17');
    expect(stopped?.status).toBe('not_assessed');
    expect(stopped?.reason).toMatch(/watching was stopped/);
    const made = await check('dead', ['nist']);
    const report = await fetch(new URL(`/v1/compliance/report/${made.check_id}?format=json`, magpie.url));
    const { assessment } = (await report.json()) as {
      assessment: { looks: { what: string; ok: boolean; why?: string }[] };
    };
    const reach = assessment.looks.find(({ what }) => what === 'reachability');
    expect(reach).toMatchObject({
      ok: false,
      why: expect.stringMatching(/watching was stopped, last seen 20\d\d-/),
    });
  });
});

describe('one fetch, and the commit that was scanned', () => {
  test('a check of a repository fetches from the server once', async () => {
    site.asked.length = 0;
    const made = await check(shop);
    expect(site.asked.filter(({ path }) => path.includes('/info/refs'))).toHaveLength(1);
    expect(control(made, 'Security-Policy')).toMatchObject({ status: 'fail' });
    expect(control(made, 'License')).toMatchObject({ status: 'fail' });
  });

  test('practices of a scan are judged at its commit after the repository has moved on', async () => {
    const id = await scan(shop);
    const before = await check(id);
    const [{ commit } = {}] = before.subjects;
    await bareRepository(join(served, 'shop.git'), [[APP], [APP, POLICY]]);
    const after = await check(id);
    expect(control(after, 'Security-Policy')).toMatchObject({
      status: 'fail',
      reason: expect.stringMatching(/no SECURITY\.md/),
    });
    expect(after.subjects).toEqual([{ name: shop, kind: 'repository', commit }]);
    expect(control(await check(shop), 'Security-Policy')).toMatchObject({ status: 'pass' });
  });

  test('practices are not assessed when the commit is gone, and the reason is given', async () => {
    const path = join(served, 'gone.git');
    await bareRepository(path, [[APP, POLICY]]);
    const id = await scan(`${site.url}/gone.git`);
    expect(control(await check(id), 'Security-Policy')).toMatchObject({ status: 'pass' });
    await bareRepository(path, [[POLICY]]);
    await git(path, ['reflog', 'expire', '--expire=now', '--all']);
    await git(path, ['gc', '-q', '--prune=now']);
    expect(control(await check(id), 'Security-Policy')).toMatchObject({
      status: 'not_assessed',
      reason: expect.stringMatching(/the scan's commit [0-9a-f]{40} cannot be read/),
    });
  });

  test('practices of a folder are judged as scanned, with and without git', async () => {
    const kept = await workTree(join(code, 'kept'), () => {
      writeFileSync(join(code, 'kept', 'app.js'), 'export const one = 1;\n');
    });
    const id = await scan(kept);
    writeFileSync(join(kept, 'SECURITY.md'), 'Write to us.\n');
    expect(control(await check(id), 'Security-Policy')).toMatchObject({ status: 'fail' });
    expect(control(await check(kept), 'Security-Policy')).toMatchObject({ status: 'pass' });
    const made = await check(kept);
    const { data } = await post('/v1/compliance/report', { check_id: made.check_id, format: 'markdown' });
    const report = await fetch(new URL((data as unknown as { url: string }).url, magpie.url));
    expect(await report.text()).toMatch(
      /commit [0-9a-f]{40}, from scan [0-9a-f]{24} of the folder as it stood/,
    );
    const bare = join(code, 'bare');
    mkdirSync(bare);
    writeFileSync(join(bare, 'SECURITY.md'), 'Write to us.\n');
    expect(control(await check(await scan(bare)), 'Security-Policy')).toMatchObject({
      status: 'not_assessed',
      reason: expect.stringContaining('not under git'),
    });
  });

  test('controls on code do not pass beside a language without a scanner, or where the languages are unknown', async () => {
    const mixed = join(code, 'mixed');
    mkdirSync(mixed);
    writeFileSync(join(mixed, 'app.js'), 'export const one = 1;\n');
    const query = async (scope: string) => control(await check(scope, ['cwe']), 'CWE-89');
    expect(await query(mixed)).toMatchObject({ status: 'no_findings' });
    writeFileSync(join(mixed, 'Main.kt'), 'fun main() {}\n');
    const reason = `Not checked everywhere: source in ${mixed} (`;
    expect(await query(mixed)).toMatchObject({
      status: 'not_assessed',
      reason: `${reason}the history: the folder is not under git; Kotlin is not read)`,
    });
    expect(await query(await scan(mixed))).toMatchObject({
      status: 'not_assessed',
      reason: expect.stringContaining('languages that are not read is not known'),
    });
    // Where nothing at all was read, that is why.
    const alone = join(code, 'alone');
    mkdirSync(alone);
    writeFileSync(join(alone, 'Main.kt'), 'fun main() {}\n');
    expect(await query(alone)).toMatchObject({
      status: 'not_assessed',
      reason: expect.stringMatching(/^Not checked: source in .*Kotlin is not read/),
    });
  });

  test('a single commit is not evidence of signed commits', async () => {
    const asks = (data: Data) =>
      data.standards
        .flatMap(({ controls }) => controls)
        .find(({ evidence }) => evidence.checks.includes('practice/signed-commits'));
    expect(asks(await check(await scan(shop), ['all']))?.reason).toMatch(/signed-commits/);
    expect(asks(await check(await scan(shop, true), ['all']))?.reason).toMatch(/not signed/);
  });
});
