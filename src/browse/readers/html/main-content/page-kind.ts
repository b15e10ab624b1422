import type { PageFacts } from '../metadata/metadata.ts';
import { elementsIn, type HtmlElement, type HtmlText, nextNode } from '../parsing/node.ts';
import { HEADING_TAGS } from '../parsing/tags.ts';
import { isListIntroduction } from '../records/list-introduction.ts';
import { readElementNames } from '../visibility/page-parts.ts';
import type { MainContentChoice } from './choose.ts';

const MIN_TEXT_CHARS = 400;
const MIN_NAMED_TEXT_CHARS = 140;
/** A page with article metadata and more prose than this is an article, even if it resembles a list. */
const LONG_TEXT_CHARS = 1000;
const DISCUSSION = /^(?:DiscussionForumPosting|SocialMediaPosting|QAPage|Conversation)$/;
const PLACES =
  /^[^/]*(?:forum|discuss)|(?:^|[/.])(?:forums?|threads?|viewtopic|show-?t(?:hread|opic)|discussions?|questions|boards?|issues)(?:[/.?-]|$)|(?:^|[/.])(?:community[/.?]|topics?\/\d)|\/t\/[^/]+\/\d|\/post\/\d{1,9}$|\/comments\//i;
const SYSTEMS = /discourse|phpbb|xenforo|vbulletin|flarum|nodebb|mybb|invision|vanilla|simplemachines|lemmy/i;

/** Matches class names by which forum programs mark a post, or the card of its author. */
const POST =
  /(?:^|\s)(?:message--post|messageUserBlock|postprofile|postcontainer|author_statistics|post_wrapper|PostStream-item|cPost|ItemComment|crawler-post|topic-post)(?=\s|$)/;

export function isDiscussion(root: HtmlElement, facts: PageFacts, url: string): boolean {
  if ([...facts.types].some((type) => DISCUSSION.test(type))) return true;
  const address = URL.parse(url);
  const placed = address !== null && PLACES.test(`${address.hostname}${address.pathname}`.slice(0, 500));
  // Some forums mark posts as articles and replies as comments, so comments are checked first.
  if (placed && facts.types.has('Comment')) return true;
  if ([...facts.types].some((type) => /^FAQPage$|Article$|BlogPosting$/.test(type))) return false;
  if (facts.types.has('Question')) return true;
  for (const { attributes } of root.getElementsByTagName('meta')) {
    if (attributes.name === 'generator' && SYSTEMS.test(attributes.content ?? '')) return true;
  }
  if (SYSTEMS.test(root.attributes.id ?? '') || /(?:^| )(?:forum|thread|topic)/.test(readElementNames(root)))
    return true;
  return (
    placed || [...elementsIn(root)].filter(({ attributes }) => POST.test(attributes.class ?? '')).length > 1
  );
}

const SALE = /^(?:Product|product|ProductGroup|ItemPage)$/;
const WRITTEN = /^article$|Article$|BlogPosting$|^Report$/;
const THING = /\/(?:products?|item|itm|dp|p|pd|pdp|sku|listing|store\/app)\/[^/]|[/-]p-?\d+|\/-\/A-\d/i;
const SHELF = /\/(?:collections?|categor(?:y|ies)|shop|search|c|b)(?:\/[^/]*)?\/?$/i;

export function isProduct({ types }: PageFacts, url: string): boolean {
  const path = (URL.parse(url)?.pathname ?? '').slice(0, 500);
  if (
    [...types].some((type) => type.endsWith('Article') || type === 'BlogPosting' || type === 'CollectionPage')
  )
    return false;
  if ([...types].some((type) => SALE.test(type))) return !SHELF.test(path);
  return THING.test(path) && !types.has('article');
}

export function isArticle(
  page: HtmlElement,
  { root, certainty, sameNamed }: MainContentChoice,
  { types }: PageFacts,
  url: string,
): boolean {
  const named = [...types].some((type) => WRITTEN.test(type));
  if (!named && (types.has('Product') || types.has('product'))) return false;
  if (isListIntroduction(page, root, types, url)) return false;
  if (root.prose < (certainty >= 2 ? MIN_NAMED_TEXT_CHARS : MIN_TEXT_CHARS)) return false;
  if (!(named && root.prose > LONG_TEXT_CHARS) && (certainty < 2 || sameNamed > 2) && isListing(root))
    return false;
  if (!named && isShelf(page, root)) return false;
  return certainty >= 2 || root.prose >= page.prose * 0.5;
}

const SHELF_PRICES = 12;
const MAX_PRICE_CHARS = 30;
const SHELF_SHARE = 0.3;
const PRICE = /\p{Sc}/u;

function isShelf(page: HtmlElement, root: HtmlElement): boolean {
  if (page.chars - root.chars < page.chars * SHELF_SHARE) return false;
  let prices = 0;
  for (let node = nextNode(page, page), inside = true; node; node = nextNode(node, page, inside)) {
    inside = true;
    if (node.nodeType === 1)
      inside = node !== root && node.chars > 0 && !/^(?:frame|related)$/.test(node.part);
    else if (isPrice(node) && ++prices >= SHELF_PRICES) return true;
  }
  return false;
}

function isPrice({ data, parentNode }: HtmlText): boolean {
  if (data.length > MAX_PRICE_CHARS || !PRICE.test(data)) return false;
  if (/\d/.test(data)) return true;
  const around = parentNode?.parentNode;
  return [parentNode, around].some((at) => at && at.chars <= MAX_PRICE_CHARS && /\d/.test(at.textContent));
}

export function confirmByMetadata(choice: MainContentChoice, { types }: PageFacts): MainContentChoice {
  const named =
    choice.root.prose > LONG_TEXT_CHARS &&
    [...types].some((type) => /Article$|^BlogPosting$|^Report$/.test(type));
  return named ? { ...choice, certainty: Math.max(choice.certainty, 2) } : choice;
}

function isListing(root: HtmlElement): boolean {
  let [headings, links] = [0, 0];
  for (let node = nextNode(root, root); node; ) {
    let inside = true;
    if (node.nodeType === 1 && node.chars > 0) {
      inside = node.part === '';
      if (inside && HEADING_TAGS.has(node.tag)) {
        headings++;
        if (node.linkChars > node.chars * 0.8 || (node.linkChars > 0 && node.parentNode?.tag === 'a'))
          links++;
      }
    }
    node = nextNode(node, root, inside);
  }
  return links >= 3 && links > headings * 0.6;
}
