import { decodePercent } from '../../../../lib/text/decode-percent.ts';
import { isNumerator } from '../markdown/superscripts.ts';
import { type HtmlElement, nextNode } from '../parsing/node.ts';

export interface FootnoteMark {
  readonly element: HtmlElement;
  readonly label: string;
  readonly target: string;
  /** False if the link's text is only a number, because such a link may also refer to an equation. */
  readonly isCertain: boolean;
}

const MAX_MARK_CHARS = 12;
const MAX_MARK_NODES = 12;

const LABEL =
  /^(?:fn|note)?\s?[[(]?\s?([\p{L}\p{N}]{1,4}|[*†‡§¶#]{1,4}|(?:note|nb|fn) \d{1,3})\s?[\])]?[.:]?$/iu;
const REFERRING =
  /(?:^|[\s_-])(?:noteref|footnote-?ref(?:erence)?|footnote-?anchor|footref|fn-?ref|footnote|fna-ref|endnote-?ref|citation-?ref)(?=[\s_-]|$)/i;
export const FOOTNOTE_ID =
  /^(?:_?ftn|_?edn|fn|foot-?note|endnote|cite_note|easy-footnote|sn|sdfootnote|user-content-fn)[-_.:]?/i;
export const FOOTNOTE_BACKLINK_ID = /(?:ref|anchor|back|_sym|src|marker)/i;

export function shortText(element: HtmlElement): string | undefined {
  let [text, nodes] = ['', 0];
  for (let node = nextNode(element, element); node; node = nextNode(node, element)) {
    if (++nodes > MAX_MARK_NODES) return undefined;
    if (node.nodeType === 3) text += node.data.slice(0, 60);
    if (text.length > 40 && text.trim().length > MAX_MARK_CHARS) return undefined;
  }
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain.length > MAX_MARK_CHARS ? undefined : plain;
}

export function isNoteNumber(element: HtmlElement): boolean {
  const text = shortText(element);
  return text === '' || (text !== undefined && footnoteLabelIn(text) !== undefined);
}

export function footnoteLabelIn(text: string): string | undefined {
  return LABEL.exec(text)?.[1]?.replaceAll(' ', '');
}

export function markOf(element: HtmlElement): FootnoteMark | undefined {
  const { tag, attributes } = element;
  if (tag !== 'a' && tag !== 'sup' && tag !== 'label' && attributes['data-definition'] === undefined)
    return undefined;
  const text = shortText(element);
  const label = text === undefined ? undefined : footnoteLabelIn(text);
  if (label === undefined || isNumerator(element)) return undefined;
  if (tag === 'a') return linkMark(element, label);
  const named = attributes['data-definition'] ?? (tag === 'label' ? attributes.for : undefined);
  if (named !== undefined) return { element, label, target: named, isCertain: true };
  if (tag === 'label' || element.getElementsByTagName('a').length > 0) return undefined;
  return /^(?:\d{1,3}|[*†‡§]{1,3})$/.test(label)
    ? { element, label, target: '', isCertain: false }
    : undefined;
}

function linkMark(element: HtmlElement, label: string): FootnoteMark | undefined {
  const { href = '', class: names = '', role, rel, onclick = '' } = element.attributes;
  const typed =
    role === 'doc-noteref' ||
    rel === 'footnote' ||
    element.attributes['data-footnote-ref'] !== undefined ||
    /noteref/.test(element.attributes['data-type'] ?? element.attributes['epub:type'] ?? '') ||
    REFERRING.test(names);
  const target = targetOf(href, onclick.slice(0, 300), typed);
  if (target === undefined || element.attributes.role === 'doc-backlink') return undefined;
  const here = typed || href.startsWith('#');
  const sure =
    typed ||
    (here && (isRaised(element) || (FOOTNOTE_ID.test(target) && !FOOTNOTE_BACKLINK_ID.test(target))));
  return sure || /^\d{1,3}$/.test(label) ? { element, label, target, isCertain: sure } : undefined;
}

function targetOf(href: string, onclick: string, typed: boolean): string | undefined {
  const at = href.indexOf('#');
  if (at >= 0 && at < href.length - 1) return decodePercent(href.slice(at + 1));
  if (!typed) return undefined;
  return /\(['"]([\w.:-]{1,60})['"]\)/.exec(onclick)?.[1];
}

function isRaised(link: HtmlElement): boolean {
  const { firstChild: first } = link;
  if (first?.nodeType === 1 && (first.tag === 'sup' || /^(?:fn|footnote)/.test(first.attributes.class ?? '')))
    return true;
  for (let at = link.parentNode; at && at.depth > link.depth - 3; at = at.parentNode) {
    if (at.tag === 'sup') return true;
  }
  return false;
}
