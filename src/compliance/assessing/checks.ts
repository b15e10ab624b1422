import { CHECK_GROUPS, type CheckGroup } from '../mappings/check-groups.ts';
import type { ControlCoverage } from './catalogue.ts';

export interface ControlChecks {
  /** Ids of checks. `secrets/*` means all checks of the kind `secrets`; `infrastructure/no-log-*` means a family of rules. */
  readonly ids: readonly string[];
  /** Rules of a family that do not count. The key is the family's id in `ids`. */
  readonly except: ReadonlyMap<string, ReadonlySet<string>>;
  /** Weaknesses (`CWE-89`) whose findings count too, whichever scanner reports them. */
  readonly cwe: ReadonlySet<string>;
  /** Weaknesses (`CWE-89`) whose findings count only if an external scanner or a custom rule found them. */
  readonly foreignCwe: ReadonlySet<string>;
}

/** Kinds of checks that examine repositories. Checks of all other kinds probe running services. */
const OF_REPOSITORIES: ReadonlySet<string> = new Set([
  'secrets',
  'source',
  'infrastructure',
  'agents',
  'dependencies',
  'practice',
]);

/** Returns the checks that a control's coverage names. Throws Error for an unknown group, which is a mistake in `mappings/`. */
export function resolveControlChecks({ by }: ControlCoverage): ControlChecks {
  const draft: Draft = { ids: new Set(), except: new Map(), cwe: new Set(), foreignCwe: new Set() };
  for (const name of by) {
    const [prefix = '', number] = name.split(':');
    if (number !== undefined) (prefix === 'cwe' ? draft.cwe : draft.foreignCwe).add(`CWE-${number}`);
    else if (name.includes('/')) draft.ids.add(name);
    else addGroup(groupOf(name), draft);
  }
  return { ...draft, ids: [...draft.ids] };
}

interface Draft {
  readonly ids: Set<string>;
  readonly except: Map<string, ReadonlySet<string>>;
  readonly cwe: Set<string>;
  readonly foreignCwe: Set<string>;
}

function addGroup({ checks, except = [], cwe = [] }: CheckGroup, draft: Draft): void {
  for (const id of checks) {
    // If several groups contain the same family, leaves out only the rules that all these groups leave out.
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

/** True for an external or custom rule. Controls match its findings by CWE, because catalogues do not know its id. */
export function isExternalRule(rule: string): boolean {
  return !KNOWN_KINDS.has(getCheckKind(rule));
}

/** Returns the kind of a check: `source` for `source/sql-injection`. */
export function getCheckKind(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

export function isRepositoryKind(kind: string): boolean {
  return OF_REPOSITORIES.has(kind);
}

/** Kinds of checks that search for violations. If such a check finds nothing, violations may still exist. */
const SEARCHES: ReadonlySet<string> = new Set(['secrets', 'source', 'infrastructure', 'agents']);
/** Rules of these kinds that report a missing setting. If such a rule finds nothing, the setting exists. */
const READ_SETTINGS: ReadonlySet<string> = new Set([
  'infrastructure/workflow-broad-permissions',
  'infrastructure/workflow-default-permissions',
]);

/** True if a check without findings proves that the requirement holds, as for practices, service probes and packages. */
export function isConclusiveCheck(id: string): boolean {
  return !SEARCHES.has(getCheckKind(id)) || READ_SETTINGS.has(id);
}

export function listCheckTitles({ by }: ControlCoverage): string[] {
  return by.filter((name) => !name.includes(':')).map((name) => CHECK_GROUPS[name]?.title ?? name);
}
