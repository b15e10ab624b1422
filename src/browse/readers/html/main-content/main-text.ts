import { attempt, descendants, drop, following, type HtmlElement } from '../parsing/node.ts';
import { lengthOf } from '../parsing/white-space.ts';
import { liesOver } from '../visibility/chrome.ts';
import type { Choice } from './choose.ts';
import { cleanArticle } from './clean.ts';
import { type Ends, trimTail } from './ends.ts';
import { findLede } from './lede.ts';
import { cleanWhole } from './whole.ts';

/** Characters up to which an article gives way to a whole page that says more, and how much of the page may be left out at most by one. */
const SHORT_CHARS = 450;
const SHORT_SHARE = 0.4;
/** ... unless the page says of it in its data that it is the text. */
const SUREST = 3;
/** Share of the whole page below which its article is not what it is for; the second one where the page does not name its text. */
const LEAST_SHARE = 0.07;
const UNNAMED_SHARE = 0.5;
/** Share of what a page shows outside of its frame that the whole page must keep, from so many characters on. */
const KEPT_SHARE = 0.15;
/** ... where a thing is sold, beside much else that the shop has. */
const PRODUCT_SHARE = 0.07;
const SHOWN_CHARS = 100;

/** What was read of a page: the text alone, all but the frame, or everything; `reduced` where that is not what the page was taken for. */
export interface MainText {
  readonly root: HtmlElement;
  readonly reduced: string | undefined;
}

const WHOLE = 'no part of the page stands out as its text: this is all of the page but menus and the like';
const DUMP = 'no part of the page stands out from its frame: this is everything that it shows but for menus';

/**
 * The part of a page that is for reading, held against what the page shows: an article (`choice`) gives way to the whole page where it is
 * next to nothing of it, and the whole page to all that is shown. weigh() comes first.
 */
export function findMainText(page: HtmlElement, choice: Choice | undefined, ends: Ends): MainText {
  const frames = framesOf(page);
  const shown = page.chars - frames.reduce((sum, { chars }) => sum + chars, 0);
  if (choice) {
    const lede = findLede(choice.root, page);
    const kept = cleanText(choice, ends, shown, page);
    if (kept) {
      if (lede && !kept.textContent.includes(lede.textContent.trim().slice(0, 60))) kept.prependChild(lede);
      return { root: kept, reduced: undefined };
    }
  }
  const { result: root, undo } = attempt(() => cleanWhole(page, ends));
  // A page that shows nothing but its frame may be waiting for its scripts, which what reads it sees by its having no text.
  if (shown < SHOWN_CHARS || textChars(root) >= shown * (ends.product ? PRODUCT_SHARE : KEPT_SHARE))
    return { root, reduced: choice && WHOLE };
  undo();
  for (const frame of frames) drop(frame);
  return { root: page, reduced: DUMP };
}

/** The text of an article, cleaned; undefined, with the page as it was, where the page says much more. */
function cleanText(
  { root, sure }: Choice,
  ends: Ends,
  shown: number,
  page: HtmlElement,
): HtmlElement | undefined {
  const clean = () => {
    cleanArticle(root, ends);
    trimTail(root, ends);
  };
  const article = attempt(clean);
  const kept = textChars(root);
  if (kept >= Math.max(SHORT_CHARS, shown * UNNAMED_SHARE)) return root;
  article.undo();
  const whole = attempt(() => textChars(cleanWhole(page, ends)));
  whole.undo();
  if (givesWay(kept, whole.result, sure)) return undefined;
  clean();
  return root;
}

function givesWay(article: number, whole: number, sure: number): boolean {
  if (article <= SHORT_CHARS && sure < SUREST) return article < whole * SHORT_SHARE;
  return article <= whole * (sure < 2 ? UNNAMED_SHARE : LEAST_SHARE);
}

/** The outermost elements that are the frame of a page, whatever it is. */
function framesOf(page: HtmlElement): HtmlElement[] {
  const frames: HtmlElement[] = [];
  for (let node = following(page, page), inside = true; node; node = following(node, page, inside)) {
    inside = true;
    if (node.nodeType === 3 || node.chars === 0) continue;
    inside = !isFramed(node);
    if (!inside) frames.push(node);
  }
  return frames;
}

function isFramed(element: HtmlElement): boolean {
  const { tag, part } = element;
  return part === 'frame' || part === 'related' || tag === 'nav' || tag === 'footer' || liesOver(element);
}

/** Characters of what is left of an element. */
function textChars(element: HtmlElement): number {
  let chars = 0;
  for (const node of descendants(element)) if (node.nodeType === 3) chars += lengthOf(node.data);
  return chars;
}
