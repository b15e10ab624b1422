import { type CertificateProblemKey, findCertificateProblems } from '../certificates/certificate-problems.ts';
import {
  type CheckGap,
  type CheckProblem,
  defineRules,
  joinGapReasons,
  type MonitorCheck,
} from '../probing/check.ts';
import { type ConnectionFailure, isConnectionFailure } from '../probing/connection-failure.ts';
import type { ProbeContext } from '../probing/probe-context.ts';
import type { TlsConnectionInfo } from '../probing/tls-probe.ts';
import { formatUntriedPorts, mapWithinBudget } from '../scheduling/map-within-budget.ts';
import { type Endpoint, tlsEndpoints } from '../targets/target.ts';

const DAY_MS = 86_400_000;
const [CONCURRENCY, BUDGET_MS] = [16, 35_000];
const RENEW = 'Renew the certificate, and let a program do it from now on (ACME).';

const RULES = defineRules<CertificateProblemKey>('certificate', {
  expired: { score: 8.5, title: 'The certificate has expired', fix: RENEW, cwe: ['CWE-298'] },
  'not-yet-valid': {
    score: 8,
    title: 'The certificate is not valid yet',
    fix: 'Check the clock of the server that it was made on, or wait.',
    cwe: ['CWE-298'],
  },
  'expires-in-7-days': { score: 7, title: 'The certificate ends within 7 days', fix: RENEW },
  'expires-in-14-days': { score: 5, title: 'The certificate ends within 14 days', fix: RENEW },
  // Score 0, because most programs renew a certificate only within its last 30 days.
  'expires-in-30-days': { score: 0, title: 'The certificate ends within 30 days', fix: RENEW },
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
  'no-alternative-name': {
    score: 8.1,
    title: 'The certificate has no alternative name, and browsers read no other',
    fix: 'Get a certificate that names this host among its subject alternative names.',
    cwe: ['CWE-297'],
  },
  'expired-issuer': {
    score: 8.5,
    title: 'A certificate that vouches for it is out of its time',
    fix: 'Have the server send the intermediate certificates that its authority gives out now.',
    cwe: ['CWE-298'],
  },
  'wrong-issuer': {
    score: 7.4,
    title: 'The certificate is signed by one that may sign none',
    fix: 'Get one from an authority: the certificate of another server does not vouch.',
    cwe: ['CWE-295', 'CWE-296'],
  },
  'wrong-usage': {
    score: 7.4,
    title: 'The certificate is not one for servers',
    fix: 'Get one whose extended key usage has serverAuth.',
    cwe: ['CWE-295'],
  },
  'missing-staple': {
    // Score 7, because Firefox refuses to show the page.
    score: 7,
    title: 'The certificate demands a stapled OCSP answer, and no good one is sent',
    fix: 'Switch OCSP stapling on in the server, or get a certificate without "must-staple".',
    cwe: ['CWE-299'],
  },
  'too-long-life': {
    score: 7,
    title: 'The certificate lives longer than browsers take',
    fix: 'Get one that lives for at most 200 days (100 from 15 March 2027 on), by a program that renews it (ACME).',
  },
  'unusual-key': {
    score: 7,
    title: 'The key of the certificate is of a kind that browsers do not take',
    fix: 'Make an RSA key of 2048 bits, or one on the curve P-256 or P-384.',
  },
  'weak-key': {
    score: 7.4,
    title: 'A key of the certificate or its chain is too short',
    fix: 'Make a key of 2048 bits (RSA) or 256 bits (elliptic curve) at least.',
    cwe: ['CWE-326'],
  },
  'weak-signature': {
    score: 7.4,
    title: 'The certificate or its chain is signed with a broken hash',
    fix: 'Get one signed with SHA-256 or better.',
    cwe: ['CWE-327', 'CWE-328'],
  },
});

export const certificate: MonitorCheck = {
  name: 'certificate',
  version: 2,
  sort: 'watch',
  rules: Object.values(RULES),
  wants: (target) => tlsEndpoints(target).length > 0,
  async run(target, probe) {
    const page = target.kind === 'url' ? target.name : undefined;
    const all = tlsEndpoints(target);
    const how = { concurrency: CONCURRENCY, budgetMs: BUDGET_MS, signal: probe.signal };
    const { done, left } = await mapWithinBudget(
      all,
      how,
      async (endpoint) => [endpoint, await factsOf(page, endpoint, probe)] as const,
    );
    const why = formatUntriedPorts(left.length, all.length);
    const gaps: CheckGap[] = left.map(({ port }) => ({ subject: String(port), why }));
    const problems: CheckProblem[] = [];
    let days: number | undefined;
    for (const [endpoint, facts] of done) {
      if (isConnectionFailure(facts)) {
        gaps.push({ subject: String(endpoint.port), why: `port ${endpoint.port} ${facts.reason}` });
        continue;
      }
      problems.push(...certificateProblems(facts, endpoint, probe.now()));
      const rest = Math.floor((facts.certificate.validToDate.getTime() - probe.now()) / DAY_MS);
      days = Math.min(days ?? rest, rest);
    }
    if (days === undefined) return { unseen: joinGapReasons(gaps) };
    return { problems, gaps, measures: { certificate_days: days } };
  },
};

async function factsOf(
  page: string | undefined,
  endpoint: Endpoint,
  probe: ProbeContext,
): Promise<TlsConnectionInfo | ConnectionFailure> {
  const answer = page === undefined ? undefined : await probe.page(page);
  if (answer && !isConnectionFailure(answer) && answer.tls) return answer.tls;
  // After a timeout, a new handshake would time out too.
  if (answer && isConnectionFailure(answer) && answer.code === 'ETIMEDOUT') return answer;
  return probe.handshake(endpoint);
}

export function certificateProblems(
  facts: TlsConnectionInfo,
  { host, port }: Endpoint,
  now: number,
): CheckProblem[] {
  return findCertificateProblems(facts, host, now).map(({ key, description, score }) => {
    return { rule: RULES[key], description: description, subject: String(port), score };
  });
}
