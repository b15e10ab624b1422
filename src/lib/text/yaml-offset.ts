import { isMap, isScalar, type Node } from 'yaml';

export function yamlOffset(root: Node | null, path: readonly (string | number)[]): number {
  let [node, offset] = [root as unknown, root?.range?.[0] ?? 0];
  for (const key of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find((one) => isScalar(one.key) && String(one.key.value) === String(key));
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
