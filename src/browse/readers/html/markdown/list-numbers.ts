import type { HtmlElement } from '../parsing/node.ts';

const numbers = new WeakMap<HtmlElement, number>();

export function numberOf(item: HtmlElement, ol: HtmlElement): number {
  const known = numbers.get(item);
  if (known !== undefined) return known;
  const items = ol.children.filter(({ tag }) => tag === 'li');
  const down = ol.attributes.reversed !== undefined;
  let next = Number.parseInt(ol.attributes.start ?? `${down ? items.length : 1}`, 10) || 1;
  for (const child of items) {
    const own = Number.parseInt(child.attributes.value ?? '', 10);
    if (own >= 0) next = own;
    numbers.set(child, Math.max(0, next));
    next += down ? -1 : 1;
  }
  return numbers.get(item) ?? 1;
}
