import type { RuleMatch } from '../../rules.ts';
import { nodeAt } from '../../yaml-tree.ts';
import { type FencedExpression, findFencedExpressions, normalizeExpression } from '../expression.ts';
import settings from '../settings.json' with { type: 'json' };
import { lineOfFence, textsIn, type WorkflowFile } from '../workflow.ts';
import { matchOf } from './settings.ts';

const ENTRIES = settings.expressions.map(({ is, ...entry }) => ({ entry, pattern: new RegExp(is) }));

export function expressionMatches(file: WorkflowFile): RuleMatch[] {
  const conditional = [...file.jobs, ...file.steps.map(({ node }) => node)];
  const conditions = new Set(conditional.map((node) => nodeAt(node, 'if')));
  return textsIn(file.document).flatMap((node) => {
    const fences = conditions.has(node) ? fencesOfCondition(node.text) : findFencedExpressions(node.text);
    const isByAuthor = fences.length > 0 && /pull_request\.user\.(?:login|id)/.test(node.text);
    return fences.flatMap((fence) => {
      const parts = fence.expression ? normalizeExpression(fence.expression) : [];
      const found = ENTRIES.filter(({ pattern }) => parts.some((part) => pattern.test(part)));
      if (found.length === 0) return [];
      const place = { line: lineOfFence(fence, node, file.lines), what: fence.source.trim() };
      return found.flatMap(({ entry }): RuleMatch[] =>
        entry.rule === 'workflow-spoofable-bot'
          ? isByAuthor
            ? []
            : botMatches(file, place)
          : [{ ...matchOf(entry, place.line), ...place }],
      );
    });
  });
}

/** Returns the expressions in a condition (`if:`). Without `${{`, the whole condition is an expression. */
export const fencesOfCondition = (text: string): FencedExpression[] =>
  findFencedExpressions(text.includes('${{') ? text : `\${{${text}}}`);

/** Events for which `github.actor` may name a bot although a stranger wrote the code or text. */
const OUTSIDE_EVENTS = ['issue_comment', 'pull_request', 'pull_request_review', 'workflow_call'];

function botMatches(file: WorkflowFile, place: Pick<RuleMatch, 'line' | 'what'>): RuleMatch[] {
  const isOutside = file.isAction || OUTSIDE_EVENTS.some((event) => file.triggers.has(event));
  if (!file.isPrivileged && !isOutside) return [];
  return [{ rule: 'workflow-spoofable-bot', ...place, ...(file.isPrivileged ? {} : { severity: 'low' }) }];
}
