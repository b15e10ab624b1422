import { type HtmlElement, type HtmlNode, nextNode } from '../parsing/node.ts';

export class HtmlSnapshot {
  readonly #nodes: HtmlNode[] = [];
  readonly #links: (HtmlNode | null)[] = [];

  constructor(root: HtmlElement) {
    for (let node: HtmlNode | null = root; node; node = nextNode(node, root)) {
      this.#nodes.push(node);
      this.#links.push(node.parentNode, node.previousSibling, node.nextSibling);
      if (node.nodeType === 1) this.#links.push(node.firstChild, node.lastChild);
    }
  }

  restore(): void {
    let at = 0;
    const next = () => this.#links[at++] ?? null;
    for (const node of this.#nodes) {
      node.parentNode = next() as HtmlElement | null;
      node.previousSibling = next();
      node.nextSibling = next();
      if (node.nodeType === 3) continue;
      node.firstChild = next();
      node.lastChild = next();
    }
  }
}
