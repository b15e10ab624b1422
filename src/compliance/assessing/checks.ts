import { CHECK_GROUPS, type CheckGroup } from '../mappings/check-groups.ts';
import type { ControlCoverage } from './catalogue.ts';

export interface ControlChecks {
  /** Ids of checks. A final `*` stands for any text: `secrets/*` means all rules for secrets. */
  readonly ids: readonly string[];
  /** Rules that match a pattern in `ids` but are left out. The key is the pattern, such as `secrets/*`. */
  readonly except: ReadonlyMap<string, ReadonlySet<string>>;
  readonly cwe: ReadonlySet<string>;
  /** CWE ids such as `CWE-89`, which match only findings of external scanners and custom rules. */
  readonly foreignCwe: ReadonlySet<string>;
}

const OF_REPOSITORIES: ReadonlySet<string> = new Set([
  'secrets',
  'source',
  'infrastructure',
  'agents',
  'dependencies',
  'practice',
]);

/** Finds the checks of a control. Throws Error for an unknown group, which is a mistake in `mappings/`. */
export function resolveControlChecks({ by }: ControlCoverage): ControlChecks {
  const draft: CheckDraft = { ids: new Set(), except: new Map(), cwe: new Set(), foreignCwe: new Set() };
  for (const name of by) {
    const [prefix = '', number] = name.split(':');
    if (number !== undefined) (prefix === 'cwe' ? draft.cwe : draft.foreignCwe).add(`CWE-${number}`);
    else if (name.includes('/')) draft.ids.add(name);
    else addGroup(groupOf(name), draft);
  }
  return { ...draft, ids: [...draft.ids] };
}

interface CheckDraft {
  readonly ids: Set<string>;
  readonly except: Map<string, ReadonlySet<string>>;
  readonly cwe: Set<string>;
  readonly foreignCwe: Set<string>;
}

function addGroup({ checks, except = [], cwe = [] }: CheckGroup, draft: CheckDraft): void {
  for (const id of checks) {
    // A rule is left out only if every group that contains this check excludes the rule.
    const before = draft.ids.has(id) ? (draft.except.get(id) ?? new Set()) : undefined;
    draft.except.set(id, new Set(before ? except.filter((rule) => before.has(rule)) : except));
    draft.ids.add(id);
  }
  for (const one of cwe) draft.foreignCwe.add(`CWE-${one}`);
}

function groupOf(name: string): CheckGroup {
  const group = CHECK_GROUPS[name];
  if (!group) throw new Error(`unknown group of checks: ${JSON.stringify(name)}`);
  return group;
}

const KNOWN_KINDS: ReadonlySet<string> = new Set(
  Object.values(CHECK_GROUPS).flatMap(({ checks }) => checks.map(getCheckKind)),
);

export const isExternalRule = (rule: string): boolean => !KNOWN_KINDS.has(getCheckKind(rule));

export function getCheckKind(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

export const isRepositoryKind = (kind: string): boolean => OF_REPOSITORIES.has(kind);

/** Kinds of checks that search for weaknesses. A search may miss some, so an empty result proves nothing. */
const SEARCHES: ReadonlySet<string> = new Set(['secrets', 'source', 'infrastructure', 'agents']);
/** Rules that report a missing setting. If they find nothing, the setting certainly exists. */
const READ_SETTINGS: ReadonlySet<string> = new Set([
  'infrastructure/workflow-broad-permissions',
  'infrastructure/workflow-default-permissions',
]);

export function isConclusiveCheck(id: string): boolean {
  return !SEARCHES.has(getCheckKind(id)) || READ_SETTINGS.has(id);
}

export function listCheckTitles({ by }: ControlCoverage): string[] {
  return by.filter((name) => !name.includes(':')).map((name) => CHECK_GROUPS[name]?.title ?? name);
}
