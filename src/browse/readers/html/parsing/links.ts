import type { PageLink } from '../../../reading/page.ts';
import type { AddressResolver } from './addresses.ts';
import { elementsIn, type HtmlElement } from './node.ts';

const MAX_LINKS = 3000;
const MAX_TEXT_CHARS = 200;

export function readLinks(root: HtmlElement, addresses: AddressResolver, url: string): PageLink[] {
  const here = withoutFragment(url);
  const texts = new Map<string, string>();
  for (const node of elementsIn(root)) {
    if (node.tag !== 'a' && node.tag !== 'area') continue;
    const { href } = node.attributes;
    if (!href || href.startsWith('#')) continue;
    const address = addresses.link(href);
    if (!address?.startsWith('http')) continue;
    const target = withoutFragment(address);
    if (target === here) continue;
    const known = texts.get(target);
    if (known === undefined && texts.size >= MAX_LINKS) continue;
    if (!known) texts.set(target, textOf(node));
  }
  return [...texts].map(([address, text]) => ({ url: address, text }));
}

export function shortenLocalLinks(
  root: HtmlElement,
  addresses: AddressResolver,
  urls: readonly (string | undefined)[],
): void {
  const here = new Set(urls.filter((url) => url !== undefined).map(withoutFragment));
  for (const { attributes } of root.getElementsByTagName('a')) {
    const { href = '' } = attributes;
    const at = href.indexOf('#');
    if (at <= 0) continue;
    const address = addresses.link(href);
    if (address && here.has(withoutFragment(address))) attributes.href = href.slice(at);
  }
}

function textOf(link: HtmlElement): string {
  const text = link.textContent || (link.getElementsByTagName('img')[0]?.attributes.alt ?? '');
  return (text.trim() || link.attributes['aria-label'] || link.attributes.alt || '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT_CHARS);
}

function withoutFragment(address: string): string {
  const at = address.indexOf('#');
  return at < 0 ? address : address.slice(0, at);
}
