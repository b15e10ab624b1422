import type { FileFinding } from '../../hide.ts';
import { linesOf } from '../../lines.ts';
import { maskSecret } from '../../mask.ts';
import type { ScannedFile } from '../../scanner.ts';
import { composeMatches } from './compose.ts';
import { dockerfileMatches } from './dockerfile.ts';
import { DOCKERFILE, TERRAFORM } from './file-names.ts';
import { workflowMatches } from './github-actions.ts';
import { gitlabMatches } from './gitlab-ci.ts';
import { helmValueMatches, withoutActions } from './helm.ts';
import { kubernetesMatches } from './kubernetes.ts';
import { INFRASTRUCTURE_RULES, type InfrastructureRule, type RuleMatch } from './rules.ts';
import { terraformMatches } from './terraform.ts';
import { readYaml } from './yaml-tree.ts';

const COMPOSE = /(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/i;
const WORKFLOW = /(?:^|\/)\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/;
const GITLAB = /(?:^|\/)[\w.-]*\.gitlab-ci\.ya?ml$/;
const VALUES = /(?:^|\/)values[\w.-]*\.ya?ml$/;
/** Of one file. */
const MAX_FINDINGS = 300;
/** Larger YAML is data, not a manifest. */
const MAX_YAML_CHARACTERS = 512 * 1024;

/** What is risky in a file, by its name and what it says. */
export function searchFile({ path, text }: ScannedFile): FileFinding[] {
  const lines = linesOf(text);
  const seen = new Set<string>();
  return matchesOf(path, text)
    .filter(({ rule, line }) => !seen.has(`${rule} ${line}`) && seen.add(`${rule} ${line}`))
    .slice(0, MAX_FINDINGS)
    .map(({ rule, line, what, secrets = [] }) => {
      const { title, severity, cwe, danger, fix }: InfrastructureRule = INFRASTRUCTURE_RULES[rule];
      return {
        id: `infrastructure/${rule}`,
        severity,
        title,
        description: what ? `${danger} (${what.slice(0, 120)}).` : `${danger}.`,
        fix,
        path,
        line,
        cwe: [cwe],
        excerpt: maskSecret(lines.text(line), ...secrets),
        hides: secrets.length > 0 ? secrets : undefined,
      };
    });
}

function matchesOf(path: string, text: string): RuleMatch[] {
  if (DOCKERFILE.test(path)) return dockerfileMatches(text);
  if (TERRAFORM.test(path)) return terraformMatches(text);
  if (text.length > MAX_YAML_CHARACTERS) return [];
  if (COMPOSE.test(path)) return composeMatches(readYaml(text));
  if (WORKFLOW.test(path)) return workflowMatches(readYaml(text));
  if (GITLAB.test(path)) return gitlabMatches(readYaml(text));
  if (/^[ \t]*apiVersion:/m.test(text) && /^[ \t]*kind:/m.test(text)) {
    const template = text.includes('{{');
    return kubernetesMatches(readYaml(template ? withoutActions(text) : text), template);
  }
  return VALUES.test(path) ? helmValueMatches(readYaml(text)) : [];
}
