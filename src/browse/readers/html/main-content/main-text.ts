import { type HtmlElement, nextNode, removeNode, runUndoable, textsOf } from '../parsing/node.ts';
import { weightedLength } from '../parsing/white-space.ts';
import { isDialogOrConsent } from '../visibility/page-parts.ts';
import type { MainContentChoice } from './choose.ts';
import { cleanArticle } from './clean.ts';
import { findKeyPoints, findLede } from './lede.ts';
import { dropRepeats } from './repeats.ts';
import { type PageTraits, trimAfterText } from './trim-ends.ts';
import { cleanWhole } from './whole-page.ts';

/** An article below `SHORT_CHARS` characters must have at least `SHORT_SHARE` of the page's text. */
const SHORT_CHARS = 450;
const SHORT_SHARE = 0.4;
/** A short article marked as main content with this certainty (0 to 3) needs only `LEAST_SHARE` of text. */
const SUREST = 3;
/** Minimum share of the page's text for an article marked as main content. Others: `UNNAMED_SHARE`. */
const LEAST_SHARE = 0.07;
const UNNAMED_SHARE = 0.5;
/** Minimum share of the text that must remain after cleaning. Pages below `SHOWN_CHARS` have no minimum. */
const KEPT_SHARE = 0.15;
const PRODUCT_SHARE = 0.07;
const SHOWN_CHARS = 100;
const WHOLE = 'no part of the page stands out as its text: this is all of the page but menus and the like';
const DUMP = 'no part of the page stands out from its frame: this is everything that it shows but for menus';

export function findMainText(
  page: HtmlElement,
  choice: MainContentChoice | undefined,
  ends: PageTraits,
): { readonly root: HtmlElement; readonly reduced: string | undefined } {
  const frames = framesOf(page);
  const shown = page.chars - frames.reduce((sum, { chars }) => sum + chars, 0);
  if (choice) {
    const lede = findLede(choice.root, page, ends.titles);
    const before = [...(lede ? [lede] : []), ...findKeyPoints(choice.root, page)];
    const kept = cleanText(choice, ends, shown, page);
    if (kept) {
      for (const box of before.reverse())
        if (!kept.textContent.includes(box.textContent.trim().slice(0, 60))) kept.prependChild(box);
      return { root: kept, reduced: undefined };
    }
  }
  const { result: root, undo } = runUndoable(() => cleanWhole(page, ends));
  // A page with almost no text may load its text by scripts, so any share is accepted.
  if (shown < SHOWN_CHARS || textChars(root) >= shown * (ends.product ? PRODUCT_SHARE : KEPT_SHARE))
    return { root, reduced: choice && WHOLE };
  undo();
  for (const frame of frames) removeNode(frame);
  return { root: page, reduced: DUMP };
}

/** Cleans the main content. If too little text remains, restores the page and returns undefined. */
function cleanText(
  { root, certainty }: MainContentChoice,
  ends: PageTraits,
  shown: number,
  page: HtmlElement,
): HtmlElement | undefined {
  const clean = () => {
    cleanArticle(root, ends);
    trimAfterText(root, ends);
    dropRepeats(root, ends);
  };
  const article = runUndoable(clean);
  const kept = textChars(root);
  if (kept >= Math.max(SHORT_CHARS, shown * UNNAMED_SHARE)) return root;
  article.undo();
  const whole = runUndoable(() => textChars(cleanWhole(page, ends)));
  whole.undo();
  if (givesWay(kept, whole.result, certainty)) return undefined;
  clean();
  return root;
}

function givesWay(article: number, whole: number, sure: number): boolean {
  if (article <= SHORT_CHARS && sure < SUREST) return article < whole * SHORT_SHARE;
  return article <= whole * (sure < 2 ? UNNAMED_SHARE : LEAST_SHARE);
}

function framesOf(page: HtmlElement): HtmlElement[] {
  const frames: HtmlElement[] = [];
  for (let node = nextNode(page, page), inside = true; node; node = nextNode(node, page, inside)) {
    inside = true;
    if (node.nodeType === 3 || node.chars === 0) continue;
    inside = !isFramed(node);
    if (!inside) frames.push(node);
  }
  return frames;
}

function isFramed(element: HtmlElement): boolean {
  const { tag, part } = element;
  if (part === 'frame' || part === 'related' || tag === 'nav' || tag === 'footer') return true;
  return part !== '' && isDialogOrConsent(element);
}

function textChars(element: HtmlElement): number {
  return textsOf(element).reduce((sum, text) => sum + weightedLength(text), 0);
}
