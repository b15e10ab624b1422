import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { counted } from '../../lib/counted.ts';
import { type Check, type Gap, type Problem, rulesOf, whyOf } from '../check.ts';
import { eachWithin, noTimeFor } from '../each-within.ts';
import type { ProbeContext } from '../probe-context.ts';
import { type Endpoint, tlsEndpoints } from '../target.ts';
import type { TlsFacts } from '../tls-probe.ts';
import { isUnreached, type Unreached } from '../unreached.ts';

/** The certificate: its time, chain, name, key and signature. */

const DAY_MS = 86_400_000;
/** Handshakes at once with one machine, and milliseconds after which none is begun: one may take eight seconds. */
const [CONCURRENCY, BUDGET_MS] = [16, 35_000];
const RENEW = 'Renew the certificate, and let a program do it from now on (ACME).';

const RULES = rulesOf('certificate', {
  expired: { score: 8.5, title: 'The certificate has expired', fix: RENEW, cwe: ['CWE-298'] },
  'not-yet-valid': {
    score: 8,
    title: 'The certificate is not valid yet',
    fix: 'Check the clock of the server that it was made on, or wait.',
    cwe: ['CWE-298'],
  },
  'expires-in-7-days': { score: 7, title: 'The certificate ends within 7 days', fix: RENEW },
  'expires-in-14-days': { score: 5, title: 'The certificate ends within 14 days', fix: RENEW },
  'expires-in-30-days': { score: 2, title: 'The certificate ends within 30 days', fix: RENEW },
  'wrong-name': {
    score: 8.1,
    title: 'The certificate is for another name',
    fix: 'Get a certificate that names this host among its subject alternative names.',
    cwe: ['CWE-297'],
  },
  untrusted: {
    score: 7.4,
    title: 'The certificate is not signed by an authority that clients trust',
    fix: 'Use an authority that clients trust, or name your own as `authority` in the inventory.',
    cwe: ['CWE-295'],
  },
  'incomplete-chain': {
    score: 7,
    title: 'The certificate comes without the one that signed it',
    fix: 'Have the server send the intermediate certificates too (the "full chain").',
    cwe: ['CWE-296'],
  },
  'weak-key': {
    score: 7.4,
    title: 'The key of the certificate is too short',
    fix: 'Make a key of 2048 bits (RSA) or 256 bits (elliptic curve) at least.',
    cwe: ['CWE-326'],
  },
  'weak-signature': {
    score: 7.4,
    title: 'The certificate is signed with a broken hash',
    fix: 'Get one signed with SHA-256 or better.',
    cwe: ['CWE-327', 'CWE-328'],
  },
});

/** OpenSSL's codes for what the rules of time say already. */
const OF_TIME = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
const INCOMPLETE = new Set(['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY']);

export const certificate: Check = {
  name: 'certificate',
  version: 1,
  sort: 'watch',
  rules: Object.values(RULES),
  wants: (target) => tlsEndpoints(target).length > 0,
  async run(target, probe) {
    const page = target.kind === 'url' ? target.name : undefined;
    const all = tlsEndpoints(target);
    const how = { concurrency: CONCURRENCY, budgetMs: BUDGET_MS, signal: probe.signal };
    const { done, left } = await eachWithin(
      all,
      how,
      async (endpoint) => [endpoint, await factsOf(page, endpoint, probe)] as const,
    );
    const why = noTimeFor(left.length, all.length);
    const gaps: Gap[] = left.map(({ port }) => ({ subject: String(port), why }));
    const problems: Problem[] = [];
    let days: number | undefined;
    for (const [endpoint, facts] of done) {
      if (isUnreached(facts)) {
        gaps.push({ subject: String(endpoint.port), why: `port ${endpoint.port} ${facts.reason}` });
        continue;
      }
      problems.push(...certificateProblems(facts, endpoint, probe.now()));
      const rest = Math.floor((Date.parse(facts.certificate.validTo) - probe.now()) / DAY_MS);
      days = Math.min(days ?? rest, rest);
    }
    if (days === undefined) return { unseen: whyOf(gaps) };
    return { problems, gaps, measures: { certificate_days: days } };
  },
};

/** A page's own connection has shown the certificate already. */
async function factsOf(
  page: string | undefined,
  endpoint: Endpoint,
  probe: ProbeContext,
): Promise<TlsFacts | Unreached> {
  const answer = page === undefined ? undefined : await probe.page(page);
  if (answer && !isUnreached(answer) && answer.tls) return answer.tls;
  // A server that accepts no connection accepts none a second later.
  if (answer && isUnreached(answer) && answer.code === 'ETIMEDOUT') return answer;
  return probe.handshake(endpoint);
}

/** What is wrong with a certificate at a moment, in milliseconds since the epoch. */
export function certificateProblems(facts: TlsFacts, { host, port }: Endpoint, now: number): Problem[] {
  const { certificate: shown, distrust, sent } = facts;
  const problems: Problem[] = [];
  const add = (rule: keyof typeof RULES, description: string) =>
    problems.push({ rule: RULES[rule], description, subject: String(port) });
  const [from, to] = [Date.parse(shown.validFrom), Date.parse(shown.validTo)];
  const left = Math.floor((to - now) / DAY_MS);
  const ends = `it ends on ${dayOf(to)}, in ${counted(left, 'day')}`;
  if (now > to) add('expired', `it ended on ${dayOf(to)}`);
  else if (now < from) add('not-yet-valid', `it begins on ${dayOf(from)}`);
  else if (left < 7) add('expires-in-7-days', ends);
  else if (left < 14) add('expires-in-14-days', ends);
  else if (left < 30) add('expires-in-30-days', ends);
  if (!(isIP(host) ? shown.checkIP(host) : shown.checkHost(host))) {
    const names = (shown.subjectAltName ?? shown.subject).slice(0, 200);
    add('wrong-name', `${host} is not among its names: ${names}`);
  }
  if (distrust !== undefined && !OF_TIME.has(distrust)) {
    const alone = INCOMPLETE.has(distrust) && sent < 2 && !shown.checkIssued(shown);
    if (alone) add('incomplete-chain', `only one certificate is sent (${distrust})`);
    else add('untrusted', `issued by ${lineOf(shown.issuer)} (${distrust})`);
  }
  const short = shortKey(shown);
  if (short) add('weak-key', short);
  const signature = shown.signatureAlgorithm ?? '';
  if (/md5|md2|sha1(?!\d)/i.test(signature)) add('weak-signature', `signed with ${signature}`);
  return problems;
}

/** NIST SP 800-57 part 1, table 2: 112 bits of security, which is RSA of 2048 and curves of 224 bits. */
function shortKey({ publicKey }: X509Certificate): string | undefined {
  const { modulusLength, namedCurve } = publicKey.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined && modulusLength < 2048)
    return `an RSA or DSA key of ${modulusLength} bits`;
  const bits = Number(/\d{3}/.exec(namedCurve ?? '')?.[0] ?? 256);
  return bits < 224 ? `the elliptic curve ${namedCurve}` : undefined;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function lineOf(name: string): string {
  return name.replaceAll('\n', ', ').slice(0, 200);
}
