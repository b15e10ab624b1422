import type { WeightedText } from '../../browse/types.ts';
import { countWords } from '../../lib/text/text.ts';
import type { SearchItem } from './search-body.ts';

export type ShareWords = (texts: readonly WeightedText[], ceiling: number) => Promise<string[]>;

/** Maximum share of an answer's words for outline, links and facts, so that most words are text. */
const BESIDE = 0.2;

export async function cutToWordCeiling(
  results: readonly SearchItem[],
  ceiling: number,
  query: string,
  shareWords: ShareWords,
): Promise<SearchItem[]> {
  const lean = results.map((result) => withoutExtras(result, (ceiling * BESIDE) / results.length));
  const texts = lean.flatMap(({ title, summary, full_content, snippet }, index) => [
    { text: title, weight: 1000 / (index + 1) },
    { text: summary ?? snippet ?? '', weight: 10 / (index + 1) },
    { text: full_content ?? '', weight: 1 / (index + 1), focus: query ? { query, title } : undefined },
  ]);
  const beside = lean.reduce((sum, result) => sum + wordsBeside(result), 0);
  const shared = await shareWords(texts, ceiling - beside);
  return lean
    .map((result, index): SearchItem => {
      const [title = '', short = '', full = ''] = shared.slice(index * 3, index * 3 + 3);
      return {
        ...result,
        title,
        summary: result.summary === undefined ? undefined : short,
        snippet: result.snippet === undefined ? undefined : short,
        full_content: result.full_content === undefined ? undefined : full,
      };
    })
    .filter(({ title, summary, full_content, snippet }) => title || summary || full_content || snippet);
}

function withoutExtras(result: SearchItem, most: number): SearchItem {
  if (wordsBeside(result) <= most) return result;
  const { links, ...noLinks } = result;
  if (wordsBeside(noLinks) <= most) return noLinks;
  const { outline, ...noOutline } = noLinks;
  if (wordsBeside(noOutline) <= most) return noOutline;
  const { highlights, copies, ...noHighlights } = noOutline;
  if (wordsBeside(noHighlights) <= most) return noHighlights;
  const { section, author, site, ...bare } = noHighlights;
  return bare;
}

export function wordsWithoutText(result: SearchItem): number {
  const { title, summary = '', snippet = '' } = result;
  return wordsBeside(result) + countWords(title) + countWords(summary) + countWords(snippet);
}

function wordsBeside(result: SearchItem): number {
  const { section, author, site, outline = [], links = [], highlights = [], copies = [] } = result;
  const said = [
    section,
    author,
    site,
    ...outline.map(({ title }) => title),
    ...links.map(({ title }) => title),
    ...highlights.flatMap(({ text, section }) => [text, section]),
  ];
  return said.reduce((sum, text = '') => sum + countWords(text), links.length + copies.length);
}
