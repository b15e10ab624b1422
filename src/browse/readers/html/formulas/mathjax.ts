import { createElement, descendants, type HtmlElement } from '../parsing/node.ts';

const MAX_NODES = 20_000;
const BOXES =
  /^mjx-(?:math|mrow|texatom|mstyle|mpadded|box|row|base|num|den|frac|dbox|dtable|sqrt|table|itable|over|under|root|semantics|block|inner)$/;
const DRAWING =
  /^mjx-(?:nstrut|dstrut|strut|tstrut|rstrut|line|surd|spacer|mspace|assistive-mml|labels|mphantom)$/;
const TOKEN = /^mjx-(?:mi|mo|mn|mtext|ms)$/;

export function convertMathJax(container: HtmlElement): HtmlElement | undefined {
  let nodes = 0;
  let drawn: HtmlElement | undefined;
  for (const node of descendants(container)) {
    if (++nodes > MAX_NODES) return undefined;
    if (node.nodeType !== 1) continue;
    if (node.tag === 'math') return undefined;
    if (node.tag === 'mjx-math') drawn ??= node;
  }
  return drawn && element('math', partsOf(drawn));
}

function element(tag: string, children: readonly HtmlElement[]): HtmlElement {
  const made = createElement(tag, 0);
  for (const child of children) made.appendChild(child);
  return made;
}

const group = (from: HtmlElement | undefined) => element('mrow', from ? partsOf(from) : []);

function partsOf(from: HtmlElement): HtmlElement[] {
  return from.children.flatMap(convert);
}

function convert(from: HtmlElement): HtmlElement[] {
  const { tag } = from;
  if (DRAWING.test(tag)) return [];
  if (BOXES.test(tag)) return partsOf(from);
  if (TOKEN.test(tag)) return [createElement(tag.slice(4), 0, lettersOf(from))];
  const writer = WRITERS.get(tag);
  return writer ? [writer(from)] : partsOf(from);
}

const WRITERS: ReadonlyMap<string, (from: HtmlElement) => HtmlElement> = new Map(
  Object.entries<(from: HtmlElement) => HtmlElement>({
    'mjx-mfrac': (from) => element('mfrac', [group(find(from, 'mjx-num')), group(find(from, 'mjx-den'))]),
    'mjx-msqrt': (from) => element('msqrt', [group(find(from, 'mjx-box') ?? from)]),
    'mjx-mroot': (from) => element('mroot', [group(find(from, 'mjx-box')), group(find(from, 'mjx-root'))]),
    'mjx-msub': (from) => withScripts(from, 'msub'),
    'mjx-msup': (from) => withScripts(from, 'msup'),
    'mjx-msubsup': (from) => withScripts(from, 'msubsup'),
    'mjx-mover': (from) => limits(from, 'mover'),
    'mjx-munder': (from) => limits(from, 'munder'),
    'mjx-munderover': (from) => limits(from, 'munderover'),
    'mjx-mtable': (from) => element('mtable', rowsIn(from)),
  }),
);

/** Builds a MathML element with sub- and superscript. MathJax writes the superscript first, MathML last. */
function withScripts(from: HtmlElement, tag: string): HtmlElement {
  const script = from.children.find((child) => child.tag === 'mjx-script');
  const base = element('mrow', from.children.filter((child) => child !== script).flatMap(convert));
  const [first, second] = (script?.children ?? [])
    .filter((child) => child.tag !== 'mjx-spacer')
    .map((child) => element('mrow', convert(child)));
  const both = tag.length > 4 && second !== undefined;
  return element(tag, [base, ...(both ? [second] : []), ...(first ? [first] : [])]);
}

function limits(from: HtmlElement, tag: string): HtmlElement {
  if (from.children.some((child) => child.tag === 'mjx-script'))
    return withScripts(from, { mover: 'msup', munder: 'msub' }[tag] ?? 'msubsup');
  const base = group(find(from, 'mjx-base'));
  const below = tag === 'mover' ? [] : [group(find(from, 'mjx-under'))];
  const above = tag === 'munder' ? [] : [group(find(from, 'mjx-over'))];
  return element(tag, [base, ...below, ...above]);
}

function rowsIn(from: HtmlElement): HtmlElement[] {
  const holder = find(from, 'mjx-itable') ?? from;
  return holder.children
    .filter(({ tag }) => /^mjx-m(?:labeled)?tr$/.test(tag))
    .map((line) =>
      element(
        'mtr',
        line.children.filter(({ tag }) => tag === 'mjx-mtd').map((cell) => element('mtd', partsOf(cell))),
      ),
    );
}

function find(from: HtmlElement, tag: string): HtmlElement | undefined {
  for (const child of from.children) {
    if (child.tag === tag) return child;
    const nested =
      BOXES.test(child.tag) || (LIMITS.test(from.tag) && LIMITS.test(child.tag))
        ? find(child, tag)
        : undefined;
    if (nested) return nested;
  }
  return undefined;
}

const LIMITS = /^mjx-(?:munder(?:over)?|mover|box)$/;

/** Returns the element's text. If a style sheet draws the letters, their code points are in class names. */
function lettersOf(token: HtmlElement): string {
  let text = '';
  for (const node of descendants(token)) {
    if (node.nodeType === 3) text += node.data.trim();
    else if (node.tag === 'mjx-c' && !node.firstChild) {
      const code = /(?:^|\s)mjx-c([0-9A-F]{2,6})(?=\s|$)/.exec(node.attributes.class ?? '')?.[1];
      const point = Number.parseInt(code ?? '', 16);
      if (point > 0 && point <= 0x10ffff) text += String.fromCodePoint(point);
    }
  }
  return text;
}
