import type { CheckGroup } from '../mappings/check-group.ts';
import { CHECK_GROUPS } from '../mappings/mapping.ts';
import type { Coverage } from './catalogue.ts';

/** The checks behind a control, with each group replaced by its checks. */
export interface Checks {
  /** Ids, of which `/*` at the end stands for all of that kind, `-*` for a family of rules. */
  readonly ids: readonly string[];
  /** For a family among them, the rules that it does not stand for. */
  readonly except: ReadonlyMap<string, ReadonlySet<string>>;
  /** `CWE-89`: findings with one of them count too, whichever scanner reported them. */
  readonly cwe: ReadonlySet<string>;
  /** `CWE-89`: so do those of external scanners and own rules, which no check names. */
  readonly foreignCwe: ReadonlySet<string>;
}

/** Kinds of checks that examine repositories; all others probe running services. */
const OF_REPOSITORIES: ReadonlySet<string> = new Set([
  'secrets',
  'source',
  'infrastructure',
  'dependencies',
  'practice',
]);

/** The checks behind a coverage. Throws Error for an unknown group: a mistake in the table of mappings. */
export function checksOf({ by }: Coverage): Checks {
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
    // Where several groups name the same family, only what none of them stands for is left out.
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

/** Kinds of checks that groups name: findings of all other kinds come from external scanners and own rules. */
const KNOWN_KINDS: ReadonlySet<string> = new Set(
  Object.values(CHECK_GROUPS).flatMap(({ checks }) => checks.map(kindOf)),
);

/** Whether a rule is not one of Magpie's, so that its weaknesses alone say what it is about. */
export function isForeign(rule: string): boolean {
  return !KNOWN_KINDS.has(kindOf(rule));
}

/** `source` of `source/sql-injection`. */
export function kindOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

/** Whether checks of a kind examine repositories. */
export function checksRepositories(kind: string): boolean {
  return OF_REPOSITORIES.has(kind);
}

/** Kinds that search for what is wrong: that nothing was found does not prove that nothing is there. */
const SEARCHES: ReadonlySet<string> = new Set(['secrets', 'source', 'infrastructure']);
/** Rules of those kinds that read a setting, and report where it lacks. */
const READ_SETTINGS: ReadonlySet<string> = new Set([
  'infrastructure/workflow-broad-permissions',
  'infrastructure/workflow-default-permissions',
]);

/** Whether a check that reports nothing has seen what it asks for: a practice, a live answer, a package in the advisories. */
export function seesSettings(id: string): boolean {
  return !SEARCHES.has(kindOf(id)) || READ_SETTINGS.has(id);
}

/** The names of a coverage's checks, in plain words. */
export function wordsOf({ by }: Coverage): string[] {
  return by.filter((name) => !name.includes(':')).map((name) => CHECK_GROUPS[name]?.title ?? name);
}
