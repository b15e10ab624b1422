import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { certificateProblems } from '../../src/monitor/checks/certificate.ts';
import { checks } from '../../src/monitor/checks/list.ts';
import { judgeCookies } from '../../src/monitor/checks/observatory/cookies.ts';
import { judgeCsp } from '../../src/monitor/checks/observatory/csp.ts';
import { isInconclusiveResult } from '../../src/monitor/probing/check.ts';
import { isConnectionFailure } from '../../src/monitor/probing/connection-failure.ts';
import type { ProbeContextOptions } from '../../src/monitor/probing/probe-context.ts';
import { createResolver } from '../../src/monitor/probing/resolver.ts';
import { computeGrade } from '../../src/monitor/status.ts';
import type { MonitorTarget } from '../../src/monitor/targets/target.ts';
import { monitorRules } from '../helpers/monitor-rules.ts';
import { startNameServer } from '../helpers/name-server.ts';
import { probeContext } from '../helpers/probe-context.ts';
import { processorSeconds } from '../helpers/processor-time.ts';
import { AUTHORITY, startTlsSite, type TlsSiteOptions } from '../helpers/tls-site.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

function probeOf(allow: readonly string[], more: Partial<ProbeContextOptions> = {}) {
  return probeContext({
    infrastructure: { allow },
    signal: AbortSignal.timeout(60_000),
    ...more,
  });
}

async function run(
  name: string,
  target: MonitorTarget,
  allow: readonly string[],
  more: Partial<ProbeContextOptions> = {},
) {
  const check = checks.find((one) => one.name === name);
  if (!check?.wants(target)) throw new Error(`${name} does not want ${target.name}`);
  const result = await check.run(target, probeOf(allow, more));
  if (isInconclusiveResult(result)) return { problems: [], ids: [], measures: {}, unseen: result.unseen };
  return { ...result, ids: result.problems.map(({ rule }) => rule.id) };
}

async function site(options: TlsSiteOptions) {
  const started = await startTlsSite(options);
  endings.push(() => started.close());
  return started;
}

test('rule ids begin with the name of their check, and scores are between 0 and 10', () => {
  const all = checks.flatMap(({ name, rules }) => rules.map((rule) => ({ name, rule })));
  expect(monitorRules.size).toBe(all.length);
  for (const { name, rule } of all) {
    expect(rule.id.startsWith(`${name}/`)).toBe(true);
    expect(rule.score >= 0 && rule.score <= 10).toBe(true);
    expect(rule.fix).toMatch(/\.$/);
  }
});

describe('a name that cannot be looked up', () => {
  const target: MonitorTarget = { kind: 'url', name: 'https://shop.invalid/' };

  test('is down where a name service answers', async () => {
    const server = await startNameServer({ 'SOA ': [''] }, false);
    endings.push(server.close);
    const { ids, measures } = await run('reachability', target, [], {
      resolver: createResolver([server.address]),
    });
    expect([ids, measures]).toEqual([['reachability/down'], { up: 0 }]);
  });

  test('is not reported when no name service answers: this machine seems to have no network', async () => {
    const seen = await run('reachability', target, []);
    expect(seen).toMatchObject({
      ids: [],
      unseen: expect.stringMatching(/^this machine seems to have no network/),
    });
  });
});

describe('Content-Security-Policy', () => {
  test.each([
    ["default-src 'none'", 'strict'],
    ["default-src 'self'", 'good'],
    ["default-src 'self'; script-src 'nonce-a' 'unsafe-inline'", 'good'],
    ["default-src 'self'; script-src 'unsafe-inline'", 'unsafe-inline'],
    ["script-src 'self'", 'unsafe-inline'],
    ["default-src 'none'; script-src 'strict-dynamic'", 'invalid'],
    ["default-src 'none'; script-src 'nonce-a' 'strict-dynamic' https:", 'strict'],
    ["default-src 'self'; connect-src http://a.example", 'insecure-scheme'],
    ["default-src 'self'; script-src 'self' 'unsafe-eval'", 'unsafe-eval'],
    ["default-src 'self'; img-src http://a.example", 'insecure-passive'],
    ["default-src 'self'; style-src 'unsafe-inline'", 'unsafe-style'],
    ["default-src 'self'; DEFAULT-SRC 'none'", 'invalid'],
    ["default-src 'self'; report-uri /a; report-uri /b", 'repeated'],
    [';', 'invalid'],
  ])('%s is %s', (policy, verdict) => {
    expect(judgeCsp([policy], [], true).verdict).toBe(verdict);
  });

  test('two policies apply together, and a meta element does not set frame-ancestors', () => {
    expect(judgeCsp(["default-src 'self' https:", "default-src 'self'"], [], true).verdict).toBe('good');
    expect(judgeCsp([], ["frame-ancestors 'none'"], true)).toEqual({ verdict: 'missing', framing: false });
    expect(judgeCsp(["frame-ancestors 'none'"], [], true).framing).toBe(true);
  });

  test('a long policy takes little time', () => {
    // Ten times what a page can send, so that steps which grow by its square would take minutes.
    const long = [' '.repeat(600_000), "'self' ".repeat(80_000), ';'.repeat(100_000)].join('');
    const work = () => expect(judgeCsp([`script-src ${long}`], [], true).verdict).toBe('unsafe-inline');
    expect(processorSeconds(work)).toBeLessThan(20);
  });
});

test('each cookie problem names its cookie', () => {
  const { problems, sameSite, cookies } = judgeCookies(
    [
      'sessionid=1; HttpOnly; SameSite=Lax',
      'csrf=2; Secure',
      'a=3; secure; samesite=maybe',
      'heroku-session-affinity=x',
    ],
    false,
  );
  expect(problems.map(({ verdict, cookie }) => `${cookie} ${verdict}`)).toEqual([
    'sessionid session-not-secure',
    'csrf csrf-without-same-site',
    'a same-site-invalid',
  ]);
  expect({ sameSite, cookies }).toEqual({ sameSite: false, cookies: 3 });
});

test.each([
  [[], 100, 'A+'],
  [[-10, 5, 10], 105, 'A+'],
  [[-15, 10], 85, 'A-'],
  [[-25, -20, -20, -5], 30, 'D'],
  [[-50, -60], 0, 'F'],
])('points %j give the score %i and the grade %s', (points, score, grade) => {
  expect(computeGrade(points)).toEqual({ score, grade });
});

test('a certificate warns once each at 30, 14 and 7 days before its end', async () => {
  const { port, url } = await site({ certificate: 'good' });
  const authority = readFileSync(AUTHORITY, 'utf8');
  const page = await probeOf([], { infrastructure: { allow: [`localhost:${port}`], authority } }).page(url);
  if (isConnectionFailure(page) || !page.tls) throw new Error('no certificate was shown');
  const { tls } = page;
  const end = Date.parse(tls.certificate.validTo);
  const at = (days: number) =>
    certificateProblems(tls, { host: 'localhost', port }, end - days * 86_400_000).map(({ rule }) => rule.id);
  expect([31, 29, 13, 6, -1].map(at)).toEqual([
    [],
    ['certificate/expires-in-30-days'],
    ['certificate/expires-in-14-days'],
    ['certificate/expires-in-7-days'],
    ['certificate/expired'],
  ]);
});

test('ports that are open and not listed, or listed and closed, are reported', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.push(() => new Promise((done) => server.close(done)));
  const { port } = server.address() as { port: number };
  const closed = await site({});
  await closed.close();
  const target = { kind: 'host' as const, name: '127.0.0.1', tls: [] };
  const odd = await run('ports', { ...target, ports: [], closed: [port] }, ['127.0.0.1']);
  expect(odd?.problems).toContainEqual(
    expect.objectContaining({
      subject: String(port),
      rule: expect.objectContaining({ id: 'ports/unlisted' }),
    }),
  );
  const gone = await run('ports', { ...target, ports: [port, closed.port], closed: [] }, ['127.0.0.1']);
  expect(gone?.problems.filter(({ subject }) => subject === String(closed.port))).toMatchObject([
    { rule: { id: 'ports/closed' } },
  ]);
  const up = await run('reachability', { ...target, ports: [closed.port, port], closed: [] }, ['127.0.0.1']);
  expect(up?.measures).toMatchObject({ up: 1 });
});

test('a page that asks for a client certificate is up, and another bad request is an error', async () => {
  const look = async (body: string) => {
    const { port, url } = await site({ body, answer: () => ({ status: 400, headers: {} }) });
    return run('reachability', { kind: 'url', name: url }, [`localhost:${port}`]);
  };
  expect(await look('<center>No required SSL certificate was sent</center>')).toMatchObject({
    ids: ['reachability/client-certificate'],
    measures: { up: 1, status: 400 },
  });
  expect(await look('<h1>Bad Request</h1>')).toMatchObject({ ids: ['reachability/error-status'] });
});

test('security.txt is judged: missing, without contact, expired, good', async () => {
  const texts = {
    '<h1>Nothing</h1>': ['security-txt/missing'],
    'Expires: 2126-01-01T00:00:00Z\n': ['security-txt/invalid'],
    'Contact: mailto:a@example.org\nExpires: 2021-01-01T00:00:00Z\n': ['security-txt/expired'],
    '# ours\nContact: https://example.org/report\nExpires: 2126-01-01T00:00:00Z\n': [],
  };
  for (const [body, ids] of Object.entries(texts)) {
    const type = body.startsWith('<') ? 'text/html' : 'text/plain; charset=utf-8';
    const { url, port, close } = await startTlsSite({
      certificate: 'good',
      body,
      headers: { 'content-type': type },
    });
    const found = await run('security-txt', { kind: 'url', name: url }, [`localhost:${port}`]);
    await close();
    expect(found?.ids).toEqual(ids);
  }
});

test('plain HTTP must redirect to https at once, and CORS for every origin with credentials is reported', async () => {
  const secure = await site({
    certificate: 'good',
    answer: ({ headers: { origin = '*' } }) => ({
      status: 200,
      headers: { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' },
    }),
  });
  const to = (location: string) => site({ answer: () => ({ status: 301, headers: { location } }) });
  const [plain, away, none] = [await to(secure.url), await to('/again'), await site({})];
  const allow = [secure, plain, away, none].map(({ port }) => `localhost:${port}`);
  const of = async (from: string) =>
    (await run('redirection', { kind: 'url', name: secure.url, plain: from }, allow))?.ids;
  // The certificate is not one that clients of this machine know.
  expect(await of(plain.url)).toEqual(['redirection/untrusted']);
  expect(await of(away.url)).toEqual(['redirection/not-to-https']);
  expect(await of(none.url)).toEqual(['redirection/missing']);
  const broken = createServer((socket) => socket.on('error', () => {}).destroy());
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  const { port } = broken.address() as { port: number };
  const way = { kind: 'url', name: secure.url, plain: `http://localhost:${port}/` } as const;
  const through = () => run('redirection', way, [...allow, `localhost:${port}`]);
  expect(await through()).toMatchObject({ unseen: `http://localhost:${port}/ broke the connection off` });
  await new Promise((done) => broken.close(done));
  expect(await through()).toMatchObject({ ids: [], points: { redirection: 0 } });
  const dead = { ...way, name: `https://localhost:${port}/` };
  expect(await run('redirection', dead, [`localhost:${port}`])).toMatchObject({
    unseen: expect.stringContaining('refuses'),
  });
  const cors = await run('cors', { kind: 'url', name: secure.url }, allow);
  expect(cors).toMatchObject({ ids: ['cors/open-to-all'], points: { 'cross-origin-resource-sharing': -50 } });
});

describe('DNS', () => {
  const target: MonitorTarget = { kind: 'url', name: 'https://www.shop.example/' };
  const ask = async (zone: Parameters<typeof startNameServer>[0], vouched: boolean) => {
    const server = await startNameServer(zone, vouched);
    endings.push(() => server.close());
    return run('dns', target, [], { resolver: createResolver([server.address]) });
  };

  test('a zone without records has all findings', async () => {
    const found = await ask({ 'SOA shop.example': ['it'] }, false);
    expect(found?.ids).toEqual(['dns/spf-missing', 'dns/dmarc-missing', 'dns/caa-missing', 'dns/not-signed']);
    expect(found?.measures).toEqual({ zone: 'shop.example', dnssec: 'no' });
  });

  test('a weak zone has its findings, and a good zone has none', async () => {
    const base = { 'SOA shop.example': ['it'], 'CAA shop.example': ['issue ca.example'] };
    const weak = { 'TXT shop.example': ['v=spf1 +all'], 'TXT _dmarc.shop.example': ['v=DMARC1; p=none'] };
    expect((await ask({ ...base, ...weak }, true))?.ids).toEqual(['dns/spf-invalid', 'dns/dmarc-none']);
    const good = {
      'TXT shop.example': ['other', 'v=spf1 -all'],
      'TXT _dmarc.shop.example': ['v=DMARC1; p=reject'],
    };
    expect((await ask({ ...base, ...good }, true))?.ids).toEqual([]);
  });

  test.each([
    ['v=spf1 mx -all', true],
    ['v=spf1 mx ~all', true],
    ['v=spf1 redirect=_spf.shop.example', true],
    ['v=spf1 mx ALL', false],
    ['v=spf1 mx ?all', false],
    ['v=spf1 +all -all', false],
    ['v=spf1 include:_spf.shop.example', false],
  ])('the SPF record %s is good: %s', async (record, good) => {
    const zone = { 'SOA shop.example': ['it'], 'TXT shop.example': [record] };
    const ids: string[] = (await ask(zone, true)).ids;
    expect(ids.includes('dns/spf-invalid')).toBe(!good);
  });

  test('a name service without an answer gives no finding', async () => {
    const found = await run('dns', target, [], { resolver: createResolver(['127.0.0.1:9']) });
    expect(found.unseen).toBe('the name service gives no answer (ECONNREFUSED)');
  });
});

test('a redirect to a private address is not followed, and no request is sent there', async () => {
  const inside = await site({});
  const outside = await site({ answer: () => ({ status: 302, headers: { location: inside.url } }) });
  const page = await probeOf([`localhost:${outside.port}`]).page(outside.url);
  expect(page).toMatchObject({ reason: expect.stringContaining('only from the inventory') });
  expect(inside.asked).toEqual([]);
});
