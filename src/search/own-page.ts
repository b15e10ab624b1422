import { stem } from '../lib/stem.ts';
import { isStopWord } from '../lib/stop-words.ts';
import { terms } from '../lib/text.ts';
import type { FoundPage } from './types.ts';

/** The place, from 0, that one page gets which only the local index knows: below two of the web. */
const PLACE = 2;

/**
 * The list with the best page that only `local` names and whose title and snippet have every significant word of the
 * question brought up to the third place. By its rank alone no such page would stand before a full list of the web.
 */
export function withOwnPage<Page extends FoundPage>(
  pages: readonly Page[],
  question: string,
  local: string,
): Page[] {
  const asked = new Set(stems(question));
  const own = ({ engines }: Page) => engines.every((name) => name === local);
  const at = pages.findIndex((page) => own(page) && hasAll(page, asked));
  const page = pages[at];
  if (page === undefined || at <= PLACE || pages.every(own)) return [...pages];
  return [...pages.slice(0, PLACE), page, ...pages.slice(PLACE).filter((other) => other !== page)];
}

/** A word alone says little unless the page is named after it. */
function hasAll({ title, snippet }: FoundPage, asked: ReadonlySet<string>): boolean {
  const has = new Set(stems(asked.size > 1 ? `${title}\n${snippet}` : title));
  return asked.size > 0 && [...asked].every((word) => has.has(word));
}

function stems(text: string): string[] {
  return terms(text)
    .filter((term) => !isStopWord(term))
    .map(stem);
}
