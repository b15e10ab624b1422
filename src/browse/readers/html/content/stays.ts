import { noteSaid } from '../markdown/quotes.ts';
import type { HtmlText } from '../parsing/node.ts';
import { type Box, headingLevel, NEAR, type Run } from './runs.ts';

/** Words from which on a text says something. */
const SAYING_WORDS = 8;
/** Runs on either side in which such a text is near. */
const NEAR_RUNS = 8;

/**
 * In a discussion, what says little and stands near a text that stays does as rules say: names, dates, lines of a quote stay, and
 * buttons go.
 */
export function keepPosts(runs: readonly Run[], stay: boolean[]): void {
  const said = runs.map(({ index, words }) => words >= SAYING_WORDS && stay[index] === true);
  for (const { index, kept, words } of runs) {
    if (words >= SAYING_WORDS) continue;
    if (kept === 0) stay[index] = false;
    else if (said.slice(Math.max(0, index - NEAR_RUNS), index + NEAR_RUNS + 1).includes(true))
      stay[index] = true;
  }
}

/**
 * A heading goes by what is under it: one that rules left out stays out where nothing under it stays, and one that rules keep stays
 * where a text right under it does.
 */
export function settleHeadings(runs: readonly Run[], stay: boolean[]): void {
  // Headings of a level above this one have something under them that stays.
  let bound = 0;
  for (let i = runs.length - 1; i >= 0; i--) {
    const run = runs[i] as Run;
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

/** Below all headings. */
const ANY_LEVEL = 7;

/** Notes on quotes of which only the line that names whose they are stays what else they say. */
export function noteQuotes(runs: readonly Run[], stay: readonly boolean[]): void {
  for (const { index, kept, words, texts, box } of runs) {
    if (stay[index] || kept === 0 || words < LEAST_QUOTED_WORDS) continue;
    const quote = quoteOf(box);
    if (quote) noteSaid(quote.element, texts.map(({ data }) => data).join(' '));
  }
}

/** Words from which on a text in a quote is not a label. */
const LEAST_QUOTED_WORDS = 4;

/** The outermost quote around a box. */
function quoteOf(box: Box): Box | undefined {
  if ((box.near[QUOTE] as number) < 0) return undefined;
  let outermost: Box | undefined;
  for (let at: Box | undefined = box; at; at = at.up) if (at.element.tag === 'blockquote') outermost = at;
  return outermost;
}

const QUOTE = NEAR.indexOf('blockquote');

/** Words of a text that can be a quote out of the page's own text, and so many of them that are sought there. */
const QUOTED_WORDS = [4, 60] as const;
const MAX_QUOTES = 60;

/** What rules left out and the text says as well, as quotes beside it do, stays out. */
export function leaveRepeats(runs: readonly Run[], stay: boolean[]): void {
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

/** Letters and digits alone. */
function plainOf(texts: readonly HtmlText[]): string {
  return texts
    .map(({ data }) => data)
    .join(' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
