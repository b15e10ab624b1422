import { bodySureness } from './chrome.ts';
import { descendants, type HtmlElement } from './node.ts';

/** With this share of the prose an element speaks for the one around it. */
const MOST = 0.8;
/** ... and with these if it says that it is the text: the surer the word, the smaller. */
const ENOUGH = [1, 0.5, 0.35, 0.15] as const;

/** Where the text of a page stands, and how sure the page itself is of that: 0 to 3. */
export interface Choice {
  readonly root: HtmlElement;
  readonly sure: number;
  /** How many elements are named alike, and so cut the text up. */
  readonly alike: number;
}

/** The smallest element that holds the page's prose; weigh() comes first. */
export function chooseRoot(root: HtmlElement): Choice {
  let at = root;
  for (;;) {
    const best = richest(at);
    if (!best || best.prose < at.prose * MOST) break;
    at = best;
  }
  const { holder, sure } = namedHolder(at, root);
  const named = namedBody(holder);
  return named && named.sure >= sure ? named : { root: holder, sure, alike: 1 };
}

/** Elements that a text can be all of; a paragraph is only ever part of one. */
const HOLDERS =
  /^(?:html|div|article|main|section|body|td|tr|tbody|table|form|center|fieldset|details|span|font|aside|header|x-.*|[a-z]+-[a-z-]*)$/;

/** The nearest element around that is named the text and holds little more; else the element itself. */
function namedHolder(element: HtmlElement, root: HtmlElement): { holder: HtmlElement; sure: number } {
  for (let at: HtmlElement | null = element; at && at !== root; at = at.parentNode) {
    if (at.prose * MOST > element.prose) break;
    const sure = bodySureness(at);
    if (sure > 0) return { holder: at, sure };
  }
  return { holder: element, sure: 0 };
}

function richest(element: HtmlElement): HtmlElement | undefined {
  let best: HtmlElement | undefined;
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === 1 && node.prose > (best?.prose ?? 0) && HOLDERS.test(node.tag)) best = node;
  }
  return best;
}

/** The element that is named the text, or what stands around all that are named alike. */
function namedBody(element: HtmlElement): Choice | undefined {
  let best: HtmlElement | undefined;
  let sure = 0;
  const named: HtmlElement[] = [];
  for (const node of descendants(element)) {
    if (node.nodeType !== 1 || node.prose === 0) continue;
    const sureness = bodySureness(node);
    if (sureness === 0) continue;
    named.push(node);
    if (node.prose < element.prose * (ENOUGH[sureness] ?? 1)) continue;
    if (!best || sureness > sure || (sureness === sure && node.prose >= best.prose * 0.9)) {
      best = node;
      sure = sureness;
    }
  }
  if (!best) return undefined;
  const name = best.attributes.class ?? '';
  let around = best;
  let alike = 0;
  for (const other of named) {
    if (other.tag !== best.tag || (other.attributes.class ?? '') !== name) continue;
    alike++;
    while (!holds(around, other) && around !== element && around.parentNode) around = around.parentNode;
  }
  return { root: around, sure, alike };
}

function holds(around: HtmlElement, element: HtmlElement): boolean {
  for (let at: HtmlElement | null = element; at && at.depth >= around.depth; at = at.parentNode) {
    if (at === around) return true;
  }
  return false;
}
