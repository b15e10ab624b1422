import type { AutomationPlan } from '../plans/plan.ts';
import { listSimpleConditions } from '../reading/condition.ts';
import { LANGUAGE_PHRASES } from '../reading/languages.ts';
import { amountAt, currencyOf, moneyIn, numbersIn, readNumber, sameCurrency } from './program-numbers.ts';
import {
  addTag,
  addText,
  consumePageTag,
  decodeEntities,
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

const LIBRARY = [
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

const PROGRAM = String.raw`
const memory = $getWorkflowStaticData('global');
memory.pages = memory.pages || {};
const { extract, when } = plan;
const singles = when.kind === 'any' || when.kind === 'all' ? when.of.flatMap((one) => one.of || [one]) : [when];
const wanted = singles.find((one) => one.kind === 'new') || {};
const currency = (singles.find((one) => one.currency) || {}).currency || '';
let sources = [];
try { sources = $('Fetch').all().map((one) => one.json.html); } catch (error) { sources = []; }

function factsOf(item, index) {
  const page = plan.pages[index];
  const found = item.json.found;
  const source = typeof sources[index] === 'string' ? sources[index] : '';
  if (page === undefined || item.json.error !== undefined) return undefined;
  if (found === undefined || found === null) { if (extract.kind !== 'items' || source === '') return undefined; }
  const lines = (Array.isArray(found) ? found : [found === undefined || found === null ? '' : found])
    .map((one) => String(one).replace(/\s+/g, ' ').trim())
    .filter((one) => one !== '');
  const whole = lines.join('\n').slice(0, 100000);
  const facts = { page, whole, text: whole, prices: [], items: undefined, stock: undefined };
  if (extract.kind === 'prices') {
    const own = extract.all ? undefined : ownPrice(source, plan.codes, extract.of, currency);
    const plain = source === '' ? whole : pageText(source).text;
    const all = moneyIn(plain, plan.codes).filter((one) => sameCurrency(one.currency, currency));
    const used = extract.all || source === '' ? all : own ? [own] : [];
    facts.prices = (extract.all || source !== '' ? used : all.slice(0, 1)).map((one) => one.value);
    facts.text = used.map((one) => one.text).join('\n');
  }
  if (singles.some((one) => one.kind === 'new') || extract.kind === 'items') {
    facts.items = extract.kind === 'links' || extract.kind === 'headings' || extract.kind === 'selector'
      ? lines.map((line) => ({ key: line, title: line, url: '', text: '' }))
      : itemsOf(source, page);
    if (extract.kind === 'items') facts.text = facts.items.map((one) => (one.title + ' ' + one.url).trim()).join('\n');
  }
  if (plan.stock) {
    const product = productsOf(source).find((one) => one.stock !== undefined);
    const low = (source === '' ? whole : pageText(source).text).toLowerCase();
    facts.stock = product ? product.stock
      : plan.nostock.some((phrase) => low.includes(phrase)) ? false
      : plan.stock.some((phrase) => low.includes(phrase)) ? true : undefined;
  }
  return facts;
}

function numbersOf(one, facts) {
  if (extract.kind === 'prices' && one.of === undefined) return facts.prices;
  if (one.of !== undefined) return numbersIn(facts.whole, one.of);
  const money = moneyIn(facts.whole, plan.codes);
  if (one.currency || money.length > 0) return money.filter((some) => sameCurrency(some.currency, one.currency || '')).map((some) => some.value);
  return numbersIn(facts.whole, undefined);
}

// Returns undefined if the level is unknown in this run. The state then stays.
function level(one, facts) {
  const low = facts.whole.toLowerCase();
  if (one.kind === 'word') return low.includes(one.word.toLowerCase());
  if (one.kind === 'gone') return !low.includes(one.word.toLowerCase());
  if (one.kind === 'stock') return facts.stock;
  if (one.kind === 'nostock') return facts.stock === undefined ? undefined : !facts.stock;
  if (one.kind === 'compare') {
    const first = facts.all[0], second = facts.all[1];
    if (!first || !second || first.prices.length === 0 || second.prices.length === 0) return undefined;
    const a = first.prices[0], b = second.prices[0];
    return one.is === 'below' ? a < b : one.is === 'above' ? a > b : a !== b;
  }
  const numbers = numbersOf(one, facts);
  if (numbers.length === 0) return undefined;
  return numbers.some((n) => one.kind === 'equal' ? n === one.value
    : one.kind === 'below' ? n < one.value || (one.inclusive && n === one.value)
    : n > one.value || (one.inclusive && n === one.value));
}

function judge(one, facts, state, key) {
  if (one.kind === 'any' || one.kind === 'all') {
    const parts = one.of.map((part, index) => judge(part, facts, state, key + '.' + index));
    const holds = one.kind === 'any' ? parts.some((part) => part.holds) : parts.every((part) => part.holds);
    const fires = one.kind === 'any' ? parts.some((part) => part.fires) : holds && parts.some((part) => part.fires);
    return { holds, fires };
  }
  if (one.kind === 'always') return { holds: true, fires: true };
  if (one.kind === 'change') {
    const now = hashOf(facts.text);
    const changed = state.text !== undefined && state.hash !== now && !(extract.kind === 'prices' && facts.text === '');
    return { holds: changed, fires: changed };
  }
  if (one.kind === 'new') return { holds: facts.fresh.length > 0, fires: facts.fresh.length > 0 };
  if (one.kind === 'drop' || one.kind === 'rise' || one.kind === 'move') {
    const numbers = numbersOf(one, facts);
    if (numbers.length === 0) return { holds: false, fires: false };
    const now = numbers[0];
    const base = state.base[key];
    if (base === undefined) { state.base[key] = now; return { holds: false, fires: false }; }
    const by = one.percent ? Math.abs(base) * one.value / 100 : one.value;
    const far = one.kind === 'drop' ? base - now : one.kind === 'rise' ? now - base : Math.abs(now - base);
    const moved = far > 0 && far >= by - 1e-9;
    // After a price went the other way, the next price is compared with this one.
    if (moved || (one.kind !== 'move' && far < 0)) state.base[key] = now;
    return { holds: moved, fires: moved };
  }
  const now = level(one, facts);
  if (now === undefined) return { holds: state.levels[key] === true, fires: false };
  const before = state.levels[key];
  state.levels[key] = now;
  return { holds: now, fires: now && before !== true };
}

const sent = [];
const all = $input.all().map(factsOf);
all.forEach((facts, index) => {
  if (facts === undefined) return;
  if (index > 0 && singles.some((one) => one.kind === 'compare')) return;
  const page = facts.page;
  const kept = memory.pages[page];
  const first = kept === undefined;
  const state = first ? { levels: {}, base: {} } : kept;
  facts.all = all;
  facts.fresh = [];
  if (facts.items && facts.items.length > 0) {
    const seen = new Set(state.seen || []);
    if (state.seen) facts.fresh = facts.items.filter((one) => !seen.has(hashOf(one.key)) && isWanted(one, wanted));
    const keys = facts.items.map((one) => hashOf(one.key));
    state.seen = [...new Set([...keys, ...(state.seen || [])])].slice(0, 3000);
  }
  const verdict = judge(when, facts, state, 'w');
  const before = state.text;
  if (!(extract.kind === 'prices' && facts.text === '' && before !== undefined)) {
    state.text = facts.text.slice(0, 20000);
    state.hash = hashOf(facts.text);
  }
  if (when.kind !== 'always') memory.pages[page] = state;
  if (!verdict.fires) return;
  const fresh = facts.fresh.map((one) => (one.title + ' ' + one.url).trim()).join('\n');
  const found = fresh !== '' ? fresh : facts.text;
  sent.push({
    json: {
      task: plan.task,
      page,
      at: new Date().toISOString(),
      found,
      ...(facts.fresh.length > 0 && { items: facts.fresh.map(({ title, url }) => ({ title, url })) }),
      ...(singles.some((one) => one.kind === 'change' || one.kind === 'drop' || one.kind === 'rise' || one.kind === 'move') && before !== undefined && { before }),
      text: plan.task + '\n' + page + '\n' + found,
    },
  });
});
return sent;
`;

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
    // A short word must match a whole word, because `Go` must not match `Google`.
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
