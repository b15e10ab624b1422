import { oncePerPage } from '../parsing/known-names.ts';
import { following, type HtmlElement, type HtmlNode, type Part } from '../parsing/node.ts';
import { HEADING } from '../parsing/tags.ts';

/**
 * What the frame of a page is called. Every class and the id is taken apart into words (`postMeta` and
 * `post-meta` alike). An entry stands for names in which a word begins with it, one with `$` for names that
 * end with it: `tag$` means `post-tag` and not `tag-physics`. A dot is the gap between two words. What stands
 * behind `--`, or behind `has-` and its like, is a variant and names nothing.
 */
const words = (list: string): RegExp =>
  new RegExp(
    `(?:^|[ -])(?<!--|(?:has|with|no|without|show)-)(?:${list
      .trim()
      .replace(/\s+/g, '|')
      .replaceAll('.', '-')
      .replaceAll('$', '(?= |$)')})`,
  );

/** Frame on any page: never what it was opened for. */
const FRAME = words(`
  nav$ nav. navs$ navbar navigation subnav topnav menu$ menu. menus$ menubar breadcrumb bread.crumb crumbs$ crumb$ skip.link skip.to
  footer printfooter sidebar side.bar masthead site.header cookie consent gdpr ccpa
  share$ share. shares$ sharing sharebar sharethis social sociable addthis addtoany follow.us
  ad$ ad. ads$ ads. advert adsense adslot adunit adbox dfp sponsor outbrain taboola revcontent zergnet
  newsletter subscri signup sign.up optin opt.in mailing.list mailchimp donat
  modal popup pop.up lightbox tooltip toolbar login log.in signin sign.in paywall.prompt
  search.form search.box searchbox searchform pagination pager$ paging captcha recaptcha
  copyright back.to.top scroll.to skiplink editsection edit.section catlinks navbox
  site.notice site.sub action.bar jumpbox paywall.offer paywall.notice paywall.box regwall language.list languages.list interlanguage lang.switcher language.switcher
  toc$ toc. table.of.contents tableofcontents on.this.page
`);

/** Other pages that are like this one. */
const RELATED = words(`
  related recirc recommend read.next read.also also.read also.like also.bought more.like you.may you.might suggested up.next
  similar$ similar.products next.article next.post next.story prev.article previous.post post.nav recently.viewed
`);

/** Frame around one article; on other pages it may be what the page is for. */
const AROUND = words(`
  read.more readmore more.stories more.news more.articles more.posts more.on more.from trending popular most.read
  most.viewed most.popular most.recent latest teaser promo cta$ callout.promo
  author byline by.line bio$ bio. contributor writer$ biography
  meta$ meta. metadata dateline timestamp datetime date$ posted.on post.info entry.info article.info published updated pubdate
  category$ categories$ tags$ tags. tag$ taglist tag.list tagged topics$ keywords labels$
  rating$ ratings$ vote$ votes$ poll$ survey print$ printer rail$ right.col utility kicker eyebrow
  helpful$ feedback$ advertisement disclaimer widget.area slideshow.nav hidden.print noprint print.hidden
`);

/** What readers wrote under it. */
const COMMENTS = words(`
  comment$ comment. comments$ comments. commentlist commentform commentarea disqus respond livefyre replies$ reply$
`);

/** What may stand in a picture's frame besides the picture. */
const CAPTION = words(`
  caption figcaption credit$ credits$ photo.credit image.credit image.source photographer wp.caption.text attribution$
`);

/** Containers by the names that publishing systems give the text of an article. */
const BODY = words(`
  article.body articlebody article.content article.text articletext article.copy story.body storybody story.content story.text
  post.body postbody post.content postcontent post.text post.entry entry.content entry.body entry.text entrycontent
  body.text bodytext body.copy bodycopy content.body main.content$ maincontent page.content pagecontent news.text news.body
  news.content blog.content blog.post.content rich.text richtext text.body field--name-body article.main text.content markdown.body
  single.content td.post.content available.content
`);

/**
 * An element's classes and id in lower case, the words of each joined by hyphens. A long id is one that was made of a heading (`#sharing-with-
 * several-people`), and names nothing.
 */
export function namesOf(element: HtmlElement): string {
  element.names ??= readNames(element);
  return element.names;
}

function readNames(element: HtmlElement): string {
  const { class: names = '', id = '' } = element.attributes;
  const called = id.length > 100 || CHAPTER.test(id) || spellsHeading(element, id) ? '' : hyphened(id);
  const classes = names === '' ? '' : hyphenedAll(names);
  return called.split('-').length > 3 ? classes : `${classes} ${called}`.trim();
}

const hyphenedAll = oncePerPage((names) => names.slice(0, 300).trim().split(/\s+/).map(hyphened).join(' '));

/** Ids to which a table of contents leads, and not the table's own: `toc_tax-considerations`, `toc-3-4`. */
const CHAPTER =
  /^toc[-_](?!(?:container|wrap(?:per)?|list|title|nav|header|contents?|menu|box|toggle|sidebar|inner|holder|block|widget|main)$)/i;

/** Nodes at the beginning of an element in which its heading stands. */
const HEADING_NODES = 12;

/** Whether an id was made of the element's own heading: `<section id="related-work"><h2>Related work</h2>`. */
function spellsHeading(element: HtmlElement, id: string): boolean {
  if (id === '') return false;
  let at: HtmlNode | null = element;
  for (let nodes = 0; at && nodes < HEADING_NODES; nodes++) {
    if (at.nodeType === 1 && HEADING.has(at.tag)) {
      if (at.chars >= MAX_HEADING_CHARS) return false;
      const [words, slug] = [lettersOf(at.textContent), lettersOf(id)];
      // Chapters are numbered, and ids mostly are not: `5.1. More on lists`.
      return words.startsWith(slug) || words.replace(/^\d+/, '').startsWith(slug);
    }
    at = following(at, element);
  }
  return false;
}

const MAX_HEADING_CHARS = 300;

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Most names are spelt as wanted. */
const PLAIN = /^(?:[a-z\d]+(?:--?[a-z\d]+)*)?$/;

/** What style sheets in modules put behind a name: `table_root__adKqa`. */
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
const NOTE = words(
  'note tip warning caution danger important info$ callout admonition aside alert hint notice attention pullquote pull quote ingredients',
);

/** What an element that is frame is announced as. */
const LABELLED =
  /^\s*(?:ads?|advertisements?|sponsored|breadcrumbs?|pagination|share|sharing|social(?: media)?|cookies?|newsletter|anzeigen?|werbung|publicité|publicidad|реклама|广告|広告|광고)\s*$/i;

/** Which part of a page an element is, by its tag, role and names alone. */
export function partOf(element: HtmlElement): Part {
  return partByRole(element) ?? partByTag(element) ?? partByNames(element);
}

function partByRole(element: HtmlElement): Part | undefined {
  const { tag, attributes } = element;
  // Who said it.
  if (tag === 'footer' && element.parentNode?.tag === 'blockquote') return '';
  if (tag === 'nav' || tag === 'footer') return 'frame';
  // The question of an accordion is a button in a heading.
  if (tag === 'button') return isTitled(element) ? '' : 'frame';
  if (tag === 'caption' || element.parentNode?.tag === 'caption') return '';
  // Questions that open their answers are called a list of tabs as well.
  if (attributes.role === 'tablist' && element.paragraphs > 0) return undefined;
  if (attributes.role !== undefined && ROLES.test(attributes.role)) return 'frame';
  if (attributes['aria-label'] !== undefined && LABELLED.test(attributes['aria-label'])) return 'frame';
  return undefined;
}

function partByTag(element: HtmlElement): Part | undefined {
  const { tag, attributes } = element;
  if (tag === 'figcaption') return 'caption';
  if (tag === 'form' || tag === 'menu' || tag === 'address') return 'around';
  // Names of utilities, as style sheets put on code, say nothing of what it is.
  if (tag === 'blockquote' || tag === 'pre') return '';
  if (tag === 'time')
    return attributes.datetime?.startsWith('P') || HOUR.test(element.textContent) ? '' : 'around';
  if (/\bauthor\b/.test(attributes.rel ?? '')) return 'around';
  if (PROPERTY.test(attributes.itemprop ?? '')) return 'around';
  if (tag === 'a') return SKIP.test(attributes.class ?? '') ? 'frame' : '';
  return tag === 'main' || tag === 'article' || HEADING.has(tag) ? '' : undefined;
}

function partByNames(element: HtmlElement): Part {
  const { tag } = element;
  const names = namesOf(element);
  if (tag === 'aside') return NOTE.test(names) ? '' : 'around';
  if (names === '') return '';
  const part = partCalled(names);
  return part === 'frame' && tag === 'table' ? '' : part;
}

const partCalled = oncePerPage((names): Part => {
  if (FRAME.test(names) && !TOLD.test(names)) return 'frame';
  if (RELATED.test(names)) return 'related';
  if (COMMENTS.test(names)) return 'comments';
  if (AROUND.test(names)) return 'around';
  return CAPTION.test(names) ? 'caption' : '';
});

/** What a shop says of a thing, in a box that opens over the page. */
const TOLD =
  /(?:details?|description|specifications?|specs|ingredients|materials)-(?:modal|pop-?up|drawer)(?=[ -]|$)/;

/** Whether an element is the words of a heading. */
export function isTitled({ parentNode }: HtmlElement): boolean {
  return parentNode !== null && (HEADING.has(parentNode.tag) || /^(?:dt|summary)$/.test(parentNode.tag));
}

/** Links for those who can't point: to the text, past the menu. */
const SKIP = /(?:skip|jump)-?(?:to|link|nav)/i;
/** The hour alone is what an entry of a live report or of a timetable goes by. */
const HOUR = /^\s*\d{1,2}[:.]\d{2}(?:\s?[ap]m)?\s*$/i;
const PROPERTY = /^(?:author|datePublished|dateModified|publisher|keywords)$/;

const APART = /(?:^| )(?:sidebar|side-bar|footer|site-footer|popup|modal|cookie-\w+|newsletter)(?= |$)/;

/** Asks for consent, in words that can be more than the page's own. */
const CONSENT =
  /(?:^|[ -])(?:cookie-?(?:banner|consent|notice|law|policy|preferences|settings|bar|popup|modal|dialog)\w*|consent|gdpr|ccpa|onetrust|ot-sdk-\w+|truste|cookiebot|didomi|usercentrics|iubenda|osano|termly)(?=[ -]|$)/;

const REVIEWS =
  /(?:^|[ -])(?:reviews?|ugc|bazaarvoice|bv|yotpo|okendo|okereviews|trustpilot|testimonials?|ratings?)(?=[ -]|$)/;

/** Whether an element is what buyers say of a thing. */
export function isReviews(element: HtmlElement): boolean {
  return REVIEWS.test(namesOf(element));
}

/** Whether an element is a dialog, or asks for consent: it lies over the page and is none of its text. */
export function liesOver(element: HtmlElement): boolean {
  const { attributes } = element;
  if (attributes['aria-modal'] === 'true') return true;
  if (/^(?:alert)?dialog$/.test(attributes.role ?? '')) return true;
  return CONSENT.test(namesOf(element));
}

/** Whether an element is named so plainly that the name holds even for most of a page's text. */
export function standsApart(element: HtmlElement): boolean {
  return /^(?:aside|footer|nav)$/.test(element.tag) || APART.test(namesOf(element)) || liesOver(element);
}

/** What is long and is asked or stated around a text. */
const AROUND_TEXT =
  /(?:^|[ -])(?:copyright|legal|disclaimer|newsletter|subscri\w*|pay-?wall|regwall|modal|pop-?up|log-?in|sign-?(?:in|up)|donat\w*|promo\w*|cookie\w*|lightbox)(?=[ -]|$)/;
/** Prose, and its share of the text, from which on a name alone takes nothing away. */
const SUBSTANTIAL_CHARS = 1000;
const SUBSTANTIAL_SHARE = 0.7;

/** Words for ways through a site, in names of which nothing else says frame. */
const WAYS = /(?:^|[ -])(?:nav|menus?)(?=[ -]|$)/g;
/** Prose of a box with such a name, its share of the text, and the share of links up to which that leads nowhere. */
const LED_CHARS = 200;
const LED_SHARE = 0.65;
const LED_LINK_SHARE = 0.1;
/** Ways to the next page, and characters up to which they are no more than that: shops call the list with its pager so too. */
const PAGER = /(?:^|[ -])(?:pagination|pager|paging)(?=[ -]|$)/g;
const MAX_PAGER_CHARS = 600;

/** Whether an element is called a menu and has next to no links (`lm-nav-source` on the parts that a script follows), or a pager and is long. */
function isNoMenu(element: HtmlElement): boolean {
  const { chars, linkChars, paragraphs } = element;
  const told =
    paragraphs >= LED_CHARS && paragraphs >= chars * LED_SHARE && linkChars <= chars * LED_LINK_SHARE;
  if (!told && chars <= MAX_PAGER_CHARS) return false;
  const names = namesOf(element).replace(chars > MAX_PAGER_CHARS ? PAGER : WAYS, ' ');
  const left = told ? names.replace(WAYS, ' ') : names;
  return partByRole(element) === undefined && !FRAME.test(left);
}

/** Whether an element that is called frame is a text: `layout-sidebar-top` may be all of an article. */
export function isMisnamed(element: HtmlElement): boolean {
  const { chars, paragraphs } = element;
  if (isNoMenu(element)) return true;
  if (paragraphs < SUBSTANTIAL_CHARS || paragraphs < chars * SUBSTANTIAL_SHARE) return false;
  return partByRole(element) === undefined && !standsApart(element) && !AROUND_TEXT.test(namesOf(element));
}

const isCalledBody = oncePerPage((names) => BODY.test(names));

/** How surely an element says of itself that it is the text of the page: 0 to 3. */
export function bodySureness(element: HtmlElement): 0 | 1 | 2 | 3 {
  const { tag, attributes } = element;
  if (attributes.itemprop === 'articleBody') return 3;
  const names = namesOf(element);
  if (names !== '' && isCalledBody(names)) return 2;
  return tag === 'article' || tag === 'main' || attributes.role === 'main' ? 1 : 0;
}
