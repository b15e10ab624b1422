import { pushTo } from '../../../../lib/push-to.ts';
import { elementsIn, type HtmlElement, type HtmlNode, isWithin, nextNode } from '../parsing/node.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import { type FootnoteMark, isNoteNumber } from './note-marks.ts';

export interface FootnoteBody {
  readonly marks: readonly FootnoteMark[];
  readonly nodes: readonly HtmlNode[];
  readonly shell?: HtmlElement;
  /** Element in the running text. The reference to the note replaces this element. */
  readonly beside?: HtmlElement;
}

const MAX_NOTE_CHARS = 6000;
const MAX_BLOCKS = 8;

export const FOOTNOTES_NAME =
  /(?:^|[\s_-])(?:foot-?notes?|end-?notes?|notes?|references?|reflist|bibl?(?:io\w*|item|list)?|citations?|easy-footnotes?\w*|fn)(?=[\s_.:-]|$)|footnote|bibitem/i;
const NOTES_HEADING =
  /^(?:(?:foot|end|side)[ -]?)?notes?$|^(?:references|bibliography|citations|works cited|sources|fußnoten|anmerkungen|einzelnachweise|références|notas|referencias|примечания|脚注)(?: and notes)?$|^notes and references$/iu;

export function isNotesHeading(heading: HtmlElement): boolean {
  const text = heading.textContent.slice(0, 100).trim();
  return NOTES_HEADING.test(text.replace(/[\s:.]{1,5}$/, ''));
}

export function findLinkedNotes(root: HtmlElement, marks: readonly FootnoteMark[]): FootnoteBody[] {
  const wanted = new Map<string, FootnoteMark[]>();
  for (const mark of marks) {
    if (mark.target === '') continue;
    pushTo(wanted, mark.target, mark);
  }
  if (wanted.size === 0) return [];
  const places = findPlaces(root, wanted);
  const ways = waysBack(marks, places);
  const blocks = new Map<HtmlElement, Set<HtmlNode>>();
  const found: { place: HtmlElement; block: HtmlElement; own: readonly FootnoteMark[] }[] = [];
  for (const [id, place] of places) {
    const own = wanted.get(id)?.filter((mark) => !ways.has(mark)) ?? [];
    const block = own.length > 0 ? blockOf(place, root) : undefined;
    if (!block || own.some(({ element }) => isWithin(element, block))) continue;
    if (!own.some(({ isCertain }) => isCertain) && !isNamed(block)) continue;
    found.push({ place, block, own });
    const tops = blocks.get(block) ?? new Set();
    blocks.set(block, tops.add(block === place ? block : childAround(place, block)));
  }
  const starts = new Set<HtmlNode>(blocks.keys());
  return found.flatMap(({ place, block, own }) => {
    const body = bodyAt(place, block, blocks.get(block) ?? new Set(), starts);
    return body && !isTooLargeForNote(body.nodes) ? [{ ...body, marks: own }] : [];
  });
}

function findPlaces(root: HtmlElement, wanted: ReadonlyMap<string, unknown>): Map<string, HtmlElement> {
  const places = new Map<string, HtmlElement>();
  for (const node of elementsIn(root)) {
    const { id, name } = node.attributes;
    for (const one of [id, node.tag === 'a' ? name : undefined]) {
      if (one !== undefined && wanted.has(one) && !places.has(one)) places.set(one, node);
    }
  }
  return places;
}

/** Finds links from notes back to the text. They lead to an element near an earlier footnote mark. */
function waysBack(marks: readonly FootnoteMark[], places: ReadonlyMap<string, HtmlElement>) {
  const near = new Set<HtmlNode>();
  const ways = new Set<FootnoteMark>();
  for (const mark of marks) {
    const { element, target } = mark;
    const place = places.get(target);
    if (place && near.has(place)) {
      ways.add(mark);
      continue;
    }
    const { parentNode: parent, previousSibling: before, firstChild: first } = element;
    for (const one of [element, parent, parent?.parentNode, before, first, parent?.previousSibling])
      if (one) near.add(one);
  }
  return ways;
}

function blockOf(place: HtmlElement, root: HtmlElement): HtmlElement | undefined {
  let at: HtmlElement | null = place;
  while (at && at !== root && !BLOCK_TAGS.has(at.tag)) at = at.parentNode;
  return at && at !== root ? at : undefined;
}

function bodyAt(
  place: HtmlElement,
  block: HtmlElement,
  tops: ReadonlySet<HtmlNode>,
  starts: ReadonlySet<HtmlNode>,
): FootnoteBody | undefined {
  if (tops.size > 1 && place !== block) return { marks: [], nodes: nodesUntilNextNote(place, block, tops) };
  const { tag } = block;
  if (tag === 'td' || tag === 'th') {
    const row = block.parentNode;
    if (row?.tag !== 'tr') return undefined;
    const cells = row.children.filter((cell) => cell !== block || !isNoteNumber(cell));
    return { marks: [], nodes: cells.flatMap((cell) => cell.childNodes), shell: row };
  }
  if (HEADING_TAGS.has(tag) || tag === 'dt' || isNoteNumber(block)) {
    const nodes = collectContinuation(block, starts);
    return nodes.length > 0 ? { marks: [], nodes: [block, ...nodes] } : undefined;
  }
  // GitBook writes its notes as quotations.
  if (/^(?:li|dd|blockquote)$/.test(tag)) return { marks: [], nodes: block.childNodes, shell: block };
  if (block === place || tag !== 'p') return { marks: [], nodes: [block] };
  const more = collectContinuation(block, starts);
  return { marks: [], nodes: more.at(-1)?.nextSibling ? [block, ...more] : [block] };
}

export function nodesUntilNextNote(
  place: HtmlNode,
  block: HtmlElement,
  tops: ReadonlySet<HtmlNode>,
): HtmlNode[] {
  const top = childAround(place, block);
  const nodes: HtmlNode[] = [];
  for (let node: HtmlNode | null = top; node; node = node.nextSibling) {
    if (node !== top && tops.has(node)) break;
    nodes.push(node);
  }
  return nodes;
}

function childAround(element: HtmlNode, block: HtmlElement): HtmlNode {
  let at = element;
  while (at.parentNode && at.parentNode !== block) at = at.parentNode;
  return at;
}

export function collectContinuation(block: HtmlElement, starts: ReadonlySet<HtmlNode>): HtmlNode[] {
  const nodes: HtmlNode[] = [];
  for (let node = block.nextSibling; node && nodes.length < MAX_BLOCKS; node = node.nextSibling) {
    if (node.nodeType === 3) continue;
    if (starts.has(node) || HEADING_TAGS.has(node.tag) || node.tag === 'hr' || node.tag === 'dt') break;
    if (!/^(?:p|ul|ol|dd|div|blockquote|pre)$/.test(node.tag)) break;
    nodes.push(node);
  }
  return nodes;
}

function isNamed(block: HtmlElement): boolean {
  let at: HtmlElement | null = block;
  for (let level = 0; at && level < 4; level++, at = at.parentNode) {
    const { class: names = '', id = '', role = '' } = at.attributes;
    if (
      FOOTNOTES_NAME.test(names.slice(0, 200)) ||
      FOOTNOTES_NAME.test(id.slice(0, 100)) ||
      /^doc-(?:end|foot)note/.test(role)
    )
      return true;
    const before = headingBefore(at);
    if (before && isNotesHeading(before)) return true;
  }
  return false;
}

function headingBefore(element: HtmlElement): HtmlElement | undefined {
  let node = element.previousSibling;
  for (let steps = 0; node && steps < 200; steps++, node = node.previousSibling) {
    if (node.nodeType === 1 && HEADING_TAGS.has(node.tag)) return node;
  }
  return undefined;
}

export function isTooLargeForNote(nodes: readonly HtmlNode[]): boolean {
  let chars = 0;
  for (const top of nodes) {
    if (top.nodeType === 3) {
      chars += top.data.length;
      continue;
    }
    for (let node: HtmlNode | null = top; node; node = nextNode(node, top)) {
      if (node.nodeType === 3) chars += node.data.length;
      else if (/^h[1-3]$/.test(node.tag)) return true;
      if (chars > MAX_NOTE_CHARS) return true;
    }
  }
  return chars === 0;
}
