import { countWords, sentences, terms } from '../lib/text.ts';
import { splitBlocks } from './blocks.ts';

/** Sentences looked at: the rest of a very long page says little that these do not. */
const CANDIDATES = 400;
const LEAST_WORDS = 5;

/**
 * Whole sentences of the text, those nearest to the query, in page order, at most `maxWords` words; the first
 * ones when none has a word of the query. No headings, tables or code.
 */
export function summarize(markdown: string, query: string, maxWords = 80): string {
  const candidates = splitBlocks(markdown)
    .filter(({ kind }) => kind === 'text' || kind === 'item')
    .flatMap(({ text }) => sentences(plainText(text)))
    .slice(0, CANDIDATES)
    .map((text, index) => ({ text, index, words: countWords(text), terms: new Set(terms(text)) }));
  const whole = candidates.filter(({ words, text }) => words >= LEAST_WORDS && /[.!?。！？…"”)]$/.test(text));
  const usable = whole.length > 0 ? whole : candidates;
  const asked = [...new Set(terms(query))];
  const rarity = new Map(
    asked.map((word) => [
      word,
      Math.log(1 + usable.length / (1 + usable.filter((s) => s.terms.has(word)).length)),
    ]),
  );
  const ranked = usable
    .map((sentence) => {
      const match = asked.reduce(
        (sum, word) => sum + (sentence.terms.has(word) ? (rarity.get(word) ?? 0) : 0),
        0,
      );
      return { ...sentence, score: match / Math.sqrt(sentence.words + 10) + 0.01 / (1 + sentence.index) };
    })
    .sort((a, b) => b.score - a.score);
  const chosen: typeof ranked = [];
  let left = maxWords;
  for (const sentence of ranked) {
    if (sentence.words > left || chosen.some((other) => alike(other.terms, sentence.terms))) continue;
    chosen.push(sentence);
    left -= sentence.words;
  }
  return chosen
    .sort((a, b) => a.index - b.index)
    .map(({ text }) => text)
    .join(' ');
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared > 0.7 * Math.min(a.size, b.size);
}

/** Markdown without its marks: links and images as their text, no emphasis, no list markers. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s"[^"]*")?\)/g, '$1')
    .replace(/^\s*(?:[-*+]|\d{1,9}[.)]|>+)\s+/gm, '')
    .replace(/(\*\*|__|~~|`|\*)/g, '')
    .replace(/\\([\\`*_{}[\]()#+.!|>-])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
