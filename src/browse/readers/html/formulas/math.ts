import { attempt } from '../../../../lib/attempt.ts';
import { lettersOf } from '../../../../lib/text/letters.ts';
import { oneLine } from '../../markdown.ts';
import { elementsIn, type HtmlElement, type HtmlNode, nextNode, removeNode } from '../parsing/node.ts';
import { parseHtml } from '../parsing/parse.ts';
import { isWithinAny, shownSibling } from '../parsing/relations.ts';
import { FORMULA_TAG, makeFormula } from './formula.ts';
import { convertMathJax } from './mathjax.ts';
import { texOfMathML } from './mathml.ts';
import { replaceTypedTex } from './typed-tex.ts';

export function replaceMath(root: HtmlElement): void {
  const found: Formula[] = [];
  for (let node = nextNode(root, root), inside = true; node; node = nextNode(node, root, inside)) {
    inside = node.nodeType !== 1 || node.tag !== 'math';
    const formula = node.nodeType === 1 ? formulaOf(node) : undefined;
    if (formula) found.push(formula);
  }
  const done = new Set<HtmlElement>();
  for (const { element, tex, block } of found) {
    const text = oneLine(tex).replace(/^\{\\displaystyle (.*)\}$/, '$1');
    if (done.has(element) || isWithinAny(element, done)) continue;
    done.add(element);
    dropPreview(element);
    if (text) element.parentNode?.replaceChild(makeFormula(text, block, element.depth), element);
    else removeNode(element);
  }
  replaceTypedTex(root);
  joinEquations(root);
}

/** Matches classes of equations: a row of LaTeXML, or a box that contains an equation and its number. */
const EQUATION = /(?:^|\s)(?:ltx_eqn_row|c-article-equation|disp-formula|equation|math)(?=\s|$)/;
const NUMBER = /(?:^|[\s_-])(?:ltx_tag_equation|eqno|equation[_-]{1,2}(?:label|no|number)|label)(?=\s|$)/;
const MAX_SIDES = 20;

/** Joins an equation into one formula if its sides are in several cells or its number is beside it. */
function joinEquations(root: HtmlElement): void {
  for (const box of [...elementsIn(root)]) {
    const { class: names = '' } = box.attributes;
    const sides = EQUATION.test(names) ? box.getElementsByTagName(FORMULA_TAG) : [];
    if (sides.length === 0 || sides.length > MAX_SIDES) continue;
    const mark = [...elementsIn(box)].find(({ attributes }) => NUMBER.test(attributes.class ?? ''));
    const number = mark ? mark.textContent.replace(/[^\p{L}\p{N}.]/gu, '') : '';
    const tex = sides.map(({ textContent }) => textContent.replace(/^\\displaystyle(?![a-z])\s*/, ''));
    const said = sides.map(({ textContent }) => textContent).join('') + number;
    if (lettersOf(box.textContent).length !== lettersOf(said).length) continue;
    if (number !== '') tex.push(`\\tag{${number}}`);
    if (number !== '' || names.startsWith('ltx_'))
      box.parentNode?.replaceChild(makeFormula(tex.join(' '), true, box.depth), box);
  }
}

interface Formula {
  readonly element: HtmlElement;
  readonly tex: string;
  readonly block: boolean;
}

function formulaOf(node: HtmlElement): Formula | undefined {
  const { tag, attributes } = node;
  if (tag === 'math') {
    const tex = annotation(node) ?? attributes.alttext ?? texOfMathML(node);
    return { element: outermost(node), tex, block: attributes.display === 'block' || isDisplayed(node) };
  }
  if (tag === 'script' && attributes.type?.startsWith('math/tex')) {
    return { element: node, tex: node.textContent, block: /mode=display/.test(attributes.type) };
  }
  if (tag === 'mjx-container') return drawnByScript(node);
  const { class: names = '' } = attributes;
  const kept = keptMathML(node);
  if (kept) return kept;
  const source = tag === 'img' ? pictured(attributes) : written(attributes);
  if (source === undefined) return undefined;
  const block = /(?:^|[\s_-])(?:display|block)(?=[\s_-]|$)/.test(names) || /^\s*\\begin\{/.test(source);
  return { element: node, tex: source, block: block || tag === 'div' || isOneBlock(node) };
}

function isOneBlock({ children: [only], lastChild }: HtmlElement): boolean {
  return only?.tag === 'math' && only === lastChild && only.attributes.display === 'block';
}

function drawnByScript(container: HtmlElement): Formula | undefined {
  const math = convertMathJax(container);
  if (!math) return undefined;
  const { display } = container.attributes;
  return { element: container, tex: texOfMathML(math), block: display === 'true' };
}

function keptMathML(node: HtmlElement): Formula | undefined {
  const { 'data-mathml': mathml, class: names = '' } = node.attributes;
  if (mathml === undefined || !/MathJax/.test(names) || mathml.length > MAX_MATHML_CHARS) return undefined;
  const display = node.parentNode?.attributes.class === 'MathJax_Display' ? node.parentNode : undefined;
  if (isSource(shownSibling(display ?? node, 'nextSibling'))) return undefined;
  const [math] = parseHtml(mathml).getElementsByTagName('math');
  if (!math) return undefined;
  const block = display !== undefined || math.attributes.display === 'block';
  return { element: display ?? node, tex: annotation(math) ?? texOfMathML(math), block };
}

const MAX_MATHML_CHARS = 50_000;

function isSource(node: HtmlNode | null): boolean {
  return node?.nodeType === 1 && node.tag === 'script' && (node.attributes.type ?? '').startsWith('math/');
}

function written(attributes: Readonly<Record<string, string>>): string | undefined {
  const source =
    attributes['data-math'] ??
    attributes['data-tex'] ??
    attributes['data-latex'] ??
    (/hurmet/.test(attributes.class ?? '') ? attributes['data-entry'] : undefined);
  return source && source.length <= MAX_TEX_CHARS ? source : undefined;
}

const MAX_TEX_CHARS = 5000;
const SERVICE =
  /^https?:\/\/(?:latex\.codecogs\.com\/[\w.]{1,20}\?(.+)|chart\.(?:apis\.google|googleapis)\.com\/chart\?.{0,100}?chl=([^&]+))$/;
const TEX =
  /\\(?:frac|sum|int|sqrt|begin|operatorname|alpha|beta|gamma|delta|theta|lambda|mu|sigma|phi|pi|omega|mathbf|mathrm|mathcal|mathbb|text|left|partial|nabla|cdot|times|leq|geq|infty|prod|lim|vec|hat|bar|overline)(?![a-z])/;

function pictured({
  alt = '',
  src = '',
  class: names = '',
}: Readonly<Record<string, string>>): string | undefined {
  if (
    alt &&
    (/(?:^|\s)(?:mwe-math|tex|latex|math)/.test(names) || (alt.length <= MAX_TEX_CHARS && TEX.test(alt)))
  )
    return alt;
  const asked = src.length <= MAX_TEX_CHARS ? SERVICE.exec(src) : null;
  const source = asked?.[1] ?? asked?.[2] ?? (alt === '' && asked === null ? pathOf(src) : undefined);
  if (source === undefined) return undefined;
  return attempt(() => decodeURIComponent(source));
}

function pathOf(address: string): string | undefined {
  if (address.length > MAX_TEX_CHARS) return undefined;
  const end = address.slice(address.lastIndexOf('/') + 1);
  return /^%5c/i.test(end) && TEX.test(end.replace(/%5c/gi, '\\').replace(/%7b/gi, '{')) ? end : undefined;
}

/** Class of a box in which KaTeX, MathJax or Wikipedia writes a formula twice. TeX replaces the whole box. */
const BOX = /(?:^|\s)(?:katex|katex-display|mwe-math-element|MathJax(?:_\w+)?|mjx-\w+)(?=\s|$)/;

function outermost(math: HtmlElement): HtmlElement {
  let outer = math;
  for (let at = math.parentNode; at && at.depth > math.depth - 5; at = at.parentNode) {
    if (BOX.test(at.attributes.class ?? '') || at.tag === 'mjx-container') outer = at;
  }
  return outer;
}

function isDisplayed(math: HtmlElement): boolean {
  for (let at = math.parentNode; at && at.depth > math.depth - 5; at = at.parentNode) {
    if (/katex-display|MathJax_Display|math-display/.test(at.attributes.class ?? '')) return true;
    if (at.tag === 'mjx-container') return at.attributes.display === 'true';
  }
  return false;
}

function dropPreview(element: HtmlElement): void {
  if (element.tag !== 'script') return;
  for (let node = element.previousSibling; node; ) {
    const before = node.previousSibling;
    if (node.nodeType === 1 ? !/MathJax/.test(node.attributes.class ?? '') : node.data.trim() !== '') return;
    removeNode(node);
    node = before;
  }
}

function annotation(math: HtmlElement): string | undefined {
  const sources = math.getElementsByTagName('annotation');
  return sources.find(({ attributes }) => /tex/i.test(attributes.encoding ?? ''))?.textContent;
}
