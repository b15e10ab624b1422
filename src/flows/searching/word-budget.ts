import type { PageDigest } from '../../browse/types.ts';
import { shareByWeight } from '../../lib/share-by-weight.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import type { SearchItem } from './search-body.ts';

/** Default word limit of a search answer, about 5,000 tokens. */
export const DEFAULT_ANSWER_WORDS = 4000;
/** A page may always get up to this many words of the answer, even without any word of the question. */
const LEAST_WORDS = 150;

export function textBudgets(
  texts: readonly Pick<PageDigest, 'words' | 'match'>[],
  ceiling: number,
): readonly number[] {
  const best = Math.max(...texts.map(({ match }) => match)) || 1;
  const shares = texts.map(({ match }) => (match / best) ** 2);
  const alone = shares.every((share) => share === 0);
  return shareByWeight(
    texts.map(({ words }, at) =>
      Math.min(words, alone ? ceiling : Math.max(LEAST_WORDS, Math.floor(ceiling * (shares[at] ?? 0)))),
    ),
    shares.map((share, rank) => (alone ? 1 : Math.max(0.1, share)) / (rank + 1)),
    Math.max(0, ceiling),
  );
}

/** Maximum characters of a summary, because a word limit has no effect on a text without spaces. */
const SUMMARY_CHARS = 1500;
const PASSAGE_CHARS = 1000;
const FACT_CHARS = 300;

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

function clip(text: string, chars: number): string {
  return text.length <= chars ? text : `${takeCharacters(text, chars)} …`;
}

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
