import type { RuleMatch } from '../rules.ts';
import { itemsOf, nodeAt, textAt, type YamlNode } from '../yaml-tree.ts';
import { settingMatches } from './audits/settings.ts';

/** Minimum days to wait before an update. Most malicious releases are removed from registries by then. */
const MIN_DAYS = 7;

export function dependabotMatches(document: YamlNode): RuleMatch[] {
  const cooldowns = itemsOf(nodeAt(document, 'updates')).flatMap((update): RuleMatch[] => {
    const group = nodeAt(document, 'multi-ecosystem-groups', textAt(update, 'multi-ecosystem-group') ?? '');
    const cooldown = nodeAt(update, 'cooldown') ?? nodeAt(group, 'cooldown');
    const days = nodeAt(cooldown, 'default-days');
    // With the limit 0, Dependabot proposes only security updates, to which no cooldown applies.
    const isSecurityOnly = textAt(update, 'open-pull-requests-limit') === '0';
    if (isSecurityOnly || (days?.kind === 'text' && Number(days.text) >= MIN_DAYS)) return [];
    const { line } = days ?? cooldown ?? update;
    return [{ rule: 'dependabot-cooldown', line, what: textAt(update, 'package-ecosystem') ?? '' }];
  });
  return [...cooldowns, ...settingMatches(document, 'dependabot')];
}
