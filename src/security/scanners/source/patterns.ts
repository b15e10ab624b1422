import type { CodePathPattern } from './rule.ts';

export interface PatternIndex<Of> {
  matching(path: string): readonly Of[];
  readonly size: number;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** True if a pattern matches the path. `*.x` matches the member x of any object, `x.*` any member of x. */
function fits(pattern: CodePathPattern, path: string): boolean {
  if (pattern.startsWith('*')) return path.endsWith(pattern.slice(1));
  if (pattern.endsWith('.*')) return path.startsWith(pattern.slice(0, -1));
  return path === pattern;
}

export function indexPatterns<Of>(
  things: readonly Of[],
  patternsOf: (thing: Of) => readonly CodePathPattern[],
): PatternIndex<Of> {
  const byLast = new Map<string, { readonly pattern: CodePathPattern; readonly thing: Of }[]>();
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

/** Returns entries that match `path` (`db.query`) or `typed`, which begins with the type (`Pool.query`). */
export function matchingEither<Of>(
  index: PatternIndex<Of>,
  { path, typed }: { readonly path: string; readonly typed?: string | undefined },
): readonly Of[] {
  const found = index.matching(path);
  const more = typed === undefined ? [] : index.matching(typed).filter((one) => !found.includes(one));
  return more.length === 0 ? found : [...found, ...more];
}
