import { following, type HtmlElement, type HtmlNode } from '../parsing/node.ts';

const MAX_ADDRESS_CHARS = 2000;

export function addressOf(element: HtmlElement, tag: 'a' | 'img', base: string): string | undefined {
  let nodes = 0;
  for (let node: HtmlNode | null = element; node && nodes++ < 40; node = following(node, element)) {
    if (node.nodeType !== 1 || node.tag !== tag) continue;
    const { href, src, 'data-src': later } = node.attributes;
    const address = tag === 'a' ? href : src && !src.startsWith('data:') ? src : later;
    const found = absolute(address ?? '', base);
    if (found) return found;
  }
  return undefined;
}

export function linkAround(element: HtmlElement, base: string): string | undefined {
  let at = element.parentNode;
  for (let levels = 0; at && levels < 4; levels++, at = at.parentNode) {
    if (at.tag === 'a') return absolute(at.attributes.href ?? '', base);
  }
  return undefined;
}

export function absolute(address: string, base: string): string | undefined {
  const isPlace = address === '' || address.startsWith('#');
  const found = isPlace || address.length > MAX_ADDRESS_CHARS ? null : URL.parse(address, base);
  return found && /^https?:$/.test(found.protocol) ? found.href : undefined;
}
