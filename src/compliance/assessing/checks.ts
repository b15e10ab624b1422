import { CHECK_GROUPS, type CheckGroup } from '../mappings/check-groups.ts';
import type { ControlCoverage } from './catalogue.ts';

export interface ControlChecks {
  /** Ids of checks. An id that ends in `/*` means all checks of a kind, an id that ends in `-*` means a family of rules. */
  readonly ids: readonly string[];
  /** Rules that do not count although `ids` includes their family. The key is the family's id. */
  readonly except: ReadonlyMap<string, ReadonlySet<string>>;
  /** Weaknesses (`CWE-89`) whose findings count too, from any scanner. */
  readonly cwe: ReadonlySet<string>;
  /** Weaknesses (`CWE-89`) whose findings count if an external scanner or a custom rule found them. */
  readonly foreignCwe: ReadonlySet<string>;
}

/** Kinds of checks that examine repositories. All others probe running services. */
const OF_REPOSITORIES: ReadonlySet<string> = new Set([
  'secrets',
  'source',
  'infrastructure',
  'dependencies',
  'practice',
]);

/** Returns the checks of a control's coverage. Throws Error for an unknown group, which is a mistake in the mapping tables. */
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
    // A family may belong to several groups. A rule is then left out only if all these groups leave it out.
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

/** True for a rule that is not Magpie's own. For such a rule, only CWE numbers say what its findings concern. */
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

/** Kinds of checks that search for violations. A search without findings does not prove that there are no violations. */
const SEARCHES: ReadonlySet<string> = new Set(['secrets', 'source', 'infrastructure']);
/** Rules that report a missing setting. If they report nothing, the setting exists. */
const READ_SETTINGS: ReadonlySet<string> = new Set([
  'infrastructure/workflow-broad-permissions',
  'infrastructure/workflow-default-permissions',
]);

/** True if a check without findings proves that the requirement holds: practices, service probes, packages and advisories. */
export function isConclusiveCheck(id: string): boolean {
  return !SEARCHES.has(getCheckKind(id)) || READ_SETTINGS.has(id);
}

export function listCheckTitles({ by }: ControlCoverage): string[] {
  return by.filter((name) => !name.includes(':')).map((name) => CHECK_GROUPS[name]?.title ?? name);
}
