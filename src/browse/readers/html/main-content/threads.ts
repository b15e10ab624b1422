import { descendants, drop, HtmlElement } from '../parsing/node.ts';
import { type CommentHead, dropSmall, readHead, takeHead } from './comment-head.ts';

/** How sites call an element that holds one comment. */
const NAME =
  /(?:^|\s)(?:comment|comtr|reply|comments?_subtree|comment[-_]?(?:node|item|row|container|entry|wrapper|thread|tree-item|wrap|list-item|block)|post-comment|replies?-item|thread-comment|CommentsNode-?\w{0,40}|commentsnode|mdc-comment)(?=\s|$)/i;
const TAGS = /^(?:div|li|article|section|tr|details|shreddit-comment|dd)$/;
/** How deep a comment stands, in its class. */
const LEVEL = /(?:^|\s)(?:comment-?)?(?:depth|level|indent|lvl|nest(?:ing)?|tier)[-_]?(\d{1,3})(?=\s|$)/i;
const SHIFT = /(?:margin|padding)-left\s{0,5}:\s{0,5}([\d.]{1,8})/;
/** Nodes that are read for how far a comment is set in. */
const MAX_NODES = 12;

interface Comment {
  readonly element: HtmlElement;
  readonly head: CommentHead;
  /** How far it is set in, where its markup says so. */
  readonly shift: number | undefined;
}

/**
 * Gives the comments of a page in which some answer others one form: each a quote that opens with who wrote it and when, answers
 * within what they answer. Linear: comments are as deep as the tree is, and are moved once.
 */
export function shapeThreads(root: HtmlElement): void {
  const elements = findComments(root);
  if (elements.length < 2) return;
  const known = new Set(elements);
  const comments = elements.flatMap((element): Comment[] => {
    const head = readHead(element, (other) => known.has(other));
    if (head) return [{ element, head, shift: shiftOf(element) }];
    // What names no one is the text of a comment, or holds them all.
    known.delete(element);
    return [];
  });
  const nested = comments.some(({ element }) => isWithin(element, known));
  const rows = nested ? [] : rowsOf(comments);
  const answered = nested || rows.some((row) => row.some(({ shift }) => shift !== row[0]?.shift));
  if (!answered) return;
  const quotes = new Map<HtmlElement, HtmlElement>();
  // The innermost first, so that what is moved into a quote has been shaped.
  for (const comment of comments.toReversed()) quotes.set(comment.element, quote(comment));
  for (const row of rows) nest(row, quotes);
  for (const made of quotes.values()) if (made.parentNode) unlist(made.parentNode);
}

/** The elements that hold one comment each: of those that begin with the same words, the outermost. */
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

function isWithin(element: HtmlElement, others: ReadonlySet<HtmlElement>): boolean {
  for (let at = element.parentNode; at; at = at.parentNode) if (others.has(at)) return true;
  return false;
}

/** How far a comment is set in, in whatever unit: of a level, of pixels. */
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

/** Comments that stand beside each other. */
function rowsOf(comments: readonly Comment[]): Comment[][] {
  const rows = new Map<HtmlElement, Comment[]>();
  for (const comment of comments) {
    const { parentNode: parent } = comment.element;
    if (!parent || comment.shift === undefined) continue;
    const row = rows.get(parent);
    if (row) row.push(comment);
    else rows.set(parent, [comment]);
  }
  return [...rows.values()];
}

/** A comment as a quote, in its place. */
function quote({ element, head }: Comment): HtmlElement {
  const made = new HtmlElement('blockquote', {}, element.depth);
  const line = takeHead(head);
  dropSmall(element, ({ tag }) => tag === 'blockquote' || tag === 'pre');
  made.appendChild(line);
  for (const child of element.childNodes) {
    element.removeChild(child);
    made.appendChild(child);
  }
  element.parentNode?.replaceChild(made, element);
  return made;
}

/** Puts comments that are set in into the last one before them that is set in less. */
function nest(row: readonly Comment[], quotes: ReadonlyMap<HtmlElement, HtmlElement>): void {
  const open: { readonly shift: number; readonly made: HtmlElement }[] = [];
  for (const { element, shift = 0 } of row) {
    const made = quotes.get(element);
    if (!made) continue;
    while (open.length > 0 && (open.at(-1)?.shift ?? 0) >= shift) open.pop();
    const parent = open.at(-1)?.made;
    if (parent) {
      drop(made);
      parent.appendChild(made);
    }
    open.push({ shift, made });
  }
}

/** What holds comments is neither a list nor a table any longer. */
function unlist(holder: HtmlElement): void {
  if (!/^(?:ul|ol|menu|tbody|table|tr|td|dl)$/.test(holder.tag) || !holder.parentNode) return;
  const box = new HtmlElement('div', {}, holder.depth);
  const { parentNode: parent } = holder;
  parent.replaceChild(box, holder);
  for (const child of holder.childNodes) {
    holder.removeChild(child);
    box.appendChild(child);
  }
  if (/^(?:table|tbody|ul|ol)$/.test(parent.tag)) unlist(parent);
}
