import { pushTo } from '../../../../lib/push-to.ts';
import { elementsIn, HtmlElement, type HtmlNode, nextNode, removeNode } from '../parsing/node.ts';
import { findInlineNotes } from './inline-notes.ts';
import { type FootnoteBody, findLinkedNotes } from './note-bodies.ts';
import { FOOTNOTE_BACKLINK_ID, footnoteLabelIn, markOf, shortText } from './note-marks.ts';
import { findNoteLines, findUnlinkedNotes } from './unlinked-notes.ts';

/** Tags of a footnote's reference and of the footnote. Both have the same attribute `label`. */
export const REFERENCE_TAG = 'x-reference';
export const FOOTNOTE_TAG = 'x-note';
const PLACE = 'x-place';

interface TakenNote {
  readonly note: HtmlElement;
  readonly place: HtmlElement | undefined;
  readonly frame: boolean;
}

export interface Footnotes {
  readonly notes: readonly TakenNote[];
}

export function takeFootnotes(root: HtmlElement): Footnotes {
  const marks = [...elementsIn(root)].flatMap((element) => markOf(element) ?? []);
  const lines = findNoteLines(root, marks);
  const inLines = new Set(lines.flatMap(({ marks: own }) => own));
  const others = marks.filter((mark) => !inLines.has(mark));
  const named = [...lines, ...findLinkedNotes(root, others)];
  const taken = new Set(named.flatMap(({ marks: own }) => own));
  const beside = findInlineNotes(root, named);
  const open = marks.filter((mark) => !taken.has(mark));
  const bodies = [...named, ...beside.bodies, ...findUnlinkedNotes(root, open, [...named, ...beside.bodies])];
  for (const element of beside.repeated) removeNode(element);
  if (bodies.length === 0) return { notes: [] };
  const back = backIds(bodies);
  const labels = labelsFor(bodies);
  const notes = bodies.map((body, i) => {
    const label = labels[i] ?? '';
    const frame = isInFrame(body.nodes[0]);
    const place = body.beside ? undefined : placeFor(body);
    const besides = body.marks.length === 0 && body.beside ? [body.beside] : [];
    for (const element of [...body.marks.map((mark) => mark.element), ...besides]) refer(element, label);
    const note = new HtmlElement(FOOTNOTE_TAG, { label }, 1);
    const from = body.nodes[0]?.parentNode;
    for (const node of body.nodes) {
      removeNode(node);
      note.appendChild(node);
    }
    dropEmpty(body.shell ?? from);
    dropWaysBack(note, back, body.marks[0]?.label ?? '');
    return { note, place, frame };
  });
  return { notes };
}

/** Puts notes at their placeholders or at the page's end. Drops a footer's note without a placeholder. */
export function putFootnotes(root: HtmlElement, { notes }: Footnotes): void {
  if (notes.length === 0) return;
  const references = new Map<string, HtmlElement[]>();
  const places = new Set(root.getElementsByTagName(PLACE));
  for (const one of root.getElementsByTagName(REFERENCE_TAG))
    pushTo(references, one.attributes.label ?? '', one);
  for (const { note, place, frame } of notes) {
    const own = references.get(note.attributes.label ?? '');
    if (place && places.has(place)) place.appendChild(note);
    else if (own && !frame) root.appendChild(note);
    else for (const reference of own ?? []) removeNode(reference);
  }
}

function isInFrame(element: HtmlNode | undefined): boolean {
  let framed = false;
  for (let at = element?.parentNode; at; at = at.parentNode) {
    if (/^(?:article|main)$/.test(at.tag)) return false;
    framed ||= at.tag === 'footer' || at.attributes.role === 'contentinfo';
  }
  return framed;
}

function labelsFor(bodies: readonly FootnoteBody[]): string[] {
  const labels = new Set<string>();
  const own = bodies.map(({ marks: [mark] }) => {
    const label = mark?.label ?? '';
    if (!/^[\p{L}\p{N}]+$/u.test(label) || labels.has(label)) return undefined;
    labels.add(label);
    return label;
  });
  let next = 1;
  return own.map((label) => {
    if (label !== undefined) return label;
    while (labels.has(String(next))) next++;
    return String(next++);
  });
}

function refer(mark: HtmlElement, label: string): void {
  const reference = new HtmlElement(REFERENCE_TAG, { label }, mark.depth);
  mark.parentNode?.replaceChild(reference, mark);
  const { previousSibling: before, nextSibling: after } = reference;
  if (
    before?.nodeType === 3 &&
    after?.nodeType === 3 &&
    /\[\s*$/.test(before.data) &&
    /^\s*\]/.test(after.data)
  ) {
    before.data = before.data.replace(/\[\s*$/, '');
    after.data = after.data.replace(/^\s*\]/, '');
  }
}

const LISTS = /^(?:[uo]l|dl|table|tbody|tr|menu)$/;

function placeFor({ nodes, shell }: FootnoteBody): HtmlElement | undefined {
  let at: HtmlNode | null = shell ?? nodes[0] ?? null;
  while (at?.parentNode && (LISTS.test(at.parentNode.tag) || at.parentNode.tag === 'p')) at = at.parentNode;
  if (!at?.parentNode) return undefined;
  const { previousSibling: before } = at;
  if (before?.nodeType === 1 && before.tag === PLACE) return before;
  const place = new HtmlElement(PLACE, {}, at.parentNode.depth + 1);
  at.parentNode.insertBefore(place, at);
  return place;
}

function dropEmpty(element: HtmlElement | null | undefined): void {
  for (let at = element; at?.parentNode; ) {
    for (let node = at.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 1 ? node.tag !== 'br' && node.tag !== 'hr' : node.data.trim() !== '') return;
    }
    const { parentNode }: HtmlElement = at;
    removeNode(at);
    at = parentNode;
  }
}

function backIds(bodies: readonly FootnoteBody[]): ReadonlySet<string> {
  const ids = new Set<string>();
  const add = (element: HtmlNode | null | undefined) => {
    if (element?.nodeType !== 1) return;
    for (const id of [element.attributes.id, element.attributes.name]) if (id !== undefined) ids.add(id);
  };
  for (const { marks } of bodies) {
    for (const { element } of marks) {
      const { parentNode: parent, previousSibling: before, firstChild: first } = element;
      for (const one of [element, parent, parent?.parentNode, before, first, parent?.previousSibling])
        add(one);
    }
  }
  return ids;
}

function dropWaysBack(note: HtmlElement, back: ReadonlySet<string>, label: string): void {
  for (const link of note.getElementsByTagName('a')) {
    const text = shortText(link);
    const { href = '' } = link.attributes;
    const at = href.indexOf('#');
    const target = at < 0 ? '' : href.slice(at + 1);
    if (text === undefined || (at < 0 && !/^javascript:/i.test(href))) continue;
    const known =
      back.has(target) ||
      (FOOTNOTE_BACKLINK_ID.test(target) && !target.includes('/')) ||
      link.attributes.role === 'doc-backlink';
    if (known || /^(?:↩\ufe0e?|\^|↑|←)?$/u.test(text)) removeNode(link);
  }
  dropNumber(note, label);
}

const OPENING = /^\s*(?:[[(]\s*[\])]|\^(?:\s*[a-z](?=\s))*)?\s*[.:)]?\s*/;

function dropNumber(note: HtmlElement, label: string): void {
  for (let node = nextNode(note, note), steps = 0; node && steps < 12; steps++) {
    const next: HtmlNode | null = nextNode(node, note, true);
    if (node.nodeType === 1) {
      const text = /^(?:sup|a|b|strong|span|label|i|em|h\d|dt)$/.test(node.tag) ? shortText(node) : undefined;
      if (
        text !== undefined &&
        text !== '' &&
        (footnoteLabelIn(text) === label || /^[[(]\s*[\])]$/.test(text))
      ) {
        const after: HtmlNode | null = nextNode(node, note, false);
        removeNode(node);
        node = after;
        continue;
      }
    } else if (node.data.trim() !== '') {
      const number = /^\s*[[(]?(\d{1,3}|[*†‡§])[\])]?[.:)]?\s+/.exec(node.data);
      if (number?.[1] === label) node.data = node.data.slice(number[0].length);
      node.data = node.data.replace(OPENING, '');
      if (node.data !== '') return;
    }
    node = next;
  }
}
