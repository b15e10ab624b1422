/** A minimal DOM. Children are a linked list: moving a node takes constant time. */
export type HtmlNode = HtmlElement | HtmlText;
export type PagePart = '' | 'frame' | 'related' | 'around' | 'comments' | 'caption';

export class HtmlText {
  readonly nodeType = 3;
  readonly nodeName = '#text';
  data: string;
  /** Index of the text run (content/runs.ts) with this text, or -1. */
  run = -1;
  parentNode: HtmlElement | null = null;
  previousSibling: HtmlNode | null = null;
  nextSibling: HtmlNode | null = null;

  constructor(data: string) {
    this.data = data;
  }

  get nodeValue(): string {
    return this.data;
  }

  get textContent(): string {
    return this.data;
  }

  get firstChild(): null {
    return null;
  }

  getElementsByTagName(): readonly HtmlElement[] {
    return [];
  }
}

export class HtmlElement {
  readonly nodeType = 1;
  readonly tag: string;
  readonly attributes: Record<string, string>;
  readonly depth: number;
  parentNode: HtmlElement | null = null;
  previousSibling: HtmlNode | null = null;
  nextSibling: HtmlNode | null = null;
  firstChild: HtmlNode | null = null;
  lastChild: HtmlNode | null = null;
  /** Length of the text, computed by `weightedLength` (white-space.ts), which collapses white space. */
  chars = 0;
  /** Length of the text outside of links, of long links, and of items in which words stand beside links. */
  unlinkedChars = 0;
  linkChars = 0;
  paragraphs = 0;
  prose = 0;
  controls = 0;
  /** True for the box of a control that accepts or refuses something. */
  asks = false;
  part: PagePart = '';
  names: string | undefined;
  source: HtmlElement | undefined;
  #upper = '';

  constructor(tag: string, attributes: Record<string, string> = {}, depth = 0) {
    this.tag = tag;
    this.attributes = attributes;
    this.depth = depth;
  }

  get nodeName(): string {
    this.#upper ||= this.tag.toUpperCase();
    return this.#upper;
  }

  get childNodes(): HtmlNode[] {
    const nodes: HtmlNode[] = [];
    for (let node = this.firstChild; node; node = node.nextSibling) nodes.push(node);
    return nodes;
  }

  get children(): HtmlElement[] {
    const elements: HtmlElement[] = [];
    for (let node = this.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 1) elements.push(node);
    }
    return elements;
  }

  get textContent(): string {
    const { firstChild: only } = this;
    if (!only) return '';
    if (only.nodeType === 3 && !only.nextSibling) return only.data;
    let text = '';
    for (const one of textsOf(this)) text += one;
    return text;
  }

  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null;
  }

  getElementsByTagName(name: string): HtmlElement[] {
    const tag = name.toLowerCase();
    const found: HtmlElement[] = [];
    for (const node of elementsIn(this)) if (node.tag === tag) found.push(node);
    return found;
  }

  appendChild(node: HtmlNode): void {
    node.parentNode = this;
    node.previousSibling = this.lastChild;
    node.nextSibling = null;
    if (this.lastChild) this.lastChild.nextSibling = node;
    else this.firstChild = node;
    this.lastChild = node;
  }

  prependChild(node: HtmlNode): void {
    node.parentNode?.removeChild(node);
    const { firstChild: first } = this;
    if (!first) {
      this.appendChild(node);
      return;
    }
    node.parentNode = this;
    node.nextSibling = first;
    first.previousSibling = node;
    this.firstChild = node;
  }

  insertBefore(node: HtmlNode, child: HtmlNode): void {
    const { previousSibling: before } = child;
    node.parentNode = this;
    node.previousSibling = before;
    node.nextSibling = child;
    child.previousSibling = node;
    if (before) before.nextSibling = node;
    else this.firstChild = node;
  }

  removeChild(node: HtmlNode): void {
    const { previousSibling: before, nextSibling: after } = node;
    if (before) before.nextSibling = after;
    else this.firstChild = after;
    if (after) after.previousSibling = before;
    else this.lastChild = before;
    node.parentNode = null;
    node.previousSibling = null;
    node.nextSibling = null;
  }

  replaceChild(node: HtmlNode, old: HtmlNode): void {
    const { previousSibling: before, nextSibling: after } = old;
    this.removeChild(old);
    node.parentNode = this;
    node.previousSibling = before;
    node.nextSibling = after;
    if (before) before.nextSibling = node;
    else this.firstChild = node;
    if (after) after.previousSibling = node;
    else this.lastChild = node;
  }

  /** Returns the element itself instead of a copy, because nothing reads the tree after Turndown. */
  cloneNode(): this {
    return this;
  }
}

/** Returns the next node in document order. With `inside` = false, skips the descendants of `node`. */
export function nextNode(node: HtmlNode, root: HtmlElement, inside = true): HtmlNode | null {
  if (inside && node.firstChild) return node.firstChild;
  for (let at: HtmlNode | null = node; at && at !== root; at = at.parentNode) {
    if (at.nextSibling) return at.nextSibling;
  }
  return null;
}

export function descendants(root: HtmlElement): Iterable<HtmlNode> {
  return new DescendantWalk(root, false);
}

export function elementsIn(root: HtmlElement): Iterable<HtmlElement> {
  return new DescendantWalk(root, true) as Iterable<HtmlNode> as Iterable<HtmlElement>;
}

/** Iterates over the descendants of an element. A generator would take three times as long. */
class DescendantWalk implements Iterator<HtmlNode, undefined> {
  readonly #root: HtmlElement;
  readonly #skipsTexts: boolean;
  #node: HtmlNode;

  constructor(root: HtmlElement, skipsTexts: boolean) {
    this.#root = root;
    this.#skipsTexts = skipsTexts;
    this.#node = root;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<HtmlNode, undefined> {
    let node = nextNode(this.#node, this.#root);
    while (this.#skipsTexts && node?.nodeType === 3) node = nextNode(node, this.#root);
    if (!node) return { done: true, value: undefined };
    this.#node = node;
    return { done: false, value: node };
  }
}

export function textsOf(root: HtmlElement): string[] {
  const texts: string[] = [];
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
    if (node.nodeType === 3) texts.push(node.data);
  }
  return texts;
}

export function isWithin(node: HtmlNode, around: HtmlElement): boolean {
  for (let at: HtmlNode | null = node; at; at = at.parentNode) if (at === around) return true;
  return false;
}

export function moveChildren(from: HtmlElement, to: HtmlElement): void {
  for (const child of from.childNodes) {
    from.removeChild(child);
    to.appendChild(child);
  }
}

/** Replaces an element by one of another tag, with the same attributes and children. */
export function retag(node: HtmlElement, tag: string): HtmlElement {
  const made = new HtmlElement(tag, node.attributes, node.depth);
  node.parentNode?.replaceChild(made, node);
  moveChildren(node, made);
  return made;
}

export function wrapChildren(node: HtmlElement, tag: string, attributes = {}): void {
  const made = new HtmlElement(tag, attributes, node.depth + 1);
  moveChildren(node, made);
  node.appendChild(made);
}

export function createElement(tag: string, depth: number, ...children: (HtmlNode | string)[]): HtmlElement {
  const element = new HtmlElement(tag, {}, depth);
  for (const child of children) element.appendChild(typeof child === 'string' ? new HtmlText(child) : child);
  return element;
}

interface TakenNode {
  readonly node: HtmlNode;
  readonly parent: HtmlElement;
  readonly next: HtmlNode | null;
}

let taken: TakenNode[] | undefined;

export function removeNode(node: HtmlNode): void {
  const { parentNode: parent, nextSibling: next } = node;
  if (!parent) return;
  taken?.push({ node, parent, next });
  parent.removeChild(node);
}

export function runUndoable<T>(run: () => T): { readonly result: T; readonly undo: () => void } {
  const own: TakenNode[] = [];
  taken = own;
  try {
    return { result: run(), undo: () => putBack(own) };
  } finally {
    taken = undefined;
  }
}

function putBack(own: TakenNode[]): void {
  for (const { node, parent, next } of own.splice(0).reverse()) {
    node.parentNode?.removeChild(node);
    if (next) parent.insertBefore(node, next);
    else parent.appendChild(node);
  }
}
