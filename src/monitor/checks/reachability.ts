import { setTimeout as wait } from 'node:timers/promises';
import {
  findUnmetExpectations,
  hasExpectedStatus,
  RESPONSE_TIME_SUBJECT,
} from '../expecting/expectations.ts';
import {
  type CheckResult,
  defineRules,
  type InconclusiveResult,
  isInconclusiveResult,
  type MonitorCheck,
} from '../probing/check.ts';
import {
  CLIENT_CERTIFICATE_REQUIRED,
  type ConnectionFailure,
  isConnectionFailure,
  isPrivateAddressFailure,
} from '../probing/connection-failure.ts';
import type { ProbedPage } from '../probing/page-probe.ts';
import { CANNOT_PING_CODE, type ProbeContext } from '../probing/probe-context.ts';
import { DEFAULT_RETRIES, type ProbeExpectations } from '../probing/probe-options.ts';
import {
  type DnsTarget,
  type HostTarget,
  type PingTarget,
  stripHostBrackets,
  type TcpTarget,
  type UrlTarget,
} from '../targets/target.ts';
import rules from './rules.json' with { type: 'json' };

/** Milliseconds until the first byte, above which a page counts as slow. Visitors leave slow pages. */
const SLOW_MS = 3000;

const RULES = defineRules('reachability', rules.reachability);

export const reachability: MonitorCheck = {
  name: 'reachability',
  version: 3,
  sort: 'watch',
  isRetried: true,
  rules: Object.values(RULES),
  wants: (target) =>
    target.kind === 'host' ? target.ports.length > 0 : target.kind !== 'repository' && target.kind !== 'page',
  async run(target, probe) {
    if (target.kind === 'host') return hostResult(target, probe);
    if (target.kind === 'repository' || target.kind === 'page') return { unseen: 'it is not a machine' };
    if (target.kind === 'heartbeat') return heartbeatResult(probe);
    const isPage = target.kind === 'url';
    const first = await (isPage
      ? pageResult(target, await probe.page(target.name), probe)
      : serviceResult(target, probe));
    const { retries = DEFAULT_RETRIES } = probe.probing;
    if (retries === 0 || !isWorthRetry(first)) return first;
    await wait(probe.retryMs, undefined, { signal: probe.signal });
    return isPage
      ? pageResult(target, await probe.requestPage(target.name, {}), probe)
      : serviceResult(target, probe);
  },
};

async function heartbeatResult(probe: ProbeContext): Promise<CheckResult> {
  const { at, dueAt, failedAt, tookMs } = await probe.readHeartbeat();
  const took: Record<string, number> = tookMs === undefined ? {} : { job_ms: tookMs };
  if (failedAt !== undefined) {
    const description = `it said at ${timeOf(failedAt)} that it has failed`;
    return { problems: [{ rule: RULES.down, description }], measures: { ...took, up: 0 } };
  }
  const leftMs = dueAt - probe.now();
  const known: Record<string, number> = at === undefined ? {} : { ...took, up: 1 };
  if (leftMs >= 0) return { problems: [], measures: known, againInMs: leftMs + 1 };
  const since = at === undefined ? 'has sent no heartbeat yet' : `has sent no heartbeat since ${timeOf(at)}`;
  const description = `it ${since}, and it was due by ${timeOf(dueAt)}`;
  return { problems: [{ rule: RULES.down, description }], measures: { ...took, up: 0 } };
}

const timeOf = (at: number): string => new Date(at).toISOString();

async function serviceResult(
  target: ServiceTarget,
  probe: ProbeContext,
): Promise<CheckResult | InconclusiveResult> {
  const answer = await probeService(target, probe);
  if ('unable' in answer) return { unseen: answer.unable, isOwn: true };
  if (isConnectionFailure(answer)) return down(target.host, answer, probe);
  const { ms, measures, faults } = answer;
  const { responseMs = Infinity } = probe.probing.expect ?? {};
  const problems = faults.map((what) => ({
    rule: RULES.unexpected,
    subject: what,
    description: `it ${what}`,
  }));
  if (ms > responseMs) {
    const description = `it took ${round(ms)} ms to answer, over the limit of ${responseMs}`;
    problems.push({ rule: RULES['too-slow'], subject: RESPONSE_TIME_SUBJECT, description });
  }
  return { problems, measures: { ...measures, up: faults.length > 0 ? 0 : 1 } };
}

function isWorthRetry(result: CheckResult | InconclusiveResult): boolean {
  return (
    isInconclusiveResult(result) || result.problems.some(({ rule }) => rule.score >= RULES['too-slow'].score)
  );
}

async function pageResult(
  target: UrlTarget,
  page: ProbedPage | ConnectionFailure,
  probe: ProbeContext,
): Promise<CheckResult | InconclusiveResult> {
  if (isConnectionFailure(page) && page.code === CLIENT_CERTIFICATE_REQUIRED)
    return asking(`it ${page.reason}`, {});
  if (isConnectionFailure(page)) return down(stripHostBrackets(new URL(target.name).hostname), page, probe);
  const { status, timings, url } = page;
  const measures = {
    status,
    dns_ms: round(timings.dns),
    connect_ms: round(timings.connect),
    tls_ms: round(timings.tls),
    first_byte_ms: round(timings.firstByte),
    total_ms: round(timings.total),
    answer_ms: round(page.answerMs),
  };
  const { expect = {} } = probe.probing;
  if (!hasExpectedStatus(page, expect) && asksForCertificate(page)) {
    return asking(`${url} answers with status ${status}, and asks for a client certificate`, measures);
  }
  const problems = [
    ...statusProblems(page, expect),
    ...(await findUnmetExpectations(page, expect, probe.signal)).map(({ subject, what }) => ({
      rule: subject === RESPONSE_TIME_SUBJECT ? RULES['too-slow'] : RULES.unexpected,
      subject,
      description: `${url} ${what}`,
    })),
  ];
  const isUp = problems.every(({ rule }) => rule === RULES['too-slow']);
  if (expect.responseMs === undefined && timings.total > SLOW_MS) {
    const description = `the first byte came after ${round(timings.total)} ms, over ${SLOW_MS}`;
    problems.push({ rule: RULES.slow, description, subject: undefined });
  }
  return { problems, measures: { ...measures, up: isUp ? 1 : 0 } };
}

function statusProblems(page: ProbedPage, expect: ProbeExpectations) {
  if (expect.status !== undefined || hasExpectedStatus(page, expect)) return [];
  const { status, url } = page;
  const description = `${url} answers with status ${status}`;
  return [{ rule: status >= 500 ? RULES.down : RULES['error-status'], description, subject: undefined }];
}

/** Matches error pages of web servers that require a client certificate. */
const ASKS =
  /(?:No required SSL certificate was sent|SSL certificate (?:is )?required|client certificate (?:is )?required)/i;
const ASKS_WITHIN = 4000;

function asksForCertificate({ status, body }: ProbedPage): boolean {
  return status >= 400 && status < 500 && ASKS.test(body.slice(0, ASKS_WITHIN));
}

function asking(description: string, measures: CheckResult['measures']): CheckResult {
  return { problems: [{ rule: RULES['client-certificate'], description }], measures: { ...measures, up: 1 } };
}

const [FIRST_PORTS, MORE_PORTS] = [4, 32];

async function hostResult(
  { name, ports }: HostTarget,
  probe: ProbeContext,
): Promise<CheckResult | InconclusiveResult> {
  let why: ConnectionFailure | undefined;
  const { retries = DEFAULT_RETRIES } = probe.probing;
  for (const most of retries === 0 ? [MORE_PORTS] : [FIRST_PORTS, MORE_PORTS]) {
    if (why) await wait(probe.retryMs, undefined, { signal: probe.signal });
    const answers = await Promise.all(
      ports.slice(0, most).map((port) => probe.connect({ host: name, port })),
    );
    const times = answers.filter((answer) => typeof answer === 'number');
    if (times.length > 0) return { problems: [], measures: { up: 1, connect_ms: round(Math.min(...times)) } };
    why = answers.find(isConnectionFailure);
  }
  return why ? down(name, why, probe) : { unseen: 'no port is listed that should be open' };
}

async function down(
  host: string,
  failure: ConnectionFailure,
  probe: ProbeContext,
): Promise<CheckResult | InconclusiveResult> {
  const excuse = await probe.explainOwnFailure(host, failure);
  if (excuse !== undefined) return { unseen: excuse, isOwn: true };
  return { problems: [{ rule: RULES.down, description: `it ${failure.reason}` }], measures: { up: 0 } };
}

const round = (ms: number): number => Math.max(0, Math.round(ms));

type ServiceTarget = TcpTarget | DnsTarget | PingTarget;

interface ServiceAnswer {
  readonly ms: number;
  readonly measures: Readonly<Record<string, number | string>>;
  readonly faults: readonly string[];
}

interface CannotProbe {
  readonly unable: string;
}

const MAX_SHOWN = 200;

async function probeService(
  target: ServiceTarget,
  probe: ProbeContext,
): Promise<ServiceAnswer | ConnectionFailure | CannotProbe> {
  if (target.kind === 'dns') return askNames(target, probe);
  const ms = target.kind === 'tcp' ? await probe.connect(target) : await probe.ping(target.host);
  if (!isConnectionFailure(ms)) {
    return {
      ms,
      measures: { [target.kind === 'tcp' ? 'connect_ms' : 'ping_ms']: Math.round(ms) },
      faults: [],
    };
  }
  return ms.code === CANNOT_PING_CODE ? { unable: ms.reason } : ms;
}

async function askNames(
  { host, type }: DnsTarget,
  { resolver, signal, address, probing }: ProbeContext,
): Promise<ServiceAnswer | ConnectionFailure> {
  const own = await address(host);
  if (isConnectionFailure(own) && isPrivateAddressFailure(own)) return own;
  const begun = performance.now();
  let records: readonly string[];
  try {
    records = (await resolver.records(host, type, signal)) ?? [];
  } catch (error) {
    signal.throwIfAborted();
    const { code = '' } = error as NodeJS.ErrnoException;
    return { reason: `has no answer of the name service (${code})`, code: 'EAI_AGAIN' };
  }
  const ms = performance.now() - begun;
  const { contains = [], lacks = [] } = probing.expect ?? {};
  const has = (wanted: string) => records.some((one) => isSame(one, wanted, type));
  const there = records.length > 0 ? records.join(', ').slice(0, MAX_SHOWN) : 'none';
  const faults = [
    ...(records.length > 0 ? [] : [`has no ${type} record`]),
    ...contains.filter((one) => !has(one)).map((one) => `has no ${type} record ${one}: there is ${there}`),
    ...lacks.filter(has).map((one) => `has the ${type} record ${one}`),
  ];
  return { ms, measures: { dns_ms: Math.round(ms), records: there }, faults };
}

function isSame(record: string, wanted: string, type: string): boolean {
  if (type === 'TXT' || type === 'CAA') return record.includes(wanted);
  const plain = (text: string) => text.toLowerCase().replace(/\.$/, '');
  const forms = type === 'MX' || type === 'SRV' ? [record, record.split(' ').at(-1) ?? ''] : [record];
  return forms.some((one) => plain(one) === plain(wanted));
}
