import { oneLine } from '../../markdown.ts';
import { type HtmlElement, nextNode } from '../parsing/node.ts';
import { shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import { readElementNames } from '../visibility/page-parts.ts';
import { isOtherTexts } from './boilerplate-lines.ts';
import type { PageTraits } from './trim-ends.ts';

const AROUND_POSTS =
  /(?:^|[ -])(?:signatures?|user-?extras|(?:user|role)-?(?:title|banner|stats)|notices?|p-description|thread-?info|topic-?stats|similar-?threads|suggested-?topics|struct-?item\w*|post-?taglist|tag-?list|reactions?(?:-bar|s-bar)?|like-?count|post-?likes|vote-?count|message-?attribution-?opposite|buttons?-?group|post-?menu|badges?|cta)(?=[ -]|$)/;
/** Matches the class name `sig` of a forum signature, alone or after `post`, `user` or `forum`. */
const SIGNATURE = /(?:^| )(?:(?:post|user|forum)-?)?sig(?= |$)/;
const AROUND_PRODUCT =
  /(?:^|[ -])(?:mini-?cart|wish-?list|popover|overlay|legal|carousel|up-?sell|cross-?sell|recommendations?|pick-?up|financing)(?=[ -]|$)/;
const MOST_SHARE = 0.4;
const NOTES_SHARE = 0.25;
const MAX_LINE_CHARS = 90;
const HEADING_NODES = 12;

/** Paragraphs and table cells, which are kept even if their text is only a line such as `3 replies`. */
const WRITTEN: ReadonlySet<string> = new Set(['p', 'td', 'th', 'tr', 'tbody', 'table']);

const POST_LINES =
  /^[^\p{L}\p{N}#]*(?:#?\d[\d,.]{0,9}k?|[\d,.]{1,9}k? (?:likes?|repl(?:y|ies)|views?|posts?|votes?|points?|comments?|shares?|solutions?|upvotes?|messages)|likes?|reply(?: with quote)?|quote|report|share|follow(?:ers)?|copy link|permalink|author|op|top|bottom|top bottom|log ?in|sign (?:up|in)|register|joined|messages|location|posts|reaction score|views|replies|thread starter|start date|tags|not open for further replies|you must .{0,25}(?:log ?in|register|sign in|logged in)\b.{0,40}|(?:joined|join date|registered|member since|posts|messages|threads|location|reputation|reaction score|trophy points|likes received|points): .{1,40}|(?:last )?edited\b.{0,50}|(?:reply|ask|start|create|post) (?:to|a|an|new) .{0,30}|click to expand|solved|original poster|verified purchase)[^\p{L}\p{N}]*$/iu;

const OTHERS =
  /^[^\p{L}\p{N}]*(?:(?:similar|related|suggested|recommended|popular|trending|other|more|explore (?:related|similar)|recently viewed|sponsored|featured) (?:\w+ ){0,2}(?:threads?|topics?|discussions?|questions?|items?|products?|searches|categories)|(?:customers?|people|shoppers) (?:who|also) .{0,60}|frequently bought (?:together|with).{0,20}|(?:compare with )?similar .{0,20}|(?:customer|seller|user|product|top)? ?(?:reviews?|feedback|ratings?)(?: \W?[\d,.]{1,9}\W?)?|complete the look|pairs well with|goes well with|recently viewed.{0,20}|who.s online|share this (?:page|thread|product)|post as a guest|your answer|create an account.{0,60}|sign up or log in)[^\p{L}\p{N}]*$/iu;

const isOthers = (text: string): boolean => OTHERS.test(text) || isOtherTexts(text);

export function isForumOrShopBoilerplate(
  node: HtmlElement,
  page: HtmlElement,
  { discussion, product, questions }: PageTraits,
): boolean {
  if (!discussion && !product) return false;
  const { tag, chars } = node;
  if (chars > page.chars * MOST_SHARE || HEADING_TAGS.has(tag) || tag === 'blockquote' || tag === 'pre')
    return false;
  const names = readElementNames(node);
  const around = discussion ? AROUND_POSTS.test(names) || SIGNATURE.test(names) : AROUND_PRODUCT.test(names);
  if (names !== '' && around && node.getElementsByTagName('h1').length === 0) return true;
  if (!BLOCK_TAGS.has(tag)) return false;
  if (
    questions &&
    node.prose < page.prose * NOTES_SHARE &&
    /(?:^|[ -])comments?(?=[ -]|$)/.test(names) &&
    isInAnswer(node)
  )
    return true;
  if (discussion && !WRITTEN.has(tag) && chars <= MAX_LINE_CHARS && node.paragraphs === 0)
    if (POST_LINES.test(oneLine(node.textContent))) return true;
  return isAboutOthers(node, isOthers);
}

function isInAnswer(node: HtmlElement): boolean {
  for (let at = node.parentNode; at?.parentNode; at = at.parentNode)
    if (/(?:^|[ -])(?:question|answer)(?=[ -]|$)/.test(readElementNames(at))) return true;
  return false;
}

/** True for a box whose first heading says that other texts or things follow. */
export function isAboutOthers(node: HtmlElement, isLabel: (text: string) => boolean): boolean {
  let at = nextNode(node, node);
  for (let nodes = 0; at && nodes < HEADING_NODES; nodes++) {
    if (at.nodeType === 3) {
      if (at.data.trim() !== '') return false;
    } else if (HEADING_TAGS.has(at.tag))
      return (
        at.tag !== 'h1' &&
        at.chars < node.chars &&
        at.chars < MAX_LINE_CHARS &&
        isLabel(oneLine(at.textContent))
      );
    at = nextNode(at, node);
  }
  return false;
}

const LINKED_SHARE = 0.85;

export function findRelatedLinks(
  heading: HtmlElement,
  { discussion, product }: PageTraits,
): HtmlElement | undefined {
  if (!discussion && !product) return undefined;
  if (!HEADING_TAGS.has(heading.tag) || heading.tag === 'h1' || heading.chars >= MAX_LINE_CHARS)
    return undefined;
  const list = shownSibling(heading, 'nextSibling');
  if (list?.nodeType !== 1 || !/^[uo]l$/.test(list.tag) || list.linkChars === 0) return undefined;
  if (list.linkChars < list.chars * LINKED_SHARE) return undefined;
  return isOthers(oneLine(heading.textContent)) ? list : undefined;
}
