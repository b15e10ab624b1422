import type { PageContent } from '../../reading/page.ts';
import { escapeAddress } from '../html/parsing/addresses.ts';
import { oneLine } from '../markdown.ts';
import { findByPath, isElement, textOf, type XmlElement } from '../xml.ts';

/** Converts a sitemap to a list of its addresses, with titles of news and days of the last changes. */
export function readSitemap(top: XmlElement): PageContent {
  const items = top.children.filter(isElement).flatMap((item) => {
    const value = (...path: string[]) => oneLine(textOf(findByPath(item, ...path)));
    const address = value('loc');
    if (!URL.canParse(address)) return [];
    const day = value('lastmod').slice(0, 10);
    const title = (value('news', 'title') || address).replace(/[[\]\\]/g, '\\$&');
    return [`- [${title}](${escapeAddress(new URL(address).href)})${day && ` (${day})`}`];
  });
  return { title: '', markdown: [`Sitemap with ${items.length} addresses:`, items.join('\n')].join('\n\n') };
}
