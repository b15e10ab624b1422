import { type CertificateProblemKey, findCertificateProblems } from '../certificates/certificate-problems.ts';
import {
  type CheckGap,
  type CheckProblem,
  defineRules,
  joinGapReasons,
  type MonitorCheck,
} from '../probing/check.ts';
import { isConnectionFailure } from '../probing/connection-failure.ts';
import type { ProbeContext } from '../probing/probe-context.ts';
import type { TlsConnectionInfo } from '../probing/tls-probe.ts';
import { formatUntriedPorts, mapWithinBudget } from '../scheduling/map-within-budget.ts';
import { type Endpoint, tlsEndpoints } from '../targets/target.ts';
import rules from './rules.json' with { type: 'json' };

const DAY_MS = 86_400_000;
const [CONCURRENCY, BUDGET_MS] = [16, 35_000];

// `expires-in-30-days` scores 0, as ACME clients renew then. `missing-staple`: Firefox rejects such pages.
const RULES = defineRules<CertificateProblemKey>('certificate', rules.certificate);

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

async function factsOf(page: string | undefined, endpoint: Endpoint, probe: ProbeContext) {
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
