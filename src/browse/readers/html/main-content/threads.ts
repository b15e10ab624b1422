import { pushTo } from '../../../../lib/push-to.ts';
import { createElement, descendants, HtmlElement, moveChildren, removeNode } from '../parsing/node.ts';
import { isWithinAny } from '../parsing/relations.ts';
import {
  type CommentHead,
  dropHeaderLines,
  extractCommentHeader,
  readCommentHeader,
} from './comment-header.ts';

const NAME =
  /(?:^|\s)(?:comment|comtr|reply|comments?_subtree|comment[-_]?(?:node|item|row|container|entry|wrapper|thread|tree-item|wrap|list-item|block)|post-comment|replies?-item|thread-comment|CommentsNode-?\w{0,40}|commentsnode|mdc-comment)(?=\s|$)/i;
const TAGS = /^(?:div|li|article|section|tr|details|shreddit-comment|dd)$/;
const LEVEL = /(?:^|\s)(?:comment-?)?(?:depth|level|indent|lvl|nest(?:ing)?|tier)[-_]?(\d{1,3})(?=\s|$)/i;
const SHIFT = /(?:margin|padding)-left\s{0,5}:\s{0,5}([\d.]{1,8})/;
const MAX_NODES = 12;

interface ThreadComment {
  readonly element: HtmlElement;
  readonly head: CommentHead;
  readonly shift: number | undefined;
}

export function nestComments(root: HtmlElement): void {
  const elements = findComments(root);
  if (elements.length < 2) return;
  const known = new Set(elements);
  const comments = elements.flatMap((element): ThreadComment[] => {
    const head = readCommentHeader(element, (other) => known.has(other));
    if (head) return [{ element, head, shift: shiftOf(element) }];
    known.delete(element);
    return [];
  });
  const nested = comments.some(({ element }) => isWithinAny(element, known));
  const rows = nested ? [] : rowsOf(comments);
  const answered = nested || rows.some((row) => row.some(({ shift }) => shift !== row[0]?.shift));
  if (!answered) return;
  const quotes = new Map(comments.toReversed().map((comment) => [comment.element, quote(comment)]));
  for (const row of rows) nest(row, quotes);
  for (const made of quotes.values()) if (made.parentNode) unlist(made.parentNode);
}

function findComments(root: HtmlElement): HtmlElement[] {
  const begun = new Set<HtmlElement>();
  const found: HtmlElement[] = [];
  const taken = new Set<HtmlElement>();
  for (const node of descendants(root)) {
    if (node.nodeType !== 3 || node.data.trim() === '') continue;
    let outermost: HtmlElement | undefined;
    for (let at = node.parentNode; at && at !== root && !begun.has(at); at = at.parentNode) {
      begun.add(at);
      if (isComment(at)) outermost = at;
    }
    if (outermost && !taken.has(outermost)) {
      taken.add(outermost);
      found.push(outermost);
    }
  }
  return found;
}

function isComment({ tag, attributes }: HtmlElement): boolean {
  if (!TAGS.test(tag)) return false;
  return (
    tag === 'shreddit-comment' ||
    NAME.test((attributes.class ?? '').slice(0, 300)) ||
    /schema\.org\/Comment$/.test(attributes.itemtype ?? '')
  );
}

function shiftOf(element: HtmlElement): number | undefined {
  const { attributes } = element;
  const named =
    attributes.depth ??
    attributes['data-depth'] ??
    attributes['data-level'] ??
    attributes['data-indent'] ??
    attributes['aria-level'];
  if (/^\d{1,3}$/.test(named ?? '')) return Number(named);
  const level = LEVEL.exec((attributes.class ?? '').slice(0, 300))?.[1];
  if (level !== undefined) return Number(level);
  let nodes = 0;
  for (const node of [element, ...firstOf(element)]) {
    if (++nodes > MAX_NODES) break;
    const { tag, attributes: own } = node;
    const shifted = SHIFT.exec((own.style ?? '').slice(0, 300))?.[1];
    if (shifted !== undefined) return Number.parseFloat(shifted);
    if (own.indent !== undefined && /^\d{1,3}$/.test(own.indent)) return Number(own.indent);
    if (tag === 'img' && /^\d{1,4}$/.test(own.width ?? '') && /^[01]$/.test(own.height ?? ''))
      return Number(own.width);
  }
  return undefined;
}

function firstOf(element: HtmlElement): HtmlElement[] {
  const first: HtmlElement[] = [];
  for (const node of descendants(element)) {
    if (node.nodeType === 1) first.push(node);
    if (first.length >= MAX_NODES) break;
  }
  return first;
}

function rowsOf(comments: readonly ThreadComment[]): ThreadComment[][] {
  const rows = new Map<HtmlElement, ThreadComment[]>();
  for (const comment of comments) {
    const { parentNode: parent } = comment.element;
    if (parent && comment.shift !== undefined) pushTo(rows, parent, comment);
  }
  return [...rows.values()];
}

function quote({ element, head }: ThreadComment): HtmlElement {
  const made = createElement('blockquote', element.depth, extractCommentHeader(head));
  dropHeaderLines(element, ({ tag }) => tag === 'blockquote' || tag === 'pre');
  moveChildren(element, made);
  element.parentNode?.replaceChild(made, element);
  return made;
}

function nest(row: readonly ThreadComment[], quotes: ReadonlyMap<HtmlElement, HtmlElement>): void {
  const open: { readonly shift: number; readonly made: HtmlElement }[] = [];
  for (const { element, shift = 0 } of row) {
    const made = quotes.get(element);
    if (!made) continue;
    while (open.length > 0 && (open.at(-1)?.shift ?? 0) >= shift) open.pop();
    const parent = open.at(-1)?.made;
    if (parent) {
      removeNode(made);
      parent.appendChild(made);
    }
    open.push({ shift, made });
  }
}

function unlist(holder: HtmlElement): void {
  if (!/^(?:ul|ol|menu|tbody|table|tr|td|dl)$/.test(holder.tag) || !holder.parentNode) return;
  const box = new HtmlElement('div', {}, holder.depth);
  const { parentNode: parent } = holder;
  parent.replaceChild(box, holder);
  moveChildren(holder, box);
  if (/^(?:table|tbody|ul|ol)$/.test(parent.tag)) unlist(parent);
}
