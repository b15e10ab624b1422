import { shellMatches } from '../containers/shell.ts';
import type { RuleMatch } from '../rules.ts';
import { entriesOf, isTrue, itemsOf, nodeAt, textAt, type YamlNode } from '../yaml-tree.ts';

/** Matches fields of a GitHub event whose text outsiders choose, such as the title of an issue. */
const OUTSIDE =
  /\$\{\{[^}]{0,200}\bgithub\.(?:head_ref|event\.(?:issue\.(?:title|body)|pull_request\.(?:title|body|head\.(?:ref|label|repo\.default_branch))|comment\.body|review\.body|review_comment\.body|discussion\.(?:title|body)|head_commit\.(?:message|author\.(?:name|email))|commits[^}]{0,40}\.(?:message|author\.(?:name|email))|pages[^}]{0,40}\.page_name|workflow_run\.(?:head_branch|head_commit\.message|display_title)))\b[^}]{0,200}\}\}/;
const FOREIGN_HEAD =
  /github\.event\.pull_request\.(?:head\.(?:sha|ref)|number|merge_commit_sha)|github\.head_ref|github\.event\.workflow_run\.head_(?:sha|branch)|refs\/pull\//;
/** Matches GitHub's own actions, whose tags only GitHub can move. */
const OWN = /^(?:actions|github)\//;

export function workflowMatches(documents: readonly YamlNode[]): RuleMatch[] {
  return documents.flatMap((document) => {
    const jobs = entriesOf(nodeAt(document, 'jobs'));
    const trusted = triggersOf(nodeAt(document, 'on')).some((name) =>
      /^(?:pull_request_target|workflow_run)$/.test(name),
    );
    const steps = [
      ...jobs.flatMap(([, job]) => itemsOf(nodeAt(job, 'steps'))),
      ...itemsOf(nodeAt(document, 'runs', 'steps')),
    ];
    return [
      ...permissionMatches(document, jobs),
      ...fewActions([
        ...jobs.flatMap(([, job]) => [
          ...usesMatches(job, hasRights(document, job)),
          ...itemsOf(nodeAt(job, 'steps')).flatMap((step) => usesMatches(step, hasRights(document, job))),
        ]),
        ...itemsOf(nodeAt(document, 'runs', 'steps')).flatMap((step) => usesMatches(step, false)),
      ]),
      ...steps.flatMap((step) => stepMatches(step, trusted)),
      ...unsafeCommands(document),
    ];
  });
}

function triggersOf(node: YamlNode | undefined): string[] {
  if (node?.kind === 'map') return [...node.entries.keys()];
  return itemsOf(node).flatMap((one) => (one.kind === 'text' ? [one.text] : []));
}

function permissionMatches(document: YamlNode, jobs: readonly (readonly [string, YamlNode])[]): RuleMatch[] {
  if (jobs.length === 0) return [];
  const broad = [document, ...jobs.map(([, job]) => job)].flatMap((node): RuleMatch[] => {
    const permissions = nodeAt(node, 'permissions');
    return permissions?.kind === 'text' && permissions.text === 'write-all'
      ? [{ rule: 'workflow-broad-permissions', line: permissions.line }]
      : [];
  });
  const said = nodeAt(document, 'permissions') ?? jobs.every(([, job]) => nodeAt(job, 'permissions'));
  if (broad.length > 0 || said) return broad;
  return [{ rule: 'workflow-default-permissions', line: nodeAt(document, 'jobs')?.line ?? 1 }];
}

/** Permissions that allow a job's token to change code or publish something. */
const RIGHTS = /^(?:contents|packages|id-token|actions|deployments|attestations|pages|security-events)$/;

function hasRights(document: YamlNode, job: YamlNode): boolean {
  const permissions = nodeAt(job, 'permissions') ?? nodeAt(document, 'permissions');
  if (permissions?.kind === 'text') return permissions.text === 'write-all';
  return entriesOf(permissions).some(
    ([name, given]) => RIGHTS.test(name) && given.kind === 'text' && given.text === 'write',
  );
}

/** True if a step or job gets a secret. `GITHUB_TOKEN` does not count, because each job has this token. */
function hasSecrets(node: YamlNode): boolean {
  if (textAt(node, 'secrets') === 'inherit') return true;
  return ['with', 'env', 'secrets'].some((key) =>
    entriesOf(nodeAt(node, key)).some(
      ([, given]) => given.kind === 'text' && /\bsecrets\.(?!GITHUB_TOKEN\b)\w/.test(given.text),
    ),
  );
}

const FIXED = /@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$/;
const BRANCH = /@(?:main|master|develop|trunk|next|latest|head)$/i;

/** Reports an unpinned action. Severity: info for GitHub's actions, medium in a job with write access or secrets, else low. */
function usesMatches(node: YamlNode, rights: boolean): RuleMatch[] {
  const uses = nodeAt(node, 'uses');
  if (uses?.kind !== 'text' || uses.text.startsWith('.') || FIXED.test(uses.text)) return [];
  const own = OWN.test(uses.text);
  const worth = !own && (rights || hasSecrets(node)) ? 'medium' : 'low';
  const severity = own && !BRANCH.test(uses.text) ? 'info' : worth;
  return [{ rule: 'workflow-unpinned-action', line: uses.line, what: uses.text, severity }];
}

const MAX_NAMED = 4;

/** Merges findings of the same action. All actions below medium severity share one finding, because one change fixes them. */
function fewActions(matches: readonly RuleMatch[]): RuleMatch[] {
  const byName = [...Map.groupBy(matches, ({ what }) => what).values()].flatMap(
    (same) => same.find(({ severity }) => severity === 'medium') ?? same[0] ?? [],
  );
  const [medium, others] = [true, false].map((is) =>
    byName.filter(({ severity }) => (severity === 'medium') === is),
  );
  const first = others?.find(({ severity }) => severity === 'low') ?? others?.[0];
  if (!first || !others) return medium ?? [];
  const names = [first, ...others.filter((one) => one !== first)].map(({ what = '' }) => what);
  const more = names.length - MAX_NAMED;
  const what = `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [...(medium ?? []), { ...first, what }];
}

function stepMatches(step: YamlNode, trusted: boolean): RuleMatch[] {
  const matches: RuleMatch[] = [];
  const uses = textAt(step, 'uses') ?? '';
  const ref = [textAt(step, 'with', 'ref'), textAt(step, 'with', 'repository')].join(' ');
  if (trusted && /^actions\/checkout@/.test(uses) && FOREIGN_HEAD.test(ref)) {
    matches.push({ rule: 'workflow-untrusted-checkout', line: nodeAt(step, 'with')?.line ?? step.line });
  }
  const script =
    nodeAt(step, 'run') ??
    (uses.startsWith('actions/github-script@') ? nodeAt(step, 'with', 'script') : undefined);
  if (script?.kind !== 'text') return matches;
  if (OUTSIDE.test(script.text)) matches.push({ rule: 'workflow-script-injection', line: script.line });
  if (
    /\b(?:echo|printf|Write-Host)\b[^\n|>]{0,300}\$\{\{\s{0,3}secrets\.\w{1,60}\s{0,3}\}\}[^\n|>]{0,200}(?:\n|$)/.test(
      script.text,
    )
  ) {
    matches.push({ rule: 'workflow-printed-secret', line: script.line });
  }
  const first = script.text.includes('\n') ? script.line + 1 : script.line;
  return [...matches, ...shellMatches(script.text, first)];
}

function unsafeCommands(document: YamlNode): RuleMatch[] {
  const jobs = entriesOf(nodeAt(document, 'jobs')).map(([, job]) => job);
  const steps = jobs.flatMap((job) => itemsOf(nodeAt(job, 'steps')));
  return [document, ...jobs, ...steps].flatMap((node): RuleMatch[] => {
    const flag = nodeAt(node, 'env', 'ACTIONS_ALLOW_UNSECURE_COMMANDS');
    return flag && isTrue(flag) ? [{ rule: 'workflow-unsafe-commands', line: flag.line }] : [];
  });
}
