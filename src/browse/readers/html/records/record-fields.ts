import { findPrice } from '../../../extracting/numbers.ts';
import type { DataItem } from '../../../extracting/structured.ts';
import { pairOf } from '../markdown/label-pairs.ts';
import { fieldKindOf, fieldNamesOf, isOutdatedValue, splitClassNames } from '../parsing/class-words.ts';
import { type HtmlElement, type HtmlNode, nextNode } from '../parsing/node.ts';
import { isStruck, plainText, ratingOf } from './record-text.ts';

const MAX_NODES = 600;
const MAX_KEYS = 60;
const MAX_VALUE_CHARS = 300;
const MAX_TEXT_CHARS = 2000;
const MIN_TEXT_CHARS = 20;
const LINKED = /^(?:url|link|href|permalink)$/;
const PICTURED = /^(?:image|img|photo|picture|thumbnail|thumb|avatar|cover|logo)$/;
const PEOPLE =
  /\/(?:u|users?|authors?|profiles?|members?|people)\/[^/?#]|\/~|\/@[\w.-]+\/?$|[?&](?:u|uid|author)=/;

export interface ReadBudget {
  readonly url: string;
  nodes: number;
  chars: number;
}

export interface FieldOptions {
  readonly own: ReadonlySet<string>;
  readonly isOther: (element: HtmlElement) => boolean;
  readonly isPage: boolean;
}

interface RecordFields {
  readonly named: DataItem;
  readonly likely: DataItem;
  readonly kinds: DataItem;
  paragraphs: string;
}

export function readFields(record: HtmlElement, reading: ReadBudget, how: FieldOptions): DataItem {
  const fields: RecordFields = { named: {}, kinds: {}, likely: {}, paragraphs: '' };
  const most = how.isPage ? reading.nodes : Math.min(reading.nodes, MAX_NODES);
  let left = most;
  if (record.tag === 'a') visit(record, fields, reading, how);
  put(fields.kinds, 'rating', ratingOf(record), MAX_VALUE_CHARS);
  for (let node: HtmlNode | null = nextNode(record, record); node && left > 0; ) {
    left--;
    const isElement: boolean = node.nodeType === 1;
    const enters: boolean = !isElement || !how.isOther(node as HtmlElement);
    if (isElement && enters) visit(node as HtmlElement, fields, reading, how);
    else if (!how.isPage && node.nodeType === 3) visitText(node.data, node.parentNode, fields);
    node = nextNode(node, record, enters);
  }
  reading.nodes -= most - left;
  const { paragraphs } = fields;
  if (!how.isPage) put(fields.likely, 'text', paragraphs || wholeText(record, fields), MAX_TEXT_CHARS);
  const thing = { ...fields.likely, ...fields.kinds, ...fields.named };
  reading.chars -= JSON.stringify(thing).length;
  return thing;
}

function wholeText(record: HtmlElement, { likely }: RecordFields): string {
  return likely.title === undefined ? plainText(record, MAX_TEXT_CHARS) : '';
}

function visit(element: HtmlElement, fields: RecordFields, reading: ReadBudget, how: FieldOptions): void {
  const tokens = splitClassNames(element);
  if (tokens.length > 0) named(element, tokens, fields, reading, how.own);
  const pair = pairOf(element);
  if (pair) put(fields.named, pair.name, pair.value, MAX_VALUE_CHARS);
  put(fields.kinds, 'rating', ratingOf(element), MAX_VALUE_CHARS);
  if (!how.isPage) likely(element, fields, reading);
}

function named(
  element: HtmlElement,
  tokens: readonly (readonly string[])[],
  fields: RecordFields,
  reading: ReadBudget,
  own: ReadonlySet<string>,
): void {
  const former = isOutdatedValue(tokens) || isStruck(element);
  const text = plainText(element, MAX_TEXT_CHARS);
  for (const words of fieldNamesOf(tokens, own)) {
    const key = words.join('');
    const kind = fieldKindOf(words);
    const value = valueFor(kind ?? key, element, text, reading.url);
    if (former && kind === 'price')
      put(fields.named, key === 'price' ? 'oldprice' : key, value, MAX_VALUE_CHARS);
    else putNamed({ key, kind, value, text }, fields);
  }
}

interface NamedField {
  readonly key: string;
  readonly kind: string | undefined;
  readonly value: string | undefined;
  readonly text: string;
}

function putNamed({ key, kind, value, text }: NamedField, { named: names, kinds }: RecordFields): void {
  const most = kind === 'text' ? MAX_TEXT_CHARS : MAX_VALUE_CHARS;
  if (Object.keys(names).length < MAX_KEYS) put(names, key, value, most, true);
  // Class names such as `comment` also mark counters and buttons, so a short text is not a comment.
  if (kind && (kind !== 'text' || (value ?? '').length >= MIN_TEXT_CHARS)) put(kinds, kind, value, most);
  if (kind === 'price') put(kinds, 'currency', findPrice(text)?.currency, MAX_VALUE_CHARS);
}

function valueFor(kind: string, element: HtmlElement, text: string, base: string): string | undefined {
  const { datetime, content } = element.attributes;
  if (LINKED.test(kind)) return addressOf(element, 'a', base) ?? text;
  if (PICTURED.test(kind)) return addressOf(element, 'img', base);
  if (kind === 'author') return content ?? linkedName(element) ?? text;
  if (kind === 'rating') return ratingOf(element) ?? text;
  if (kind === 'published') return datetime ?? timeIn(element) ?? content ?? text;
  if (kind === 'price') return content ?? priceIn(text) ?? text;
  return content ?? text;
}

function linkedName(element: HtmlElement): string | undefined {
  let nodes = 0;
  for (let node = nextNode(element, element); node && nodes++ < 40; node = nextNode(node, element)) {
    const text = node.nodeType === 1 && node.tag === 'a' ? plainText(node, 100) : '';
    if (text) return text;
  }
  return undefined;
}

function priceIn(text: string): string | undefined {
  const first = findPrice(text);
  if (!first) return undefined;
  const was = /(?<!\p{L})(?:was|before|statt|instead of|rrp|uvp|list price|regular)(?!\p{L})/iu.exec(
    text.slice(0, MAX_VALUE_CHARS),
  );
  const rest = was ? text.slice(text.indexOf(first.text, was.index) + first.text.length) : '';
  return (was && text.indexOf(first.text) > was.index ? findPrice(rest)?.text : undefined) ?? first.text;
}

function timeIn(element: HtmlElement): string | undefined {
  let nodes = 0;
  for (let node = nextNode(element, element); node && nodes++ < 30; node = nextNode(node, element)) {
    if (node.nodeType === 1 && node.attributes.datetime) return node.attributes.datetime;
  }
  return undefined;
}

function likely(element: HtmlElement, fields: RecordFields, { url }: ReadBudget): void {
  const { tag, attributes } = element;
  const { likely: found } = fields;
  if (/^h[1-6]$/.test(tag)) {
    const text = plainText(element, MAX_VALUE_CHARS);
    if (text && found['@heading'] === undefined) {
      found.title = text;
      found['@heading'] = true;
      const link = addressOf(element, 'a', url) ?? linkAround(element, url);
      if (link) found.url = link;
    }
  } else if (tag === 'a') visitLink(element, found, url);
  else if (tag === 'img') put(found, 'image', addressOf(element, 'img', url), MAX_TEXT_CHARS);
  else if (tag === 'time') put(found, 'published', attributes.datetime ?? plainText(element, 100), 100);
  else if (tag === 'p' && fields.paragraphs.length < MAX_TEXT_CHARS)
    fields.paragraphs = `${fields.paragraphs} ${plainText(element, MAX_TEXT_CHARS)}`.trim();
}

function visitLink(element: HtmlElement, found: DataItem, url: string): void {
  const { href = '', rel = '' } = element.attributes;
  const text = plainText(element, MAX_VALUE_CHARS);
  const link = absolute(href, url);
  const isPerson = /(?:^|\s)author(?:\s|$)/i.test(rel) || PEOPLE.test(href.slice(0, 500));
  if (isPerson) {
    put(found, 'author', text, 100);
    return;
  }
  if (!link || /^\s*(?:#|$)/.test(href)) return;
  put(found, 'url', link, MAX_TEXT_CHARS);
  if (text.length > 3 && found.title === undefined) {
    found.title = text;
    found.url = link;
  }
}

function visitText(data: string, parent: HtmlElement | null, { likely: found }: RecordFields): void {
  if (found.price !== undefined || data.length > MAX_VALUE_CHARS || !/\d/.test(data)) return;
  const money = findPrice(data);
  // Skips struck-through prices, which are old, and prices in sentences, which may belong to something else.
  if (
    !money ||
    data.trim().length > 2 * money.text.length + 12 ||
    (parent && (isStruck(parent) || isOutdatedValue(splitClassNames(parent))))
  )
    return;
  put(found, 'price', money.text, MAX_VALUE_CHARS);
  put(found, 'currency', money.currency, MAX_VALUE_CHARS);
}

function put(thing: DataItem, name: string, value: string | undefined, most: number, list = false): void {
  const text = value?.slice(0, most).trim();
  const key = name.slice(0, 100);
  if (!text || key === '' || key === '__proto__') return;
  const before = Object.hasOwn(thing, key) ? thing[key] : undefined;
  if (before === undefined) thing[key] = text;
  else if (list && Array.isArray(before)) {
    if (before.length < 20) before.push(text);
  } else if (list && before !== text) thing[key] = [before, text];
}

const MAX_ADDRESS_CHARS = 2000;

function addressOf(element: HtmlElement, tag: 'a' | 'img', base: string): string | undefined {
  let nodes = 0;
  for (let node: HtmlNode | null = element; node && nodes++ < 40; node = nextNode(node, element)) {
    if (node.nodeType !== 1 || node.tag !== tag) continue;
    const { href, src, 'data-src': later } = node.attributes;
    const address = tag === 'a' ? href : src && !src.startsWith('data:') ? src : later;
    const found = absolute(address ?? '', base);
    if (found) return found;
  }
  return undefined;
}

function linkAround(element: HtmlElement, base: string): string | undefined {
  let at = element.parentNode;
  for (let levels = 0; at && levels < 4; levels++, at = at.parentNode) {
    if (at.tag === 'a') return absolute(at.attributes.href ?? '', base);
  }
  return undefined;
}

function absolute(address: string, base: string): string | undefined {
  const isPlace = address === '' || address.startsWith('#');
  const found = isPlace || address.length > MAX_ADDRESS_CHARS ? null : URL.parse(address, base);
  return found && /^https?:$/.test(found.protocol) ? found.href : undefined;
}
