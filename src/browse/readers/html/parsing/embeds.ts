import { decodePercent } from '../../../../lib/text/decode-percent.ts';
import type { AddressResolver } from './addresses.ts';
import { createElement, elementsIn, HtmlElement, type HtmlNode, removeNode } from './node.ts';
import { BLOCK } from './tags.ts';

/** Tag of an element that stands for an embed. It has no text, so that no count of the page's text changes. */
export const EMBED = 'x-embed';

const EMBEDDING =
  /^(?:(?:amp-)?(?:iframe|video|audio|youtube|vimeo)|lite-(?:youtube|vimeo)|youtube-video|object|embed)$/;
const MAX_EMBEDS = 60;
const MAX_LABEL_CHARS = 200;
const MAX_INNER_NODES = 60;
const UNWANTED =
  /^https?:\/\/(?:[^/?#]{0,200}\.)?(?:doubleclick\.net|googlesyndication\.com|googletagmanager\.com|googleadservices\.com|amazon-adsystem\.com|taboola\.com|outbrain\.com|criteo\.(?:com|net)|adnxs\.com|rubiconproject\.com|disqus\.com|addthis\.com|sharethis\.com|hotjar\.com|recaptcha\.net|hcaptcha\.com|bat\.bing\.com|demdex\.net|consensu\.org)(?:[:/]|$)|^https?:\/\/(?:ads?|adserver|advert\w{0,10}|banners?|tags?|track(?:er|ing)?|pixel)\d{0,3}\.|\/(?:recaptcha|ads?|adserver|advert\w{0,10}|banners?|pixel|tracking)\/|facebook\.com\/plugins\/(?:like|share|page|follow|comments)|platform\.twitter\.com\/widgets|\/(?:login|sign-?in|oauth)\b|about:blank/i;
const TINY_STYLE = /(?:^|[;\s])(?:width|height)\s{0,5}:\s{0,5}[0-9](?:\.\d{1,9})?(?:px)?\s{0,5}(?:;|!|$)/i;
const LAZY = /^data-(?:[a-z]{1,20}-){0,3}src(?:-[a-z]{1,20})?$/;
const PICTURE = /\.(?:svg|png|jpe?g|gif|webp|avif)(?:[?#]|$)/i;
/** A page of YouTube that shows nothing but its player. The page of the video has words, too. */
const PLAYER =
  /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|v)\/(?!videoseries)([\w-]{6,20})(?:[?#&].*)?$/;

export function markEmbeds(root: HtmlElement, addresses: AddressResolver): void {
  const embeds: HtmlElement[] = [];
  for (const node of elementsIn(root))
    if (EMBEDDING.test(node.tag) || node.attributes['data-alt'] !== undefined) embeds.push(node);
  let left = MAX_EMBEDS;
  for (const node of embeds) {
    if (left === 0 || isWithinEmbed(node) || isUnseen(node)) continue;
    const made = EMBEDDING.test(node.tag)
      ? (picturedBy(node) ?? linkedBy(node, addresses))
      : delayedPicture(node);
    if (!made) continue;
    left--;
    node.parentNode?.replaceChild(made, node);
  }
}

export function putEmbeds(root: HtmlElement, isApart: (embed: HtmlElement) => boolean = () => false): void {
  const seen = new Set<string>();
  for (const embed of root.getElementsByTagName(EMBED)) {
    const { href = '', alt = '', 'data-caption': caption = '' } = embed.attributes;
    if (seen.has(href) || isApart(embed)) removeNode(embed);
    else {
      const shown = new HtmlElement('img', { src: href, alt, 'data-caption': caption, [EMBED]: '' });
      const link = createElement('a', embed.depth + 1, shown);
      Object.assign(link.attributes, { href, [EMBED]: '' });
      const inLine = isText(embed.previousSibling) || isText(embed.nextSibling);
      embed.parentNode?.replaceChild(inLine ? link : createElement('p', embed.depth, link), embed);
    }
    seen.add(href);
  }
}

function isText(node: HtmlNode | null): boolean {
  if (node?.nodeType === 1 && BLOCK.has(node.tag)) return false;
  return node !== null && node.textContent.trim() !== '';
}

function isWithinEmbed(node: HtmlElement): boolean {
  for (let at = node.parentNode; at; at = at.parentNode)
    if (at.tag === EMBED || EMBEDDING.test(at.tag)) return true;
  return false;
}

function isUnseen({ tag, attributes: own, parentNode }: HtmlElement): boolean {
  if ([own.width, own.height].some((size = '') => /^\s*\d(?:px)?\s*$/.test(size))) return true;
  const style = (own.style ?? '').slice(0, 1000);
  // Frames of charts often have no width, but a `min-width`.
  if (TINY_STYLE.test(style) && !style.includes('min-width')) return true;
  const isNamed = (own.title ?? own['aria-label'] ?? '').trim() !== '';
  if (own.controls !== undefined || isNamed || parentNode?.tag === 'figure') return false;
  return tag === 'audio' || (tag === 'video' && own.muted !== undefined && own.loop !== undefined);
}

function linkedBy(node: HtmlElement, addresses: AddressResolver): HtmlElement | undefined {
  const href = sourcesOf(node)
    .map((source) => addresses.link(source))
    .find((address) => address?.startsWith('http'));
  if (href === undefined || UNWANTED.test(href)) return undefined;
  const { class: classes, id, style, hidden, 'aria-hidden': skipped } = node.attributes;
  const alt = labelOf(node) || nameIn(href);
  const given = { class: classes, id, style, hidden, 'aria-hidden': skipped };
  const shown = Object.entries(given).filter(([, value]) => value !== undefined);
  const [, video] = PLAYER.exec(href) ?? [];
  const watched = video ? `https://www.youtube.com/watch?v=${video}` : href;
  return new HtmlElement(EMBED, { ...Object.fromEntries(shown), href: watched, alt }, node.depth);
}

function picturedBy(node: HtmlElement): HtmlElement | undefined {
  const { data = '', type = '' } = node.attributes;
  if (node.tag !== 'object' || !(/^image\//i.test(type) || PICTURE.test(data))) return undefined;
  const inner = node.getElementsByTagName('img')[0]?.attributes.alt;
  return new HtmlElement('img', { src: data, alt: labelOf(node) || (inner ?? '') }, node.depth);
}

function delayedPicture({ tag, attributes: own, firstChild, depth }: HtmlElement): HtmlElement | undefined {
  const { 'data-src': src, 'data-alt': alt = '' } = own;
  if (!/^(?:div|span)$/.test(tag) || src === undefined || firstChild !== null) return undefined;
  return new HtmlElement('img', { src, alt }, depth);
}

function sourcesOf(node: HtmlElement): string[] {
  const { attributes: own } = node;
  const id = own.videoid ?? own['data-videoid'];
  if (id !== undefined && /^[\w-]{1,64}$/.test(id))
    return [node.tag.includes('vimeo') ? `https://vimeo.com/${id}` : `https://www.youtube.com/watch?v=${id}`];
  const lazy = Object.keys(own).filter((name) => LAZY.test(name));
  const sources = ['src', 'data', ...lazy].map((name) => own[name]);
  for (const { tag, attributes } of innerOf(node)) {
    if (/^(?:source|embed|iframe)$/.test(tag)) sources.push(attributes.src, attributes['data-src']);
    else if (tag === 'param' && /^(?:movie|src)$/i.test(attributes.name ?? ''))
      sources.push(attributes.value);
  }
  return sources.filter(
    (source) => source !== undefined && source.trim() !== '' && source.length < 4000,
  ) as string[];
}

function labelOf(node: HtmlElement): string {
  const { attributes: own } = node;
  const link = innerOf(node).find(({ tag, textContent }) => tag === 'a' && textContent.trim() !== '');
  return (
    [own.title, own['aria-label'], own['data-title'], own.playlabel, link?.textContent]
      .map((text) =>
        (text ?? '')
          .slice(0, MAX_LABEL_CHARS * 2)
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .find(Boolean)
      ?.slice(0, MAX_LABEL_CHARS) ?? ''
  );
}

function innerOf(node: HtmlElement): HtmlElement[] {
  const inner: HtmlElement[] = [];
  for (const one of elementsIn(node)) if (inner.push(one) >= MAX_INNER_NODES) break;
  return inner;
}

function nameIn(address: string): string {
  const { hostname, pathname } = new URL(address);
  const [file] = /[^/]{1,120}\.[a-z\d]{2,5}$/i.exec(pathname) ?? [];
  return file === undefined ? hostname.replace(/^www\./, '') : decodePercent(file);
}
