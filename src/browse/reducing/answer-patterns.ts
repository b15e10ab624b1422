import patterns from './answer-words.json' with { type: 'json' };

/**
 * `asks` matches a kind of question (Li and Roth 2002), `shows` its answers. The first match counts. "May" is a month
 * only beside a number or a word such as "in", because it is also a verb.
 */
const CUES = patterns.map(({ asks, shows, flags }) => ({
  asks: new RegExp(asks.join('|'), 'iu'),
  shows: new RegExp(shows.join('|'), flags),
}));

/** Returns the pattern of texts that can answer the question, or undefined if any text can. */
export function findAnswerPattern(question: string): RegExp | undefined {
  return CUES.find(({ asks }) => asks.test(question))?.shows;
}
