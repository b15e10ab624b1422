import {
  type CheckGap,
  type CheckProblem,
  type CheckRule,
  defineRules,
  joinGapReasons,
  type MonitorCheck,
} from '../probing/check.ts';
import type { TlsOffer } from '../probing/client-hello.ts';
import { type ConnectionFailure, isConnectionFailure } from '../probing/connection-failure.ts';
import type { ProbeContext } from '../probing/probe-context.ts';
import type { TlsConnectionInfo } from '../probing/tls-probe.ts';
import { isHandshakeAbort, isTlsRefusal } from '../probing/tls-refusal.ts';
import { formatUntriedPorts, mapWithinBudget } from '../scheduling/map-within-budget.ts';
import { type Endpoint, tlsEndpoints } from '../targets/target.ts';
import rules from './rules.json' with { type: 'json' };

// TLS 1.0 and 1.1 (forbidden by RFC 8996) get the same scores as in common scanners.
// `weak-key-exchange` gets the score of Logjam (CVE-2015-4000).
// `short-blocks` scores low, because its attack (CVE-2016-2183) takes hours.
const RULES = defineRules('protocol', rules.protocol);

type ProtocolRule = keyof typeof RULES;
const OFFERS: readonly (readonly [rule: ProtocolRule, seen: string, offer: TlsOffer])[] = [
  ['tls-1-0', 'an offer of TLS 1.0', { version: 0x0301, exactly: true, suites: 'any' }],
  ['tls-1-1', 'an offer of TLS 1.1', { version: 0x0302, exactly: true, suites: 'any' }],
  ['ssl-3', 'an offer of SSL 3', { version: 0x0300, exactly: true, suites: 'any' }],
  [
    'no-encryption',
    'an offer of nothing but NULL and anonymous ciphers',
    { version: 0x0303, suites: 'no-encryption' },
  ],
  ['short-keys', 'an offer of nothing but short keys', { version: 0x0303, suites: 'short-keys' }],
  ['rc4', 'an offer of nothing but RC4', { version: 0x0303, suites: 'rc4' }],
  ['short-blocks', 'an offer of nothing but blocks of 64 bits', { version: 0x0303, suites: 'short-blocks' }],
  [
    'weak-key-exchange',
    'an offer of nothing but finite-field Diffie-Hellman',
    { version: 0x0303, suites: 'dhe' },
  ],
  ['rsa-key-exchange', 'an offer of nothing but RSA key exchange', { version: 0x0303, suites: 'rsa' }],
];
const OFFERS_AT_ONCE = 2;

/** Ports checked at once, ms after which no port's check starts, and time limit in ms of the whole check. */
const [CONCURRENCY, BUDGET_MS, LIMIT_MS] = [10, 50_000, 120_000];
const MIN_DH_BITS = 2048;

export const protocol: MonitorCheck = {
  name: 'protocol',
  version: 4,
  limitMs: LIMIT_MS,
  sort: 'survey',
  rules: Object.values(RULES),
  wants: (target) => tlsEndpoints(target).length > 0,
  async run(target, probe) {
    const all = tlsEndpoints(target);
    const how = { concurrency: CONCURRENCY, budgetMs: BUDGET_MS, signal: probe.signal };
    const { done, left } = await mapWithinBudget(all, how, (endpoint) => floorOf(endpoint, probe));
    const why = formatUntriedPorts(left.length, all.length);
    const problems = done.flatMap((one) => one.problems);
    const gaps = [
      ...done.flatMap((one) => one.gaps),
      ...left.map(({ port }) => ({ subject: String(port), why })),
    ];
    const version = done.findLast((one) => one.version !== undefined)?.version;
    if (version === undefined && problems.length === 0) return { unseen: joinGapReasons(gaps) };
    return { problems, gaps, measures: version !== undefined ? { tls_version: version } : undefined };
  },
};

async function floorOf(endpoint: Endpoint, probe: ProbeContext) {
  const subject = String(endpoint.port);
  const gap = ({ reason }: ConnectionFailure, rules?: readonly CheckRule[]): CheckGap => {
    return { subject, why: `port ${subject} ${reason}`, rules };
  };
  const usual = await probe.handshake(endpoint);
  // A server with only weak ciphers may refuse this handshake. The check goes on to find these ciphers.
  if (isConnectionFailure(usual) && !isTlsRefusal(usual.code)) return { problems: [], gaps: [gap(usual)] };
  const problems: CheckProblem[] = [];
  const gaps: CheckGap[] = [];
  for (const { key, seen, answer } of await answersOf(endpoint, probe)) {
    if (answer === 'refused') continue;
    if (isConnectionFailure(answer)) gaps.push(gap(answer, [RULES[key]]));
    else if (key !== 'weak-key-exchange' || (answer.dhBits ?? MIN_DH_BITS) < MIN_DH_BITS) {
      const bits = answer.dhBits === undefined ? '' : `, numbers of ${answer.dhBits} bits`;
      const description = `${seen} was accepted (${answer.protocol}, ${answer.cipher}${bits})`;
      problems.push({ rule: RULES[key], description, subject });
    }
  }
  if (isConnectionFailure(usual)) return { problems, gaps: [...gaps, gap(usual, OF_THE_CHOICE)] };
  const chosen = chosenProblems(usual, subject);
  const best = Object.entries(OUTDATED).find(([version]) => version === usual.protocol)?.[1];
  // `no-forward-secrecy` is the more serious problem, so `rsa-key-exchange` is not reported as well.
  const isChosen = chosen.some(({ rule }) => rule === RULES['no-forward-secrecy']);
  const others = problems
    .filter(({ rule }) => !(isChosen && rule === RULES['rsa-key-exchange']))
    .map((one) => (one.rule === best ? { ...one, score: NOTHING_NEWER_SCORE } : one));
  return { problems: [...others, ...chosen], gaps, version: usual.protocol };
}

/** Versions that browsers refuse. The score is higher if the server supports no newer version. */
const OUTDATED = { TLSv1: RULES['tls-1-0'], 'TLSv1.1': RULES['tls-1-1'] };
const NOTHING_NEWER_SCORE = 8;
const OF_THE_CHOICE = [RULES['no-tls-1-3'], RULES['no-forward-secrecy'], RULES['cbc-chosen']];

function chosenProblems({ protocol: version, cipher }: TlsConnectionInfo, subject: string): CheckProblem[] {
  if (version === 'TLSv1.3') return [];
  const chosen = `${cipher} was chosen by the server`;
  const best = {
    rule: RULES['no-tls-1-3'],
    description: `the best that was agreed on is ${version}`,
    subject,
  };
  const problems: CheckProblem[] = [best];
  if (!/^(?:EC)?DHE-/.test(cipher)) {
    problems.push({ rule: RULES['no-forward-secrecy'], description: chosen, subject });
  }
  if (!/GCM|CCM|POLY1305/.test(cipher)) {
    problems.push({ rule: RULES['cbc-chosen'], description: chosen, subject });
  }
  return problems;
}

/** Offers weak versions and ciphers. If a normal handshake works, two broken connections mean a refusal. */
async function answersOf(endpoint: Endpoint, probe: ProbeContext) {
  const how = { concurrency: OFFERS_AT_ONCE, budgetMs: Infinity, signal: probe.signal };
  let isBroken = false;
  const { done } = await mapWithinBudget(OFFERS, how, async ([key, seen, offer]) => {
    const first = await probe.offer(endpoint, offer);
    if (!isConnectionFailure(first)) return { key, seen, answer: first };
    if (isTlsRefusal(first.code)) return { key, seen, answer: 'refused' as const };
    if (!isHandshakeAbort(first.code)) return { key, seen, answer: first };
    const again = await probe.offer(endpoint, offer);
    if (!isConnectionFailure(again)) return { key, seen, answer: again };
    if (isTlsRefusal(again.code)) return { key, seen, answer: 'refused' as const };
    if (!isHandshakeAbort(again.code)) return { key, seen, answer: first };
    isBroken = true;
    return { key, seen, answer: first, isMeant: true };
  });
  const isMeant = isBroken && !isConnectionFailure(await probe.handshake(endpoint));
  return done.map((one) => ('isMeant' in one && isMeant ? { ...one, answer: 'refused' as const } : one));
}
