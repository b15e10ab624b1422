import { sentences } from '../lib/sentences.ts';
import { stem } from '../lib/stem.ts';
import { isStopWord } from '../lib/stop-words.ts';
import { countWords, terms } from '../lib/text.ts';
import type { DocumentMatch, DocumentPage } from './document.ts';

/** Words of a passage, about. */
const WORDS = 130;
/** BM25's constants (Robertson and Zaragoza 2009). */
const K1 = 1.2;
const B = 0.6;
/** Different words of a question that are looked for. */
const ASKED = 64;

/**
 * The passages of some pages that come nearest to a question, by BM25 over stemmed words; `score` is the share of
 * what a passage full of every word asked for would reach. A question of no word of theirs gives the first ones.
 */
export function rankPassages(
  pages: readonly DocumentPage[],
  question: string,
  most: number,
): DocumentMatch[] {
  const asked = askedStems(question);
  const passages = pages.flatMap(({ page, text }) =>
    passagesOf(text).map((passage) => ({ page, text: passage, counts: countsOf(passage) })),
  );
  const mean = passages.reduce((sum, { counts }) => sum + counts.length, 0) / (passages.length || 1);
  const weights = asked.map((term) => {
    const having = passages.filter(({ counts }) => counts.of.has(term)).length;
    return Math.log(1 + (passages.length - having + 0.5) / (having + 0.5));
  });
  const ceiling = weights.reduce((sum, weight) => sum + weight * (K1 + 1), 0) || 1;
  return passages
    .map(({ page, text, counts }) => {
      let sum = 0;
      asked.forEach((term, at) => {
        const f = counts.of.get(term) ?? 0;
        const length = 1 - B + (B * counts.length) / (mean || 1);
        sum += ((weights[at] ?? 0) * f * (K1 + 1)) / (f + K1 * length);
      });
      return { page, text, score: Math.min(1, sum / ceiling) };
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, most);
}

function askedStems(question: string): string[] {
  const all = terms(question.toWellFormed());
  const telling = all.filter((term) => !isStopWord(term));
  return [...new Set((telling.length > 0 ? telling : all).map(stem))].slice(0, ASKED);
}

function countsOf(text: string): { of: ReadonlyMap<string, number>; length: number } {
  const of = new Map<string, number>();
  const all = terms(text);
  for (const term of all) of.set(stem(term), (of.get(stem(term)) ?? 0) + 1);
  return { of, length: all.length };
}

/** Blocks put together, and long ones taken apart at their sentences, up to about `WORDS` words. */
function passagesOf(text: string): string[] {
  const pieces = text
    .split(/\n{2,}/)
    .flatMap((block) =>
      countWords(block) <= 1.5 * WORDS
        ? [{ text: block, apart: '\n\n' }]
        : sentences(block).map((sentence, at) => ({ text: sentence, apart: at === 0 ? '\n\n' : ' ' })),
    );
  const passages: string[] = [];
  let open = '';
  let words = 0;
  for (const piece of pieces) {
    const more = countWords(piece.text);
    if (open && words + more > WORDS) {
      passages.push(open);
      [open, words] = ['', 0];
    }
    open += (open ? piece.apart : '') + piece.text;
    words += more;
  }
  return [...passages, open].map((passage) => passage.trim()).filter(Boolean);
}
