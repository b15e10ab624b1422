import { type CheckRule, defineRules, type MonitorCheck } from '../probing/check.ts';
import { dayOf } from '../registration/domain-registration.ts';
import { findRegistrableDomain } from '../registration/registrable-domain.ts';
import { findDomainName } from '../targets/target.ts';
import rules from './rules.json' with { type: 'json' };

const RULES = defineRules('registration', rules.registration);
const STATUSES = ['pending-delete', 'redemption-period', 'client-hold', 'server-hold'] as const;
/** Days before the end from which on each rule counts. */
const STEPS = [1, 7, 14, 30, 60] as const;
const END_RULES = [RULES.ended, ...STEPS.map((days) => RULES[`ends-in-${days}-days`])];

/** Checks until when the domain of a name is registered, and whether its registry is about to take it away. */
export const registration: MonitorCheck = {
  name: 'registration',
  version: 1,
  sort: 'survey',
  rules: Object.values(RULES),
  wants: (target) => findDomainName(target) !== undefined,
  async run(target, probe) {
    const host = findDomainName(target) ?? '';
    const domain = await findRegistrableDomain(host);
    if (domain === undefined) return { unseen: `${host} has no registration of its own` };
    const { before, ...known } = await probe.findRegistration(domain);
    const { until, statuses, unknown } = known;
    if (unknown !== undefined) {
      const unseen = `it is not known until when ${domain} is registered: ${unknown}`;
      return { unseen, measures: { registration: unseen } };
    }
    const problemOf = (rule: CheckRule, description: string) => ({ rule, description, subject: domain });
    const problems = STATUSES.filter((code) => statuses.includes(code.replace('-', ''))).map((code) =>
      problemOf(RULES[code], `${domain} has the status ${code}`),
    );
    const now = probe.now();
    const why = `the registry does not clearly say until when ${domain} is registered`;
    const shown = until === undefined ? why : describeRegistration(domain, until, now);
    const watched = { state: JSON.stringify(known), before, isPending: false, shown };
    const rule = until === undefined ? undefined : findEndRule(until, now);
    if (rule) problems.push(problemOf(rule, shown));
    const gaps = until === undefined ? [{ rules: END_RULES, subject: domain, why }] : [];
    return { problems, gaps, measures: { registration: shown }, watched };
  },
};

export function findEndRule(until: number, now: number): CheckRule | undefined {
  const step = STEPS.find((days) => dayOf(until) - dayOf(now) <= days);
  return until <= now ? RULES.ended : step && RULES[`ends-in-${step}-days`];
}

/** Says until when a domain is registered, by days of UTC: `... until 2027-01-12, in 42 days`. */
export function describeRegistration(domain: string, until: number, now: number): string {
  const days = Math.abs(dayOf(until) - dayOf(now));
  const count = `${days} day${days === 1 ? '' : 's'}`;
  const day = new Date(until).toISOString().slice(0, 10);
  if (until <= now) return `${domain} was registered until ${day}, ${days === 0 ? 'today' : `${count} ago`}`;
  return `${domain} is registered until ${day}, ${days === 0 ? 'today' : `in ${count}`}`;
}
