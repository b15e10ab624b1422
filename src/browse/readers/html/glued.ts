import { following, type HtmlElement, HtmlText } from './node.ts';

/** What page builders set side by side with a gap that style sheets make. */
const SET_SIDE_BY_SIDE: ReadonlySet<string> = new Set(['span', 'a', 'label']);
/** What is written without gaps. */
const WHOLE: ReadonlySet<string> = new Set(['pre', 'code', 'kbd', 'samp', 'var', 'svg', 'math']);
const ENDS_WORD = /[\p{Ll}\p{N})%]$/u;
const BEGINS_WORD = /^[\p{Lu}\p{Sc}]/u;
/** Levels at which the first or last text of an element is sought. */
const MAX_LEVELS = 6;

/**
 * Parts words that stand in two elements side by side without white space, where a small letter or a figure meets a capital or the sign of
 * a currency: what style sheets set apart, `SKU: 2020` and `MFR: 7`, is no one word.
 */
export function partGlued(root: HtmlElement): void {
  for (let node = following(root, root), inside = true; node; node = following(node, root, inside)) {
    inside = true;
    if (node.nodeType === 3) continue;
    if (WHOLE.has(node.tag)) inside = false;
    const { nextSibling: next, parentNode: parent } = node;
    if (!SET_SIDE_BY_SIDE.has(node.tag) || next?.nodeType !== 1 || next.tag !== node.tag) continue;
    if (parent && ENDS_WORD.test(lastOf(node)) && BEGINS_WORD.test(firstOf(next)))
      parent.insertBefore(new HtmlText(' '), next);
  }
}

function lastOf(element: HtmlElement): string {
  let at = element.lastChild;
  for (let level = 0; at?.nodeType === 1 && level < MAX_LEVELS; level++) at = at.lastChild;
  return at?.nodeType === 3 ? at.data.slice(-2) : '';
}

function firstOf(element: HtmlElement): string {
  let at = element.firstChild;
  for (let level = 0; at?.nodeType === 1 && level < MAX_LEVELS; level++) at = at.firstChild;
  return at?.nodeType === 3 ? at.data.slice(0, 2) : '';
}
