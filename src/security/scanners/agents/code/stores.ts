import { createLineIndex } from '../../../trees/lines.ts';
import type { AgentMatch } from '../rules.ts';
import data from './stores.json' with { type: 'json' };

/** Where credentials of different owners lie. A program or a text that needs one of them has no use for three. */
const STORES = data.stores.map((source) => new RegExp(source, 'g'));
const GUARD = new RegExp(data.guard, 'i');
const MIN_STORES = 3;
const MAX_LINES = 40;
const MAX_HITS = 100;

/** Finds places that name credentials of at least three owners within 40 lines, and no word of a guard near them. */
export function findCredentialHarvest(text: string, firstLine = 1): AgentMatch[] {
  const lines = createLineIndex(text);
  const hits = STORES.flatMap((store, at) =>
    [...text.matchAll(store)].slice(0, MAX_HITS).map((match) => ({
      ...{ at, line: lines.lineAt(match.index), what: match[0] },
    })),
  ).sort((a, b) => a.line - b.line);
  const written = text.split('\n');
  const first = hits.find(({ line }, at) => {
    const near = hits.slice(at, at + MAX_HITS).filter((hit) => hit.line - line <= MAX_LINES);
    if (new Set(near.map((hit) => hit.at)).size < MIN_STORES) return false;
    const around = written.slice(Math.max(0, line - 6), line + MAX_LINES);
    return !around.some((one) => GUARD.test(one.slice(0, 400)));
  });
  if (!first) return [];
  return [
    { rule: 'stolen-credentials', line: first.line + firstLine - 1, what: first.what, severity: 'medium' },
  ];
}
