import { linesOf } from '../../../trees/lines.ts';
import type { AgentMatch } from '../rules.ts';
import data from './stores.json' with { type: 'json' };

/** Where credentials of different owners lie. A program or a text that needs one of them has no use for three. */
const STORES = data.stores.map((source) => new RegExp(source));
const GUARD = new RegExp(data.guard, 'i');
const MIN_STORES = 3;
const MAX_LINES = 40;

/** Finds places that name credentials of at least three owners within 40 lines, and no word of a guard near them. */
export function storeMatches(text: string, firstLine = 1): AgentMatch[] {
  const lines = linesOf(text);
  const hits = STORES.flatMap((store, at) => {
    const match = store.exec(text);
    return match ? [{ at, line: lines.lineAt(match.index), what: match[0] }] : [];
  }).sort((a, b) => a.line - b.line);
  const first = hits.find(({ line }, at) => {
    const last = hits[at + MIN_STORES - 1];
    return last !== undefined && last.line - line <= MAX_LINES;
  });
  if (!first) return [];
  const around = text.split('\n').slice(Math.max(0, first.line - 6), first.line + MAX_LINES);
  if (around.some((one) => GUARD.test(one.slice(0, 400)))) return [];
  return [
    { rule: 'stolen-credentials', line: first.line + firstLine - 1, what: first.what, severity: 'medium' },
  ];
}
