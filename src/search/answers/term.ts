import { takeCharacters } from '../merging/excerpt.ts';

/** Words round the term in a question about what it is. */
const BEFORE =
  /^(?:what(?:'s| is| are| does| do)|who(?:'s| is| was)|define|definition of|(?:the )?meaning of|etymology of|was (?:ist|sind|bedeutet)|qu'est[- ]ce que?|qué (?:es|son|significa)|что такое)\s+(?:(?:an?|the|der|die|das|eine?|un|une|el|la) )?/i;
const AFTER = / (?:mean|means|stand for|definition|meaning|etymology|synonyms?|antonyms?)$/i;

/** The term that a question asks about: `ubiquity` of `what does "ubiquity" mean?`, and the question itself elsewhere. */
export function termOf(question: string, most: number): string {
  const words = question
    .replace(/\s+/g, ' ')
    .replace(/["“”„«»?!]/g, '')
    .trim();
  const term = words.replace(BEFORE, '').replace(AFTER, '').trim();
  const asked = term || words || question.trim();
  // In an address, dots alone would be a folder.
  return /^\.*$/.test(asked) ? '-' : takeCharacters(asked, most);
}
