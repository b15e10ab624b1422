import { takeCharacters } from '../merging/excerpt.ts';

const BEFORE =
  /^(?:what(?:'s| is| are| does| do)|who(?:'s| is| was)|define|definition of|(?:the )?meaning of|etymology of|was (?:ist|sind|bedeutet)|qu'est[- ]ce que?|qué (?:es|son|significa)|что такое)\s+(?:(?:an?|the|der|die|das|eine?|un|une|el|la) )?/i;
const AFTER = / (?:mean|means|stand for|definition|meaning|etymology|synonyms?|antonyms?)$/i;

/** Returns the term that a question asks about: `ubiquity` for `what does "ubiquity" mean?`. */
export function extractTerm(question: string, maxChars: number): string {
  const words = question
    .replace(/\s+/g, ' ')
    .replace(/["“”„«»?!]/g, '')
    .trim();
  const term = words.replace(BEFORE, '').replace(AFTER, '').trim();
  const asked = term || words || question.trim();
  // A term of dots alone becomes `-`, because `..` in a URL path means the parent folder.
  return /^\.*$/.test(asked) ? '-' : takeCharacters(asked, maxChars);
}
