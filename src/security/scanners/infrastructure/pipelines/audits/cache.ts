import type { RuleMatch } from '../../rules.ts';
import { itemsOf, nodeAt, textAt } from '../../yaml-tree.ts';
import known from '../actions.json' with { type: 'json' };
import { findFencedExpressions, normalizeExpression, type WorkflowExpression } from '../expression.ts';
import { inputOf, type WorkflowFile, type WorkflowStep } from '../workflow.ts';
import { fencesOfCondition } from './expressions.ts';

interface CacheSetting {
  /** Input that turns the action's cache on, or off if `isOff` is set. Undefined if the cache is always on. */
  readonly input?: string;
  readonly isOff?: boolean;
  readonly since?: number;
  readonly offInReleaseSince?: number;
  readonly needs?: string;
}

const CACHES: ReadonlyMap<string, readonly CacheSetting[]> = new Map(Object.entries(known.caches));
const DEPLOYERS: ReadonlySet<string> = new Set(known.deployers);

/** Reports jobs that publish software and use a cache, because another workflow's code can fill the cache. */
export function poisonableCaches({ triggers, steps }: WorkflowFile): RuleMatch[] {
  const push = triggers.get('push');
  const isTag = triggers.has('release') || nodeAt(push, 'tags') !== undefined;
  const isBranch = itemsOf(nodeAt(push, 'branches')).some(
    (one) => one.kind === 'text' && /release/i.test(one.text),
  );
  const byJob = [...Map.groupBy(steps, ({ job }) => job).values()];
  const publishing = byJob.filter((job) => job[0]?.job && (isTag || isBranch || job.some(publishes))).flat();
  return publishing.flatMap((step): RuleMatch[] => {
    const { node, uses } = step;
    if (!uses) return [];
    const settings = CACHES.get(uses.text.split('@')[0]?.toLowerCase() ?? '') ?? CACHES.get(uses.name) ?? [];
    const isOn = settings.some((setting) => usesCache(step, setting, isTag, isTag && !isBranch));
    const [condition] = fencesOfCondition(textAt(node, 'if') ?? '');
    const isExcluded = isTag && !isBranch && isRelease(condition?.expression, false);
    // A workflow that runs on a release branch may only run tests, so the severity is lower.
    const severity = isBranch && !isTag ? 'info' : 'low';
    return isOn && !isExcluded
      ? [{ rule: 'workflow-cache-poisoning', line: uses.line, what: uses.text, severity }]
      : [];
  });
}

function publishes({ uses, node }: WorkflowStep): boolean {
  const isPushed = /true|\$\{\{/.test(textAt(node, 'with', 'push') ?? '');
  return DEPLOYERS.has(uses?.name ?? '') || (uses?.name === 'docker/build-push-action' && isPushed);
}

function usesCache(step: WorkflowStep, setting: CacheSetting, isTag: boolean, isOnlyTag: boolean): boolean {
  const { input, isOff = false, since, offInReleaseSince, needs } = setting;
  if (needs !== undefined && !inputOf(step, needs)) return false;
  if (input === undefined) return true;
  const value = inputOf(step, input)?.text.trim() ?? 'auto';
  const major = step.uses?.major ?? -1;
  if (value === 'auto') {
    const isOffInRelease = isTag && offInReleaseSince !== undefined && major >= offInReleaseSince;
    return since !== undefined && (since === 0 || major >= since) && !isOffInRelease;
  }
  const [fence] = findFencedExpressions(value);
  if (fence) return !isOnlyTag || !isRelease(fence.expression, isOff);
  return isOff ? value !== 'true' : value !== 'false' && value !== '';
}

const TAG = "startswith\\(github\\.ref, 'refs/tags";
const IN_RELEASE = new RegExp(`(?<!!)${TAG}|github\\.(?:ref_type == 'tag'|event_name == 'release')`);
const NOT_IN_RELEASE = new RegExp(
  `!(?:${TAG}|\\(.{0,500}github\\.(?:ref_type == 'tag'|event_name == 'release'))|github\\.(?:ref_type != 'tag'|event_name != 'release')`,
);

function isRelease(expression: WorkflowExpression | undefined, outcome: boolean): boolean {
  const form = expression ? normalizeExpression(expression).at(-1) : undefined;
  return (outcome ? IN_RELEASE : NOT_IN_RELEASE).test(form ?? '');
}
