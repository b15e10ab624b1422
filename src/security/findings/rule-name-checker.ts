import { likelyMeant } from '../../lib/text/did-you-mean.ts';
import { AGENT_RULES } from '../scanners/agents/rules.ts';
import { PACKAGE_RULE_IDS } from '../scanners/dependencies/registries/package-findings.ts';
import { EXTERNAL_PROGRAMS } from '../scanners/external/program.ts';
import policies from '../scanners/infrastructure/policies/ids.json' with { type: 'json' };
import { INFRASTRUCTURE_RULES } from '../scanners/infrastructure/rules.ts';
import { SECRET_RULES } from '../scanners/secrets/token-rules.ts';
import { sourceRules } from '../scanners/source/rules/catalogue.ts';
import type { StepCounter } from '../scans/step-budget.ts';
import { fitsPart } from '../trees/glob.ts';

const IDS: readonly string[] = [
  ...SECRET_RULES.map(({ id }) => id),
  ...sourceRules.map(({ id }) => id),
  ...Object.keys(INFRASTRUCTURE_RULES).map((name) => `infrastructure/${name}`),
  ...Object.keys(AGENT_RULES).map((name) => `agents/${name}`),
  ...policies.map((id) => `infrastructure/${id}`),
  'dependencies/unreadable-lockfile',
  'licenses/denied',
  ...PACKAGE_RULE_IDS,
];
const OURS: ReadonlySet<string> = new Set(IDS.map((id) => id.slice(0, id.indexOf('/'))));
/** Advisory ids are recognised by these prefixes, because not all ids are known. */
const ADVISORY =
  /^(?:cve|ghsa|pysec|rustsec|go|mal|osv|npm|asb-a|bit|gsd|cgsa|ubuntu|usn|dsa|dla|rhsa|alsa|suse-su|snyk|echo|openssf|eef|julsec|drupal|hsec|psf|curl)-[\w*?-]+$/i;

export type RuleNameChecker = ReturnType<typeof createRuleNameChecker>;

export function createRuleNameChecker(scanners: readonly string[], own: readonly string[] = []) {
  const ids = [...IDS, ...own];
  const others = [...scanners, ...EXTERNAL_PROGRAMS.map(({ name }) => name)].filter(
    (name) => !OURS.has(name),
  );
  return {
    /** Returns undefined for a valid name, otherwise the most similar valid name, or '' if none is similar. */
    findCorrection(rule: string, meter: StepCounter) {
      const wanted = rule.toLowerCase();
      const slash = wanted.indexOf('/');
      const [scanner, name] = slash < 0 ? [wanted, ''] : [wanted.slice(0, slash), wanted.slice(slash + 1)];
      // Advisory ids and rule ids of external scanners are always valid, because Magpie has no list of them.
      if (ADVISORY.test(wanted) || others.includes(scanner)) return undefined;
      if (scanner === 'own' && own.length === 0) return undefined;
      if (ids.some((id) => fitsPart(wanted, id, meter))) return undefined;
      if (others.some((other) => fitsPart(wanted, `${other}/`, meter))) return undefined;
      const meant = likelyMeant(wanted, ids) ?? ids.find((id) => id.endsWith(`/${wanted}`));
      if (meant !== undefined || slash < 0) return meant ?? '';
      // The part before the slash is the scanner, which may be mistyped too.
      const near = likelyMeant(scanner, [...OURS, ...others]);
      return near === undefined ? '' : `${near}/${name}`;
    },
  };
}
