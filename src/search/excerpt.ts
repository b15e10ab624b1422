import { terms } from '../lib/text.ts';

/** Words of an excerpt. */
const WORDS = 40;
/** Words within which the terms should stand; what is left of the excerpt shows how it goes on. */
const WINDOW = 30;
/** Words looked at for the best place; beyond it the beginning serves. */
const LOOKED_AT = 20_000;

/** About 40 words round the place where most different terms stand close together, as plain text. */
export function excerpt(markdown: string, asked: readonly string[]): string {
  const words = plain(markdown.slice(0, LOOKED_AT * 8))
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, LOOKED_AT);
  const wanted = new Set(asked);
  const hits = words.map((word) => terms(word).find((term) => matches(term, wanted)));
  const inside = new Map<string, number>();
  let [best, start] = [-1, 0];
  hits.forEach((hit, index) => {
    if (hit !== undefined) inside.set(hit, (inside.get(hit) ?? 0) + 1);
    const left = hits[index - WINDOW];
    if (left !== undefined) {
      const count = (inside.get(left) ?? 1) - 1;
      if (count === 0) inside.delete(left);
      else inside.set(left, count);
    }
    if (inside.size > best) {
      best = inside.size;
      start = Math.max(0, index - WINDOW + 1);
    }
  });
  const from = best <= 0 ? 0 : Math.min(start, Math.max(0, words.length - WORDS));
  const text = words.slice(from, from + WORDS).join(' ');
  return `${from > 0 ? '… ' : ''}${text}${from + WORDS < words.length ? ' …' : ''}`;
}

/** The index stems its words; here a shared beginning is near enough. */
function matches(term: string, wanted: ReadonlySet<string>): boolean {
  if (wanted.has(term)) return true;
  if (term.length < 5) return false;
  for (const word of wanted) if (word.length >= 5 && term.slice(0, 5) === word.slice(0, 5)) return true;
  return false;
}

function plain(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/^\s*(#{1,6}|[-*+>]|\d+[.)]|\|[\s:|-]+\|?)(\s+|$)/gm, '')
    .replace(/[*_`|]+/g, ' ');
}
