import { lettersOf } from '../../../../lib/text/letters.ts';
import { findDates } from '../../../../lib/time/written-date.ts';
import { isBoilerplateLine } from '../main-content/boilerplate-lines.ts';
import {
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  nextNode,
  type PagePart,
  textsOf,
} from '../parsing/node.ts';
import { cachePerPage } from '../parsing/page-caches.ts';
import { shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import NAMES from './part-names.json' with { type: 'json' };

/** Returns a pattern for names with one of the words. `tag$` matches `post-tag`, but not `tag-physics`. */
const words = (rows: readonly string[]): RegExp =>
  new RegExp(
    `(?:^|[ -])(?<!--|(?:has|with|no|without|show)-)(?:${rows
      .join(' ')
      .replaceAll(' ', '|')
      .replaceAll('.', '-')
      .replaceAll('$', '(?= |$)')})`,
  );

const FRAME = words(NAMES.frame);
const RELATED = words(NAMES.related);
/** Words for boilerplate around an article. On other pages, elements with these names may be the content. */
const AROUND = words(NAMES.around);
const COMMENTS = words(NAMES.comments);
const PART = words([...NAMES.frame, ...NAMES.related, ...NAMES.around, ...NAMES.comments]);
const CAPTION = words(NAMES.caption);
const BODY = words(NAMES.body);

/** Returns class names and id in lower case. Omits an id that is long or derived from a heading. */
export function readElementNames(element: HtmlElement): string {
  element.names ??= readNames(element);
  return element.names;
}

function readNames(element: HtmlElement): string {
  const { class: names = '', id = '' } = element.attributes;
  const called = id.length > 100 || CHAPTER.test(id) || spellsHeading(element, id) ? '' : hyphened(id);
  const classes = names === '' ? '' : hyphenedAll(names);
  return called.split('-').length > 3 ? classes : `${classes} ${called}`.trim();
}

const hyphenedAll = cachePerPage((names) => names.slice(0, 300).trim().split(/\s+/).map(hyphened).join(' '));

/** Matches section ids of a table of contents, for example `toc_tax-considerations` and `toc-3-4`. */
const CHAPTER =
  /^toc[-_](?!(?:container|wrap(?:per)?|list|title|nav|header|contents?|menu|box|toggle|sidebar|inner|holder|block|widget|main)$)/i;

const HEADING_NODES = 12;

/** True if the id was made from the heading, as in `<section id="related-work"><h2>Related work</h2>`. */
function spellsHeading(element: HtmlElement, id: string): boolean {
  if (id === '') return false;
  let at: HtmlNode | null = element;
  for (let nodes = 0; at && nodes < HEADING_NODES; nodes++) {
    if (at.nodeType === 1 && HEADING_TAGS.has(at.tag)) {
      if (at.chars >= MAX_HEADING_CHARS) return false;
      const [words, slug] = [lettersOf(at.textContent), lettersOf(id)];
      // Headings may be numbered, as in `5.1. More on lists`.
      return words.startsWith(slug) || words.replace(/^\d+/, '').startsWith(slug);
    }
    at = nextNode(at, element);
  }
  return false;
}

const MAX_HEADING_CHARS = 300;

/** Matches names that need no normalization: most names are lower-case words with hyphens. */
const PLAIN = /^(?:[a-z\d]+(?:--?[a-z\d]+)*)?$/;

/** Suffix that CSS modules append to a name, for example `__adKqa` in `table_root__adKqa`. */
const MODULE_HASH = /__(?=[a-z-]*[A-Z\d])[\w-]{5}$/;

function hyphened(name: string): string {
  if (PLAIN.test(name)) return name;
  return name
    .replace(MODULE_HASH, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}-]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
}

const ROLES =
  /^(?:navigation|banner|contentinfo|search|complementary|dialog|alertdialog|menu|menubar|toolbar|tablist)$/;
const NOTE = words(NAMES.note);

const LABELLED =
  /^\s*(?:ads?|advertisements?|sponsored|breadcrumbs?|pagination|share|sharing|social(?: media)?|cookies?|newsletter|anzeigen?|werbung|publicité|publicidad|реклама|广告|広告|광고)\s*$/i;

export function partOf(element: HtmlElement): PagePart {
  return partByRole(element) ?? partByTag(element) ?? partByNames(element);
}

/** Returns the first word by which only the names of an element make it a part. */
export function partWord(element: HtmlElement): string | undefined {
  if (partByRole(element) !== undefined || partByTag(element) !== undefined || element.tag === 'aside')
    return undefined;
  return PART.exec(readElementNames(element))?.[0].replace(/^[ -]|-$/g, '');
}

export function isBoilerplatePart(element: HtmlElement): boolean {
  for (let at: HtmlElement | null = element; at; at = at.parentNode)
    if (/^(?:frame|related|around|comments)$/.test(at.chars > 0 ? at.part : partOf(at))) return true;
  return false;
}

function partByRole(element: HtmlElement): PagePart | undefined {
  const { tag, attributes } = element;
  if (tag === 'footer' && element.parentNode?.tag === 'blockquote') return '';
  if (tag === 'nav' || tag === 'footer') return 'frame';
  if ((tag === 'aside' || attributes.role === 'complementary') && isFactBox(element)) return '';
  if (tag === 'button') return isInHeading(element) ? '' : 'frame';
  if (tag === 'caption' || element.parentNode?.tag === 'caption') return '';
  if (attributes.role === 'tablist' && element.paragraphs > 0) return undefined;
  if (attributes.role !== undefined && ROLES.test(attributes.role)) return 'frame';
  if (attributes['aria-modal'] === 'true') return 'frame';
  if (attributes['aria-label'] !== undefined && LABELLED.test(attributes['aria-label'])) return 'frame';
  return undefined;
}

function partByTag(element: HtmlElement): PagePart | undefined {
  const { tag, attributes } = element;
  if (isCaption(element)) return 'caption';
  if (tag === 'form' || tag === 'menu' || (tag === 'address' && !isContact(element))) return 'around';
  if (tag === 'blockquote' || tag === 'pre') return '';
  if (tag === 'time')
    return attributes.datetime?.startsWith('P') || HOUR.test(element.textContent) ? '' : 'around';
  if (/\bauthor\b/.test(attributes.rel ?? '')) return 'around';
  if (PROPERTY.test(attributes.itemprop ?? '')) return 'around';
  if (tag === 'a') return SKIP.test(attributes.class ?? '') ? 'frame' : '';
  return tag === 'main' || tag === 'article' || HEADING_TAGS.has(tag) ? '' : undefined;
}

/** True for a caption, also for a box of words in a figure. */
function isCaption({ tag, chars, firstChild, parentNode }: HtmlElement): boolean {
  if (tag === 'figcaption' || parentNode?.tag !== 'figure' || chars > MAX_HEADING_CHARS)
    return tag === 'figcaption';
  return /^(?:div|span)$/.test(tag) && firstChild?.nodeType === 3 && firstChild.data.trim() !== '';
}

/** True if an `<address>` says where someone is reached. Otherwise it says who wrote the page, and when. */
function isContact(address: HtmlElement): boolean {
  const text = textsOf(address).join(' ').slice(0, MAX_CONTACT_CHARS);
  if (text.includes('@')) return true;
  const isByline = ({ tag, attributes }: HtmlElement) =>
    tag === 'time' || /\bauthor\b/.test(attributes.rel ?? '');
  if ([...elementsIn(address)].some(isByline) || findDates(text, languageOf(address)).length > 0)
    return false;
  return /\d/.test(text) || address.getElementsByTagName('br').length > 1;
}

const MAX_CONTACT_CHARS = 1000;

function languageOf(element: HtmlElement): string | undefined {
  let at = element;
  while (at.attributes.lang === undefined && at.parentNode) at = at.parentNode;
  return at.attributes.lang;
}

function partByNames(element: HtmlElement): PagePart {
  const { tag } = element;
  const names = readElementNames(element);
  if (tag === 'aside') return NOTE.test(names) ? '' : 'around';
  if (names === '') return '';
  const part = partCalled(BLOCK_TAGS.has(tag) ? names : names.replace(TERM, ' '));
  if (part === 'around' && (isInQuote(element) || isHeadLine(element))) return '';
  return part === 'frame' && tag === 'table' ? '' : part;
}

function isInQuote({ parentNode }: HtmlElement): boolean {
  return parentNode?.tag === 'blockquote' || parentNode?.parentNode?.tag === 'blockquote';
}

const MAX_HEAD_CHARS = 120;

/** True for a line such as a version and its date, and its parts, that begins each of several boxes of text. */
function isHeadLine(element: HtmlElement): boolean {
  const line = BLOCK_TAGS.has(element.tag) ? element : element.parentNode;
  const box = line?.parentNode;
  if (!line || !box || line.linkChars > 0 || line.paragraphs > 0 || line.chars > MAX_HEAD_CHARS) return false;
  const first = line.children.find(({ chars }) => chars > 0);
  if (!first || !/^(?:strong|b)$/.test(first.tag) || !/\d/.test(first.textContent)) return false;
  const isBegun = (one: HtmlElement) =>
    one.tag === box.tag &&
    one.paragraphs > 0 &&
    one.children.find(({ chars }) => chars > 0)?.attributes.class === line.attributes.class &&
    ![...elementsIn(one)].some(({ tag }) => HEADING_TAGS.has(tag));
  return !shownSibling(line, 'previousSibling') && (box.parentNode?.children.filter(isBegun).length ?? 0) > 1;
}

const FACT_CHARS = [40, 3000] as const;
const MAX_FACT_LINKS = 0.1;

/** True for a box in the middle of a text that has a heading and sentences of its own and hardly any links. */
function isFactBox(box: HtmlElement): boolean {
  const { chars, linkChars, paragraphs, controls } = box;
  if (paragraphs < FACT_CHARS[0] || chars > FACT_CHARS[1] || controls > 0) return false;
  if (linkChars > chars * MAX_FACT_LINKS || partCalled(readElementNames(box)) !== '') return false;
  const title = [...elementsIn(box)].find(({ tag }) => HEADING_TAGS.has(tag) || /^(?:strong|b)$/.test(tag));
  const label = title?.textContent.trim() ?? '';
  if (label === '' || !box.textContent.trim().startsWith(label) || isBoilerplateLine(label, 0)) return false;
  return isAmidText(box, 'previousSibling') && isAmidText(box, 'nextSibling');
}

/** True if prose or a heading stands next to an element, apart from pictures and other boxes. */
function isAmidText(box: HtmlElement, side: 'previousSibling' | 'nextSibling'): boolean {
  let at = shownSibling(box, side);
  while (at?.nodeType === 1 && (at.chars === 0 || /^(?:aside|figure)$/.test(at.tag)))
    at = shownSibling(at, side);
  if (at?.nodeType !== 1) return false;
  return HEADING_TAGS.has(at.tag) || (at.paragraphs > 0 && at.linkChars < at.chars / 2);
}

/** Matches names of words that a tooltip explains. The tooltip itself is a box, or has a name such as `tooltip-text`. */
const TERM =
  /(?:^| )(?:(?:has|with)-)?tool-?tip(?:-(?:hover|trigger|wrapper|link|term|container|target))?(?= |$)/g;

const partCalled = cachePerPage((names): PagePart => {
  if (FRAME.test(names) && !TOLD.test(names)) return 'frame';
  if (RELATED.test(names)) return 'related';
  if (COMMENTS.test(names)) return 'comments';
  if (AROUND.test(names)) return 'around';
  return CAPTION.test(names) ? 'caption' : '';
});

const TOLD =
  /(?:details?|description|specifications?|specs|ingredients|materials)-(?:modal|pop-?up|drawer)(?=[ -]|$)/;

export function isInHeading({ parentNode }: HtmlElement): boolean {
  return parentNode !== null && (HEADING_TAGS.has(parentNode.tag) || /^(?:dt|summary)$/.test(parentNode.tag));
}

const SKIP = /(?:skip|jump)-?(?:to|link|nav)/i;
const HOUR = /^\s*\d{1,2}[:.]\d{2}(?:\s?[ap]m)?\s*$/i;
const PROPERTY = /^(?:author|datePublished|dateModified|publisher|keywords)$/;
const APART =
  /(?:^| )(?:sidebar|side-bar|footer|site-footer|popup|modal|cookies?(?:-\w+)?|newsletter)(?= |$)/;

/** Names of consent dialogs. They are removed by name, because they can have more words than the page. */
const CONSENT =
  /(?:^|[ -])(?:cookie-?(?:banner|consent|notice|law|policy|preferences|settings|bar|popup|modal|dialog)\w*|consent|gdpr|ccpa|onetrust|ot-sdk-\w+|truste|cookiebot|didomi|usercentrics|iubenda|osano|termly)(?=[ -]|$)/;

const REVIEWS =
  /(?:^|[ -])(?:reviews?|ugc|bazaarvoice|bv|yotpo|okendo|okereviews|trustpilot|testimonials?|ratings?)(?=[ -]|$)/;

export const isReviews = (element: HtmlElement): boolean => REVIEWS.test(readElementNames(element));

export function isDialogOrConsent(element: HtmlElement): boolean {
  const { attributes } = element;
  if (attributes['aria-modal'] === 'true') return true;
  if (/^(?:alert)?dialog$/.test(attributes.role ?? '')) return true;
  return CONSENT.test(readElementNames(element));
}

export function isClearlyBoilerplate(element: HtmlElement): boolean {
  return (
    /^(?:aside|footer|nav)$/.test(element.tag) ||
    APART.test(readElementNames(element)) ||
    isDialogOrConsent(element)
  );
}

const AROUND_TEXT =
  /(?:^|[ -])(?:copyright|legal|disclaimer|newsletter|subscri\w*|pay-?wall|regwall|modal|pop-?up|log-?in|sign-?(?:in|up)|donat\w*|promo\w*|cookie\w*|lightbox)(?=[ -]|$)/;
/** An element with a boilerplate name may still be content if it has at least this much prose. */
const SUBSTANTIAL_CHARS = 1000;
const SUBSTANTIAL_SHARE = 0.7;

/** Matches `nav` and `menu` in names. These words are ignored if the element is mostly text. */
const WAYS = /(?:^|[ -])(?:nav|menus?)(?=[ -]|$)/g;
/** Despite a name such as `nav`, an element with at least this much prose and few links is text. */
const LED_CHARS = 200;
const LED_SHARE = 0.65;
const LED_LINK_SHARE = 0.1;
const PAGER = /(?:^|[ -])(?:pagination|pager|paging)(?=[ -]|$)/g;
const MAX_PAGER_CHARS = 600;

function isNoMenu(element: HtmlElement): boolean {
  const { chars, linkChars, paragraphs } = element;
  const told =
    paragraphs >= LED_CHARS && paragraphs >= chars * LED_SHARE && linkChars <= chars * LED_LINK_SHARE;
  if (!told && chars <= MAX_PAGER_CHARS) return false;
  const names = readElementNames(element).replace(chars > MAX_PAGER_CHARS ? PAGER : WAYS, ' ');
  const left = told ? names.replace(WAYS, ' ') : names;
  return partByRole(element) === undefined && !FRAME.test(left);
}

/** True for text whose name suggests boilerplate: `layout-sidebar-top` may contain a whole article. */
export function isTextNamedBoilerplate(element: HtmlElement): boolean {
  const { chars, paragraphs } = element;
  if (isNoMenu(element)) return true;
  if (paragraphs < SUBSTANTIAL_CHARS || paragraphs < chars * SUBSTANTIAL_SHARE) return false;
  return (
    partByRole(element) === undefined &&
    !isClearlyBoilerplate(element) &&
    !AROUND_TEXT.test(readElementNames(element))
  );
}

const isCalledBody = cachePerPage((names) => BODY.test(names));

export function mainContentCertainty(element: HtmlElement): 0 | 1 | 2 | 3 {
  const { tag, attributes } = element;
  if (attributes.itemprop === 'articleBody') return 3;
  const names = readElementNames(element);
  if (names !== '' && isCalledBody(names)) return 2;
  return tag === 'article' || tag === 'main' || attributes.role === 'main' ? 1 : 0;
}
