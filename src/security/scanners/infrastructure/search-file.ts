import type { Severity } from '../../../lib/severity.ts';
import type { UnmaskedFinding } from '../../findings/hide.ts';
import { maskSecret } from '../../findings/mask.ts';
import type { ScannedFile } from '../../scans/scanner.ts';
import { createLineIndex } from '../../trees/lines.ts';
import { isTestOrExamplePath, lowerSeverity } from '../../trees/test-paths.ts';
import { canBeCloudFormation, cloudFormationResources } from './cloudformation.ts';
import { findComposeRisks } from './containers/compose.ts';
import { dockerfileMatches } from './containers/dockerfile.ts';
import { helmValueMatches, removeHelmActions } from './containers/helm.ts';
import { kubernetesMatches } from './containers/kubernetes.ts';
import { kubernetesResources } from './containers/kubernetes-lowering.ts';
import { DOCKERFILE_PATH, TERRAFORM_JSON_PATH, TERRAFORM_PATH, YAML_PATH } from './file-names.ts';
import { readJson } from './json-tree.ts';
import { settingMatches } from './pipelines/audits/settings.ts';
import { dependabotMatches } from './pipelines/dependabot.ts';
import { workflowMatches } from './pipelines/github-actions.ts';
import { gitlabMatches } from './pipelines/gitlab-ci.ts';
import type { PolicyViolation } from './policies/find-policy-violations.ts';
import { iamDocumentMatches, iamMatches } from './policies/iam.ts';
import { openPortMatches } from './policies/open-ports.ts';
import { policyFamilyOf } from './policies/policy.ts';
import { INFRASTRUCTURE_RULES, type InfrastructureRule, type RuleMatch } from './rules.ts';
import { readTerraform, terraformBlocks } from './terraform/terraform.ts';
import type { ConfigResource } from './value.ts';
import { type ReportSkipped, readYaml } from './yaml-tree.ts';

const COMPOSE = /(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/i;
const WORKFLOW = /(?:^|\/)\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$|(?:^|\/)action\.ya?ml$/;
const GITLAB = /(?:^|\/)[\w.-]*\.gitlab-ci\.ya?ml$/;
const DEPENDABOT = /(?:^|\/)\.github\/dependabot\.ya?ml$/;
const PRE_COMMIT = /(?:^|\/)\.pre-commit-(?:config|hooks)\.ya?ml$/;
const VALUES = /(?:^|\/)values[\w.-]*\.ya?ml$/;
const MAX_FINDINGS = 300;

export async function searchConfigFile(
  { path, text }: ScannedFile,
  leave?: ReportSkipped,
): Promise<UnmaskedFinding[]> {
  return toFileFindings(path, text, await collectFindings(readFile(path, text, leave)));
}

const DEVELOPMENT = /(?:^|\/)\.devcontainer\//;

const lowered = (severity: Severity): Severity =>
  severity === 'low' || severity === 'info' ? severity : lowerSeverity(severity);

export function toFileFindings(
  path: string,
  text: string,
  found: readonly UnplacedFinding[],
): UnmaskedFinding[] {
  const lines = createLineIndex(text);
  const seen = new Set<string>();
  return found
    .filter(({ id, line }) => !seen.has(`${id} ${line}`) && seen.add(`${id} ${line}`))
    .slice(0, MAX_FINDINGS)
    .map(({ what, secrets = [], danger, severity, ...rest }) => ({
      ...rest,
      severity: isTestOrExamplePath(path) || DEVELOPMENT.test(path) ? lowered(severity) : severity,
      description: what ? `${danger} (${what.slice(0, 120)}).` : `${danger}.`,
      path,
      excerpt: maskSecret(lines.text(rest.line), ...secrets),
      hides: secrets.length > 0 ? secrets : undefined,
    }));
}

export type UnplacedFinding = Omit<UnmaskedFinding, 'path' | 'description' | 'line'> &
  Pick<RuleMatch, 'what' | 'secrets'> & { readonly line: number; readonly danger: string };

export async function collectFindings(
  { matches = [], resources = [], otherwise }: FileReading,
  others: readonly ConfigResource[] = resources,
): Promise<UnplacedFinding[]> {
  const coded = resources.map((one) => [...openPortMatches(one), ...iamMatches(one)].map(ofRule));
  const judged = await judgedByPolicies(resources, others);
  if (!otherwise) return [...matches.map(ofRule), ...coded.flat(), ...judged.flat()];
  const codedOther = otherwise.map((one) => [...openPortMatches(one), ...iamMatches(one)].map(ofRule));
  const judgedOther = await judgedByPolicies(otherwise, otherwise);
  return [
    ...matches.map(ofRule),
    ...coded.flatMap((one, at) => eitherWay(one, codedOther[at] ?? [])),
    ...judged.flatMap((one, at) => eitherWay(one, judgedOther[at] ?? [])),
  ];
}

/** Checks resources against the policies. Loads the policies (half a megabyte) only if there are resources. */
async function judgedByPolicies(resources: readonly ConfigResource[], others: readonly ConfigResource[]) {
  if (resources.length === 0) return [];
  const { findPolicyViolations: policyMatches } = await import('./policies/find-policy-violations.ts');
  return resources.map((one) => policyMatches(one, others).map(ofPolicy));
}

/** Merges the findings of both branches of `Fn::If`. A finding in only one branch gets a lower severity. */
function eitherWay(first: readonly UnplacedFinding[], second: readonly UnplacedFinding[]): UnplacedFinding[] {
  const ids = (of: readonly UnplacedFinding[]) => new Set(of.map(({ id }) => id));
  const [inFirst, inSecond] = [ids(first), ids(second)];
  return [...first, ...second.filter(({ id }) => !inFirst.has(id))].map((one) =>
    inFirst.has(one.id) && inSecond.has(one.id)
      ? one
      : {
          ...one,
          severity: lowerSeverity(one.severity),
          what: [one.what, 'in one branch of Fn::If'].filter(Boolean).join(', '),
        },
  );
}

function ofRule({ rule, line, what, secrets, severity }: RuleMatch): UnplacedFinding {
  const { title, severity: usual, cwe, danger, fix, zizmor }: InfrastructureRule = INFRASTRUCTURE_RULES[rule];
  return {
    id: `infrastructure/${rule}`,
    aliases: zizmor === undefined ? undefined : [`zizmor/${zizmor}`],
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

function ofPolicy({ policy, line, what, fix }: PolicyViolation): UnplacedFinding {
  const { id, title, severity, cwe, checkov } = policy;
  const family = policyFamilyOf(policy);
  return {
    id: `infrastructure/${id}`,
    aliases: checkov?.map((one) => `checkov/${one}`),
    severity: severity ?? family.severity,
    title,
    danger: policy.danger ?? family.danger,
    fix,
    cwe: [cwe ?? family.cwe],
    line,
    what,
  };
}

interface FileReading {
  readonly matches?: readonly RuleMatch[];
  readonly resources?: readonly ConfigResource[];
  readonly otherwise?: readonly ConfigResource[] | undefined;
}

function readFile(path: string, text: string, leave: ReportSkipped | undefined): FileReading {
  if (DOCKERFILE_PATH.test(path)) return { matches: dockerfileMatches(text) };
  if (TERRAFORM_PATH.test(path) || TERRAFORM_JSON_PATH.test(path))
    return readTerraform(terraformBlocks(path, text, leave));
  const json = /^\s{0,1000}\{/.test(text.slice(0, 1001));
  if (canBeCloudFormation(text)) {
    const template = cloudFormationResources(json ? readJson(text, leave) : readYaml(text, leave)[0]);
    if (template) return template;
  }
  if (json && text.includes('"Statement"')) return { matches: iamDocumentMatches(text, leave) };
  return YAML_PATH.test(path) ? readYamlFile(path, text, leave) : {};
}

function readYamlFile(path: string, text: string, leave: ReportSkipped | undefined): FileReading {
  if (COMPOSE.test(path)) return { matches: findComposeRisks(readYaml(text, leave)) };
  if (WORKFLOW.test(path)) return { matches: workflowMatches(readYaml(text, leave), text) };
  if (DEPENDABOT.test(path)) return { matches: readYaml(text, leave).flatMap(dependabotMatches) };
  if (PRE_COMMIT.test(path))
    return { matches: readYaml(text, leave).flatMap((one) => settingMatches(one, 'pre-commit')) };
  if (GITLAB.test(path)) return { matches: gitlabMatches(readYaml(text, leave)) };
  if (/^[ \t]*apiVersion:/m.test(text) && /^[ \t]*kind:/m.test(text)) {
    const template = text.includes('{{');
    const documents = readYaml(template ? removeHelmActions(text) : text, leave);
    return {
      matches: kubernetesMatches(documents, template),
      resources: kubernetesResources(documents, template),
    };
  }
  return VALUES.test(path) ? { matches: helmValueMatches(readYaml(text, leave)) } : {};
}
