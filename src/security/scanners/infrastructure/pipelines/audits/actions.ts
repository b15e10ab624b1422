import { editDistance } from '../../../../../lib/text/edit-distance.ts';
import type { RuleMatch } from '../../rules.ts';
import known from '../actions.json' with { type: 'json' };
import type { WorkflowFile } from '../workflow.ts';
import { canTokenWrite, hasSecretReferences } from './credentials.ts';

const ARCHIVED: ReadonlySet<string> = new Set(known.archived);
const SUPERFLUOUS: ReadonlyMap<string, string> = new Map(Object.entries(known.superfluous));
const ownerOf = (name: string) => name.slice(0, name.indexOf('/'));
const OWNERS: ReadonlySet<string> = new Set(known.popular.map(ownerOf));

export function actionMatches({ steps }: WorkflowFile): RuleMatch[] {
  const all = steps.flatMap(({ uses }) => (uses && uses.name !== '' ? uses : []));
  const byName = [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, same]): RuleMatch[] => {
    const [instead, meant] = [SUPERFLUOUS.get(name), popularNameLike(name)];
    return same.flatMap(({ line }) => [
      ...(ARCHIVED.has(name) ? [{ rule: 'workflow-archived-action', line, what: name } as const] : []),
      ...(instead
        ? [{ rule: 'workflow-superfluous-action', line, what: `${name}: ${instead}` } as const]
        : []),
      ...(meant ? [{ rule: 'workflow-lookalike-action', line, what: `${name}, not ${meant}` } as const] : []),
    ]);
  });
  const unnamed = all.filter(
    ({ ref, comment }) => /^[0-9a-f]{40}$/.test(ref) && !/\d|^ma(?:in|ster)/.test(comment),
  );
  const [first] = unnamed;
  if (!first) return byName;
  return [
    ...byName,
    { rule: 'workflow-unnamed-pin', line: first.line, what: joinNames(unnamed.map(({ name }) => name)) },
  ];
}

function popularNameLike(name: string): string | undefined {
  if (OWNERS.has(ownerOf(name))) return undefined;
  return known.popular.find(
    (one) => Math.abs(one.length - name.length) <= 1 && editDistance(one, name) === 1,
  );
}

const NO_ACTION = /^[.$]|^docker:\/\/(?:[^@]{0,300}\/)?[^:@/]{1,200}(?::latest)?$/;
const FIXED = /@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$/;
const BRANCH = /@(?:main|master|develop|trunk|next|latest|head)$/i;

export function unpinnedActions({ document, steps }: WorkflowFile): RuleMatch[] {
  const matches = steps.flatMap(({ node, job, uses }): RuleMatch[] => {
    if (!uses || NO_ACTION.test(uses.text) || FIXED.test(uses.text)) return [];
    // Findings about GitHub's own actions are less severe, because only GitHub can move their tags.
    const own = /^(?:actions|github)\//.test(uses.name);
    const worth =
      !own && ((job && canTokenWrite(document, job)) || hasSecretReferences(node)) ? 'medium' : 'low';
    const severity = own && !BRANCH.test(uses.text) ? 'info' : worth;
    return [{ rule: 'workflow-unpinned-action', line: uses.line, what: uses.text, severity }];
  });
  return mergeActions(matches);
}

const MAX_NAMED = 4;

function joinNames(all: readonly string[]): string {
  const names = [...new Set(all)];
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function mergeActions(matches: readonly RuleMatch[]): RuleMatch[] {
  const groups = Map.groupBy(matches, ({ severity, what }) => (severity === 'medium' ? what : ''));
  return [...groups].flatMap(([name, same]) => {
    const rest = name === '' ? same.filter(({ what }) => !groups.has(what)) : same;
    const first = rest.find(({ severity }) => severity === 'low') ?? rest[0];
    return first ? [{ ...first, what: joinNames([first, ...rest].map(({ what = '' }) => what)) }] : [];
  });
}
