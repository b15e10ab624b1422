import { decodePercent } from '../../../../lib/text/decode-percent.ts';
import { oneLine } from '../../markdown.ts';
import type { AddressResolver } from './addresses.ts';
import { createElement, elementsIn, HtmlElement, type HtmlNode, nextNode, removeNode } from './node.ts';
import { BLOCK_TAGS } from './tags.ts';

/** Tag of an element that stands for an embed. It has no text, so it does not change text counts. */
export const EMBED_TAG = 'x-embed';

const EMBEDDING =
  /^(?:(?:amp-)?(?:iframe|video|audio|youtube|vimeo)|lite-(?:youtube|vimeo)|youtube-video|object|embed)$/;
const MAX_EMBEDS = 60;
const MAX_LABEL_CHARS = 200;
/** Matches addresses of advertising, tracking and comment services, and of buttons of social networks. */
const UNWANTED =
  /^https?:\/\/(?:[^/?#]{0,200}\.)?(?:doubleclick\.net|googlesyndication\.com|googletagmanager\.com|googleadservices\.com|amazon-adsystem\.com|taboola\.com|outbrain\.com|criteo\.(?:com|net)|adnxs\.com|rubiconproject\.com|disqus\.com|addthis\.com|sharethis\.com|hotjar\.com|recaptcha\.net|hcaptcha\.com|bat\.bing\.com|demdex\.net|consensu\.org)(?:[:/]|$)|^https?:\/\/(?:ads?|adserver|advert\w{0,10}|banners?|tags?|track(?:er|ing)?|pixel)\d{0,3}\.|\/(?:recaptcha|ads?|adserver|advert\w{0,10}|banners?|pixel|tracking)\/|facebook\.com\/plugins\/(?:like|share|page|follow|comments)|platform\.twitter\.com\/widgets|\/(?:login|sign-?in|oauth)\b|about:blank/i;
const TINY_STYLE = /(?:^|[;\s])(?:width|height)\s{0,5}:\s{0,5}[0-9](?:\.\d{1,9})?(?:px)?\s{0,5}(?:;|!|$)/i;
const LAZY = /^data-(?:[a-z]{1,20}-){0,3}src(?:-[a-z]{1,20})?$/;
const PICTURE = /\.(?:svg|png|jpe?g|gif|webp|avif)(?:[?#]|$)/i;
/** Matches a YouTube address that shows only the player. The address of the video's page replaces it. */
const PLAYER =
  /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|v)\/(?!videoseries)([\w-]{6,20})(?:[?#&].*)?$/;

/** Replaces embeds such as videos by `x-embed` elements. Later, `putEmbeds` turns these into links. */
export function markEmbeds(root: HtmlElement, addresses: AddressResolver): void {
  let left = MAX_EMBEDS;
  for (let node = nextNode(root, root); node && left > 0; ) {
    const isEmbed = node.nodeType === 1 && EMBEDDING.test(node.tag);
    const next = nextNode(node, root, !isEmbed);
    const made =
      node.nodeType === 3
        ? undefined
        : (pictureOf(node) ?? (isEmbed && !isUnseen(node) ? linkedBy(node, addresses) : undefined));
    if (made) node.parentNode?.replaceChild(made, node);
    if (made) left--;
    node = next;
  }
}

export function putEmbeds(root: HtmlElement, isApart: (embed: HtmlElement) => boolean = () => false): void {
  const seen = new Set<string>();
  for (const embed of root.getElementsByTagName(EMBED_TAG)) {
    const { href = '', alt = '', 'data-caption': caption = '' } = embed.attributes;
    if (seen.has(href) || isApart(embed)) removeNode(embed);
    else {
      const shown = new HtmlElement('img', { src: href, alt, 'data-caption': caption, [EMBED_TAG]: '' });
      const link = createElement('a', embed.depth + 1, shown);
      Object.assign(link.attributes, { href, [EMBED_TAG]: '' });
      const inLine = isText(embed.previousSibling) || isText(embed.nextSibling);
      embed.parentNode?.replaceChild(inLine ? link : createElement('p', embed.depth, link), embed);
    }
    seen.add(href);
  }
}

function isText(node: HtmlNode | null): boolean {
  return (
    node !== null && !(node.nodeType === 1 && BLOCK_TAGS.has(node.tag)) && node.textContent.trim() !== ''
  );
}

function isUnseen({ tag, attributes: own, parentNode }: HtmlElement): boolean {
  if ([own.width, own.height].some((size = '') => /^\s*\d(?:px)?\s*$/.test(size))) return true;
  const style = (own.style ?? '').slice(0, 1000);
  // Frames of charts often combine `width: 0` with a `min-width`, so they are visible.
  if (TINY_STYLE.test(style) && !style.includes('min-width')) return true;
  const isNamed = (own.title ?? own['aria-label'] ?? '').trim() !== '';
  if (own.controls !== undefined || isNamed || parentNode?.tag === 'figure') return false;
  return tag === 'audio' || (tag === 'video' && own.muted !== undefined && own.loop !== undefined);
}

function linkedBy(node: HtmlElement, addresses: AddressResolver): HtmlElement | undefined {
  const { tag, attributes: own } = node;
  const inner = [...elementsIn(node)];
  const id = own.videoid ?? own['data-videoid'];
  const watched = tag.includes('vimeo') ? 'https://vimeo.com/' : 'https://www.youtube.com/watch?v=';
  const lazy = Object.keys(own).filter((name) => LAZY.test(name));
  const within = inner.flatMap(({ tag, attributes: { src, 'data-src': late = src, name = '', value } }) =>
    /^(?:source|embed|iframe)$/.test(tag)
      ? late
      : tag === 'param' && /^(?:movie|src)$/i.test(name)
        ? value
        : [],
  );
  const given = [
    id && watched + encodeURIComponent(id),
    own.src,
    own.data,
    ...lazy.map((name) => own[name]),
    ...within,
  ];
  const href = given
    .map((source) => (source?.trim() && source.length < 4000 ? addresses.link(source) : undefined))
    .find((address) => address?.startsWith('http'));
  if (href === undefined || UNWANTED.test(href)) return undefined;
  const link = inner.find(({ tag, textContent }) => tag === 'a' && textContent.trim() !== '');
  const { hostname, pathname } = new URL(href);
  const [file] = /[^/]{1,120}\.[a-z\d]{2,5}$/i.exec(pathname) ?? [];
  const name = file === undefined ? hostname.replace(/^www\./, '') : decodePercent(file);
  const alt = labelOf(own) || labelOf({ title: link?.textContent ?? '' }) || name;
  const [, video] = PLAYER.exec(href) ?? [];
  return new HtmlElement(EMBED_TAG, { ...own, href: video ? watched + video : href, alt }, node.depth);
}

/** Returns the picture of an `object`, or the picture that a script would load into an empty box. */
function pictureOf({ tag, attributes: own, firstChild, depth }: HtmlElement): HtmlElement | undefined {
  const { data = '', type = '', 'data-src': late, 'data-alt': alt } = own;
  if (tag === 'object' && (/^image\//i.test(type) || PICTURE.test(data)))
    return new HtmlElement('img', { src: data, alt: labelOf(own) }, depth);
  const isDelayed =
    /^(?:div|span)$/.test(tag) && late !== undefined && alt !== undefined && firstChild === null;
  return isDelayed ? new HtmlElement('img', { src: late, alt }, depth) : undefined;
}

function labelOf({
  title,
  'aria-label': label,
  'data-title': late,
  playlabel,
}: Record<string, string>): string {
  const given = [title, label, late, playlabel].map((text) =>
    oneLine((text ?? '').slice(0, MAX_LABEL_CHARS)),
  );
  return given.find(Boolean) ?? '';
}
