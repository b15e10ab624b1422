import { HtmlElement, HtmlText } from '../parsing/node.ts';

/** The element that a formula becomes; its text is TeX, its attribute `display` says `block` or `inline`. */
export const FORMULA = 'x-formula';

/** A formula of some TeX, for a place at a depth. */
export function makeFormula(tex: string, block: boolean, depth: number): HtmlElement {
  const formula = new HtmlElement(FORMULA, { display: block ? 'block' : 'inline' }, depth);
  formula.appendChild(new HtmlText(tex));
  return formula;
}
