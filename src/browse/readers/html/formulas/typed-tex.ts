import { type HtmlElement, HtmlText, nextNode } from '../parsing/node.ts';
import { FORMULA_TAG, makeFormula } from './formula.ts';

const OPEN = /\\\(|\\\[|\$\$|\\begin\{(?:equation|align|gather|eqnarray|multline)\*?\}/g;
const MAYBE = /\\[([]|\$\$|\\begin\{/;
/** Matches a formula between dollar signs. Used only on pages that load MathJax or KaTeX. */
const DOLLARS = /(?<![\\$\w])\$(?!\s)((?:[^$\\\n]|\\[^\n]){1,500})(?<!\s)\$(?![$\w])/g;
const LIKE_TEX = /\\[a-zA-Z]{2}|[_^]\{?\w|[=<>+]|^\s*[\p{L}\d]'?\s*$|^\s*[a-zA-Z]\([^()]{1,20}\)\s*$/u;
const SCRIPT = /mathjax|katex|tex2jax/i;
const MAX_SCRIPT_CHARS = 2000;
const MAX_TEX_CHARS = 5000;
const MAX_BESIDE_CHARS = 100;
const LITERAL = /^(?:pre|code|script|style|textarea|kbd|samp|tt|title|option|math|svg|annotation)$/;
const CODE = /(?:^|\s)(?:highlight|CodeMirror|blob-code)(?=\s|$)/;
const MAX_LEVELS = 8;

/** Converts formulas typed as `\(x\)`, `\[x\]`, `$$x$$` or TeX environments. Takes linear time. */
export function replaceTypedTex(root: HtmlElement): void {
  const dollars = drawsFormulas(root);
  const texts: HtmlText[] = [];
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
    // Text in scripts and styles is skipped: on many pages it is most of the text.
    if (node.nodeType === 1 || node.parentNode?.tag === 'script' || node.parentNode?.tag === 'style')
      continue;
    if ((MAYBE.test(node.data) || (dollars && node.data.includes('$'))) && !isLiteral(node)) texts.push(node);
  }
  for (const text of texts) put(text, typedIn(text.data, dollars));
}

function drawsFormulas(root: HtmlElement): boolean {
  return root.getElementsByTagName('script').some(({ attributes, textContent }) => {
    return (
      SCRIPT.test((attributes.src ?? '').slice(0, MAX_SCRIPT_CHARS)) ||
      SCRIPT.test(textContent.slice(0, MAX_SCRIPT_CHARS))
    );
  });
}

function isLiteral({ parentNode }: HtmlText): boolean {
  for (let at = parentNode, level = 0; at && level < MAX_LEVELS; at = at.parentNode, level++) {
    if (
      LITERAL.test(at.tag) ||
      at.tag === FORMULA_TAG ||
      CODE.test((at.attributes.class ?? '').slice(0, 200))
    )
      return true;
  }
  return false;
}

interface TypedFormula {
  readonly from: number;
  readonly until: number;
  readonly tex: string;
  readonly block: boolean;
}

function typedIn(data: string, dollars: boolean): TypedFormula[] {
  const first = delimited(data);
  if (!dollars) return first;
  const taken = first.values();
  let other = taken.next().value;
  const more = inDollars(data).filter(({ from, until }) => {
    while (other && other.until <= from) other = taken.next().value;
    return !other || until <= other.from;
  });
  return [...first, ...more].sort((a, b) => a.from - b.from);
}

function delimited(data: string): TypedFormula[] {
  const found: TypedFormula[] = [];
  const nearest = new Map<string, number>();
  /** Returns the next index of a sign. Caches the index, so that each position is searched only once. */
  const next = (sign: string, from: number): number => {
    const known = nearest.get(sign);
    if (known !== undefined && known >= from) return known;
    const at = data.indexOf(sign, from);
    nearest.set(sign, at < 0 ? Infinity : at);
    return at < 0 ? Infinity : at;
  };
  let done = 0;
  for (const { 0: open, index: from } of data.matchAll(OPEN)) {
    if (from < done) continue;
    const close = closing(open);
    const inside = from + open.length;
    const end = next(close, inside);
    if (end - inside > MAX_TEX_CHARS) continue;
    const until = end + close.length;
    const environment = open.startsWith('\\b');
    const tex = environment ? data.slice(from, until) : data.slice(inside, end);
    if (!LIKE_TEX.test(tex)) continue;
    const block = environment || open === '\\[' || (open === '$$' && isAlone(data, from, until));
    found.push({ from, until, tex, block });
    done = until;
  }
  return found;
}

function closing(open: string): string {
  if (open === '\\(') return '\\)';
  if (open === '\\[') return '\\]';
  return open === '$$' ? '$$' : open.replace('begin', 'end');
}

function isAlone(data: string, from: number, until: number): boolean {
  const before = data.slice(Math.max(0, from - MAX_BESIDE_CHARS), from);
  const after = data.slice(until, until + MAX_BESIDE_CHARS);
  const line = before.slice(before.lastIndexOf('\n') + 1) + (after.split('\n', 1)[0] ?? '');
  return /^[.,;]?$/.test(line.trim());
}

function inDollars(data: string): TypedFormula[] {
  return [...data.matchAll(DOLLARS)].flatMap(({ 0: whole, 1: tex = '', index: from }) => {
    return LIKE_TEX.test(tex) ? [{ from, until: from + whole.length, tex, block: false }] : [];
  });
}

function put(text: HtmlText, formulas: readonly TypedFormula[]): void {
  const { parentNode: parent, data } = text;
  if (!parent) return;
  let at = 0;
  for (const { from, until, tex, block } of formulas) {
    if (from > at) parent.insertBefore(new HtmlText(data.slice(at, from)), text);
    parent.insertBefore(makeFormula(tex.replace(/\s+/g, ' ').trim(), block, parent.depth + 1), text);
    at = until;
  }
  text.data = data.slice(at);
}
