import { descendants, type HtmlElement, type HtmlNode, nextNode } from '../parsing/node.ts';
import { shownSibling } from '../parsing/relations.ts';
import { type FootnoteBody, isTooLargeForNote } from './note-bodies.ts';
import { type FootnoteMark, footnoteLabelIn, isNoteNumber, shortText } from './note-marks.ts';

const BESIDE =
  /(?:^|[\s_-])(?:side-?notes?|margin-?notes?|column-margin|inline-?footnote|inline-?note|footnote|foot-?note-?(?:content|text|body|container|inner)|fn-?(?:content|text))(?=[\s_-]|$)|footnote-?content/i;
const HOLDERS = /^(?:span|small|aside|label|cite|i|em|d-footnote|dt-fn)$/;
/** Tags of footnotes in articles that are written with Distill. */
const NOTE_TAGS = /^(?:d-footnote|dt-fn)$/;

export function findInlineNotes(
  root: HtmlElement,
  known: readonly FootnoteBody[],
): { readonly bodies: readonly FootnoteBody[]; readonly repeated: readonly HtmlElement[] } {
  const bodies: FootnoteBody[] = [];
  const repeated: HtmlElement[] = [];
  const marked = new Map<HtmlElement, FootnoteBody>();
  for (const body of known) for (const { element } of body.marks) marked.set(element, body);
  const taken = new Set<HtmlNode>(known.flatMap(({ nodes, shell }) => (shell ? [shell, ...nodes] : nodes)));
  for (const node of outside(root, taken)) {
    const inner = innermost(node);
    const number = numberBefore(node);
    if ((isNoteNumber(inner) && !number) || isTooLargeForNote([inner])) continue;
    const before = markBefore(node, marked);
    if (before && isSame(inner, before)) repeated.push(node);
    if (before) continue;
    if (number || node.tag !== 'aside') bodies.push(bodyOf(node, inner, number));
  }
  return { bodies, repeated };
}

function* outside(root: HtmlElement, taken: ReadonlySet<HtmlNode>): Generator<HtmlElement> {
  for (let node = nextNode(root, root); node; ) {
    const noted = node.nodeType === 1 && HOLDERS.test(node.tag) && isBeside(node);
    const inside: boolean = !taken.has(node) && !noted;
    if (noted && !taken.has(node)) yield node as HtmlElement;
    node = nextNode(node, root, inside);
  }
}

function bodyOf(node: HtmlElement, inner: HtmlElement, number: HtmlElement | undefined): FootnoteBody {
  const label = (number && shortText(number)) ?? '';
  const marks: FootnoteMark[] = number
    ? [{ element: number, label: label.replace(/\W/g, ''), target: '', isCertain: true }]
    : [];
  const own = outerLabel(node, inner);
  if (inner !== node || (own && !number))
    return {
      marks: [{ element: node, label: own, target: '', isCertain: true }],
      nodes: inner.childNodes,
      beside: node,
    };
  return { marks, nodes: [node], beside: number ?? node };
}

/** Returns the number that begins a note, if it is raised or stands outside of the note's text. */
function outerLabel(node: HtmlElement, inner: HtmlElement): string {
  const { firstChild: first } = node;
  if (first?.nodeType === 1) return (first.tag === 'sup' && footnoteLabelIn(shortText(first) ?? '')) || '';
  return inner === node ? '' : (first?.data.trim().replace(/\W/g, '') ?? '');
}

function isBeside({ tag, attributes }: HtmlElement): boolean {
  return NOTE_TAGS.test(tag) || BESIDE.test((attributes.class ?? '').slice(0, 200));
}

function innermost(node: HtmlElement): HtmlElement {
  let at = node;
  for (const one of descendants(node)) {
    if (one.nodeType === 1 && isBeside(one) && !isNoteNumber(one) && one.parentNode === at) at = one;
  }
  return at;
}

function markBefore(node: HtmlElement, marked: ReadonlyMap<HtmlElement, FootnoteBody>) {
  let before = shownSibling(node, 'previousSibling');
  for (let steps = 0; before && steps < 2; steps++, before = shownSibling(before, 'previousSibling')) {
    if (before.nodeType === 3) return undefined;
    for (
      let at: HtmlNode | null = before, level = 0;
      at?.nodeType === 1 && level < 4;
      level++, at = at.firstChild
    ) {
      const body = marked.get(at);
      if (body) return body;
    }
  }
  return undefined;
}

function numberBefore(node: HtmlElement): HtmlElement | undefined {
  let before = shownSibling(node, 'previousSibling');
  for (let steps = 0; before && steps < 2; steps++, before = shownSibling(before, 'previousSibling')) {
    if (before.nodeType === 3) return undefined;
    if (/^(?:label|sup|a|span)$/.test(before.tag) && (isNoteNumber(before) || isSwitch(before)))
      return before;
    if (before.tag !== 'input') return undefined;
  }
  return undefined;
}

/** True for a label without words, such as `⊕`, that shows a margin note on narrow screens. */
function isSwitch(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  return (
    tag === 'label' && attributes.for !== undefined && /^[^\p{L}\p{N}]+$/u.test(shortText(element) ?? '')
  );
}

function isSame(node: HtmlElement, { nodes }: FootnoteBody): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}]+/gu, '');
  const own = letters(node.textContent).slice(0, 60);
  return letters(nodes.map(({ textContent }) => textContent).join(' ')).startsWith(own);
}
