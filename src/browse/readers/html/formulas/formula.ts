import { HtmlElement, HtmlText } from '../parsing/node.ts';

/** Tag of a formula. The text is TeX, and the attribute `display` is `block` or `inline`. */
export const FORMULA_TAG = 'x-formula';

export function makeFormula(tex: string, block: boolean, depth: number): HtmlElement {
  const formula = new HtmlElement(FORMULA_TAG, { display: block ? 'block' : 'inline' }, depth);
  formula.appendChild(new HtmlText(tex));
  return formula;
}
