import { pushTo } from '../../../../lib/push-to.ts';
import { numberOf } from '../markdown/list-numbers.ts';
import { isNumerator } from '../markdown/superscripts.ts';
import { elementsIn, type HtmlElement, type HtmlNode, isWithin } from '../parsing/node.ts';
import { isWithinAny, shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import {
  collectContinuation,
  FOOTNOTES_NAME,
  type FootnoteBody,
  isNotesHeading,
  isTooLargeForNote,
  nodesUntilNextNote,
} from './note-bodies.ts';
import { type FootnoteMark, footnoteLabelIn, shortText } from './note-marks.ts';

interface NoteOpener {
  readonly block: HtmlElement;
  readonly label: string;
  readonly number: HtmlElement | undefined;
  readonly apart: boolean;
}

export function findUnlinkedNotes(
  root: HtmlElement,
  open: readonly FootnoteMark[],
  known: readonly FootnoteBody[],
): FootnoteBody[] {
  if (open.length === 0) return [];
  const marks = new Map(open.map((mark) => [mark.element, mark]));
  const numbers = new Set(open.map(({ label }) => label));
  const taken = new Set<HtmlNode>(known.flatMap(({ nodes, shell }) => (shell ? [shell, ...nodes] : nodes)));
  const openers: NoteOpener[] = [];
  const waiting = new Map<string, FootnoteMark[]>();
  const found: { opener: NoteOpener; marks: readonly FootnoteMark[] }[] = [];
  let apart = false;
  let inNumber: HtmlElement | undefined;
  for (const node of elementsIn(root)) {
    apart = isApart(node) ?? apart;
    const opener = openerOf(node, numbers, apart);
    const isFree = opener && !taken.has(node) && !isWithinAny(node, taken);
    const waits = isFree ? waiting.get(opener.label) : undefined;
    if (opener && waits) {
      found.push({ opener, marks: waits });
      openers.push(opener);
      waiting.delete(opener.label);
      inNumber = opener.number;
      continue;
    }
    const mark = marks.get(node);
    if (!mark || (inNumber && isWithin(node, inNumber))) continue;
    pushTo(waiting, mark.label, mark);
  }
  const starts = new Set<HtmlNode>(openers.map(({ block }) => block));
  return found.flatMap(({ opener, marks: own }) => {
    const { block } = opener;
    const item = block.tag === 'li' || block.tag === 'dd';
    const nodes = item ? block.childNodes : [block, ...continued(opener, starts)];
    if (isTooLargeForNote(nodes)) return [];
    return [{ marks: own, nodes, ...(item && { shell: block }) }];
  });
}

/** True for a horizontal rule or a notes heading, false for another heading, otherwise undefined. */
function isApart(node: HtmlElement): boolean | undefined {
  if (node.tag === 'hr') return true;
  return HEADING_TAGS.has(node.tag) ? isNotesHeading(node) : undefined;
}

function continued({ block, apart }: NoteOpener, starts: ReadonlySet<HtmlNode>): HtmlNode[] {
  const nodes = collectContinuation(block, starts);
  const last = nodes.at(-1) ?? block;
  let { nextSibling: next } = last;
  while (next?.nodeType === 3) next = next.nextSibling;
  if (next && starts.has(next)) return nodes;
  return apart && next === null && nodes.length <= 2 ? nodes : [];
}

function openerOf(block: HtmlElement, numbers: ReadonlySet<string>, apart: boolean): NoteOpener | undefined {
  if (!/^(?:p|div|li|dd|aside|td)$/.test(block.tag)) return undefined;
  let at = firstShown(block);
  for (let level = 0; at?.nodeType === 1 && level < 4 && !BLOCK_TAGS.has(at.tag); level++) {
    const label = footnoteLabelIn(shortText(at) ?? '');
    if (label !== undefined && numbers.has(label) && fits(at, block, apart))
      return { block, label, number: at, apart };
    at = firstShown(at);
  }
  return block.tag === 'li' ? itemOf(block, numbers, apart) : undefined;
}

function fits(number: HtmlElement, block: HtmlElement, apart: boolean): boolean {
  if (!/^(?:sup|a|b|strong|span|em|i)$/.test(number.tag) || isNumerator(number)) return false;
  if (number.tag === 'sup' || number.getElementsByTagName('sup').length > 0) return true;
  return apart || FOOTNOTES_NAME.test(block.attributes.class ?? '');
}

function itemOf(item: HtmlElement, numbers: ReadonlySet<string>, apart: boolean): NoteOpener | undefined {
  const { parentNode: list } = item;
  if (list?.tag !== 'ol' || !(apart || isOfNotes(list))) return undefined;
  const label = String(numberOf(item, list));
  return numbers.has(label) ? { block: item, label, number: undefined, apart } : undefined;
}

const NUMBER = /^\s{0,99}[[(]?(\d{1,3})[\])]?[.:)]?\s{1,99}/;

/** Finds notes that are lines of one paragraph, each of which begins with its number. */
export function findNoteLines(root: HtmlElement, marks: readonly FootnoteMark[]): FootnoteBody[] {
  const waiting = Map.groupBy(marks, ({ label }) => label);
  return root.getElementsByTagName('p').flatMap((paragraph) => {
    const breaks = paragraph.children.filter(({ tag }) => tag === 'br');
    const lines = [firstShown(paragraph), ...breaks.map((one) => shownSibling(one, 'nextSibling'))];
    const found = lines.flatMap((start) => {
      const text = start?.nodeType === 3 ? NUMBER.exec(start.data)?.[1] : start && shortText(start);
      const [mark, ...more] = waiting.get(footnoteLabelIn(text ?? '') ?? '') ?? [];
      return start && mark && !isWithin(mark.element, paragraph) ? [{ start, marks: [mark, ...more] }] : [];
    });
    if (found.length < 2 || found[0]?.start !== lines[0]) return [];
    const starts = new Set(found.map(({ start }) => start));
    for (const { label } of found.flatMap((one) => one.marks)) waiting.delete(label);
    return found.map(({ start, marks: own }) => ({
      marks: own.filter(({ element }) => !isWithin(element, paragraph)),
      nodes: nodesUntilNextNote(start, paragraph, starts),
    }));
  });
}

function isOfNotes(list: HtmlElement): boolean {
  let at: HtmlElement | null = list;
  for (let level = 0; at && level < 3; level++, at = at.parentNode) {
    if (at.tag === 'aside' || FOOTNOTES_NAME.test((at.attributes.class ?? '').slice(0, 200))) return true;
  }
  return false;
}

function firstShown({ firstChild: first }: HtmlElement): HtmlNode | null {
  return first?.nodeType === 3 && first.data.trim() === '' ? shownSibling(first, 'nextSibling') : first;
}
