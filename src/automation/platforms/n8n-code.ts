import { readFileSync } from 'node:fs';
import type { AutomationPlan } from '../plans/plan.ts';
import { listSimpleConditions } from '../reading/condition.ts';
import { LANGUAGE_PHRASES } from '../reading/languages.ts';
import {
  amountAt,
  CURRENCY_SIGNS,
  currencyOf,
  moneyIn,
  numbersIn,
  readNumber,
  SHARED_SIGNS,
  sameCurrency,
} from './program-numbers.ts';
import {
  addTag,
  addText,
  consumePageTag,
  decodeEntities,
  ENTITIES,
  findCheapestOffer,
  isSkippedElement,
  metaOf,
  ownPrice,
  pageText,
  parseAvailability,
  parseStructuredPrice,
  productsIn,
  productsOf,
} from './program-page.ts';

const CODES = Intl.supportedValuesOf('currency').join('|');
/** Minimum length of a phrase, because shorter ones match inside other words. */
const MIN_PHRASE_CHARACTERS = 2;

export function generateN8nCode(plan: AutomationPlan): string {
  const stock = listSimpleConditions(plan.when).some(({ kind }) => kind === 'stock' || kind === 'nostock');
  const facts = JSON.stringify({
    task: plan.task,
    pages: plan.pages,
    extract: plan.extract,
    when: plan.when,
    codes: CODES,
    ...(stock && { stock: phrasesOf('stock'), nostock: phrasesOf('nostock') }),
  });
  return `const plan = ${facts};
${LIBRARY}
${PROGRAM}`;
}

function phrasesOf(tag: 'stock' | 'nostock'): string[] {
  const all = LANGUAGE_PHRASES.flatMap((words) => words[tag]?.split('|') ?? []);
  return [
    ...new Set(
      all.filter((phrase) => phrase.length > MIN_PHRASE_CHARACTERS || /\p{Script=Han}/u.test(phrase)),
    ),
  ];
}

/** The functions of the program, after the tables that they read by these names. */
const LIBRARY = [
  ...Object.entries({ CURRENCY_SIGNS, SHARED_SIGNS, ENTITIES }).map(
    ([name, table]) => `const ${name} = ${JSON.stringify(table)};`,
  ),
  readNumber,
  currencyOf,
  sameCurrency,
  amountAt,
  moneyIn,
  numbersIn,
  decodeEntities,
  isSkippedElement,
  addText,
  addTag,
  consumePageTag,
  pageText,
  parseAvailability,
  parseStructuredPrice,
  findCheapestOffer,
  productsIn,
  metaOf,
  productsOf,
  ownPrice,
  bareText,
  absoluteUrl,
  jsonItems,
  elementAt,
  insideOf,
  feedItem,
  feedItems,
  linkItem,
  linkItems,
  itemsOf,
  hashOf,
  isWanted,
]
  .map(String)
  .join('\n');

/** Code that n8n's Code node runs after `LIBRARY`. It is the body of a function and not a module. */
const PROGRAM = readFileSync(new URL('./n8n-program.js', import.meta.url), 'utf8');

interface FeedItem {
  readonly key: string;
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

function bareText(text: string, length: number): string {
  const tags = /<[^<>]{0,2000}>/g;
  return text
    .slice(0, length * 20)
    .replace(/<!\[CDATA\[|\]\]>/g, ' ')
    .replace(tags, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(tags, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&#39;|&apos;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, length);
}

function absoluteUrl(url: string, page: string): string {
  try {
    return new URL(url, page).href;
  } catch {
    return url;
  }
}

function itemsOf(source: string, page: string): FeedItem[] {
  const code = source.slice(0, 3_000_000);
  const head = code.slice(0, 3000).trimStart();
  if (head.startsWith('{')) return jsonItems(code);
  return /<(?:rss|feed|rdf:RDF)[\s>]/i.test(head) ? feedItems(code, page) : linkItems(code, page);
}

function jsonItems(code: string): FeedItem[] {
  try {
    const { items } = JSON.parse(code) as { items?: Record<string, unknown>[] };
    return (Array.isArray(items) ? items : []).slice(0, 500).map((one) => {
      const url = String(one.url ?? one.external_url ?? '');
      const text = String(one.content_text ?? one.summary ?? one.content_html ?? '');
      return { key: String(one.id ?? url), title: String(one.title ?? ''), url, text: bareText(text, 500) };
    });
  } catch {
    return [];
  }
}

function elementAt(code: string, tag: string, from: number): number {
  for (let at = code.indexOf(`<${tag}`, from); at >= 0; at = code.indexOf(`<${tag}`, at + 1)) {
    if (/[\s>]/.test(code.charAt(at + tag.length + 1))) return at;
  }
  return -1;
}

function insideOf(part: string, tag: string): string {
  const start = elementAt(part, tag, 0);
  const first = start < 0 ? 0 : part.indexOf('>', start) + 1;
  const last = start < 0 ? -1 : part.indexOf(`</${tag}>`, first);
  return last < 0 ? '' : part.slice(first, last);
}

function feedItems(code: string, page: string): FeedItem[] {
  const items: FeedItem[] = [];
  for (const name of ['item', 'entry']) {
    for (let at = elementAt(code, name, 0); at >= 0 && items.length < 500; ) {
      const end = code.indexOf(`</${name}>`, at);
      if (end < 0) break;
      items.push(feedItem(code.slice(at, Math.min(end, at + 100_000)), page));
      at = elementAt(code, name, end);
    }
  }
  return items;
}

function feedItem(part: string, page: string): FeedItem {
  const href = /<link\b[^<>]{0,500}?href\s?=\s?["']([^"'<>]{1,2000})["']/.exec(part)?.[1] ?? '';
  const url = absoluteUrl(bareText(insideOf(part, 'link'), 2000) || bareText(href, 2000), page);
  const title = bareText(insideOf(part, 'title'), 300);
  const text = insideOf(part, 'description') || insideOf(part, 'summary') || insideOf(part, 'content');
  const key = bareText(insideOf(part, 'guid') || insideOf(part, 'id'), 500) || url || title;
  return { key, title, url, text: bareText(text, 500) };
}

function linkItems(code: string, page: string): FeedItem[] {
  const items = new Map<string, FeedItem>();
  const tags = /<(\/?)([a-zA-Z][a-zA-Z0-9]{0,20})([^<>]{0,3000})>/g;
  const beside = /^(?:nav|header|footer|aside|script|style|noscript|template|form|select)$/;
  const state = { skipped: '', depth: 0 };
  for (let tag = tags.exec(code); tag && items.size < 500; tag = tags.exec(code)) {
    const name = (tag[2] ?? '').toLowerCase();
    const ends = tag[1] === '/';
    if (state.skipped === '' && !ends && beside.test(name)) state.skipped = name;
    if (state.skipped === name) state.depth += ends ? -1 : 1;
    if (state.depth <= 0) Object.assign(state, { skipped: '', depth: 0 });
    if (state.skipped !== '' || name !== 'a' || ends) continue;
    const item = linkItem(tag[3] ?? '', code.slice(tags.lastIndex, tags.lastIndex + 5000), page);
    if (item && !items.has(item.key)) items.set(item.key, item);
  }
  return [...items.values()];
}

function linkItem(attributes: string, behind: string, page: string): FeedItem | undefined {
  const href = /href\s{0,3}=\s{0,3}["']?([^"'<>\s]{1,2000})/i.exec(attributes)?.[1] ?? '';
  const end = behind.indexOf('</a');
  const title = bareText(end < 0 ? behind : behind.slice(0, end), 300);
  if (href === '' || href.startsWith('#') || /^(?:javascript|mailto|tel):/i.test(href) || title.length < 4)
    return undefined;
  const url = absoluteUrl(href.replace(/&amp;/g, '&'), page);
  return { key: url, title, url, text: '' };
}

function hashOf(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return (high >>> 0).toString(36) + (low >>> 0).toString(36);
}

function isWanted(
  item: FeedItem,
  wanted: { about?: readonly string[]; every?: boolean; without?: readonly string[] },
): boolean {
  const text = `${item.title} ${item.text}`.toLowerCase();
  const has = (word: string) => {
    const low = word.toLowerCase();
    // A short word must be a whole word in the text: `Go` must not match `Google`.
    for (let at = text.indexOf(low); at >= 0; at = text.indexOf(low, at + 1)) {
      const around = text.charAt(at - 1) + text.charAt(at + low.length);
      if (low.length > 3 || !/[\p{L}\p{N}]/u.test(around)) return true;
    }
    return false;
  };
  const about = wanted.about ?? [];
  if ((wanted.without ?? []).some(has)) return false;
  return about.length === 0 || (wanted.every ? about.every(has) : about.some(has));
}
