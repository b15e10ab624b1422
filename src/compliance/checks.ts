import type { Coverage } from './catalogue.ts';
import { CHECK_GROUPS } from './mapping.ts';

/** The checks behind a control, with each group replaced by its checks. */
export interface Checks {
  /** Ids, of which `/*` at the end stands for all of that kind, `-*` for a family of rules. */
  readonly ids: readonly string[];
  /** `CWE-89`: findings with one of them count too, whichever scanner reported them. */
  readonly cwe: ReadonlySet<string>;
}

/** Kinds of checks that examine repositories; all others probe running services. */
const OF_REPOSITORIES: ReadonlySet<string> = new Set([
  'secrets',
  'source',
  'infrastructure',
  'dependencies',
  'practice',
]);

/** The checks behind a coverage. Throws Error for an unknown group: a mistake in the catalogue. */
export function checksOf({ by }: Coverage): Checks {
  const ids = new Set<string>();
  const cwe = new Set<string>();
  for (const name of by) {
    if (name.startsWith('cwe:')) cwe.add(`CWE-${name.slice(4)}`);
    else if (name.includes('/')) ids.add(name);
    else {
      const group = CHECK_GROUPS[name];
      if (!group) throw new Error(`unknown group of checks: ${JSON.stringify(name)}`);
      for (const id of group.checks) ids.add(id);
      for (const number of group.cwe ?? []) cwe.add(`CWE-${number}`);
    }
  }
  return { ids: [...ids], cwe };
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
  return by.filter((name) => !name.startsWith('cwe:')).map((name) => CHECK_GROUPS[name]?.title ?? name);
}
