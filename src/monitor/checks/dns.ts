import { type CheckProblem, defineRules, type MonitorCheck } from '../probing/check.ts';
import type { DnsResolver } from '../probing/resolver.ts';
import { findDomainName } from '../targets/target.ts';
import rules from './rules.json' with { type: 'json' };

const RULES = defineRules('dns', rules.dns);

export const dns: MonitorCheck = {
  name: 'dns',
  version: 1,
  sort: 'survey',
  rules: Object.values(RULES),
  wants: (target) => findDomainName(target) !== undefined,
  async run(target, { resolver, signal }) {
    const host = findDomainName(target);
    if (host === undefined) return { unseen: 'it has no name that the name service can know' };
    try {
      const zone = (await firstOf(ancestors(host), (name) => resolver.isApex(name, signal)))?.[0];
      if (zone === undefined) return { unseen: `the name service knows no zone of ${host}` };
      const problems = await problemsOf(host, zone, resolver, signal);
      const vouched = await resolver.isDnssecValidated(zone, signal);
      // The rule `not-signed` has score 0, because some resolvers never confirm DNSSEC.
      if (vouched === false)
        problems.push({ rule: RULES['not-signed'], description: `${zone}, by the resolver` });
      return {
        problems,
        measures: { zone, ...(vouched !== undefined && { dnssec: vouched ? 'yes' : 'no' }) },
      };
    } catch (error) {
      signal.throwIfAborted();
      const { code = 'no answer' } = error as NodeJS.ErrnoException;
      return { unseen: `the name service gives no answer (${code})` };
    }
  },
};

function ancestors(host: string): string[] {
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}

async function firstOf<T>(names: readonly string[], ask: (name: string) => Promise<T>) {
  for (const name of names) {
    const answer = await ask(name);
    if (answer) return [name, answer] as const;
  }
  return undefined;
}

async function problemsOf(host: string, zone: string, resolver: DnsResolver, signal: AbortSignal) {
  const problems: CheckProblem[] = [];
  const spf = ((await resolver.txt(zone, signal)) ?? []).filter((text) => /^v=spf1(?:\s|$)/i.test(text));
  const [record] = spf;
  if (record === undefined) problems.push({ rule: RULES['spf-missing'], description: `at ${zone}` });
  else if (spf.length > 1 || isOpen(record)) {
    problems.push({ rule: RULES['spf-invalid'], description: `at ${zone}: ${record.slice(0, 200)}` });
  }
  const dmarc = ((await resolver.txt(`_dmarc.${zone}`, signal)) ?? []).find((text) =>
    /^v=DMARC1\s*;/i.test(text),
  );
  if (dmarc === undefined) problems.push({ rule: RULES['dmarc-missing'], description: `at _dmarc.${zone}` });
  else if (/;\s*p\s*=\s*none/i.test(dmarc)) {
    problems.push({ rule: RULES['dmarc-none'], description: `at _dmarc.${zone}: ${dmarc.slice(0, 200)}` });
  }
  const caa = await firstOf(ancestors(host), (name) => resolver.caa(name, signal));
  if (!caa) problems.push({ rule: RULES['caa-missing'], description: `neither at ${host} nor above it` });
  return problems;
}

/** True if SPF lets any server send mail: `+all`, `?all`, or neither `all` nor `redirect` (RFC 7208). */
function isOpen(record: string): boolean {
  const terms = record.toLowerCase().split(/\s+/);
  const last = terms.find((term) => /^[-~?+]?all$/.test(term));
  if (last === undefined) return !terms.some((term) => term.startsWith('redirect='));
  return !last.startsWith('-') && !last.startsWith('~');
}
