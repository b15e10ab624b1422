import { type HtmlElement, type HtmlNode, nextNode, removeNode } from '../parsing/node.ts';
import { parseHtml } from '../parsing/parse.ts';
import { makeFormula } from './formula.ts';
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
    const text = tex
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^\{\\displaystyle (.*)\}$/, '$1');
    if (done.has(element) || isInside(element, done)) continue;
    done.add(element);
    dropPreview(element);
    if (text) element.parentNode?.replaceChild(makeFormula(text, block, element.depth), element);
    else removeNode(element);
  }
  replaceTypedTex(root);
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
  if (isSource((display ?? node).nextSibling)) return undefined;
  const [math] = parseHtml(mathml).getElementsByTagName('math');
  if (!math) return undefined;
  const block = display !== undefined || math.attributes.display === 'block';
  return { element: display ?? node, tex: annotation(math) ?? texOfMathML(math), block };
}

const MAX_MATHML_CHARS = 50_000;

function isSource(next: HtmlNode | null): boolean {
  let node = next;
  while (node?.nodeType === 3 && node.data.trim() === '') node = node.nextSibling;
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
  try {
    return decodeURIComponent(source);
  } catch {
    return undefined;
  }
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

function isInside(element: HtmlElement, others: ReadonlySet<HtmlElement>): boolean {
  for (let at = element.parentNode; at; at = at.parentNode) if (others.has(at)) return true;
  return false;
}

function annotation(math: HtmlElement): string | undefined {
  for (const node of math.getElementsByTagName('annotation')) {
    if (/tex/i.test(node.attributes.encoding ?? '')) return node.textContent;
  }
  return undefined;
}
