import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createGuardedFetch, type GuardedFetch } from '../../../src/lib/network/fetch.ts';
import { SECRET_RULES } from '../../../src/security/scanners/secrets/token-rules.ts';
import {
  createTokenVerifier,
  createVerifyRequest,
  findVerifyService,
  readTokenVerdict,
  VERIFY_SERVICES,
} from '../../../src/security/verifying/verify.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { scanRoom } from '../../helpers/scan-room.ts';

/** `--verify`: services, here on loopback, are asked about tokens; without it nothing is sent. */

const folder = temporaryFolder();
const STRIPE = ['sk', 'live', 'a8Kd93jfLq0Zx7Vb2Nm5Tt1R'].join('_');
const OTHER = ['sk', 'live', 'Qp27LmZx90vBn3Kd8sWt4Yr6'].join('_');
const SLACK = ['xoxb', '8365201947362', '8365201947390', 'aB3dE5fG7hJ9kL1mN3pQ5rS7'].join('-');
let server: Server;
let fetch: GuardedFetch;
let asked: { readonly url: string; readonly method: string; readonly token: string }[];
let answer: (request: IncomingMessage, token: string) => { status: number; body?: string; location?: string };

beforeAll(async () => {
  fetch = createGuardedFetch({ allowHosts: [], userAgent: 'test' });
  server = createServer((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    asked.push({ url: request.url ?? '', method: request.method ?? '', token });
    const { status, body = '{}', location } = answer(request, token);
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  asked = [];
});
afterEach(() => folder.remove());
afterAll(async () => {
  await fetch.close();
  await new Promise((done) => server.close(done));
});

async function scan(files: Readonly<Record<string, string>>, verify: boolean) {
  const tree = join(folder.path, 'tree');
  mkdirSync(tree, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(tree, name), text);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bases = Object.fromEntries(VERIFY_SERVICES.map(({ name }) => [name, base]));
  const data = join(folder.path, 'data');
  mkdirSync(data, { recursive: true });
  const { room, close } = await scanRoom({
    folder: data,
    real: true,
    verify: createTokenVerifier({ fetch, bases }),
  });
  try {
    const request = { repository: tree, deep: false, dependencies: false };
    const watch = { signal: AbortSignal.timeout(60_000), progress() {} };
    const { id } = await room.scan('ann', request, { verify }, watch);
    const findings = await room.listFindings('ann', id);
    return findings.map(({ id: rule, path, severity, description, suppressed }) => ({
      where: `${rule} ${path}`,
      severity,
      said: / (?:\S+ (?:accepts|does not accept) it.*|Whether it is live.*)$/.exec(description)?.[0].trim(),
      suppressed: suppressed !== undefined,
      text: JSON.stringify(description),
    }));
  } finally {
    await close();
  }
}

test('each token is sent once to its own service, and the finding says what that made of it', async () => {
  answer = (_, token) => ({ status: token === STRIPE ? 200 : 401 });
  const found = await scan(
    { 'a.env': `STRIPE=${STRIPE}\n`, 'b.env': `X=1\nSTRIPE=${STRIPE}\n`, 'c.env': `K=${OTHER}\n` },
    true,
  );
  expect(found.map(({ where, severity, said }) => [where, severity, said])).toEqual([
    ['secrets/stripe-key a.env', 'critical', 'Stripe accepts it: it is live.'],
    ['secrets/stripe-key b.env', 'critical', 'Stripe accepts it: it is live.'],
    ['secrets/stripe-key c.env', 'low', 'Stripe does not accept it: it has ended.'],
  ]);
  expect(asked).toEqual([
    { url: '/v1/account', method: 'GET', token: STRIPE },
    { url: '/v1/account', method: 'GET', token: OTHER },
  ]);
  for (const { text } of found) expect(text).not.toContain(STRIPE);
});

test('of two tokens in one line, a live one decides', async () => {
  answer = (_, token) => ({ status: token === STRIPE ? 200 : 401 });
  const found = await scan({ 'a.env': `A=${OTHER} B=${STRIPE}\n` }, true);
  expect(found[0]).toMatchObject({ severity: 'critical', said: 'Stripe accepts it: it is live.' });
  expect(asked.map(({ token }) => token).sort()).toEqual([OTHER, STRIPE].sort());
});

test('no token is sent without --verify, and a suppressed finding is never verified', async () => {
  answer = () => ({ status: 200 });
  const plain = await scan({ 'a.env': `STRIPE=${STRIPE}\n` }, false);
  expect(plain.map(({ said }) => said)).toEqual([undefined]);
  const files = { '.magpieignore': 'secrets/* a.env it is known\n' };
  expect((await scan(files, true)).map(({ suppressed }) => suppressed)).toEqual([true]);
  expect(asked).toEqual([]);
});

test('a verdict is read from the answer body, and a failing or redirecting service gives none', async () => {
  answer = () => ({ status: 200, body: '{"ok": false, "error": "token_revoked"}' });
  const slack = { 'a.env': `SLACK=${SLACK}\n` };
  expect((await scan(slack, true))[0]).toMatchObject({
    severity: 'low',
    said: 'Slack does not accept it: it has ended.',
  });
  expect(asked).toEqual([{ url: '/api/auth.test', method: 'POST', token: SLACK }]);
  answer = () => ({ status: 500 });
  expect((await scan(slack, true))[0]?.said).toBe('Whether it is live, Slack did not say.');
  asked = [];
  answer = () => ({ status: 302, location: '/elsewhere' });
  expect((await scan(slack, true))[0]?.said).toBe('Whether it is live, Slack did not say.');
  expect(asked.map(({ url }) => url)).toEqual(['/api/auth.test']);
});

test('a token that its service cannot verify is not sent', async () => {
  const refresh = ['ghr', 'a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5f6G7h8'].join('_');
  answer = () => ({ status: 401 });
  expect((await scan({ 'a.env': `T=${refresh}\n` }, true)).map(({ where, said }) => [where, said])).toEqual([
    ['secrets/github-token a.env', undefined],
  ]);
  expect(asked).toEqual([]);
});

test('every service has its own https address and existing rules, and a 401 from gitlab.com says nothing about other GitLab servers', () => {
  const ids = new Set(SECRET_RULES.map(({ id }) => id));
  expect(VERIFY_SERVICES.length).toBeGreaterThanOrEqual(30);
  for (const { url, rules } of VERIFY_SERVICES) {
    expect(url).toMatch(/^https:\/\/[a-z0-9.]+\/[\w./@{}?=-]+$/);
    expect(rules.filter((id) => !ids.has(`secrets/${id}`))).toEqual([]);
  }
  const [gitlab] = VERIFY_SERVICES.filter(({ name }) => name === 'gitlab.com');
  if (!gitlab) throw new Error('gitlab.com is not there');
  expect([
    readTokenVerdict(gitlab, 401, ''),
    readTokenVerdict(gitlab, 200, '{}'),
    readTokenVerdict(gitlab, 403, ''),
  ]).toEqual(['unknown', 'live', 'unknown']);
});

test.each(VERIFY_SERVICES.map((service) => [service.name, service] as const))(
  'the request to %s carries the token once, and goes to its own host',
  (_, service) => {
    const token = ['abc', 'def$&'].join('/');
    const { url, headers, body } = createVerifyRequest(service, token);
    const basic = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
    const places = [decodeURIComponent(url), ...Object.values(headers), basic, body ?? ''];
    expect(places.filter((text) => text.includes(token))).toHaveLength(1);
    expect(new URL(url).host).toBe(new URL(service.url).host);
  },
);

test('of several services for one rule, the form of the token chooses', () => {
  const choose = (token: string) => findVerifyService('secrets/model-provider-key', token)?.name;
  const forms = ['gsk_', 'r8_', 'xai-', 'nvapi-'];
  expect(forms.map((form) => choose(form + 'a'.repeat(40)))).toEqual(['Groq', 'Replicate', 'xAI', undefined]);
});
