import { stem } from '../../lib/text/stem.ts';
import { isStopWord } from '../../lib/text/stop-words.ts';
import { terms } from '../../lib/text/text.ts';
import type { FoundPage } from '../types.ts';

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
function hasAll(page: FoundPage, asked: ReadonlySet<string>): boolean {
  if (asked.size === 0) return false;
  const missing = without(asked, page.title);
  if (missing.length === 0 || asked.size === 1) return missing.length === 0;
  // A snippet takes a while to make.
  if (page.text !== undefined && !mayHave(page.text, missing)) return false;
  return without(missing, page.snippet).length === 0;
}

/** The words that a text does not have. */
function without(words: Iterable<string>, text: string): string[] {
  const has = new Set(stems(text));
  return [...words].filter((word) => !has.has(word));
}

/** Letters of an English stem, of four or more, that all its words begin with; of a shorter one, the first alone. */
const SURE_LETTERS = 3;

/** Whether a text may have all the stems: false where some English word or number surely stands nowhere in it. */
function mayHave(text: string, words: readonly string[]): boolean {
  const plain = text.normalize('NFKC').toLowerCase();
  return words.every((word) => {
    if (!/^[a-z0-9]+$/.test(word)) return true;
    if (!/^[a-z]+$/.test(word)) return hasWord(plain, word, true);
    return hasWord(plain, word.slice(0, word.length > SURE_LETTERS ? SURE_LETTERS : 1), false);
  });
}

/** Whether a word of the text begins so, or is that. */
function hasWord(text: string, beginning: string, whole: boolean): boolean {
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    const goesOn = whole && isPart(text.charAt(at + beginning.length));
    if (!goesOn && !isPart(text.charAt(at - 1))) return true;
  }
  return false;
}

function isPart(character: string): boolean {
  return /[a-z0-9]/.test(character);
}

function stems(text: string): string[] {
  return terms(text)
    .filter((term) => !isStopWord(term))
    .map(stem);
}
