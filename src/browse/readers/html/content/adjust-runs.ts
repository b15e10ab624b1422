import { rememberQuotedText } from '../markdown/quotes.ts';
import type { HtmlText } from '../parsing/node.ts';
import { headingLevel, NEARBY_PARTS, type TextRun, type TextRunBox } from './runs.ts';

const SAYING_WORDS = 8;
const NEAR_RUNS = 8;

export function keepPosts(runs: readonly TextRun[], stay: boolean[]): void {
  const said = runs.map(({ index, words }) => words >= SAYING_WORDS && stay[index] === true);
  for (const { index, kept, words } of runs) {
    if (words >= SAYING_WORDS) continue;
    if (kept === 0) stay[index] = false;
    else if (said.slice(Math.max(0, index - NEAR_RUNS), index + NEAR_RUNS + 1).includes(true))
      stay[index] = true;
  }
}

/** Removes headings without text below and restores headings above prose, if the heuristics agree. */
export function settleHeadings(runs: readonly TextRun[], stay: boolean[]): void {
  // The loop runs backwards. Headings of the level `bound` or deeper have no kept text below them.
  let bound = 0;
  for (let i = runs.length - 1; i >= 0; i--) {
    const run = runs[i] as TextRun;
    const level = headingLevel(run);
    if (level === 0) bound = stay[i] ? ANY_LEVEL : bound;
    else {
      const bare = level >= bound;
      if (bare && run.kept === 0) stay[i] = false;
      const next = runs[i + 1];
      if (next && run.kept > 0 && stay[i + 1] && next.words >= SAYING_WORDS && headingLevel(next) === 0)
        stay[i] = true;
      if (!bare || stay[i]) bound = level;
    }
  }
}

const ANY_LEVEL = 7;

/** Stores the beginning of a removed quote, so that the quote can be shown below its author's name. */
export function rememberOmittedQuotes(runs: readonly TextRun[], stay: readonly boolean[]): void {
  for (const { index, kept, words, texts, box } of runs) {
    if (stay[index] || kept === 0 || words < LEAST_QUOTED_WORDS) continue;
    const quote = quoteOf(box);
    if (quote) rememberQuotedText(quote.element, texts.map(({ data }) => data).join(' '));
  }
}

const LEAST_QUOTED_WORDS = 4;

function quoteOf(box: TextRunBox): TextRunBox | undefined {
  if ((box.nearestLevels[QUOTE] as number) < 0) return undefined;
  let outermost: TextRunBox | undefined;
  for (let at: TextRunBox | undefined = box; at; at = at.up)
    if (at.element.tag === 'blockquote') outermost = at;
  return outermost;
}

const QUOTE = NEARBY_PARTS.indexOf('blockquote');
const QUOTED_WORDS = [4, 60] as const;
const MAX_QUOTES = 60;

export function removePullQuotes(runs: readonly TextRun[], stay: boolean[]): void {
  const added = runs.filter(
    ({ index, kept, words }) =>
      stay[index] && kept === 0 && words >= QUOTED_WORDS[0] && words <= QUOTED_WORDS[1],
  );
  if (added.length === 0) return;
  const said = plainOf(
    runs.filter(({ index, kept }) => stay[index] && kept > 0).flatMap(({ texts }) => texts),
  );
  for (const { index, texts } of added.slice(0, MAX_QUOTES))
    if (said.includes(plainOf(texts))) stay[index] = false;
}

function plainOf(texts: readonly HtmlText[]): string {
  return texts
    .map(({ data }) => data)
    .join(' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
