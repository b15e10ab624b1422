import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { expect, test } from 'vitest';
import { loadTrustAnchors, type TrustAnchors } from '../../../src/monitor/certificates/certificate-path.ts';
import {
  explainInvalidStaple,
  findCertificateProblems,
} from '../../../src/monitor/certificates/certificate-problems.ts';
import { probeTlsHandshake } from '../../../src/monitor/probing/tls-probe.ts';
import { type CertificateTerms, der, type Identity, makeCertificate } from '../../helpers/certificates.ts';
import { root } from '../../helpers/test-authority.ts';

/** How a certificate and what vouches for it are judged. */

const DAY_MS = 86_400_000;
const HOST = 'shop.example';
const issuer = makeCertificate({
  subject: 'An intermediate',
  authority: true,
  by: root,
  to: 2000,
  from: -3000,
});
const x509 = (one: Identity) => new X509Certificate(one.der);

/** As if all browsers trusted the root. */
const PUBLIC: TrustAnchors = { bySubject: new Map([[x509(root).subject, [x509(root)]]]), own: new Set() };

function leafOf(terms: Partial<CertificateTerms>): Identity {
  return makeCertificate({ subject: 'a server', names: [HOST], by: issuer, ...terms });
}

function judge(sent: readonly Identity[], anchors = PUBLIC, now = Date.now(), staple?: Buffer) {
  const shown = { sent: sent.map(x509), distrust: undefined, staple, anchors };
  return findCertificateProblems(shown, HOST, now).map(({ key, score }) =>
    score === undefined ? key : `${key} ${score}`,
  );
}

/** Days from now to a date. */
const until = (date: string) => (Date.parse(date) - Date.now()) / DAY_MS;

test.each([
  ['2020-08-31', 800, []],
  ['2020-09-01', 398, []],
  ['2020-09-02', 399, ['too-long-life']],
  ['2026-03-14', 398, []],
  ['2026-03-16', 200, []],
  ['2026-03-16', 201, ['too-long-life']],
  ['2027-03-14', 200, []],
  ['2027-03-16', 101, ['too-long-life']],
  ['2029-03-16', 47, []],
  ['2029-03-16', 48, ['too-long-life']],
])('issued on %s, a public certificate of %i days has these findings: %j', (date, days, faults) => {
  const from = until(`${date}T12:00:00Z`);
  const now = Date.parse(`${date}T13:00:00Z`);
  const chain = [
    leafOf({
      from,
      to: from + days,
      by: makeCertificate({ subject: 'Long', authority: true, by: root, from: -3000, to: 2900 }),
    }),
    makeCertificate({ subject: 'Long', authority: true, by: root, from: -3000, to: 2900 }),
  ];
  expect(judge(chain, PUBLIC, now).filter((key) => !key.includes('issuer'))).toEqual(faults);
});

test('a private authority may issue longer lives: information below 825 days, and a low finding above', () => {
  const own = loadTrustAnchors(root.pem);
  expect(judge([leafOf({ to: 400 }), issuer], own)).toEqual(['too-long-life 0']);
  expect(judge([leafOf({ to: 900 }), issuer], own)).toEqual(['too-long-life 3']);
});

test.each([
  [6, [3, 1.9, 0.9, 0.4], [undefined, '30', '14', '7']],
  [47, [16, 15, 7, 3], [undefined, '30', '14', '7']],
  [90, [31, 29, 13, 6], [undefined, '30', '14', '7']],
  [398, [31, 29, 13, 6], [undefined, '30', '14', '7']],
])('with a life of %i days, %j days before the end give the warnings %j', (life, left, warnings) => {
  const found = left.map((days) => {
    const [key] = judge([leafOf({ from: days - life, to: days }), issuer], loadTrustAnchors(root.pem));
    return /^expires-in-(\d+)-days$/.exec(key ?? '')?.[1];
  });
  expect(found).toEqual(warnings);
});

test('an expired intermediate counts only where there is no other path, in any order of the chain', () => {
  const expired = makeCertificate({
    subject: 'An intermediate',
    authority: true,
    by: root,
    from: -100,
    to: -5,
    like: issuer,
  });
  expect(judge([leafOf({}), expired])).toEqual(['expired-issuer']);
  expect(judge([leafOf({}), expired, issuer])).toEqual([]);
  expect(judge([leafOf({}), root, issuer, expired])).toEqual([]);
});

test('a circle of certificates ends the search for a path', () => {
  const first = makeCertificate({ subject: 'Circle', authority: true });
  const circle = Array.from({ length: 15 }, () =>
    makeCertificate({ subject: 'Circle', authority: true, by: first, like: first }),
  );
  expect(judge([leafOf({ by: first }), ...circle])).toEqual(['untrusted']);
});

test('a fake issuer with the same name and an unusual curve is not trusted and does not crash the process', async () => {
  const odd = makeCertificate({ subject: 'odd', key: 'secp256k1' });
  const fake = makeCertificate({
    subject: 'An intermediate',
    authority: true,
    by: root,
    from: -100,
    to: -50,
    like: odd,
  });
  const leaf = leafOf({ names: [HOST] });
  const server = createServer({ key: leaf.keyPem, cert: leaf.pem + fake.pem + issuer.pem }, (socket) =>
    socket.on('error', () => {}),
  );
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const how = {
    lookup,
    timeoutMs: 60_000,
    connectMs: 60_000,
    authority: root.pem,
    signal: new AbortController().signal,
  };
  const facts = await probeTlsHandshake({ host: '127.0.0.1', port }, how);
  server.close();
  expect(facts.sent).toHaveLength(3);
  expect(findCertificateProblems(facts, HOST, Date.now())).toEqual([]);
});

/** An OCSP answer (RFC 6960, 4.2.1) about one certificate; its signature is of no matter here. */
function staple(state: 'good' | 'revoked', ends: number): Buffer {
  const time = (at: number) =>
    Buffer.from(`${new Date(at).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`);
  const now = time(Date.now() - DAY_MS);
  const single = der(
    0x30,
    der(0x30, der(0x02, Buffer.from([1]))),
    state === 'good' ? der(0x80) : der(0xa1, der(0x18, now)),
    der(0x18, now),
    der(0xa0, der(0x18, time(ends))),
  );
  const data = der(0x30, der(0xa1, der(0x30)), der(0x18, now), der(0x30, single));
  const basic = der(0x30, data, der(0x30), der(0x03, Buffer.from([0])));
  const body = der(0x30, der(0x06, Buffer.from('2b0601050507300101', 'hex')), der(0x04, basic));
  return der(0x30, der(0x0a, Buffer.from([0])), der(0xa0, body));
}

test('a required staple must be present, good and current', () => {
  const chain = [leafOf({ mustStaple: true }), issuer];
  const now = Date.now();
  const good = staple('good', now + DAY_MS);
  expect(judge(chain)).toEqual(['missing-staple']);
  expect(judge(chain, PUBLIC, now, good)).toEqual([]);
  expect(judge([leafOf({}), issuer])).toEqual([]);
  expect(explainInvalidStaple(staple('good', now - DAY_MS), now)).toMatch(
    /^the one that is sent ended on 20/,
  );
  expect(explainInvalidStaple(staple('revoked', now + DAY_MS), now)).toMatch(/revoked$/);
  expect(explainInvalidStaple(Buffer.from('30030a0106', 'hex'), now)).toMatch(/failure of the authority$/);
  for (let length = 0; length < good.length; length++)
    expect(explainInvalidStaple(good.subarray(0, length), now)).toMatch(/./);
});

test('keys that browsers do not accept are reported', () => {
  expect(judge([leafOf({ key: 'ed25519' }), issuer])).toEqual(['unusual-key']);
  expect(judge([leafOf({ key: 'secp256k1' }), issuer])).toEqual(['unusual-key']);
});
