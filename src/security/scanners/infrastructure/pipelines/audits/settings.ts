import type { Severity } from '../../../../../lib/severity.ts';
import { shellMatches } from '../../containers/shell.ts';
import type { RuleMatch, RuleName } from '../../rules.ts';
import { entriesOf, nodeAt, textAt, type YamlNode } from '../../yaml-tree.ts';
import settings from '../settings.json' with { type: 'json' };
import { inputOf, type WorkflowFile, type WorkflowStep } from '../workflow.ts';

interface Audit {
  readonly rule: string;
  readonly severity?: string;
  /** Paths of settings. In a path, `*` is any key or list item, and a final `=a` is the value `a`. */
  readonly at: readonly string[];
  readonly is?: string;
  readonly isMissing?: boolean;
  readonly isSecret?: boolean;
  readonly isScript?: boolean;
}

const { inputs, expressions: _, ...tables } = settings;
const TABLES = new Map(
  Object.entries(tables).map(([kind, list]) => [
    kind,
    list.map((setting: Audit) => {
      const { is, isScript } = setting;
      return { ...setting, pattern: is === undefined ? undefined : new RegExp(is, isScript ? 'm' : '') };
    }),
  ]),
);
const INPUTS = inputs.map((entry) => ({
  ...entry,
  patterns: Object.entries(entry.with).map(([name, is]) => [name, new RegExp(is ?? '')] as const),
}));

export const settingMatches = (document: YamlNode, kind: keyof typeof tables): RuleMatch[] =>
  (TABLES.get(kind) ?? []).flatMap((setting) => {
    const nodes = setting.at.flatMap((path) => nodesAt(document, path.split('.')));
    if (setting.isMissing) return nodes.length === 0 ? [matchOf(setting, document.line)] : [];
    return nodes.flatMap((node) => matchesOf(node, setting));
  });

function matchesOf(node: YamlNode, setting: Audit & { readonly pattern: RegExp | undefined }): RuleMatch[] {
  const { pattern, isSecret, isScript } = setting;
  const text = node.kind === 'text' ? node.text : '';
  const first = node.line + (text.includes('\n') ? 1 : 0);
  if (isScript && !pattern) return shellMatches(text, first);
  const found = pattern?.exec(text);
  if (pattern && (node.kind !== 'text' || !found)) return [];
  const line = isScript ? first + text.slice(0, found?.index).split('\n').length - 1 : node.line;
  const said = isSecret ? { secrets: [text] } : { what: (found?.[0] ?? text).trim() };
  return [{ ...matchOf(setting, line), ...said }];
}

export function matchOf(
  { rule, severity }: { rule: string; severity?: string | undefined },
  line: number,
): RuleMatch {
  return { rule: rule as RuleName, line, ...(severity ? { severity: severity as Severity } : {}) };
}

function nodesAt(node: YamlNode, [key, ...rest]: readonly string[]): YamlNode[] {
  if (key === undefined) return [node];
  if (key.startsWith('=')) return node.kind === 'text' && node.text === key.slice(1) ? [node] : [];
  const items = node.kind === 'list' ? node.items : entriesOf(node).map(([, value]) => value);
  const found = key === '*' ? items : [nodeAt(node, key)].filter((one) => one !== undefined);
  return found.flatMap((one) => nodesAt(one, rest));
}

const GUARD =
  /workflow_run\.event\s{0,9}==\s{0,9}'(?:push|release|schedule|workflow_dispatch)'|(?:head_repository|head\.repo)\.full_name\s{0,9}==|!github\.event\.pull_request\.head\.repo\.fork|author_association\s{0,9}==\s{0,9}'(?:OWNER|MEMBER|COLLABORATOR)'|(?<!!\s{0,9})contains\(\s{0,9}fromJSON\(\s{0,9}'\[(?:[\s",]|OWNER|MEMBER|COLLABORATOR){1,100}\]'\s{0,9}\)\s{0,9},[^)]{0,100}author_association/i;

const MAX_JOBS = 100;

export function inputMatches(file: WorkflowFile): RuleMatch[] {
  const { steps, isPrivileged } = file;
  const isGuarded = guardsOf(file);
  return steps.flatMap((step) => {
    const { uses, node } = step;
    return INPUTS.flatMap((entry): RuleMatch[] => {
      if (!uses || !entry.uses.includes(uses.name) || (entry.isPrivileged && !isPrivileged)) return [];
      const given = entry.patterns.map(([name, pattern]) => {
        const input = name.split('|').flatMap((one) => inputOf(step, one) ?? [])[0];
        const names = entriesOf(nodeAt(node, 'with')).map(([key]) => key);
        const text = name === '*' ? names.join(' ') : (input?.text.trim() ?? '');
        return { line: input?.line, fits: pattern.test(text) };
      });
      if (!given.every(({ fits }) => fits)) return [];
      const severity = entry.isPrivileged && isGuarded(step) ? { severity: 'low' as const } : {};
      return [{ ...matchOf(entry, given[0]?.line ?? uses.line), what: uses.text, ...severity }];
    });
  });
}

export function scriptCheckouts(file: WorkflowFile): RuleMatch[] {
  const isGuarded = guardsOf(file);
  const steps = file.isPrivileged ? file.steps : [];
  return steps.flatMap((step) =>
    settingMatches(step.node, 'checkouts').map((one) =>
      isGuarded(step) ? { ...one, severity: 'low' as const } : one,
    ),
  );
}

function guardsOf({ jobs }: WorkflowFile): (step: WorkflowStep) => boolean {
  const guards = new Map<YamlNode, boolean>();
  const isGuard = (node: YamlNode | undefined) => {
    if (!node) return false;
    const found = guards.get(node) ?? GUARD.test(textAt(node, 'if') ?? '');
    guards.set(node, found);
    return found;
  };
  return ({ node, job }) =>
    isGuard(node) ||
    isGuard(job) ||
    (nodeAt(job, 'needs') !== undefined && jobs.slice(0, MAX_JOBS).some(isGuard));
}
