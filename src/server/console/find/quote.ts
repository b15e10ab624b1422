import { html } from 'hono/html';
import { sentences } from '../../../lib/text/sentences.ts';
import { stem } from '../../../lib/text/stem.ts';
import { isStopWord } from '../../../lib/text/stop-words.ts';
import { terms } from '../../../lib/text/text.ts';
import type { Html } from '../../app/page.ts';

const SEARCHED_CHARS = 20_000;

function stemsOf(question: string): ReadonlySet<string> {
  const all = terms(question);
  const telling = all.filter((term) => !isStopWord(term));
  return new Set((telling.length > 0 ? telling : all).map(stem));
}

/** Returns the sentence that shares most words with the question, with the sentences after it. */
export function quoteAnswer(text: string, question: string, maxChars: number): string {
  const asked = stemsOf(question);
  const all = text.slice(0, SEARCHED_CHARS).split(/\n+/).flatMap(sentences);
  const weights = all.map(
    (one) =>
      new Set(
        terms(one)
          .map(stem)
          .filter((term) => asked.has(term)),
      ).size,
  );
  const best = Math.max(0, weights.indexOf(Math.max(...weights)));
  let quote = all[best] ?? text;
  for (const next of all.slice(best + 1)) {
    if (quote.length + next.length >= maxChars) break;
    quote += ` ${next}`;
  }
  return truncateAtWord(quote, maxChars);
}

export function highlightWords(text: string, question: string): Html {
  const asked = stemsOf(question);
  const pieces = text.split(/([\p{L}\p{M}\p{N}]+)/u);
  const isAsked = (piece: string) => terms(piece).some((term) => asked.has(stem(term)));
  return html`${pieces.map((piece, at) => (at % 2 === 1 && isAsked(piece) ? html`<mark>${piece}</mark>` : piece))}`;
}

export function truncateAtWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars + 1);
  const end = cut.search(/\s\S*$/);
  return `${cut
    .slice(0, end > maxChars / 2 ? end : maxChars)
    .trimEnd()
    .toWellFormed()} …`;
}
