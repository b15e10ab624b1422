import type { Money } from './program-numbers.ts';
import tables from './program-tables.json' with { type: 'json' };

export const ENTITIES: Readonly<Record<string, string>> = tables.entities;

export interface Product {
  readonly name: string;
  readonly value: number;
  readonly currency: string;
  readonly stock: boolean | undefined;
}

export function decodeEntities(text: string): string {
  return text
    .replace(/&([a-z]{2,6}|#\d{2,5});/g, (_whole, name: string) => ENTITIES[name] ?? ' ')
    .replace(/\s+/g, ' ');
}

export function isSkippedElement(name: string, tag: string): boolean {
  if (/^(?:script|style|noscript|template|del|s|strike|svg|select)$/.test(name)) return true;
  if (/^(?:html|body|main|area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(name))
    return false;
  const named = /(?:class|id)\s{0,3}=\s{0,3}["']([^"']{0,300})/i.exec(tag)?.[1] ?? '';
  return /(?:^|[\s_-])(?:old|was|strike\w*|crossed\w*|regular-price|list-?price|price-(?:old|was|before|strike)|rrp|uvp|msrp|related|recommend\w*|similar|upsell|cross-?sells?|carousel|also-?(?:bought|viewed|like)|more-products|you-may\w*)(?:$|[\s_-])/i.test(
    named,
  );
}

/** Returns a page's text without struck-through text and other products. `headingAt`: index of the `h1`. */
export function pageText(html: string) {
  const code = html.slice(0, 3_000_000);
  const state = {
    parts: [] as string[],
    length: 0,
    skipped: '',
    depth: 0,
    inside: '',
    heading: '',
    title: '',
    headingAt: -1,
  };
  for (let from = 0; from < code.length; ) {
    const open = code.indexOf('<', from);
    addText(state, code.slice(from, open < 0 ? code.length : open));
    from = open < 0 ? code.length : consumePageTag(state, code, open);
  }
  const { parts, headingAt, heading, title } = state;
  return { text: parts.join(''), headingAt, heading: heading.trim(), title: title.trim() };
}

export function consumePageTag(state: PageReaderState, code: string, open: number): number {
  const comment = code.startsWith('<!--', open);
  const close = code.indexOf(comment ? '-->' : '>', open);
  if (close < 0) return code.length;
  if (comment) return close + 3;
  const tag = code.slice(open + 1, Math.min(close, open + 2000));
  const name = (/^\/?([a-zA-Z][a-zA-Z0-9]*)/.exec(tag)?.[1] ?? '').toLowerCase();
  const isCode = (name === 'script' || name === 'style') && !tag.startsWith('/');
  if (!isCode) addTag(state, name, tag);
  if (!isCode) return close + 1;
  const end = code.slice(close).search(name === 'script' ? /<\/script/i : /<\/style/i);
  return end < 0 ? code.length : close + end;
}

interface PageReaderState {
  readonly parts: string[];
  length: number;
  skipped: string;
  depth: number;
  inside: string;
  heading: string;
  title: string;
  headingAt: number;
}

export function addText(state: PageReaderState, text: string): void {
  const plain = decodeEntities(text);
  if (state.inside === 'title') state.title += plain;
  if (state.skipped !== '' || state.inside === 'title') return;
  if (state.inside === 'h1') state.heading += plain;
  state.parts.push(plain);
  state.length += plain.length;
}

export function addTag(state: PageReaderState, name: string, tag: string): void {
  const ends = tag.startsWith('/');
  if (state.skipped !== '') {
    if (name === state.skipped && !tag.endsWith('/')) state.depth += ends ? -1 : 1;
    if (state.depth === 0) state.skipped = '';
    return;
  }
  if (!ends && isSkippedElement(name, tag)) {
    state.skipped = name;
    state.depth = 1;
    return;
  }
  if (name === 'h1' && !ends && state.headingAt < 0) state.headingAt = state.length;
  if (name === 'h1' || name === 'title') state.inside = ends ? '' : name;
  if (/^(?:b|i|em|strong|span|sup|sub|small|a|bdi|u)$/.test(name)) return;
  state.parts.push(' ');
  state.length++;
}

export function parseAvailability(text: unknown): boolean | undefined {
  const name = String(text ?? '')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  if (/(?:instock|limitedavailability|onlineonly|instoreonly)$/.test(name)) return true;
  return /outofstock|soldout|discontinued|^oos$/.test(name) ? false : undefined;
}

/** Parses a price in structured data. The standard is a decimal point, but some shops use local formats. */
export function parseStructuredPrice(price: unknown): number {
  const raw = String(price ?? '').trim();
  return /^\d+(?:\.\d+)?$/.test(raw) ? Number(raw) : readNumber(raw);
}

export function findCheapestOffer(offers: unknown): Omit<Product, 'name'> {
  let best: Omit<Product, 'name'> = { value: Number.NaN, currency: '', stock: undefined };
  for (const one of [offers].flat(2).slice(0, 50)) {
    if (typeof one !== 'object' || one === null) continue;
    const offer = one as Record<string, unknown>;
    const nested = offer.offers === undefined ? undefined : findCheapestOffer(offer.offers);
    const specified = [offer.priceSpecification].flat()[0] as Record<string, unknown> | undefined;
    const value = nested?.value ?? parseStructuredPrice(offer.price ?? offer.lowPrice ?? specified?.price);
    const currency = nested?.currency ?? String(offer.priceCurrency ?? specified?.priceCurrency ?? '');
    const stock = nested?.stock ?? parseAvailability(offer.availability);
    const cheaper = Number.isNaN(best.value) || value < best.value;
    best = {
      ...(cheaper ? { value, currency } : best),
      stock: stock === true || best.stock === true ? true : (stock ?? best.stock),
    };
  }
  return best;
}

export function productsIn(node: unknown, deep: number): Product[] {
  if (deep > 6 || typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.slice(0, 100).flatMap((one) => productsIn(one, deep + 1));
  const thing = node as Record<string, unknown>;
  const isProduct = [thing['@type']]
    .flat()
    .some((type) =>
      /(?:^|\/)(?:Product|ProductGroup|IndividualProduct|ProductModel|Book|Vehicle|Car|Hotel|Event)$/.test(
        String(type),
      ),
    );
  if (isProduct)
    return [{ name: String(thing.name ?? ''), ...findCheapestOffer(thing.offers ?? thing.hasVariant) }];
  return ['@graph', 'mainEntity', 'mainEntityOfPage', 'item', 'about'].flatMap((key) =>
    productsIn(thing[key], deep + 1),
  );
}

export function metaOf(code: string, wanted: string): string {
  const names = /(?:property|name|itemprop)\s?=\s?["']([\w:.-]{1,60})["']/gi;
  for (let name = names.exec(code); name; name = names.exec(code)) {
    if (name[1] !== wanted) continue;
    const start = Math.max(code.lastIndexOf('<', name.index), name.index - 400);
    const close = code.indexOf('>', name.index);
    const tag = code.slice(start, close < 0 ? name.index + 400 : Math.min(close + 1, name.index + 800));
    const content = /(?:content|href|value)\s?=\s?["']([^"']{1,100})/i.exec(tag)?.[1];
    return content ?? (close < 0 ? '' : (code.slice(close + 1, close + 60).split('<')[0] ?? ''));
  }
  return '';
}

export function productsOf(html: string): Product[] {
  const code = html.slice(0, 3_000_000);
  const found: Product[] = [];
  const blocks = /<script\b[^<>]{0,300}application\/ld\+json[^<>]{0,300}>/gi;
  for (let block = blocks.exec(code); block && found.length < 50; block = blocks.exec(code)) {
    const end = code.indexOf('</', blocks.lastIndex);
    if (end < 0) break;
    try {
      found.push(...productsIn(JSON.parse(code.slice(blocks.lastIndex, end)), 0));
    } catch {}
  }
  for (const [price, currency, stock] of [
    ['product:price:amount', 'product:price:currency', 'product:availability'],
    ['og:price:amount', 'og:price:currency', 'og:availability'],
    ['price', 'priceCurrency', 'availability'],
  ] as const) {
    const raw = metaOf(code, price);
    const there = parseAvailability(metaOf(code, stock));
    if (raw === '' && there === undefined) continue;
    found.push({
      name: '',
      value: parseStructuredPrice(raw),
      currency: metaOf(code, currency).toUpperCase().slice(0, 3),
      stock: there,
    });
  }
  return found;
}

export function ownPrice(
  html: string,
  codes: string,
  of: string | undefined,
  currency: string,
): Money | undefined {
  const { text, headingAt, heading, title } = pageText(html);
  const products = productsOf(html).filter(
    (one) => Number.isFinite(one.value) && sameCurrency(one.currency, currency),
  );
  const words = of === undefined ? [] : of.toLowerCase().split(/\s+/).slice(0, 12);
  const names = (name: string) => name !== '' && words.every((word) => name.toLowerCase().includes(word));
  const about = (name: string) =>
    name !== '' && (heading.includes(name) || title.includes(name) || name.includes(heading || ' '));
  const product =
    words.length > 0
      ? products.find((one) => names(one.name))
      : (products.find((one) => about(one.name)) ?? products[0]);
  const isAbout = words.length === 0 || names(heading) || names(title);
  const single = product ?? (isAbout ? products[0] : undefined);
  if (single) {
    const { value, currency: code } = single;
    return { value, currency: code, at: 0, text: `${value} ${code}`.trim() };
  }
  const amounts = moneyIn(text, codes).filter((one) => sameCurrency(one.currency, currency));
  if (isAbout) return amounts.find((one) => one.at >= headingAt) ?? amounts[0];
  const at = text.toLowerCase().indexOf(words.join(' '));
  const near = at < 0 ? undefined : amounts.find((one) => one.at >= at);
  return near && near.at - at < 600 ? near : undefined;
}

declare function readNumber(text: string): number;
declare function moneyIn(text: string, codes: string): Money[];
declare function sameCurrency(one: string, other: string): boolean;
