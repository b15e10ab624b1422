import { type Check, type Gap, type Problem, type Rule, rulesOf, whyOf } from '../check.ts';
import { eachWithin, noTimeFor } from '../each-within.ts';
import type { ProbeContext } from '../probe-context.ts';
import { type Endpoint, tlsEndpoints } from '../target.ts';
import { isBreak, isRefusal, type TlsOffer } from '../tls-probe.ts';
import { isUnreached, type Unreached } from '../unreached.ts';

/** The floor of TLS versions and ciphers: what a server accepts when it is offered nothing better. */

const RULES = rulesOf('protocol', {
  // RFC 8996 ends both versions; scores as the usual scanners give them.
  'tls-1-0': {
    score: 6.5,
    title: 'TLS 1.0 is accepted',
    fix: 'Switch TLS 1.0 off; browsers have not used it since 2020 (RFC 8996).',
    cwe: ['CWE-326', 'CWE-327'],
  },
  'tls-1-1': {
    score: 6.5,
    title: 'TLS 1.1 is accepted',
    fix: 'Switch TLS 1.1 off; browsers have not used it since 2020 (RFC 8996).',
    cwe: ['CWE-326', 'CWE-327'],
  },
  'no-forward-secrecy': {
    score: 4.3,
    title: 'Connections can be read later with the key of the certificate',
    fix: 'Prefer ECDHE ciphers, and switch off those with RSA key exchange.',
    cwe: ['CWE-326'],
  },
  'no-encryption': {
    score: 9.1,
    title: 'Ciphers without encryption or without proof of identity are accepted',
    fix: 'Take the NULL and anonymous ciphers out of the configuration.',
    cwe: ['CWE-319', 'CWE-327'],
  },
  'weak-key-exchange': {
    // As Logjam (CVE-2015-4000) is scored; NIST SP 800-57 has 2048 bits as the least.
    score: 3.7,
    title: 'Keys are agreed on by Diffie-Hellman with numbers that are too short',
    fix: 'Take the DHE ciphers out (ECDHE stays), or give the server parameters of 2048 bits.',
    cwe: ['CWE-326'],
  },
  'no-tls-1-3': {
    score: 0,
    title: 'TLS 1.3 is not offered',
    fix: 'Switch TLS 1.3 on: it is faster to set up, and has no weak ciphers.',
  },
});

type Key = keyof typeof RULES;
const OFFERS: readonly (readonly [rule: Key, seen: string, offer: TlsOffer])[] = [
  ['tls-1-0', 'a connection with TLS 1.0', { from: 'TLSv1', to: 'TLSv1' }],
  ['tls-1-1', 'a connection with TLS 1.1', { from: 'TLSv1.1', to: 'TLSv1.1' }],
  [
    'no-encryption',
    'a connection with nothing but NULL and anonymous ciphers',
    { from: 'TLSv1', to: 'TLSv1.2', ciphers: 'eNULL:aNULL:@SECLEVEL=0' },
  ],
  [
    'weak-key-exchange',
    'a connection with short Diffie-Hellman numbers',
    { from: 'TLSv1', to: 'TLSv1.2', ciphers: 'DHE:@SECLEVEL=0' },
  ],
];

/**
 * Machines' ports at once, milliseconds after which none is begun, and of the whole: a port that answers to the usual
 * handshake and is silent then takes about a minute.
 */
const [CONCURRENCY, BUDGET_MS, LIMIT_MS] = [16, 50_000, 120_000];

/** Least bits of Diffie-Hellman numbers. */
const MIN_DH_BITS = 2048;

export const protocol: Check = {
  name: 'protocol',
  version: 3,
  limitMs: LIMIT_MS,
  sort: 'survey',
  rules: Object.values(RULES),
  wants: (target) => tlsEndpoints(target).length > 0,
  async run(target, probe) {
    const all = tlsEndpoints(target);
    const how = { concurrency: CONCURRENCY, budgetMs: BUDGET_MS, signal: probe.signal };
    const { done, left } = await eachWithin(all, how, (endpoint) => floorOf(endpoint, probe));
    const why = noTimeFor(left.length, all.length);
    const problems = done.flatMap((one) => one.problems);
    const gaps = [
      ...done.flatMap((one) => one.gaps),
      ...left.map(({ port }) => ({ subject: String(port), why })),
    ];
    const version = done.findLast((one) => one.version !== undefined)?.version;
    if (version === undefined && problems.length === 0) return { unseen: whyOf(gaps) };
    return { problems, gaps, measures: version !== undefined ? { tls_version: version } : undefined };
  },
};

/** What one place accepts. */
interface Floor {
  readonly problems: readonly Problem[];
  readonly gaps: readonly Gap[];
  readonly version?: string;
}

async function floorOf(endpoint: Endpoint, probe: ProbeContext): Promise<Floor> {
  const subject = String(endpoint.port);
  const gap = ({ reason }: Unreached, rules?: readonly Rule[]): Gap => {
    return { subject, why: `port ${subject} ${reason}`, rules };
  };
  const usual = await probe.handshake(endpoint);
  // A server that has only the worst ciphers turns the usual ones down; of one that cannot be reached nothing is known.
  if (isUnreached(usual) && !isRefusal(usual.code)) return { problems: [], gaps: [gap(usual)] };
  const problems: Problem[] = [];
  const gaps: Gap[] = [];
  for (const [key, seen, offer] of OFFERS) {
    const answer = await answerTo(offer, endpoint, probe);
    if (answer === 'refused') continue;
    if (isUnreached(answer)) gaps.push(gap(answer, [RULES[key]]));
    else if (key !== 'weak-key-exchange' || (answer.dhBits ?? MIN_DH_BITS) < MIN_DH_BITS)
      problems.push({ rule: RULES[key], description: `${seen} was accepted (${answer.cipher})`, subject });
  }
  if (isUnreached(usual)) return { problems, gaps: [gap(usual)] };
  if (usual.protocol !== 'TLSv1.3') {
    const description = `the best that was agreed on is ${usual.protocol}`;
    problems.push({ rule: RULES['no-tls-1-3'], description, subject });
    // Every cipher of TLS 1.3 has it; before, those whose names begin so.
    if (!/^(?:EC)?DHE-/.test(usual.cipher)) {
      const chosen = `${usual.cipher} was chosen by the server`;
      problems.push({ rule: RULES['no-forward-secrecy'], description: chosen, subject });
    }
  }
  return { problems, gaps, version: usual.protocol };
}

/**
 * Many servers turn an offer down by breaking the connection off, and a network in trouble breaks it off too: it is a
 * refusal when it happens again, and a usual handshake right after that succeeds.
 */
async function answerTo(offer: TlsOffer, endpoint: Endpoint, probe: ProbeContext) {
  const first = await probe.offer(endpoint, offer);
  if (!isUnreached(first)) return first;
  if (isRefusal(first.code)) return 'refused';
  if (!isBreak(first.code)) return first;
  const again = await probe.offer(endpoint, offer);
  if (!isUnreached(again)) return again;
  const meant = isRefusal(again.code) || isBreak(again.code);
  return meant && !isUnreached(await probe.handshake(endpoint)) ? 'refused' : first;
}
