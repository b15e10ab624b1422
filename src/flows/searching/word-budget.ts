import type { Digest } from '../../browse/types.ts';
import { allot } from '../../lib/allot.ts';
import type { SearchItem } from './search-body.ts';

/**
 * Words of everything that a search answers, where it names no other number: some 5,000 tokens. A model reads a search to choose and
 * to answer; whole pages are read with browse.
 */
export const ANSWER_WORDS = 4000;
/** Words that a text has at least, so that a page in another language, which has no word of the question, still says something. */
const LEAST_WORDS = 150;

/**
 * How many words each text gets of a number for all, by rank and by how many of the question's words its best passages have. One that
 * has few beside others gets little even where there is room: a long page that the question only touches does not answer it.
 * The whole texts are counted, whatever a percentile keeps of them, so that a higher one never gives a text more.
 */
export function textBudgets(
  texts: readonly Pick<Digest, 'words' | 'match'>[],
  ceiling: number,
): readonly number[] {
  const best = Math.max(...texts.map(({ match }) => match)) || 1;
  const shares = texts.map(({ match }) => (match / best) ** 2);
  const alone = shares.every((share) => share === 0);
  return allot(
    texts.map(({ words }, at) =>
      Math.min(words, alone ? ceiling : Math.max(LEAST_WORDS, Math.floor(ceiling * (shares[at] ?? 0)))),
    ),
    shares.map((share, rank) => (alone ? 1 : Math.max(0.1, share)) / (rank + 1)),
    Math.max(0, ceiling),
  );
}

/** Characters of what stands beside a text: no words are counted in one that has no spaces. */
const SUMMARY_CHARS = 1500;
const PASSAGE_CHARS = 1000;
const FACT_CHARS = 300;

/** A result whose title, facts and passages are no longer than people write them. */
export function withShortFacts(item: SearchItem): SearchItem {
  const { title, summary, highlights, author, site } = item;
  return {
    ...item,
    title: clip(title, FACT_CHARS),
    ...(summary !== undefined && { summary: clip(summary, SUMMARY_CHARS) }),
    ...(author !== undefined && { author: clip(author, FACT_CHARS) }),
    ...(site !== undefined && { site: clip(site, FACT_CHARS) }),
    ...(highlights && {
      highlights: highlights.map(({ text, section }) => ({
        text: clip(text, PASSAGE_CHARS),
        ...(section !== undefined && { section: clip(section, FACT_CHARS) }),
      })),
    }),
  };
}

/** No half of a character is left at its end. */
function clip(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars).replace(/[\ud800-\udbff]$/, '')} …`;
}

/** What is said beside a text that is cut: how much of it is there, and how the rest is read. */
export function shortenedNote(
  {
    words,
    of,
    section,
  }: { readonly words: number; readonly of: number; readonly section?: string | undefined },
  reader: string | undefined,
): string {
  const count = (number: number) => number.toLocaleString('en');
  const said = `${count(words)} of ${count(of)} words, the passages nearest to the question`;
  if (reader === undefined) return said;
  const where =
    section === undefined ? '' : `, with section ${JSON.stringify(section)} what stands around the best`;
  return `${said}: read the rest with ${reader}, in parts${where}`;
}
