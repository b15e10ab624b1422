import type { Node, Tree } from '@vscode/tree-sitter-wasm';

export interface SyntaxNode {
  kind(): string;
  isNamed(): boolean;
  text(): string;
  children(): SyntaxNode[];
  field(name: string): SyntaxNode | null;
  fieldChildren(name: string): SyntaxNode[];
  /** Start and end of the node. Line numbers count from 0. */
  range(): { readonly start: TreePosition; readonly end: TreePosition };
}

export interface TreePosition {
  readonly line: number;
  readonly index: number;
}

/** A syntax tree in WebAssembly memory, which the caller must free. */
export interface SyntaxTree {
  readonly root: SyntaxNode;
  free(): void;
}

export function syntaxTreeOf(tree: Tree): SyntaxTree {
  return { root: new TreeNode(tree.rootNode), free: () => tree.delete() };
}

class TreeNode implements SyntaxNode {
  readonly #node: Node;
  constructor(node: Node) {
    this.#node = node;
  }
  kind(): string {
    return this.#node.type;
  }
  isNamed(): boolean {
    return this.#node.isNamed;
  }
  text(): string {
    return this.#node.text;
  }
  children(): SyntaxNode[] {
    return nodesOf(this.#node.children);
  }
  field(name: string): SyntaxNode | null {
    const found = this.#node.childForFieldName(name);
    return found ? new TreeNode(found) : null;
  }
  fieldChildren(name: string): SyntaxNode[] {
    return nodesOf(this.#node.childrenForFieldName(name));
  }
  range(): { start: TreePosition; end: TreePosition } {
    const { startPosition, endPosition, startIndex, endIndex } = this.#node;
    return {
      start: { line: startPosition.row, index: startIndex },
      end: { line: endPosition.row, index: endIndex },
    };
  }
}

function nodesOf(nodes: readonly (Node | null)[]): SyntaxNode[] {
  return nodes.flatMap((node) => (node ? [new TreeNode(node)] : []));
}
