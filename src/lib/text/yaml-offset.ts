import { isMap, isScalar, type Node, type Pair, type YAMLMap } from 'yaml';

export function yamlOffset(root: Node | null, path: readonly (string | number)[]): number {
  let [node, offset] = [root as unknown, root?.range?.[0] ?? 0];
  for (const key of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = pairOf(node, key);
      offset = (pair?.key as Node | undefined)?.range?.[0] ?? offset;
      next = pair?.value;
    } else if (typeof key === 'number' && node !== null && typeof node === 'object' && 'items' in node) {
      next = (node.items as unknown[])[key];
      offset = (next as Node | undefined)?.range?.[0] ?? offset;
    }
    node = next;
  }
  return offset;
}

function pairOf(map: YAMLMap, key: string | number): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key));
}
