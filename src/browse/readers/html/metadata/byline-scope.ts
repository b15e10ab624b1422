import { lettersOf } from '../../../../lib/text/letters.ts';
import { elementsIn, type HtmlElement } from '../parsing/node.ts';
import { isHiding } from '../parsing/styles.ts';
import { HEADING_TAGS } from '../parsing/tags.ts';
import { plainText } from '../records/record-text.ts';
import { beginsWithBy } from './author-name.ts';

const MAX_LEVELS = 60;
const MAX_HEADING_LEVELS = 6;
const MAX_LEVELS_BESIDE = 2;
const MAX_TEASER_CHARS = 40;
const MAX_TEASER_TEXT_CHARS = 300;
const MAX_DATED_ITEMS = 2;
const MAX_ITEM_NODES = 100;
const MIN_TITLE = 10;
const MAX_ASIDE_CHARS = 400;
const MAX_ARTICLES = 20;
const MAX_ARTICLE_CHARS = 20_000;

const APART_TAG =
  /^(?:nav|aside|form|figure|figcaption|blockquote|template|noscript|select|dialog|svg|menu|iframe)$/;
const APART_NAME =
  /(?:^|-)(?:comments?|commentlist|kommentare?|commentaires?|comentarios?|reacties|reactions?|replies|reply|respond|disqus|related|recommend\w*|recirc|read-(?:more|next|also)|more-(?:news|stories|articles|from|posts|on)|teasers?|cards?|trending|popular|most-\w+|latest|recent|sidebar|side-bar|(?<!elementor-)widget|promo|newsletter|subscri\w*|breadcrumbs?|nav|navbar|navigation|menu|cookie|ads?|advert\w*|sponsor\w*|events?|calendar|upcoming|schedule|archives?|carousel|slider|copyright|caption|gallery|licen[cs]e|share|sharing|social|prev|previous|next|pagination|quotes?|testimonials?|reviews?|ratings?|ticker|weather|today|current-date|clock|topbar|top-bar|about-author|author-(?:box|bio)|bio)(?:-|$)/;
const OWN_HEADING = /(?:^|-)(?:author|byline|date|published|posted|meta)(?:-|$)/;
const CREDIT_NAME = /(?:^|-)(?:signature(?!-owner)|credits?)(?:-|$)/;
const MAX_CREDIT_CHARS = 120;
/** Names of boxes about a person. Such a box is a byline if it is near the title and has no sentence. */
const PERSON_NAME =
  /(?:^|-)(?:(?:author|contributor|writer|reporter|profile)s?-(?:[a-z]{1,20}-)?(?:card|box|bio)|bio)(?=-|$)/g;
const SENTENCE = /(?:[^\s.!?]{1,40} ){5}[^.!?]{0,200}\p{Ll}{3}[.!?](?: \p{Lu}|$)/u;
const MAX_PERSON_CHARS = 250;
const FOOTER_NAME = /(?:^|-)footer(?:-|$)/;
const TEXT_FOOTER_NAME = /(?:^|-)(?:post|entry|article|story)-footer(?:-|$)/;
const APART_TYPE =
  /(?:Comment|UserComments|Review|Event|Offer|Answer|Rating|ImageObject|VideoObject|Organization|ListItem|SiteNavigationElement|WPSideBar|WPFooter|WPHeader)$/;

export class BylineScope {
  readonly anchor: HtmlElement | undefined;
  readonly #around = new Map<HtmlElement, number>();
  readonly #titles: ReadonlySet<HtmlElement>;
  readonly #withHeading = new Set<HtmlElement>();
  readonly #withPassed = new Set<HtmlElement>();
  readonly #root: HtmlElement;
  readonly #datedItems = new Map<HtmlElement, Set<HtmlElement>>();
  /** The box of the text on a page whose title is outside of it. */
  readonly #mainArticle: HtmlElement | undefined;
  readonly #apart = [new Map<HtmlElement, boolean>(), new Map<HtmlElement, boolean>()];

  constructor(root: HtmlElement, headings: readonly HtmlElement[], titles: ReadonlySet<string>) {
    this.#root = root;
    this.anchor = findAnchor(headings, titles);
    const title = lettersOf(this.anchor?.textContent ?? '');
    // A page may have its title twice, for narrow and wide screens.
    const same = headings.filter((one) => title !== '' && lettersOf(one.textContent) === title);
    const longer = headings.filter((one) => endsWithTitle(lettersOf(one.textContent), title));
    const isAlone = title !== '' && longer.length === same.length + 1;
    this.#titles = new Set([...(this.anchor ? [this.anchor] : []), ...(isAlone ? longer : same)]);
    for (const heading of this.#titles)
      for (let at = heading.parentNode, level = 1; at && !this.#around.has(at); at = at.parentNode, level++)
        this.#around.set(at, level);
    for (const heading of headings) this.passHeading(heading, this.#withHeading);
    const articles = root.getElementsByTagName('article').filter((one) => !this.#around.has(one));
    const chars = articles.slice(0, MAX_ARTICLES).map((one) => plainText(one, MAX_ARTICLE_CHARS).length);
    this.#mainArticle =
      articles[chars.findIndex((one) => one * 2 > chars.reduce((sum, own) => sum + own, 0))];
  }

  /** Notes that the search has come to a heading. */
  passHeading(heading: HtmlElement, boxes = this.#withPassed): void {
    if (this.#titles.has(heading) || OWN_HEADING.test(namesOf(heading))) return;
    let at = heading.parentNode;
    for (let level = 0; at && level < MAX_HEADING_LEVELS && !this.#around.has(at); level++) {
      boxes.add(at);
      at = at.parentNode;
    }
  }

  /** True for an element above the first heading of its box, as a byline is in the box of the whole text. */
  isAboveHeadings(element: HtmlElement): boolean {
    let at = element.parentNode;
    for (let level = 0; at && level < MAX_LEVELS && !this.#around.has(at); level++, at = at.parentNode)
      if (this.#withPassed.has(at)) return false;
    return this.anchor !== undefined;
  }

  countItem(element: HtmlElement): void {
    const item = itemOf(element, this.#root);
    const list = item?.parentNode;
    if (item && list) this.#datedItems.set(list, (this.#datedItems.get(list) ?? new Set()).add(item));
  }

  /** `isHead`: near the title, and text follows. */
  isApart(element: HtmlElement, isLate: boolean, isHead: boolean, isAboveHeadings: boolean): boolean {
    const known = this.#apart[isHead ? 0 : 1];
    if (isLate && this.#isInOwnBox(element)) return false;
    let at: HtmlElement | null = element;
    for (let level = 0; at && level < MAX_LEVELS; level++, at = at.parentNode) {
      if (at === this.#root || this.#around.has(at)) return false;
      const isOwn = at === element;
      if (!isOwn && this.#withHeading.has(at) && !isAboveHeadings) return true;
      const apart = (isOwn ? undefined : known?.get(at)) ?? this.#isApartBox(at, isOwn, isLate, isHead);
      if (!isOwn) known?.set(at, apart);
      if (apart) return true;
    }
    return false;
  }

  /** True for a link to the author in the box about a person that an article has beside its title. */
  #isInOwnBox(element: HtmlElement): boolean {
    if (!/\bauthor\b/.test(element.attributes.rel ?? '')) return false;
    let at = element;
    while (at.parentNode && !this.#around.has(at.parentNode)) at = at.parentNode;
    return at.parentNode?.tag === 'article' && namesOf(at).search(PERSON_NAME) >= 0;
  }

  isBesideAnchor(element: HtmlElement): boolean {
    let at = element.parentNode;
    for (let level = 0; at && level < MAX_LEVELS; level++, at = at.parentNode) {
      const above = this.#around.get(at);
      if (above === undefined) continue;
      const isNear = above <= MAX_LEVELS_BESIDE || /^(?:article|main|header)$/.test(at.tag);
      const top = topOf(element, at);
      if (neighborOf(this.anchor, 'previousSibling') === top) return true;
      if (at === this.#root || at.tag === 'body') return false;
      if (isNear) return true;
      const names = namesOf(element);
      const isNearHeading = above <= MAX_LEVELS_BESIDE + 1 && OWN_HEADING.test(names);
      const isMarked =
        element === top ? names !== '' : element.attributes.itemprop !== undefined || isNearHeading;
      return isMarked && neighborOf(topOf(this.anchor as HtmlElement, at), 'previousSibling') === top;
    }
    return false;
  }

  #isNextToAnchor(box: HtmlElement): boolean {
    const beside = [neighborOf(box, 'previousSibling'), neighborOf(box, 'nextSibling')];
    const levelOf = (one: HtmlElement) => (one === this.anchor ? 0 : (this.#around.get(one) ?? MAX_LEVELS));
    return beside.some((one) => one !== undefined && levelOf(one) <= MAX_LEVELS_BESIDE);
  }

  #isApartBox(box: HtmlElement, own: boolean, isLate: boolean, isHead: boolean): boolean {
    const { tag, attributes } = box;
    // Beside the title, a short column holds who wrote the text and when.
    const isColumn = isHead && /(?:^|-)(?:aside|side-?bar)(?:-|$)/.test(`${tag}-${namesOf(box)}`);
    if (isColumn && plainText(box, MAX_ASIDE_CHARS + 1).length <= MAX_ASIDE_CHARS) return false;
    if (APART_TAG.test(tag) || (!own && HEADING_TAGS.has(tag) && box !== this.anchor)) return true;
    if (!isHead && isFooter(box) && !this.#isInText(box)) return true;
    if (tag === 'header' && this.#isSiteHeader(box)) return true;
    if (isUnseen(attributes) || isShortText(box)) return true;
    if (tag === 'article' && this.anchor !== undefined && box !== this.#mainArticle) return true;
    if (isHead && this.#isNextToAnchor(box)) return namesOf(box).search(PERSON_NAME) >= 0 && isBio(box);
    return isTeaser(box, isLate, isHead) || (/^(?:li|tr|dd|article)$/.test(tag) && this.#isListed(box));
  }

  #isListed(item: HtmlElement): boolean {
    if (item.parentNode && (this.#datedItems.get(item.parentNode)?.size ?? 0) > MAX_DATED_ITEMS) return true;
    let nodes = 0;
    for (const node of elementsIn(item)) {
      // The rows of tables that lay out a page have tables in them.
      if (item.tag === 'tr' && node.tag === 'table') return false;
      if (++nodes > MAX_ITEM_NODES) return true;
      if (node.tag === 'a' && plainText(node, MAX_TEASER_CHARS + 1).length > MAX_TEASER_CHARS) return true;
    }
    return false;
  }

  #isInText(box: HtmlElement): boolean {
    const { parentNode: parent } = box;
    if (parent === null || parent === this.#root) return false;
    if (!this.#around.has(parent)) return isFooter(parent) && this.#isInText(parent);
    return parent.tag === 'article' || TEXT_FOOTER_NAME.test(namesOf(box));
  }

  #isSiteHeader(box: HtmlElement): boolean {
    return (
      box.getElementsByTagName('nav').length > 0 ||
      (this.anchor !== undefined && box.parentNode === this.#root)
    );
  }
}

function isFooter(box: HtmlElement): boolean {
  return box.tag === 'footer' || FOOTER_NAME.test(namesOf(box));
}

function isShortText(box: HtmlElement): boolean {
  const isText = /(?:Article|Posting|CreativeWork|WebPage)$/.test(box.attributes.itemtype ?? '');
  return isText && plainText(box, MAX_TEASER_TEXT_CHARS + 1).length <= MAX_TEASER_TEXT_CHARS;
}

function isUnseen({ hidden, style, role }: Readonly<Record<string, string>>): boolean {
  if (hidden !== undefined || (style !== undefined && isHiding(style))) return true;
  return /^(?:navigation|complementary|contentinfo|dialog|banner)$/.test(role ?? '');
}

function isTeaser(box: HtmlElement, isLate: boolean, isHead: boolean): boolean {
  const { tag, attributes } = box;
  if (APART_TYPE.test(attributes.itemtype ?? '') && !/\bauthor\b/.test(attributes.itemprop ?? ''))
    return true;
  const names = namesOf(box);
  const others = isLate ? names : names.replace(PERSON_NAME, '');
  if (isHead && /(?:^|-)author(?:-|$)/.test(names) && !isBio(box)) return false;
  if (APART_NAME.test(others) || (others !== names && isBio(box))) return true;
  if (CREDIT_NAME.test(names) && !beginsWithBy(plainText(box, MAX_CREDIT_CHARS).trim())) return true;
  return tag === 'a' && plainText(box, MAX_TEASER_CHARS + 1).length > MAX_TEASER_CHARS;
}

function isBio(box: HtmlElement): boolean {
  const text = plainText(box, MAX_PERSON_CHARS + 1).trim();
  return text.length > MAX_PERSON_CHARS || SENTENCE.test(text);
}

/** True for a title, also with a date or the kind of text before it. */
function endsWithTitle(heading: string, title: string): boolean {
  const most = title.length < MIN_TITLE ? 0 : title.length * 2 + MIN_TITLE;
  return heading === title || (heading.length < most && heading.endsWith(title));
}

function findAnchor(headings: readonly HtmlElement[], titles: ReadonlySet<string>): HtmlElement | undefined {
  const names = [...titles].map(lettersOf).filter(Boolean);
  const first = headings.filter(({ tag }) => /^h[1-3]$/.test(tag));
  const main = first.filter(({ tag }) => tag === 'h1');
  // The name of the site may be a heading too. The title of the text is longer.
  let best: HtmlElement | undefined;
  let chars = 0;
  for (const heading of [...main, ...first]) {
    const own = lettersOf(heading.textContent);
    const isTitle = names.some((name) => name === own || (own.length >= MIN_TITLE && name.includes(own)));
    if (isTitle && own.length > chars) [best, chars] = [heading, own.length];
  }
  const longer = (one: HtmlElement) => names.some((name) => endsWithTitle(lettersOf(one.textContent), name));
  if (main.length !== 1) best ??= first.find(longer);
  return best ?? (main.length === 1 ? main[0] : undefined);
}

export function namesOf({ attributes }: HtmlElement): string {
  const { class: classes = '', id = '' } = attributes;
  if (classes === '' && id === '') return '';
  return `${classes} ${id}`
    .slice(0, 300)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/(?:^|-)(?:has|with|no)-(?:(?:left|right)-)?side-?bar(?=-|$)/g, '');
}

function itemOf(element: HtmlElement, root: HtmlElement): HtmlElement | undefined {
  let at: HtmlElement | null = element;
  for (let level = 0; at && at !== root && level < MAX_HEADING_LEVELS; level++, at = at.parentNode)
    if (/^(?:li|tr|dd|article)$/.test(at.tag)) return at;
  return undefined;
}

function topOf(element: HtmlElement, within: HtmlElement): HtmlElement {
  let at = element;
  while (at.parentNode && at.parentNode !== within) at = at.parentNode;
  return at;
}

export function neighborOf(
  element: HtmlElement | undefined,
  side: 'previousSibling' | 'nextSibling',
): HtmlElement | undefined {
  let node = element?.[side];
  while (node && node.nodeType === 3) node = node[side];
  return node ?? undefined;
}
