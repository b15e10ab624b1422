import { setTimeout as wait } from 'node:timers/promises';
import { type Check, type CheckResult, rulesOf, type Unseen } from '../check.ts';
import type { ProbeContext } from '../probe-context.ts';
import { bareHost, type HostTarget } from '../target.ts';
import { CLIENT_CERTIFICATE, isUnreached, type Unreached } from '../unreached.ts';

/** Whether it answers, and how fast: name look-up, connection, TLS, first byte. */

/** Milliseconds before a second attempt at what did not answer, so that a lost packet raises no alert. */
const RETRY_MS = 1000;
/** Milliseconds to the first byte of an answer, beyond which people leave. */
const SLOW_MS = 3000;

const RULES = rulesOf('reachability', {
  down: {
    score: 9,
    title: 'It is down',
    fix: 'Check the server and the network before it; the description says how far a request came.',
  },
  'error-status': {
    score: 5,
    title: 'The page answers with an error',
    fix: 'Watch an address that exists, or fix what the status names.',
  },
  'client-certificate': {
    score: 0,
    title: 'It asks for a client certificate',
    fix: 'Nothing, where that is meant: it is up, and what it serves is not checked.',
  },
  slow: {
    score: 3,
    title: 'It answers slowly',
    fix: 'The measures say which step takes the time: name look-up, connection, TLS or first byte.',
  },
});

export const reachability: Check = {
  name: 'reachability',
  version: 2,
  sort: 'watch',
  rules: Object.values(RULES),
  wants: (target) => target.kind === 'url' || (target.kind === 'host' && target.ports.length > 0),
  async run(target, probe) {
    if (target.kind === 'host') return hostResult(target, probe);
    if (target.kind === 'repository') return { unseen: 'it is not a machine' };
    let page = await probe.page(target.name);
    const isAsked = isUnreached(page) && page.code === CLIENT_CERTIFICATE;
    if ((isUnreached(page) && !isAsked) || (!isUnreached(page) && page.status >= 500)) {
      await wait(RETRY_MS, undefined, { signal: probe.signal });
      page = await probe.ask(target.name, {});
    }
    if (isUnreached(page) && page.code === CLIENT_CERTIFICATE) return asking(`it ${page.reason}`, {});
    if (isUnreached(page)) return down(bareHost(new URL(target.name).hostname), page, probe);
    const { status, timings } = page;
    const measures = {
      status,
      dns_ms: round(timings.dns),
      connect_ms: round(timings.connect),
      tls_ms: round(timings.tls),
      first_byte_ms: round(timings.firstByte),
      total_ms: round(timings.total),
    };
    if (status >= 400 && status < 500 && ASKS.test(page.body.slice(0, ASKS_WITHIN))) {
      return asking(`${page.url} answers with status ${status}, and asks for a client certificate`, measures);
    }
    const said = { description: `${page.url} answers with status ${status}` };
    if (status >= 500) return { problems: [{ rule: RULES.down, ...said }], measures: { ...measures, up: 0 } };
    const problems = [];
    if (status >= 400 && status !== 401 && status !== 403)
      problems.push({ rule: RULES['error-status'], ...said });
    if (timings.total > SLOW_MS) {
      const description = `the first byte came after ${round(timings.total)} ms, over ${SLOW_MS}`;
      problems.push({ rule: RULES.slow, description });
    }
    return { problems, measures: { ...measures, up: 1 } };
  },
};

/** What nginx and other servers say then, where the server goes on to HTTP all the same, and within how many characters. */
const ASKS =
  /(?:No required SSL certificate was sent|SSL certificate (?:is )?required|client certificate (?:is )?required)/i;
const ASKS_WITHIN = 4000;

function asking(description: string, measures: CheckResult['measures']): CheckResult {
  return { problems: [{ rule: RULES['client-certificate'], description }], measures: { ...measures, up: 1 } };
}

/** Ports that are tried at first, and when none of these answers. */
const [FIRST_PORTS, MORE_PORTS] = [4, 32];

/** A machine is up when any of the ports answers that should be open. */
async function hostResult({ name, ports }: HostTarget, probe: ProbeContext): Promise<CheckResult | Unseen> {
  let why: Unreached | undefined;
  for (const most of [FIRST_PORTS, MORE_PORTS]) {
    if (why) await wait(RETRY_MS, undefined, { signal: probe.signal });
    const answers = await Promise.all(
      ports.slice(0, most).map((port) => probe.connect({ host: name, port })),
    );
    const times = answers.filter((answer) => typeof answer === 'number');
    if (times.length > 0) {
      return { problems: [], measures: { up: 1, connect_ms: round(Math.min(...times)) } };
    }
    why = answers.find(isUnreached);
  }
  return why ? down(name, why, probe) : { unseen: 'no port is listed that should be open' };
}

async function down(host: string, failure: Unreached, probe: ProbeContext): Promise<CheckResult | Unseen> {
  const excuse = await probe.excuse(host, failure);
  if (excuse !== undefined) return { unseen: excuse, isOwn: true };
  return { problems: [{ rule: RULES.down, description: `it ${failure.reason}` }], measures: { up: 0 } };
}

function round(ms: number): number {
  return Math.max(0, Math.round(ms));
}
