import { likelyMeant } from '../../lib/text/likely.ts';
import { PROGRAMS } from '../scanners/external/program.ts';
import policies from '../scanners/infrastructure/policies/ids.json' with { type: 'json' };
import { INFRASTRUCTURE_RULES } from '../scanners/infrastructure/rules.ts';
import { SECRET_RULES } from '../scanners/secrets/all-rules.ts';
import { sourceRules } from '../scanners/source/rules/catalogue.ts';
import type { Meter } from '../scans/effort.ts';
import { fitsPart } from '../trees/glob.ts';

/** Rules of our own scanners. */
const IDS: readonly string[] = [
  ...SECRET_RULES.map(({ id }) => id),
  ...sourceRules.map(({ id }) => id),
  ...Object.keys(INFRASTRUCTURE_RULES).map((name) => `infrastructure/${name}`),
  ...policies.map((id) => `infrastructure/${id}`),
  'dependencies/unreadable-lockfile',
  'licenses/denied',
];
const OURS: ReadonlySet<string> = new Set(IDS.map((id) => id.slice(0, id.indexOf('/'))));
/** Of databases of advisories, whose ids cannot be listed. */
const ADVISORY =
  /^(?:cve|ghsa|pysec|rustsec|go|mal|osv|npm|asb-a|bit|gsd|cgsa|ubuntu|usn|dsa|dla|rhsa|alsa|suse-su|snyk|echo|openssf|eef|julsec|drupal|hsec|psf|curl)-[\w*?-]+$/i;

/** What may be named where a finding is suppressed. */
export interface RuleNames {
  /** Undefined for a rule that exists; else the nearest one, or '' where none is near. */
  mistyped(rule: string, meter: Meter): string | undefined;
}

/** `scanners` are the names of those that take part; their rules are not known here. `own` are a user's rules. */
export function createRuleNames(scanners: readonly string[], own: readonly string[] = []): RuleNames {
  const ids = [...IDS, ...own];
  // Without the user's rules a suppression of one of them was written for a scan with them, and is not mistyped.
  const others = [...scanners, ...PROGRAMS.map(({ name }) => name)].filter((name) => !OURS.has(name));
  return {
    mistyped(rule, meter) {
      const wanted = rule.toLowerCase();
      const slash = wanted.indexOf('/');
      const [scanner, name] = slash < 0 ? [wanted, ''] : [wanted.slice(0, slash), wanted.slice(slash + 1)];
      // `*` alone, and any id of an external scanner, which may be without its name.
      if (ADVISORY.test(wanted) || others.includes(scanner)) return undefined;
      if (scanner === 'own' && own.length === 0) return undefined;
      if (ids.some((id) => fitsPart(wanted, id, meter))) return undefined;
      if (others.some((other) => fitsPart(wanted, `${other}/`, meter))) return undefined;
      const meant = likelyMeant(wanted, ids) ?? ids.find((id) => id.endsWith(`/${wanted}`));
      if (meant !== undefined || slash < 0) return meant ?? '';
      // The scanner alone may be the slip.
      const near = likelyMeant(scanner, [...OURS, ...others]);
      return near === undefined ? '' : `${near}/${name}`;
    },
  };
}
