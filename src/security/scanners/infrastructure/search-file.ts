import type { FileFinding } from '../../hide.ts';
import { linesOf } from '../../lines.ts';
import { maskSecret } from '../../mask.ts';
import type { ScannedFile } from '../../scanner.ts';
import { cloudFormationResources, mayBeTemplate } from './cloudformation.ts';
import { composeMatches } from './compose.ts';
import { dockerfileMatches } from './dockerfile.ts';
import { familyOf } from './families.ts';
import { DOCKERFILE, TERRAFORM, YAML } from './file-names.ts';
import { workflowMatches } from './github-actions.ts';
import { gitlabMatches } from './gitlab-ci.ts';
import { helmValueMatches, withoutActions } from './helm.ts';
import { iamMatches } from './iam.ts';
import { readJson } from './json-tree.ts';
import { kubernetesMatches } from './kubernetes.ts';
import { kubernetesResources } from './kubernetes-lowering.ts';
import { openPortMatches } from './open-ports.ts';
import { type PolicyMatch, policyMatches } from './policy-matches.ts';
import { INFRASTRUCTURE_RULES, type InfrastructureRule, type RuleMatch } from './rules.ts';
import { readTerraform } from './terraform.ts';
import type { Resource } from './value.ts';
import { readYaml } from './yaml-tree.ts';

const COMPOSE = /(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/i;
const WORKFLOW = /(?:^|\/)\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/;
const GITLAB = /(?:^|\/)[\w.-]*\.gitlab-ci\.ya?ml$/;
const VALUES = /(?:^|\/)values[\w.-]*\.ya?ml$/;
/** Of one file. */
const MAX_FINDINGS = 300;
/** Of a template of CloudFormation, whose own limit is 1 MB. */
const MAX_MANIFEST_CHARACTERS = 1_100_000;
/** Larger YAML is data, not a manifest. */
const MAX_YAML_CHARACTERS = 512 * 1024;

/** What is risky in a file, by its name and what it says. */
export function searchFile({ path, text }: ScannedFile): FileFinding[] {
  const lines = linesOf(text);
  const seen = new Set<string>();
  return [...findingsOf(path, text)]
    .filter(({ id, line }) => !seen.has(`${id} ${line}`) && seen.add(`${id} ${line}`))
    .slice(0, MAX_FINDINGS)
    .map(({ what, secrets = [], danger, ...found }) => ({
      ...found,
      description: what ? `${danger} (${what.slice(0, 120)}).` : `${danger}.`,
      path,
      excerpt: maskSecret(lines.text(found.line), ...secrets),
      hides: secrets.length > 0 ? secrets : undefined,
    }));
}

/** A finding before it has its place and excerpt. */
type Found = Omit<FileFinding, 'path' | 'description' | 'line'> &
  Pick<RuleMatch, 'what' | 'secrets'> & { readonly line: number; readonly danger: string };

function findingsOf(path: string, text: string): Found[] {
  const { matches = [], resources = [] } = readFile(path, text);
  const coded = [...matches, ...resources.flatMap((one) => [...openPortMatches(one), ...iamMatches(one)])];
  return [...coded.map(ofRule), ...policyMatches(resources).map(ofPolicy)];
}

function ofRule({ rule, line, what, secrets, severity }: RuleMatch): Found {
  const { title, severity: usual, cwe, danger, fix }: InfrastructureRule = INFRASTRUCTURE_RULES[rule];
  return {
    id: `infrastructure/${rule}`,
    severity: severity ?? usual,
    title,
    danger,
    fix,
    cwe: [cwe],
    line,
    what,
    secrets,
  };
}

function ofPolicy({ policy, line, what, fix }: PolicyMatch): Found {
  const { id, title, severity, cwe, checkov } = policy;
  const family = familyOf(policy);
  return {
    id: `infrastructure/${id}`,
    aliases: checkov?.map((one) => `checkov/${one}`),
    severity: severity ?? family.severity,
    title,
    danger: family.danger,
    fix,
    cwe: [cwe ?? family.cwe],
    line,
    what,
  };
}

/** What a file says: findings of checks that are code, and resources for those that are data. */
interface Read {
  readonly matches?: readonly RuleMatch[];
  readonly resources?: readonly Resource[];
}

function readFile(path: string, text: string): Read {
  if (DOCKERFILE.test(path)) return { matches: dockerfileMatches(text) };
  if (TERRAFORM.test(path)) return readTerraform(text);
  if (text.length > MAX_MANIFEST_CHARACTERS) return {};
  const json = /^\s{0,1000}\{/.test(text.slice(0, 1001));
  if (mayBeTemplate(text)) {
    const resources = cloudFormationResources(json ? readJson(text) : readYaml(text)[0]);
    if (resources) return { resources };
  }
  if (!YAML.test(path) || text.length > MAX_YAML_CHARACTERS) return {};
  return readYamlFile(path, text);
}

function readYamlFile(path: string, text: string): Read {
  if (COMPOSE.test(path)) return { matches: composeMatches(readYaml(text)) };
  if (WORKFLOW.test(path)) return { matches: workflowMatches(readYaml(text)) };
  if (GITLAB.test(path)) return { matches: gitlabMatches(readYaml(text)) };
  if (/^[ \t]*apiVersion:/m.test(text) && /^[ \t]*kind:/m.test(text)) {
    const template = text.includes('{{');
    const documents = readYaml(template ? withoutActions(text) : text);
    return {
      matches: kubernetesMatches(documents, template),
      resources: kubernetesResources(documents, template),
    };
  }
  return VALUES.test(path) ? { matches: helmValueMatches(readYaml(text)) } : {};
}
