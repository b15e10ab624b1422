import { afterEach, expect, test, vi } from 'vitest';
import { assessControls } from '../../../src/compliance/assessing/assess.ts';
import { CATALOGUES } from '../../../src/compliance/catalogues/list.ts';
import { evidenceOfMonitor } from '../../../src/flows/evidence/compliance-evidence.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { monitorRoom } from '../../helpers/monitor-room.ts';
import { CERTIFICATE_SERVERS, PROTOCOL_SERVERS } from '../../helpers/tls-servers.ts';
import { AUTHORITY, startTlsSite, type TlsSiteOptions } from '../../helpers/tls-site.ts';

/** What the monitor room has seen of real servers, as evidence. */

const OWNER = 'ada';
const HOUR = 3_600_000;
const signal = new AbortController().signal;
const endings: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function room(...urls: readonly string[]) {
  const folder = temporaryFolder();
  endings.push(() => folder.remove());
  const listed = `infrastructure:\n  shop:\n    authority: ${AUTHORITY}\n    urls: ${JSON.stringify(urls)}\n`;
  const made = await monitorRoom({ folder: folder.path, listed });
  endings.push(() => made.end());
  return { made, folder: folder.path };
}

async function site(options: TlsSiteOptions = {}) {
  const started = await startTlsSite({ certificate: 'good', ...options });
  endings.push(() => started.close());
  return started;
}

async function seen(made: Awaited<ReturnType<typeof room>>['made']) {
  const tried = async () =>
    (await made.getMonitor(OWNER, 'shop')).coverage.every(({ reason = '' }) => !reason.includes('yet'));
  await vi.waitUntil(tried, { timeout: 60_000, interval: 20 });
}

function probeOf(part: ReturnType<typeof evidenceOfMonitor>, check: string) {
  return part.looks.find(({ what }) => what === check);
}

test('a probe counts for three of its intervals and an hour at least, and not before it was run', async () => {
  const { made } = await room((await site()).url);
  await made.startMonitor(OWNER, 'shop', { intervalMs: 10_000 }, signal);
  const early = evidenceOfMonitor(await made.getMonitor(OWNER, 'shop'), Date.now());
  expect(probeOf(early, 'certificate')).toMatchObject({
    ok: false,
    items: 0,
    why: expect.stringMatching(/not probed yet$/),
  });
  await made.startWorking();
  await seen(made);
  const now = Date.now();
  const at = async (later: number) =>
    probeOf(evidenceOfMonitor(await made.getMonitor(OWNER, 'shop'), now + later), 'certificate');
  expect(await at(0)).toMatchObject({ ok: true, items: 1 });
  expect((await at(0))?.why).toBeUndefined();
  expect(await at(0.9 * HOUR)).toMatchObject({ ok: true });
  expect(await at(1.1 * HOUR)).toMatchObject({
    ok: false,
    why: expect.stringMatching(/not probed lately, last seen 20\d\d-/),
  });
  await made.startMonitor(OWNER, 'shop', { intervalMs: HOUR }, signal);
  expect(await at(2.9 * HOUR)).toMatchObject({ ok: true });
  expect(await at(3.1 * HOUR)).toMatchObject({ ok: false });
});

test('each of several targets counts, and targets without a probe are named', async () => {
  const [up, ...down] = await Promise.all([site(), site(), site(), site(), site()]);
  for (const one of down) await one.close();
  const { made } = await room(up?.url ?? '', ...down.map(({ url }) => url));
  await made.startWorking();
  await made.startMonitor(OWNER, 'shop', {}, signal);
  await seen(made);
  const probe = probeOf(evidenceOfMonitor(await made.getMonitor(OWNER, 'shop'), Date.now()), 'headers');
  expect(probe).toMatchObject({ ok: false, items: 1 });
  expect(probe?.why).toMatch(/refuses the connection.* and 1 more$/);
  expect(probe?.why).not.toContain(up?.url);
});

test('a finding remains where the target cannot be probed again', async () => {
  const expired = await startTlsSite({ certificate: 'expired' });
  const { made } = await room(expired.url);
  await made.startWorking();
  await made.startMonitor(OWNER, 'shop', { intervalMs: 250 }, signal);
  await seen(made);
  await expired.close();
  const part = async () => evidenceOfMonitor(await made.getMonitor(OWNER, 'shop'), Date.now());
  await vi.waitUntil(async () => probeOf(await part(), 'certificate')?.ok === false, {
    timeout: 60_000,
    interval: 20,
  });
  expect((await part()).findings.map(({ rule }) => rule)).toContain('certificate/expired');
});

test('a site without a script policy lacks a defence, which does not count as an injection', async () => {
  const { made } = await room((await site({ headers: {} })).url);
  await made.startWorking();
  await made.startMonitor(OWNER, 'shop', {}, signal);
  await seen(made);
  const evidence = { scope: 'shop', ...evidenceOfMonitor(await made.getMonitor(OWNER, 'shop'), Date.now()) };
  expect(evidence.findings.map(({ rule }) => rule)).toContain('headers/csp-missing');
  const results = (await assessControls(CATALOGUES, evidence)).flatMap(({ controls }) => controls);
  const statusOf = (id: string) => results.find((one) => one.id === id)?.status;
  expect(statusOf('A05:2025')).toBe('not_assessed');
  expect(statusOf('CWE-79')).toBe('not_assessed');
  expect(statusOf('A02:2025')).toBe('fail');
});

test('an entry that is no longer in the inventory is reported as such', async () => {
  const { made, folder } = await room((await site()).url);
  await made.startMonitor(OWNER, 'shop', {}, signal);
  await endings.pop()?.();
  const later = await monitorRoom({ folder, listed: 'infrastructure: {}\n' });
  endings.push(() => later.end());
  await later.startWorking();
  const part = evidenceOfMonitor(await later.getMonitor(OWNER, 'shop'), Date.now());
  expect(part.looks).toEqual([]);
  expect(part.subjects).toMatchObject([{ name: 'shop', trouble: 'shop is no longer in the inventory' }]);
});

test('an informational finding counts against no control', () => {
  const finding = (id: string, score: number, severity: 'info' | 'low') => ({
    ...{ id, score, severity, title: id, description: id, fix: 'Nothing.', target: 'https://shop.example/' },
    fingerprint: id,
  });
  const findings = [
    finding('protocol/no-tls-1-3', 0, 'info'),
    finding('certificate/expires-in-30-days', 0, 'info'),
    finding('protocol/cbc-chosen', 3.7, 'low'),
  ];
  const { findings: counting } = evidenceOfMonitor({ id: 'shop', findings, coverage: [] }, Date.now());
  expect(counting.map(({ rule }) => rule)).toEqual(['protocol/cbc-chosen']);
});

test.each([
  ['1.2 with GCM only', 'protocol'],
  ['ending in 29 days', 'certificate'],
  ['TLS 1.0 to 1.3', 'protocol'],
])('a server with %s fails the controls that its TLS violates, and no other', async (name, check) => {
  const server = [...PROTOCOL_SERVERS, ...CERTIFICATE_SERVERS].find((one) => one.name === name);
  const { made } = await room((await site({ tls: server?.options() })).url);
  await made.startWorking();
  await made.startMonitor(OWNER, 'shop', {}, signal);
  await seen(made);
  const evidence = { scope: 'shop', ...evidenceOfMonitor(await made.getMonitor(OWNER, 'shop'), Date.now()) };
  const about = evidence.findings.filter(({ rule }) => rule.startsWith(`${check}/`));
  const wanted = ['pci-dss', 'hipaa', 'gdpr-32', 'iso-27001', 'soc-2'];
  const failed = (await assessControls(CATALOGUES, { ...evidence, findings: about }))
    .filter(({ standard }) => wanted.includes(standard.id))
    .filter(({ counts }) => counts.fail > 0)
    .map(({ standard }) => standard.id);
  // The last one shows that this can fail.
  const bad = name === 'TLS 1.0 to 1.3';
  expect(failed.toSorted()).toEqual(bad ? wanted.toSorted() : []);
  expect(probeOf(evidence, check)).toMatchObject({ ok: true, items: 1 });
  expect(about).toHaveLength(bad ? about.length : 0);
});
