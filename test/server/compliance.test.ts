import { createPublicKey, verify } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REPORT_FORMATS } from '../../src/lib/compliance/report-formats.ts';
import { CONNECTIONS } from '../helpers/clients.ts';
import { git } from '../helpers/git.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { oscalFaults } from '../helpers/oscal-schema.ts';
import { AUTHORITY, startTlsSite, type TlsSite } from '../helpers/tls-site.ts';

/** Compliance through the whole product, on a real scan and a real monitor: REST, MCP and the terminal. */

const folder = temporaryFolder();
const roots = join(folder.path, 'code');
const shop = join(roots, 'shop');
let env: Record<string, string>;
let magpie: Running;
let expired: TlsSite;
let made: Data;
/** Another check with less to write in its reports. */
let brief: Data;

/** Made here, so that no file of the project looks like a live secret. */
const KEY = ['AKIA', 'Q3EGKR5W7ZXCVBNM'].join('');

interface Control {
  readonly id: string;
  readonly status: string;
  readonly reason: string;
  readonly evidence: { readonly fingerprints: readonly string[]; readonly found: number };
}
interface Data {
  readonly check_id: string;
  readonly scope: string;
  readonly subjects: readonly { readonly name: string; readonly commit?: string }[];
  readonly standards: readonly {
    readonly id: string;
    readonly total: number;
    readonly controls: readonly Control[];
  }[];
  readonly changes?: {
    readonly lacked: readonly { readonly standard: string; readonly since?: string }[];
    readonly totals?: { readonly controls: number };
    readonly controls: readonly unknown[];
    readonly gone: readonly string[];
  };
}

beforeAll(async () => {
  expired = await startTlsSite({ certificate: 'expired' });
  mkdirSync(shop, { recursive: true });
  await git(shop, ['init', '-q']);
  writeFileSync(join(shop, 'app.js'), `const key = '${KEY}';\n`);
  writeFileSync(join(shop, 'LICENSE'), 'Free.\n');
  await git(shop, ['add', '-A']);
  await git(shop, ['commit', '-qm', 'files']);
  const inventory = join(folder.path, 'infrastructure.yaml');
  writeFileSync(inventory, `infrastructure:\n  old: { authority: ${AUTHORITY}, urls: ['${expired.url}'] }\n`);
  env = { ...environment(join(folder.path, 'data')), MAGPIE_SCAN_ROOTS: roots, MAGPIE_INVENTORY: inventory };
  magpie = await startMagpie(env);
  made = await check({ standards: ['PCI DSS 4.0', 'scorecard', 'cwe'], scope: shop });
  brief = await check({ standards: ['scorecard', 'cwe', 'slsa'], scope: shop });
});
afterAll(async () => {
  await magpie.stop();
  await expired.close();
  folder.remove();
});

function post(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(new URL(path, magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function check(body: unknown): Promise<Data> {
  const response = await post('/v1/compliance/check', body);
  const answer = (await response.json()) as { data: Data; error?: string };
  expect(answer.error).toBeUndefined();
  return answer.data;
}

function control(data: Data, standard: string, id: string): Control | undefined {
  return data.standards.find((one) => one.id === standard)?.controls.find((one) => one.id === id);
}

test('POST /v1/compliance/check assesses a real scan against standards [path.checkCompliance]', async () => {
  const commit = await git(shop, ['rev-parse', 'HEAD']);
  expect(made.subjects).toEqual([{ name: shop, kind: 'repository', commit }]);
  expect(made.standards.map(({ id, total, controls }) => [id, total, controls.length])).toEqual([
    ['pci-dss', 280, 280],
    ['openssf-scorecard', 20, 20],
    ['cwe-top-25', 25, 25],
  ]);
  expect(control(made, 'pci-dss', '8.6.2')).toMatchObject({
    status: 'fail',
    evidence: { found: 1, fingerprints: [expect.stringMatching(/^[0-9a-f]{32}$/)] },
  });
  expect(control(made, 'openssf-scorecard', 'License')).toMatchObject({
    status: 'pass',
    reason: expect.stringMatching(/LICENSE/),
  });
  expect(control(made, 'openssf-scorecard', 'Security-Policy')).toMatchObject({ status: 'fail' });
  expect(control(made, 'openssf-scorecard', 'Webhooks')).toMatchObject({ status: 'manual' });
  expect(control(made, 'openssf-scorecard', 'Binary-Artifacts')).toMatchObject({ status: 'pass' });
  expect(control(made, 'cwe-top-25', 'CWE-89')).toMatchObject({
    status: 'no_findings',
    reason: expect.stringMatching(/^Checked for .* in 1 file: no finding counts against it/),
  });
  expect(JSON.stringify(made)).not.toContain(KEY);
});

test('a control without evidence in its scope does not pass [compliance.evidence]', async () => {
  const scanned = await post('/v1/scan', { repository: shop });
  const { data } = (await scanned.json()) as { data: { scan_id: string } };
  const shallow = await check({
    standards: ['openssf-scorecard', 'pci-dss', 'cwe-top-25'],
    scope: data.scan_id,
  });
  // Dependencies were not asked for, and nothing of the scan runs.
  expect(control(shallow, 'openssf-scorecard', 'Vulnerabilities')).toMatchObject({ status: 'not_assessed' });
  expect(control(shallow, 'pci-dss', '6.4.3')).toMatchObject({ status: 'not_assessed' });
  // A scan that is not deep follows data through one function alone.
  expect(control(shallow, 'cwe-top-25', 'CWE-89')).toMatchObject({
    status: 'not_assessed',
    reason: expect.stringMatching(/^Not checked everywhere: .*the scan is not a deep one/),
  });
});

test('a later check lists the changes', async () => {
  writeFileSync(join(shop, 'SECURITY.md'), 'Write to us.\n');
  const later = await check({ standards: ['scorecard'], scope: shop, since: made.check_id });
  expect(later.changes?.controls).toContainEqual({
    standard: 'openssf-scorecard',
    control: 'Security-Policy',
    before: 'fail',
    now: 'pass',
  });
});

test('a monitor is evidence for its own scope and for the scope of everything', async () => {
  const started = await post('/v1/monitor/start', {
    infrastructure_id: 'old',
    monitoring_options: { scan_interval: 10 },
  });
  expect(started.status).toBe(200);
  const certificate = async () =>
    control(await check({ standards: ['nist'], scope: 'old' }), 'nist-800-53', 'SC-17');
  await expect
    .poll(async () => (await certificate())?.status, { timeout: 60_000, interval: 100 })
    .toBe('fail');
  expect(await certificate()).toMatchObject({
    reason: expect.stringMatching(/1 high/),
    evidence: { found: 1 },
  });
  const all = await check({ standards: ['nist'], scope: 'all' });
  expect(all.subjects.map(({ name }) => name).sort()).toEqual([shop, 'old'].sort());
  expect(control(all, 'nist-800-53', 'IA-5(7)')).toMatchObject({ status: 'fail' });
});

test.each([
  [{ standards: ['pci-ds'], scope: shop }, 400, /"pci-ds".*did you mean pci-dss.*it takes nist-800-53/],
  [{ standards: [], scope: shop }, 400, /standards/],
  [{ standards: ['slsa'] }, 400, /scope/],
  [{ standards: ['slsa'], scope: 'f'.repeat(24) }, 404, /there is no scan/],
  [{ standards: ['slsa'], scope: '/etc' }, 403, /\/etc/],
])('POST /v1/compliance/check refuses %j', async (body, status, words) => {
  const response = await post('/v1/compliance/check', body);
  expect(response.status).toBe(status);
  expect(((await response.json()) as { error: string }).error).toMatch(words);
});

test('the report comes in every format by Accept and by its link [path.generateComplianceReport] [compliance.forms]', async () => {
  const begins = {
    json: ['application/vnd.magpie.compliance+json', '{'],
    markdown: ['text/markdown', '# Compliance report'],
    html: ['text/html', '<!doctype html>'],
    pdf: ['application/pdf', '%PDF-'],
    oscal: ['application/oscal+json', '{'],
    oscal_component: ['application/oscal.component-definition+json', '{'],
    oscal_poam: ['application/oscal.poam+json', '{'],
  };
  for (const [format, [type = '', start = '']] of Object.entries(begins)) {
    const answer = await post('/v1/compliance/report', { check_id: brief.check_id, format });
    const { data } = (await answer.json()) as { data: { url: string; format: string } };
    expect(data.format).toBe(format);
    const byLink = await fetch(new URL(data.url, magpie.url));
    const byAccept = await post('/v1/compliance/report', { check_id: brief.check_id }, { accept: type });
    for (const response of [byLink, byAccept]) {
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('content-disposition')).toMatch(
        /^attachment; filename="compliance-[0-9a-f]{24}\./,
      );
      const body = Buffer.from(await response.arrayBuffer());
      expect(body.subarray(0, start.length).toString()).toBe(start);
      expect(body.includes(KEY)).toBe(false);
      if (format === 'oscal') expect(oscalFaults(JSON.parse(body.toString()))).toEqual([]);
      if (format === 'oscal_component')
        expect(oscalFaults(JSON.parse(body.toString()), 'component-definition')).toEqual([]);
      if (format === 'oscal_poam')
        expect(oscalFaults(JSON.parse(body.toString()), 'plan-of-action-and-milestones')).toEqual([]);
    }
  }
});

test.each(Object.entries(CONNECTIONS).slice(4, 5))(
  '%s: a check reports its progress, and returns one page of the result',
  async (_, connect) => {
    const client = await connect({ url: magpie.url, env });
    const messages: string[] = [];
    const call = {
      name: 'checkCompliance',
      arguments: { standards: ['nist', 'gdpr'], scope: shop, since: 'previous' },
    };
    try {
      const onprogress = ({ message = '' }) => void messages.push(message);
      const answer = await client.callTool(call, { onprogress });
      const { standards, changes } = (answer.structuredContent as unknown as { data: Data }).data;
      // A model reads the first of each standard, and how much there is.
      expect(standards.map(({ controls }) => controls.length)).toEqual([32, 8]);
      // Neither was ever checked in this scope: a line each.
      expect(changes).toMatchObject({
        lacked: [{ standard: 'nist-800-53' }, { standard: 'gdpr-32' }],
        controls: [],
      });
      const since = (await check({ standards: ['nist'], scope: 'old' })).check_id;
      const other = await client.callTool({ ...call, arguments: { ...call.arguments, since } });
      const { changes: many } = (other.structuredContent as unknown as { data: Data }).data;
      expect(many?.totals?.controls).toBeGreaterThan(20);
      expect(many?.controls).toHaveLength(20);
    } finally {
      await client.close();
    }
    // The last one may come together with the answer, and is then dropped.
    expect(messages[0]).toMatch(/^fetching /);
    expect(messages.some((message) => /searched \d+ of/.test(message))).toBe(true);
    expect(messages).toContain('reading the practices of the repository');
  },
);

test('a caller that prefers an asynchronous answer gets one at once, with the address of the result [compliance.async]', async () => {
  const later = { prefer: 'respond-async' };
  const begun = await post('/v1/compliance/check', { standards: ['slsa'], scope: shop }, later);
  expect([begun.status, begun.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
  const { data } = (await begun.json()) as { data: Data & { status: string } };
  expect(data).toMatchObject({ status: 'running', scope: shop, standards: [] });
  const at = begun.headers.get('location') ?? '';
  expect(at).toBe(`/v1/compliance/check/${data.check_id}`);
  const read = async () => {
    const response = await fetch(new URL(at, magpie.url));
    return [response.status, ((await response.json()) as { data: Data & { status: string } }).data] as const;
  };
  await expect.poll(async () => (await read())[1].status, { timeout: 60_000 }).toBe('completed');
  const [status, whole] = await read();
  expect(status).toBe(200);
  expect(whole.standards[0]?.controls).toHaveLength(whole.standards[0]?.total ?? 0);
  expect(whole.subjects).toMatchObject([{ name: shop }]);

  const asked = { standards: ['slsa'], scope: shop, format: 'html' };
  const report = await post('/v1/compliance/report', asked, later);
  expect(report.status).toBe(202);
  const link = report.headers.get('location') ?? '';
  expect(link).toMatch(/^\/v1\/compliance\/report\/[0-9a-f]{24}\?format=html$/);
  const file = () => fetch(new URL(link, magpie.url));
  await expect.poll(async () => (await file()).status, { timeout: 60_000 }).toBe(200);
  const page = await file();
  expect(page.headers.get('content-type')).toBe('text/html');
  expect(await page.text()).toContain('SLSA');
});

test('a check that cannot start is refused at once, and a check that fails gives its reason', async () => {
  const later = { prefer: 'respond-async' };
  const unknown = await post('/v1/compliance/check', { standards: ['slsa'], scope: 'f'.repeat(24) }, later);
  expect(unknown.status).toBe(404);
  const begun = await post('/v1/compliance/report', { standards: ['slsa'], scope: '/etc' }, later);
  expect(begun.status).toBe(202);
  const { data } = (await begun.json()) as { data: { check_id: string } };
  const read = async () => {
    const response = await fetch(new URL(`/v1/compliance/check/${data.check_id}`, magpie.url));
    return (await response.json()) as { success: boolean; data: { status: string; reason?: string } };
  };
  await expect.poll(async () => (await read()).data.status, { timeout: 60_000 }).toBe('failed');
  expect(await read()).toMatchObject({ success: false, data: { reason: expect.stringContaining('/etc') } });
  const report = await fetch(new URL(begun.headers.get('location') ?? '', magpie.url));
  expect(report.status).toBe(400);
  expect(await report.text()).toMatch(/has failed: .*\/etc/);
});

test('a report is made in one call, and a report without a check is refused', async () => {
  const whole = await post(
    '/v1/compliance/report',
    { standards: ['gdpr'], scope: shop },
    { accept: 'text/markdown' },
  );
  expect(await whole.text()).toContain('32(1)(a)');
  const none = await post('/v1/compliance/report', {});
  expect(none.status).toBe(400);
  expect(await none.text()).toContain('check_id is missing');
  const gone = await fetch(new URL(`/v1/compliance/report/${'0'.repeat(24)}?format=pdf`, magpie.url));
  expect(gone.status).toBe(404);
});

test.each(Object.entries(CONNECTIONS).slice(2, 5))(
  '%s: a report is a summary and a resource link, to text or bytes',
  async (_, connect) => {
    const client = await connect({ url: magpie.url, env });
    try {
      for (const format of ['markdown', 'pdf']) {
        const args = { check_id: brief.check_id, format };
        const { content } = await client.callTool({ name: 'generateComplianceReport', arguments: args });
        const [summary, link] = content as { type: string; text?: string; uri?: string }[];
        expect(summary?.text).toMatch(/controls of 3 standards/);
        expect(link).toMatchObject({
          type: 'resource_link',
          uri: `compliance://checks/${brief.check_id}/${format}`,
        });
        const { contents } = await client.readResource({ uri: link?.uri ?? '' });
        const [file] = contents as { text?: string; blob?: string }[];
        const start = file?.text ?? Buffer.from(file?.blob ?? '', 'base64').toString('latin1');
        expect(start.startsWith(format === 'pdf' ? '%PDF-' : '# Compliance report')).toBe(true);
      }
    } finally {
      await client.close();
    }
  },
);

test('the terminal writes a report and its signature, and verifies whether a report is unchanged [compliance.verify]', async () => {
  const at = (name: string) => join(folder.path, name);
  const verdict = (...args: string[]) => runMagpie(['compliance', 'verify', ...args], env);
  for (const name of [
    'report.json',
    'report.md',
    'report.html',
    'report.oscal.json',
    'report.oscal-poam.json',
    'report.pdf',
  ]) {
    // The form goes by the file's ending.
    expect(
      await runMagpie(['compliance', 'report', brief.check_id, '--output', at(name)], env),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`its signature in ${at(name)}.sig`),
    });
    expect(await verdict(at(name))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('every byte is as it was signed'),
    });
    const bytes = readFileSync(at(name));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(at(name), bytes);
    expect(await verdict(at(name))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('was changed'),
    });
  }
  expect(readFileSync(at('report.pdf'), 'latin1')).toMatch(/^%PDF-/);
  expect((await runMagpie(['compliance'], env)).stdout).toContain(brief.check_id);
  expect((await runMagpie(['compliance', 'report', brief.check_id, '--format', 'pdf'], env)).code).toBe(2);
  // A file alone, a key that is none.
  writeFileSync(at('alone.md'), 'a report');
  expect(await verdict(at('alone.md'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('its signature is not there; --signature names it'),
  });
  expect(await verdict(at('report.md'), '--key', at('alone.md'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not a public key of Ed25519'),
  });
});

test('a third party verifies reports of REST and MCP with the published key [compliance.seal]', async () => {
  const published = await fetch(new URL('/.well-known/magpie-compliance.pem', magpie.url));
  expect([published.status, published.headers.get('content-type')]).toEqual([200, 'application/x-pem-file']);
  const pem = await published.text();
  expect((await runMagpie(['compliance', 'key'], env)).stdout).toBe(pem);
  const key = createPublicKey(pem);
  const get = async (path: string) =>
    Buffer.from(await (await fetch(new URL(path, magpie.url))).arrayBuffer());
  const client = await CONNECTIONS['HTTP, 2026 era, v2 client']?.({ url: magpie.url, env });
  for (const format of REPORT_FORMATS) {
    const asked = { check_id: brief.check_id, format };
    const answer = await fetch(new URL('/v1/compliance/report', magpie.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    });
    const { data } = (await answer.json()) as { data: Record<string, string> };
    const [file, signature] = [await get(data.url ?? ''), await get(data.signature_url ?? '')];
    expect(signature).toHaveLength(64);
    expect(verify(null, file, key, signature), format).toBe(true);
    const resource = await client?.readResource({ uri: data.signature_uri ?? '' });
    expect(resource?.contents[0]).toMatchObject({ blob: signature.toString('base64') });
  }
  await client?.close();
});
