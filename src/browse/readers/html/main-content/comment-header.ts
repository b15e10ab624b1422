import { toIsoDate } from '../../../../lib/time/written-date.ts';
import { createElement, type HtmlElement, type HtmlNode, nextNode, removeNode } from '../parsing/node.ts';
import { plainText } from '../records/record-text.ts';

const MAX_NODES = 80;
const MAX_NAME_CHARS = 60;
const MAX_TIME_CHARS = 40;
const MAX_POINTS_CHARS = 20;
const AUTHOR =
  /(?:^|[\s_-])(?:author|user-?name|hnuser|poster|commenter|nick-?name|display-?name|profile-?name)(?=[\s_-]|$)|(?:^|\s)(?:fn|user)(?=\s|$)/i;
const PROFILE =
  /(?:^|\/)(?:users?|u|profiles?|members?|people|author|@[\w.-]{1,40})(?:[/?]|$)|^@|\/@[\w.-]{1,60}$/i;
const TIME =
  /(?:^|[\s_-])(?:age|date|time|time-?stamp|time-?ago|published|posted|relative-time)(?=[\s_-]|$)/i;
const POINTS = /^[-+−]?[\d.,]{1,9}k?\s(?:points?|votes?|likes?|upvotes?|karma)$/i;
const SAYS =
  /^(?:\s|says|said|wrote|on|at|by|permalink|link|reply|replies|answer|quote|like|parent|next|prev|root|context|share|report|flag|save|edit|embed|give award|score hidden|stickied comment|\d{1,6} child(?:ren)?|\d{1,6} points?|[·|•,:#()[\]+–—-])+$/i;

export interface CommentHead {
  readonly author: string;
  /** Time in ISO 8601 if the markup states it, otherwise the words that the page shows. */
  readonly time: string;
  readonly points: string;
  readonly said: readonly HtmlElement[];
}

export function readCommentHeader(
  comment: HtmlElement,
  isOther: (element: HtmlElement) => boolean,
): CommentHead | undefined {
  const { attributes } = comment;
  const found = findSaid(comment, isOther);
  const given = attributes['data-author'] ?? attributes.author ?? '';
  const author = found.author
    ? lineOf(found.author, MAX_NAME_CHARS).replace(/\s(?:says|said|wrote|writes)\s?:?$/i, '')
    : given.slice(0, MAX_NAME_CHARS);
  if (author === '') return undefined;
  return {
    author,
    time: found.time ? timeOf(found.time) : dayOf(attributes.created ?? attributes['data-created']),
    points: found.points ? lineOf(found.points, MAX_POINTS_CHARS) : '',
    said: [found.author, found.time, found.points].filter((one) => one !== undefined),
  };
}

interface HeadParts {
  author?: HtmlElement;
  time?: HtmlElement;
  points?: HtmlElement;
}

function findSaid(comment: HtmlElement, isOther: (element: HtmlElement) => boolean): HeadParts {
  const found: HeadParts = {};
  let nodes = 0;
  for (let node = nextNode(comment, comment); node && ++nodes <= MAX_NODES; ) {
    let inside = true;
    if (node.nodeType === 1) {
      const what = isOther(node) ? undefined : sayingOf(node, found);
      if (what) found[what] = node;
      inside = what === undefined && !isOther(node);
    } else if (found.author && node.data.trim().length > MAX_NAME_CHARS) break;
    node = nextNode(node, comment, inside);
  }
  return found;
}

function sayingOf(element: HtmlElement, { author, time, points }: HeadParts): keyof HeadParts | undefined {
  if (!author && isAuthor(element)) return 'author';
  if (!time && isTime(element)) return 'time';
  return author && !points && POINTS.test(lineOf(element, MAX_POINTS_CHARS)) ? 'points' : undefined;
}

function isAuthor(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (!/^(?:a|span|b|strong|cite|h\d|div|p|address|bdi|faceplate-tracker)$/.test(tag)) return false;
  const { href = '', rel = '', itemprop = '' } = attributes;
  const named =
    /(?:^|\s)(?:author|name|creator)(?=\s|$)/.test(itemprop) ||
    /\bauthor\b/.test(rel) ||
    AUTHOR.test((attributes.class ?? '').slice(0, 200)) ||
    (tag === 'a' && PROFILE.test(href.split(/[?#]/, 1)[0]?.replace(/\/$/, '') ?? '')) ||
    (tag === 'a' &&
      /^user\?|[?&](?:user|u)=[\w-]{1,40}$|\/(?:users?|u|profile|members?)\/[^/]{1,60}\/?$/i.test(href));
  if (!named || isTime(element)) return false;
  const name = lineOf(element, MAX_NAME_CHARS);
  return /[\p{L}\p{N}]/u.test(name) && !SAYS.test(name);
}

function isTime(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (tag === 'time' || tag === 'relative-time' || tag === 'faceplate-timeago') return true;
  if (!/^(?:a|span|div|small|abbr|p|em|i)$/.test(tag) || !TIME.test((attributes.class ?? '').slice(0, 200)))
    return false;
  const text = lineOf(element, MAX_TIME_CHARS);
  return /\d/.test(text) || /^(?:just now|yesterday|today|now)$/i.test(text);
}

function timeOf(element: HtmlElement): string {
  const inner = element.tag === 'time' ? element : element.getElementsByTagName('time')[0];
  for (const { attributes } of inner ? [inner, element] : [element]) {
    const day = dayOf(attributes.datetime ?? attributes.ts ?? attributes.title ?? attributes['data-time']);
    if (day) return day;
  }
  const text = lineOf(element, MAX_TIME_CHARS);
  return dayOf(text) || text;
}

const dayOf = (text: string | undefined): string => toIsoDate(text)?.slice(0, 10) ?? '';

function lineOf(element: HtmlElement, most: number): string {
  const line = plainText(element, most + 1);
  return line.length > most ? '' : line;
}

export function extractCommentHeader(head: CommentHead): HtmlElement {
  for (const element of head.said) removeNode(element);
  const rest = [head.time, head.points].filter(Boolean).map((text) => ` · ${text}`);
  const name = createElement('strong', 0, head.author);
  return createElement('p', 0, name, ...(rest.length > 0 ? [rest.join('')] : []));
}

export function dropHeaderLines(comment: HtmlElement, isOther: (element: HtmlElement) => boolean): void {
  for (let node: HtmlNode | null = nextNode(comment, comment); node; ) {
    const own: boolean = node.nodeType === 1 && !isOther(node);
    const small: boolean =
      node.nodeType === 1 && own && isLine(node) && SAYS.test(lineOf(node, MAX_TIME_CHARS));
    const next: HtmlNode | null = nextNode(node, comment, node.nodeType === 1 && own && !small);
    if (small) removeNode(node);
    node = next;
  }
}

function isLine({ tag, children, parentNode, previousSibling, nextSibling }: HtmlElement): boolean {
  if (/^(?:ul|ol|div|header|footer|td)$/.test(tag)) return true;
  if (tag === 'p') return children.length > 0;
  if (!/^(?:a|span|small|font)$/.test(tag) || /^(?:p|li|em|strong|b|i)$/.test(parentNode?.tag ?? ''))
    return false;
  return [previousSibling, nextSibling].every((node) => node?.nodeType !== 3 || node.data.trim() === '');
}
