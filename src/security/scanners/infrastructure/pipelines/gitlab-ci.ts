import { isUnpinnedImage } from '../containers/image.ts';
import { shellMatches } from '../containers/shell.ts';
import type { RuleMatch } from '../rules.ts';
import { entriesOf, itemsOf, nodeAt, textAt, type YamlNode } from '../yaml-tree.ts';

/** Matches a shell command that evaluates a variable a second time. The author of a merge request chooses its value. */
const RUN_AGAIN =
  /(?:\beval\b|\b(?:ba)?sh\s{1,3}-c\b)[^\n]{0,300}\$\{?(?:CI_MERGE_REQUEST_(?:TITLE|DESCRIPTION|SOURCE_BRANCH_NAME|LABELS)|CI_COMMIT_(?:MESSAGE|TITLE|DESCRIPTION|REF_NAME|BRANCH|TAG_MESSAGE|AUTHOR)|CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME)\b/;

export function gitlabMatches(documents: readonly YamlNode[]): RuleMatch[] {
  return documents.flatMap((document) => [
    ...itemsOf(nodeAt(document, 'include')).flatMap(includeMatches),
    ...variableMatches(document),
    ...imageMatches(nodeAt(document, 'image')),
    ...scriptMatches(document),
    ...entriesOf(document).flatMap(([name, job]) => (RESERVED.has(name) ? [] : jobMatches(job))),
  ]);
}

const RESERVED: ReadonlySet<string> = new Set([
  'include',
  'variables',
  'image',
  'stages',
  'workflow',
  'cache',
  'services',
]);

function jobMatches(job: YamlNode): RuleMatch[] {
  return [...imageMatches(nodeAt(job, 'image')), ...variableMatches(job), ...scriptMatches(job)];
}

function includeMatches(node: YamlNode): RuleMatch[] {
  const remote =
    textAt(node, 'remote') ?? (node.kind === 'text' && /^https?:/.test(node.text) ? node.text : undefined);
  if (remote !== undefined && !nodeAt(node, 'integrity'))
    return [{ rule: 'pipeline-remote-include', line: node.line }];
  const project = nodeAt(node, 'project');
  return project && !nodeAt(node, 'ref')
    ? [{ rule: 'unpinned-module', line: project.line, what: textAt(node, 'project') ?? '' }]
    : [];
}

function variableMatches(node: YamlNode): RuleMatch[] {
  const folder = nodeAt(node, 'variables', 'DOCKER_TLS_CERTDIR');
  return folder?.kind === 'text' && folder.text === ''
    ? [{ rule: 'pipeline-plain-docker', line: folder.line }]
    : [];
}

function imageMatches(node: YamlNode | undefined): RuleMatch[] {
  const image = node?.kind === 'map' ? nodeAt(node, 'name') : node;
  return image?.kind === 'text' && isUnpinnedImage(image.text)
    ? [{ rule: 'unpinned-image', line: image.line, what: image.text }]
    : [];
}

function scriptMatches(node: YamlNode): RuleMatch[] {
  return ['before_script', 'script', 'after_script'].flatMap((key) =>
    itemsOf(nodeAt(node, key)).flatMap((command): RuleMatch[] => {
      if (command.kind !== 'text') return [];
      const evaluated = RUN_AGAIN.test(command.text)
        ? [{ rule: 'pipeline-eval', line: command.line } as const]
        : [];
      const first = command.text.includes('\n') ? command.line + 1 : command.line;
      return [...evaluated, ...shellMatches(command.text, first)];
    }),
  );
}
