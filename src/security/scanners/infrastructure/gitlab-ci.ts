import { isUnpinned } from './image.ts';
import type { Fault } from './rules.ts';
import { shellFaults } from './shell.ts';
import { at, entriesOf, itemsOf, textAt, type YamlNode } from './yaml-tree.ts';

/** Variables that whoever opens a merge request writes, where a shell reads them a second time. */
const RUN_AGAIN =
  /(?:\beval\b|\b(?:ba)?sh\s{1,3}-c\b)[^\n]{0,300}\$\{?(?:CI_MERGE_REQUEST_(?:TITLE|DESCRIPTION|SOURCE_BRANCH_NAME|LABELS)|CI_COMMIT_(?:MESSAGE|TITLE|DESCRIPTION|REF_NAME|BRANCH|TAG_MESSAGE|AUTHOR)|CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME)\b/;

/** Faults of a GitLab pipeline. */
export function gitlabFaults(documents: readonly YamlNode[]): Fault[] {
  return documents.flatMap((document) => [
    ...itemsOf(at(document, 'include')).flatMap(includeFaults),
    ...variableFaults(document),
    ...imageFaults(at(document, 'image')),
    ...scriptFaults(document),
    ...entriesOf(document).flatMap(([name, job]) => (RESERVED.has(name) ? [] : jobFaults(job))),
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

function jobFaults(job: YamlNode): Fault[] {
  return [...imageFaults(at(job, 'image')), ...variableFaults(job), ...scriptFaults(job)];
}

function includeFaults(node: YamlNode): Fault[] {
  const remote =
    textAt(node, 'remote') ?? (node.kind === 'text' && /^https?:/.test(node.text) ? node.text : undefined);
  if (remote !== undefined && !at(node, 'integrity'))
    return [{ rule: 'pipeline-remote-include', line: node.line }];
  const project = at(node, 'project');
  return project && !at(node, 'ref')
    ? [{ rule: 'unpinned-module', line: project.line, what: textAt(node, 'project') ?? '' }]
    : [];
}

function variableFaults(node: YamlNode): Fault[] {
  const folder = at(node, 'variables', 'DOCKER_TLS_CERTDIR');
  return folder?.kind === 'text' && folder.text === ''
    ? [{ rule: 'pipeline-plain-docker', line: folder.line }]
    : [];
}

function imageFaults(node: YamlNode | undefined): Fault[] {
  const image = node?.kind === 'map' ? at(node, 'name') : node;
  return image?.kind === 'text' && isUnpinned(image.text)
    ? [{ rule: 'unpinned-image', line: image.line, what: image.text }]
    : [];
}

function scriptFaults(node: YamlNode): Fault[] {
  return ['before_script', 'script', 'after_script'].flatMap((key) =>
    itemsOf(at(node, key)).flatMap((command): Fault[] => {
      if (command.kind !== 'text') return [];
      const evaluated = RUN_AGAIN.test(command.text)
        ? [{ rule: 'pipeline-eval', line: command.line } as const]
        : [];
      const first = command.text.includes('\n') ? command.line + 1 : command.line;
      return [...evaluated, ...shellFaults(command.text, first)];
    }),
  );
}
