import type { RuleMatch } from '../../rules.ts';
import { entriesOf, nodeAt, textAt, type YamlNode } from '../../yaml-tree.ts';
import { inputOf, textsIn, type WorkflowFile } from '../workflow.ts';
import { settingMatches } from './settings.ts';

const WHOLE_FOLDER = /^(?:\.{1,2}\/?|\.\/\*{1,2}|\$\{\{\s{0,9}github\.workspace\s{0,9}\}\}\/?)$/m;
const MAX_STEPS = 50;

/** Reports checkouts that store the token in the work folder. A later step may publish the folder. */
export function persistedCredentials({ steps }: WorkflowFile): RuleMatch[] {
  return steps.flatMap((step, at): RuleMatch[] => {
    const { uses, job } = step;
    const persists = inputOf(step, 'persist-credentials')?.text ?? '';
    if (uses?.name !== 'actions/checkout' || /^(?:true|false)$/i.test(persists.trim())) return [];
    const isPublished = steps.slice(at + 1, at + MAX_STEPS).some((later) => {
      const isUpload = later.job === job && later.uses?.name === 'actions/upload-artifact';
      return isUpload && WHOLE_FOLDER.test(inputOf(later, 'path')?.text ?? '');
    });
    // Since version 6, `actions/checkout` stores the token outside the work folder.
    const severity = uses.major >= 6 ? 'info' : isPublished ? 'medium' : 'low';
    return [{ rule: 'workflow-persisted-credentials', line: uses.line, severity }];
  });
}

export const secretsOutsideEnvironments = ({ jobs }: WorkflowFile): RuleMatch[] =>
  jobs.flatMap((job): RuleMatch[] => {
    if (nodeAt(job, 'environment') || nodeAt(job, 'uses')) return [];
    const found = textsIn(job).find(({ text }) => namesSecret(text));
    return found ? [{ rule: 'workflow-secret-outside-environment', line: found.line }] : [];
  });

const namesSecret = (text: string): boolean => /\bsecrets(?:\.(?!GITHUB_TOKEN\b)\w|\[)/i.test(text);

export const hasSecretReferences = (node: YamlNode): boolean =>
  textAt(node, 'secrets') === 'inherit' || textsIn(node).some(({ text }) => namesSecret(text));

const RIGHTS = /^(?:contents|packages|id-token|actions|deployments|attestations|pages|security-events)$/;

export function canTokenWrite(document: YamlNode, job: YamlNode | undefined, right = RIGHTS): boolean {
  const permissions = nodeAt(job, 'permissions') ?? nodeAt(document, 'permissions');
  if (permissions?.kind === 'text') return permissions.text === 'write-all';
  return entriesOf(permissions).some(
    ([name, given]) => right.test(name) && given.kind === 'text' && given.text === 'write',
  );
}

export function permissionMatches({ document, jobs, triggers }: WorkflowFile): RuleMatch[] {
  const given = nodeAt(document, 'permissions');
  if (given) {
    const shared = entriesOf(given).filter(([, right]) => right.kind === 'text' && right.text === 'write');
    return shared.flatMap(([name, { line }]): RuleMatch[] =>
      jobs.length > 1 ? [{ rule: 'workflow-wide-permissions', line, what: `${name}: write` }] : [],
    );
  }
  // A workflow that is only called has its caller's permissions. Only its jobs with `uses` are reported.
  const isCalled = triggers.size === 1 && triggers.has('workflow_call');
  const open = jobs.filter((job) => !nodeAt(job, 'permissions') && (!isCalled || nodeAt(job, 'uses')));
  const [first] = open;
  if (!first || jobs.some((job) => textAt(job, 'permissions') === 'write-all')) return [];
  const { line } = open.every((job) => nodeAt(job, 'uses')) ? first : (nodeAt(document, 'jobs') ?? first);
  return [{ rule: 'workflow-default-permissions', line }];
}

export function longLivedTokens({ document, jobs }: WorkflowFile): RuleMatch[] {
  const without = jobs.filter((job) => !canTokenWrite(document, job, /^id-token$/));
  return without.flatMap((job) => settingMatches(job, 'publishing'));
}

export function environmentWrites({ document, jobs, isPrivileged }: WorkflowFile): RuleMatch[] {
  const runs = nodeAt(document, 'runs');
  if (runs) return settingMatches(runs, 'environment').map((one) => ({ ...one, severity: 'low' }));
  return isPrivileged ? jobs.flatMap((job) => settingMatches(job, 'environment')) : [];
}
