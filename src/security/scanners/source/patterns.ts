import type { Pattern } from './rule.ts';

/** Patterns by the last part of what they match, so that a call costs one look-up and not one a rule. */
export interface PatternIndex<Of> {
  /** All whose pattern is `path`; `path` may begin with `?` for an object that nothing is known of. */
  matching(path: string): readonly Of[];
  readonly size: number;
}

/** Last part without the arguments: `run` of `subprocess.run`, `cursor` of `a.cursor()`. */
function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Whether `path` is `pattern`: equal, or ends with it after a dot; `*.x` is x of any object. */
function fits(pattern: Pattern, path: string): boolean {
  if (pattern.startsWith('*')) return path.endsWith(pattern.slice(1));
  if (pattern.endsWith('.*')) return path.startsWith(pattern.slice(0, -1));
  return path === pattern;
}

/** The index of `things` by each of their patterns. */
export function indexPatterns<Of>(
  things: readonly Of[],
  patternsOf: (thing: Of) => readonly Pattern[],
): PatternIndex<Of> {
  const byLast = new Map<string, { readonly pattern: Pattern; readonly thing: Of }[]>();
  for (const thing of things) {
    for (const pattern of patternsOf(thing)) {
      const last = lastOf(pattern);
      const list = byLast.get(last);
      if (list) list.push({ pattern, thing });
      else byLast.set(last, [{ pattern, thing }]);
    }
  }
  const anyMember = byLast.get('*');
  return {
    size: byLast.size,
    matching(path) {
      const found: Of[] = [];
      for (const list of [byLast.get(lastOf(path)), anyMember]) {
        for (const { pattern, thing } of list ?? []) {
          if (fits(pattern, path) && !found.includes(thing)) found.push(thing);
        }
      }
      return found;
    },
  };
}
