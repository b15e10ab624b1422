import { detectTextLanguage } from '../../lib/language/detect-language.ts';
import { stemIn } from '../../lib/language/stemmers.ts';
import { stem } from '../../lib/text/stem.ts';
import { isStopWord } from '../../lib/text/stop-words.ts';
import { splitTerms } from '../../lib/text/text.ts';
import type { FoundPage } from '../types.ts';

const PLACE = 2;

/** Moves a page up to rank 3 if only the local index found it and it has all words of the question. */
export function promoteLocalPage<Page extends FoundPage>(
  pages: readonly Page[],
  question: string,
  localEngine: string,
): Page[] {
  const asked = wordsOf(question);
  const own = ({ engines }: Page) => engines.every((name) => name === localEngine);
  const at = pages.findIndex((page) => own(page) && hasAll(page, asked));
  const page = pages[at];
  if (page === undefined || at <= PLACE || pages.every(own)) return [...pages];
  return [...pages.slice(0, PLACE), page, ...pages.slice(PLACE).filter((other) => other !== page)];
}

function hasAll(page: FoundPage, words: readonly string[]): boolean {
  const { title, text } = page;
  const language = detectTextLanguage(text ?? `${title}\n${page.snippet}`);
  const stemOf = (word: string) => (language && stemIn(language, word)) ?? stem(word);
  const without = (stems: readonly string[], from: string) => {
    const has = new Set(wordsOf(from).map(stemOf));
    return stems.filter((one) => !has.has(one));
  };
  const asked = [...new Set(words.map(stemOf))];
  if (asked.length === 0) return false;
  const missing = without(asked, title);
  if (missing.length === 0 || asked.length === 1) return missing.length === 0;
  // The text is checked before the snippet, because computing a snippet is slow.
  if (text !== undefined && !mayHave(text, missing)) return false;
  return without(missing, page.snippet).length === 0;
}

/** Two words with an equal stem of at least four letters share at least this many first letters. */
const SURE_LETTERS = 3;

/** Returns false only if the text certainly lacks a word. This check is quicker than computing a snippet. */
function mayHave(text: string, words: readonly string[]): boolean {
  const plain = text.normalize('NFKC').toLowerCase();
  return words.every((word) => {
    if (!/^[a-z0-9]+$/.test(word)) return true;
    if (!/^[a-z]+$/.test(word)) return hasWord(plain, word, true);
    return hasWord(plain, word.slice(0, word.length > SURE_LETTERS ? SURE_LETTERS : 1), false);
  });
}

function hasWord(text: string, beginning: string, whole: boolean): boolean {
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    const goesOn = whole && isPart(text.charAt(at + beginning.length));
    if (!goesOn && !isPart(text.charAt(at - 1))) return true;
  }
  return false;
}

const isPart = (character: string): boolean => /[a-z0-9]/.test(character);

const wordsOf = (text: string): string[] => splitTerms(text).filter((term) => !isStopWord(term));
