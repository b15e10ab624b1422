import { HtmlElement, HtmlText } from '../parsing/node.ts';

/** Where a quote keeps the first words of what it says and is left out; how many these are, and from how many on they are cut. */
const SAID = 'x-said';
const SHOWN_WORDS = 12;
const CUT_WORDS = 20;
/** Characters that may be left of a quote that says no more than whose words it has. */
const MAX_HEAD_CHARS = 80;

/** Notes on a quote a text of it that is left out. */
export function noteSaid(quote: HtmlElement, text: string): void {
  if (/[\p{L}\p{N}]/u.test(text)) quote.attributes[SAID] ??= firstWords(text);
}

/** Gives quotes of which only `ada wrote:` is left the first words of what they quote: these show what is answered. */
export function completeQuotes(root: HtmlElement): void {
  for (const quote of root.getElementsByTagName('blockquote')) {
    const { [SAID]: words } = quote.attributes;
    if (words === undefined) continue;
    delete quote.attributes[SAID];
    const left = quote.textContent.trim();
    if (left.length > MAX_HEAD_CHARS || left.includes(words.slice(0, MAX_HEAD_CHARS))) continue;
    const line = new HtmlElement('p', {}, quote.depth + 1);
    line.appendChild(new HtmlText(words));
    quote.appendChild(line);
  }
}

function firstWords(text: string): string {
  const words = text.slice(0, MAX_READ_CHARS).trim().split(/\s+/);
  return words.length > CUT_WORDS ? `${words.slice(0, SHOWN_WORDS).join(' ')} …` : words.join(' ');
}

/** Characters in which these words stand. */
const MAX_READ_CHARS = 2000;
