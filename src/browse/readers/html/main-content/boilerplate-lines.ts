import LINES from './boilerplate-lines.json' with { type: 'json' };

const MAX_LINE_CHARS = 160;

const whole = (lines: readonly string[]) =>
  new RegExp(`^[^\\p{L}\\p{N}]*(?:${lines.join('|')})[^\\p{L}\\p{N}]*$`, 'iu');
const ALWAYS = whole(LINES.always);
/** Matches labels. They count only in lines of links and in lines that do not end like a sentence. */
const UNLESS_SENTENCE = whole(LINES.unlessSentence);
/** Matches links from a newsletter to its web page. Such a line is boilerplate only if it is mostly links. */
const IF_LINKED = whole(LINES.ifLinked);
/** Matches headings above links to other texts. */
const OTHERS = whole(LINES.others);

/** Matches the labels of controls that answer a question of a page, such as one for consent. */
const ANSWERS = whole(LINES.answers);
/** Matches what asks a visitor for JavaScript or for another browser. */
const BROWSERS = new RegExp(LINES.browsers.join('|'), 'iu');

/** Matches last lines of a text, such as a label below which nothing comes. */
const ENDS = whole(LINES.ends);
/** Matches the sign of a writer or an agency that ends a report, such as `(AFP)` or `ab/dpa`. */
const SIGNED = /^(?:\(\p{Lu}{2,6}\)|\(?(?=.{0,20}\p{Lu}{2})\p{L}{2,6}(?:\/\p{L}{2,6}){1,3}\)?)$/u;
/** Matches what asks readers for support, or to follow and subscribe. */
const ASKS = new RegExp(LINES.asks.join('|'), 'iu');

export const isEndLine = (text: string, linked: boolean): boolean =>
  ENDS.test(text) || SIGNED.test(text) || (linked && ASKS.test(text));

export const isAnswer = (text: string): boolean => text.length <= MAX_LINE_CHARS && ANSWERS.test(text.trim());
export const asksForBrowser = (text: string): boolean => BROWSERS.test(text);
export const isOtherTexts = (text: string): boolean => text.length <= MAX_LINE_CHARS && OTHERS.test(text);

export function isBoilerplateLine(text: string, linked: number): boolean {
  if (text.length > MAX_LINE_CHARS) return false;
  if (ALWAYS.test(text) || (linked > 0.6 && IF_LINKED.test(text))) return true;
  return (linked > 0.6 || !/[\p{L}\p{N})”"][.。!?]$/u.test(text)) && UNLESS_SENTENCE.test(text);
}
