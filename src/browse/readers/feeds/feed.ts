import { AppError } from '../../../errors.ts';
import { createFenceTracker } from '../../../lib/language/markdown-code.ts';
import { parseInstant } from '../../../lib/time/written-date.ts';
import { toUrl } from '../../fetching/page-url.ts';
import type { PageContent } from '../../reading/page.ts';
import { fragmentToMarkdown } from '../fragment.ts';
import { decodeHtmlEntities, htmlToText } from '../html-text.ts';
import { oneLine } from '../markdown.ts';
import {
  childrenOf,
  findAllBelow,
  findByPath,
  isElement,
  parseXml,
  textOf,
  type XmlElement,
} from '../xml.ts';
import { readOutline } from './opml.ts';
import { readSitemap } from './sitemap.ts';

const MAX_ENTRIES = 500;
const MAX_HEADING_CHARS = 80;
/** Maximum characters of HTML in all entries together. Later entries get no text. */
const HTML_CHARACTERS = 3_000_000;

export interface Feed {
  readonly title: string;
  readonly about: string;
  readonly link: string;
  readonly language: string;
  readonly entries: readonly {
    readonly title: string;
    readonly link: string;
    readonly date: string;
    readonly author: string;
    readonly html: string;
    readonly base?: string | undefined;
    readonly more?: readonly string[];
  }[];
}

/** Matches elements of feed extensions. Their prefix is kept, because `media:title` differs from `title`. */
const EXTENSION = /^(?:media|itunes|googleplay):/;

export async function readFeed(text: string, url: string): Promise<PageContent> {
  const root = parseXml(decodeHtmlEntities(text), EXTENSION);
  const [top] = childrenOf(root).filter(({ name }) =>
    /^(rss|feed|rdf|opml|urlset|sitemapindex)$/i.test(name),
  );
  if (!top)
    throw new AppError('unsupported', `${url} is declared as a feed, but no feed can be read from it`);
  const base = toUrl(url).href;
  if (/^opml$/i.test(top.name)) return readOutline(top, base);
  if (/^(urlset|sitemapindex)$/i.test(top.name)) return readSitemap(top);
  return renderFeed(top.name === 'feed' ? atom(top, base) : rss(top, base), url);
}

export async function renderFeed(feed: Feed, url: string): Promise<PageContent> {
  const base = toUrl(url).href;
  const parts = [fragmentToMarkdown(feed.about, base)];
  let room = HTML_CHARACTERS;
  const shown = feed.entries.slice(0, MAX_ENTRIES);
  for (const { title, link, date, author, html, base: own, more = [] } of shown) {
    room -= html.length;
    const body = room > 0 ? fragmentToMarkdown(html, own ?? (absolute(link, base) || base)) : '';
    const bare = title.replace(/^<!\[CDATA\[|\]\]>$/g, '');
    // A title such as `</main>` is the name of a tag and not markup.
    const isTag = /^<\/?[^\s<>]{1,100}>$/.test(bare);
    // Removes the backslash in `7\. Tar`, because a number does not begin a list in a heading.
    const named = oneLine(fragmentToMarkdown(isTag ? escapeHtml(bare) : bare, base)).replace(
      /^(\d{1,9})\\(?=[.)])/,
      '$1',
    );
    // An item without a title gets its text as heading if the text is one short line, otherwise its date.
    const isHeading = !named && body === oneLine(body) && body.length <= MAX_HEADING_CHARS;
    const day = dateOf(date);
    const heading = named || (isHeading && body) || day || link || 'Untitled';
    const further = more.map((one) => absolute(one, base));
    const facts = [absolute(link, base), heading === day ? '' : day, oneLine(author), ...further].filter(
      Boolean,
    );
    parts.push(`## ${heading}`, [...new Set(facts)].join(' · '), isHeading ? '' : lowered(body));
  }
  const left = feed.entries.length - MAX_ENTRIES;
  if (left > 0) parts.push(`${left} more entries are not shown.`);
  return {
    title: oneLine(htmlToText(feed.title)),
    markdown: parts.filter(Boolean).join('\n\n'),
    language: feed.language || undefined,
  };
}

/** Resolves `xml:base` of nested elements, outermost first. Returns undefined if no element has a base. */
function baseOf(url: string, ...elements: readonly (XmlElement | undefined)[]): string | undefined {
  let base: string | undefined;
  for (const element of elements) {
    const own = element?.attributes['xml:base'];
    if (own !== undefined && URL.canParse(own, base ?? url)) base = new URL(own, base ?? url).href;
  }
  return base;
}

function mediaText(entry: XmlElement): string {
  const around = [entry, ...childrenOf(entry, 'media:group'), ...childrenOf(entry, 'media:content')];
  return plainTextToHtml(
    around.map((one) => textOf(findByPath(one, 'media:description')).trim()).find(Boolean) ?? '',
  );
}

export const plainTextToHtml = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>');

function rss(top: XmlElement, url: string): Feed {
  const channel = findByPath(top, 'channel') ?? top;
  const items = [...childrenOf(channel, 'item'), ...(channel === top ? [] : childrenOf(top, 'item'))];
  const first = (element: XmlElement, ...names: string[]) =>
    names.flatMap((name) => textsOf(element, name)).find(Boolean) ?? '';
  const page = absolute(first(channel, 'link'), url) || url;
  return {
    title: first(channel, 'title'),
    about: first(channel, 'description'),
    link: first(channel, 'link'),
    language: first(channel, 'language'),
    entries: items.map((item) => ({
      title: first(item, 'title', 'media:title', 'itunes:title'),
      link: absolute(
        first(item, 'origLink', 'link') || permalink(item),
        baseOf(url, top, channel, item) ?? page,
      ),
      date: first(item, 'pubDate', 'date', 'published', 'updated'),
      author: textsOf(item, 'creator').filter(Boolean).join(', ') || first(item, 'author', 'itunes:author'),
      html:
        TEXTS.flatMap((name) => childrenOf(item, name))
          .map(markupOf)
          .find(Boolean) ?? mediaText(item),
      base: baseOf(url, top, channel, item),
      more: recordings(item).map((one) =>
        absolute(one.attributes.url ?? textOf(one).trim(), baseOf(url, top, channel, item, one) ?? page),
      ),
    })),
  };
}

const TEXTS = ['encoded', 'description', 'summary', 'itunes:summary', 'content'];

function markupOf(element: XmlElement): string {
  if (element.children.some(isElement)) return element.children.map(toHtml).join('');
  const text = textOf(element).trim();
  // Some programs escape HTML twice. Text that begins and ends with an escaped tag was escaped twice.
  const isTwice = !text.includes('<') && /^&lt;[a-z]/i.test(text) && /&lt;\/[a-z]{1,20}&gt;$/i.test(text);
  return isTwice ? htmlToText(text) : text;
}

function textsOf(element: XmlElement, name: string): string[] {
  return childrenOf(element, name).map((one) => textOf(one).trim());
}

function recordings(item: XmlElement): XmlElement[] {
  const media = [item, ...childrenOf(item, 'media:group')].flatMap((one) => childrenOf(one, 'media:content'));
  return [
    ...childrenOf(item, 'enclosure'),
    ...media.filter(({ attributes: { medium, type } }) => /^(?:audio|video)/.test(medium ?? type ?? '')),
  ];
}

function permalink(item: XmlElement): string {
  const guid = findByPath(item, 'guid');
  const text = guid ? textOf(guid).trim() : (item.attributes.about ?? '');
  return guid?.attributes.isPermaLink !== 'false' && /^https?:/.test(text) ? text : '';
}

function atom(feed: XmlElement, url: string): Feed {
  const names = (element: XmlElement) =>
    childrenOf(element, 'author')
      .map((author) => textOf(findByPath(author, 'name')).trim())
      .filter(Boolean)
      .join(', ');
  return {
    title: atomText(findByPath(feed, 'title')),
    about: atomText(findByPath(feed, 'subtitle')),
    link: hrefOf(mainLink(feed)),
    language: feed.attributes.lang ?? '',
    entries: findAllBelow(feed, 'entry').map((entry) => ({
      title: atomText(findByPath(entry, 'title')),
      link: addressOf(entry, (link) => absolute(hrefOf(link), baseOf(url, feed, entry, link) ?? url)),
      date: textOf(findByPath(entry, 'published') ?? findByPath(entry, 'updated')).trim(),
      author: names(entry) || names(feed),
      html:
        atomText(findByPath(entry, 'content')) || atomText(findByPath(entry, 'summary')) || mediaText(entry),
      base: baseOf(url, feed, entry, findByPath(entry, 'content')),
      more: [...childrenOf(entry, 'link'), ...childrenOf(entry, 'content'), ...recordings(entry)]
        .filter(
          ({ name, attributes: { rel } }) => name !== 'link' || rel === 'enclosure' || rel === 'related',
        )
        .map((one) => absolute(hrefOf(one), baseOf(url, feed, entry, one) ?? url)),
    })),
  };
}

function addressOf(entry: XmlElement, resolve: (link: XmlElement | undefined) => string): string {
  const itself = childrenOf(entry, 'link').find(({ attributes: { rel } }) => rel === 'self');
  const ids = textsOf(entry, 'id').map((id) => absolute(id, 'urn:'));
  return [resolve(mainLink(entry)), ...ids, resolve(itself)].find(Boolean) ?? '';
}

function hrefOf(element: XmlElement | undefined): string {
  const { href, src, url = '' } = element?.attributes ?? {};
  return href ?? src ?? url;
}

function mainLink(element: XmlElement): XmlElement | undefined {
  const links = childrenOf(element, 'link').filter(
    ({ attributes: { rel = 'alternate' } }) => rel === 'alternate',
  );
  return links.find(({ attributes: { type = 'text/html' } }) => /html/i.test(type)) ?? links[0];
}

/** Matches HTML: an end tag such as `</p>`, or a tag such as `<br>`. Plain text rarely contains them. */
const MARKUP =
  /<\/(?:p|div|a|b|i|em|strong|span|ul|ol|li|h[1-6]|table|blockquote|figure|pre|code)\s*>|<(?:br|hr|img)\b[^<>]{0,2000}>/i;

function atomText(element: XmlElement | undefined): string {
  if (!element) return '';
  const type = element.attributes.type?.trim().toLowerCase();
  // Some programs write escaped HTML although the type says XHTML.
  if ((type === 'xhtml' || type?.endsWith('+xml')) && element.children.some(isElement))
    return element.children.map(toHtml).join('');
  const text = textOf(element);
  if (type === 'html' || type === 'text/html') return markupOf(element);
  // HTML often has no valid type. Then tags in the text show that it is HTML.
  const isText = type === 'text' || type === 'text/plain' || !MARKUP.test(text);
  return isText ? escapeHtml(text) : text;
}

function toHtml(node: XmlElement | string): string {
  if (typeof node === 'string') return escapeHtml(node);
  const attributes = Object.entries(node.attributes).map(
    ([name, value]) => ` ${name}="${escapeHtml(value)}"`,
  );
  return `<${node.name}${attributes.join('')}>${node.children.map(toHtml).join('')}</${node.name}>`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function absolute(link: string, base: string): string {
  return link && URL.canParse(link, base) && /^https?:/.test(new URL(link, base).protocol)
    ? new URL(link, base).href
    : '';
}

/** Returns the day in ISO 8601, or '' if the text is not a date. */
export function dateOf(text: string): string {
  const time = parseInstant(text);
  return time === undefined ? '' : new Date(time).toISOString().slice(0, 10);
}

function lowered(markdown: string): string {
  const isFenced = createFenceTracker();
  const lower = (_all: string, signs: string) => `${'#'.repeat(Math.min(6, signs.length + 2))} `;
  return markdown
    .split('\n')
    .map((line) => (isFenced(line) ? line : line.replace(/^(#{1,6}) /, lower)))
    .join('\n');
}
