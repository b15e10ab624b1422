import { upstreamError } from '../../errors.ts';
import { LEVEL_CONDITIONS, type PageWatch } from '../../lib/watching/page-watch.ts';
import { fitData } from '../extracting/fit-data.ts';
import { findNumber, findPrice } from '../extracting/numbers.ts';
import type { DataPage, DataSchema } from '../extracting/structured.ts';
import type { PageLink } from '../reading/page.ts';
import { splitBlocks } from '../reducing/blocks.ts';
import { markdownToPlainText } from '../reducing/plain-text.ts';
import { hashOf, isEmptyMeaning, readMeaning, type UnitMeaning } from './unit-meaning.ts';
import words from './watch-words.json' with { type: 'json' };
import data from './watched-data.json' with { type: 'json' };

/** A watched page: its text, and the facts from which prices and items are read. */
export interface WatchedPage extends DataPage {
  readonly url: string;
  readonly title: string;
  readonly links: readonly PageLink[];
}

/** A watch with its defaults. */
export type PlainWatch = NonNullable<PageWatch['when']> & NonNullable<PageWatch['extract']>;

export function plainWatchOf({ extract = {}, when = { is: 'change' } }: PageWatch): PlainWatch {
  const isPrice = extract.product !== undefined || (extract.what === 'prices' && when.is !== 'change');
  return { ...extract, ...when, of: when.of ?? extract.product, ...(isPrice && { what: 'price' as const }) };
}

/** One thing that a look compares. Things with the same key are the same. */
export interface WatchedThing {
  readonly key: string;
  readonly text: string;
  readonly number?: number | undefined;
  /** The direction of a move, by which another look confirms it: its number may differ. */
  readonly way?: string | undefined;
}

export interface WatchedItem extends WatchedThing {
  /** Identifies the item by its title, where its address changes. */
  readonly titleKey: string;
}

/** What a look has read. `units` is the text of the page, by which error pages are recognized too. */
export interface WatchedReading {
  readonly units: readonly string[];
  /** What is watched in place of the units: headings, links, prices or the title. */
  readonly parts?: readonly string[] | undefined;
  readonly language?: string | undefined;
  readonly value?: WatchedThing | undefined;
  readonly items?: readonly WatchedItem[] | undefined;
  /** Words of errors, logins and forms for consent in a page that says little beside them. */
  readonly doubts?: readonly string[] | undefined;
}

const [MAX_UNITS, MAX_CHARS, MAX_UNIT_CHARS] = [1500, 120_000, 2000];
const MAX_ITEMS = 500;
const MAX_FAILED_CHARS = 1500;
export const [MET, UNMET] = ['met', 'unmet'];

/** Throws AppError `upstream` if the page does not have what is watched. */
export function readWatchedPage(page: WatchedPage, watch: PlainWatch): WatchedReading {
  const { language, markdown } = page;
  const all = listUnits(markdown, language, watch.selector !== undefined || watch.is !== 'change');
  const low = markdown.length <= MAX_FAILED_CHARS ? `${page.title}\n${markdown}`.toLowerCase() : '';
  const found = words.failed.split('|').filter((phrase) => low.includes(phrase));
  const base = { units: all, language, doubts: found.length > 0 ? found : undefined };
  const { is, what } = watch;
  if (is === 'new_items' || (is === 'change' && what === 'items')) {
    return { ...base, items: listItems(page) };
  }
  if (LEVEL_CONDITIONS.includes(is)) return { ...base, value: levelOf(page, all, watch) };
  if (what === 'price' || is !== 'change' || watch.of !== undefined) {
    return { ...base, value: numberOf(page, all, watch) };
  }
  return { ...base, parts: partsOf(page, all, watch) };
}

function listUnits(markdown: string, language: string | undefined, isPart: boolean): string[] {
  const units: string[] = [];
  let left = MAX_CHARS;
  for (const { kind, text } of splitBlocks(markdown)) {
    const lines =
      kind === 'rows' || kind === 'head' || kind === 'code' ? text.split('\n') : text.split(/\n{2,}/);
    for (const line of lines) {
      const unit = line.slice(0, MAX_UNIT_CHARS);
      if (units.length >= MAX_UNITS || unit.length > left) return units;
      const isRule = kind === 'head' && /^[\s|:-]{1,2000}$/.test(unit);
      if (isRule || !unit.trim() || (!isPart && isEmptyMeaning(readMeaning(unit, language)))) continue;
      units.push(unit);
      left -= unit.length;
    }
  }
  return units;
}

function partsOf(
  { title, links, url }: WatchedPage,
  units: readonly string[],
  { what }: PlainWatch,
): readonly string[] | undefined {
  if (what === 'title') return [title];
  if (what === 'headings') return units.filter((unit) => /^ {0,3}#{1,6}\s/.test(unit));
  if (what === 'prices') return units.filter((unit) => findPrice(markdownToPlainText(unit)) !== undefined);
  if (what !== 'links') return undefined;
  return links
    .filter((link) => link.text !== '')
    .slice(0, MAX_UNITS)
    .map((link) => `${link.text} (${normalizeAddress(link.url, url)})`);
}

const SCHEMAS = data as Readonly<Record<keyof typeof data, DataSchema>>;
const MAX_DATA_CHARS = 200_000;

function listItems(page: WatchedPage): WatchedItem[] {
  const { data } = fitData(page, SCHEMAS.items, MAX_DATA_CHARS);
  const found = (data as { items?: { title?: string; url?: string }[] } | undefined)?.items ?? [];
  const items = found.some(({ title }) => title) ? found : linkedItems(page);
  if (items.length === 0) throw upstreamError(`${page.url} shows no list of items`);
  return items.slice(0, MAX_ITEMS).flatMap(({ title = '', url }) => {
    const { text, key: titleKey } = readMeaning(title, page.language);
    if (text === '') return [];
    return [{ key: url === undefined ? titleKey : hashOf(normalizeAddress(url, page.url)), titleKey, text }];
  });
}

/** Without data or repeated elements, the items are headings and list items that are links. */
function linkedItems({ markdown }: WatchedPage): { title: string; url?: string }[] {
  return splitBlocks(markdown).flatMap(({ kind, text }) => {
    const [, title = '', url] = /^[^[\]]{0,60}\[([^[\]]{1,400})\]\(([^()\s]{1,2000})\)/.exec(text) ?? [];
    if (title !== '' && (kind === 'heading' || kind === 'item')) return [{ title, ...(url && { url }) }];
    return kind === 'item' ? [{ title: text.split('\n', 1)[0] ?? '' }] : [];
  });
}

const TRACKING = new RegExp(`^(?:${words.tracking})$`, 'i');

function normalizeAddress(address: string, base: string): string {
  if (!URL.canParse(address, base)) return address;
  const url = new URL(address, base);
  const kept = [...url.searchParams].filter(([name, value]) => !TRACKING.test(name) && value.length < 40);
  const query = kept.map((pair) => pair.join('=')).sort();
  return `${url.host}${url.pathname.replace(/;[^/]{0,200}$/, '')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

interface ProductData {
  readonly price?: number;
  readonly priceCurrency?: string;
  readonly availability?: string;
}

function numberOf(page: WatchedPage, units: readonly string[], watch: PlainWatch): WatchedThing {
  const { of: word, what, selector, currency } = watch;
  const isPrice = what === 'price' || currency !== undefined;
  const own = isPrice && word === undefined && selector === undefined ? ownPrice(page, currency) : undefined;
  for (const piece of piecesBeside(units.map(markdownToPlainText), word?.toLowerCase())) {
    const found = findPrice(piece);
    if (isPrice && !(found && isCurrency(found.currency, currency))) continue;
    const number = findNumber(found && isPrice ? found.text : piece, page.language);
    if (number !== undefined && (!own || own.number === number)) {
      return thingOf(number, found?.text ?? String(number));
    }
  }
  if (own) return own;
  const beside = word === undefined ? '' : ` beside ${JSON.stringify(word)}`;
  throw upstreamError(`${page.url} shows no ${isPrice ? 'price' : 'number'}${beside}`);
}

/** The price that a page says for machines. */
function ownPrice(page: WatchedPage, currency: string | undefined): WatchedThing | undefined {
  const { price, priceCurrency = '' } = (fitData(page, SCHEMAS.price, MAX_DATA_CHARS).data ??
    {}) as ProductData;
  if (price === undefined || !isCurrency(priceCurrency, currency)) return undefined;
  return thingOf(price, `${price.toFixed(Number.isInteger(price) ? 0 : 2)} ${priceCurrency}`.trim());
}

const UNITS_BESIDE = 4;

/** Texts in which a number is sought: those from a word on, or all of them. */
function piecesBeside(texts: readonly string[], word: string | undefined): readonly string[] {
  if (word === undefined) return texts;
  const from = texts.findIndex((text) => text.toLowerCase().includes(word));
  const [first = '', ...more] = from < 0 ? [] : texts.slice(from, from + UNITS_BESIDE);
  const place = first.toLowerCase().indexOf(word);
  return [first.slice(place + word.length), first.slice(0, Math.max(0, place)), ...more];
}

const thingOf = (number: number, text: string): WatchedThing => ({ key: String(number), text, number });

/** An unknown currency fits any that is watched. */
function isCurrency(found: string, wanted: string | undefined): boolean {
  if (wanted === undefined || found === '') return true;
  const code = findPrice(`${wanted} 1`)?.currency || wanted;
  return found === code;
}

/** Availabilities of schema.org. */
const STOCKED = /^(?:in|limited|online)/i;
const isStocked = (text = '') => isThere(text) ?? (STOCKED.test(text) || undefined);
const isThere = (text = '') => (has(words.gone, text) ? false : has(words.there, text) || undefined);

/** A state that is met or not, with the text that says so. */
function levelOf(page: WatchedPage, units: readonly string[], watch: PlainWatch): WatchedThing {
  const { is, value = 0, words: wanted = [] } = watch;
  if (is === 'below' || is === 'above') {
    const { number = 0, text } = numberOf(page, units, watch);
    return { key: (is === 'below' ? number < value : number > value) ? MET : UNMET, text, number };
  }
  const plain = units.map(markdownToPlainText);
  if (is === 'appears' || is === 'disappears') {
    const low = wanted.map((word) => word.toLowerCase());
    const found = plain.find((text) => low.some((word) => text.toLowerCase().includes(word)));
    return { key: (found !== undefined) === (is === 'appears') ? MET : UNMET, text: found ?? '' };
  }
  const { data } = fitData(page, SCHEMAS.price, MAX_DATA_CHARS);
  const said = ((data ?? {}) as ProductData).availability;
  const spelled = said?.replace(/^.{0,40}\//, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  const told = plain.find((text) => isThere(text) !== undefined);
  const known = isStocked(spelled) ?? isThere(told);
  if (known === undefined) throw upstreamError(`${page.url} does not say whether it is in stock`);
  return { key: known === (is === 'in_stock') ? MET : UNMET, text: told ?? spelled ?? '' };
}

const has = (phrases: string, text: string): boolean => {
  const low = text.toLowerCase();
  return phrases.split('|').some((phrase) => low.includes(phrase));
};

export function listMeanings(units: readonly string[], { language }: WatchedReading): UnitMeaning[] {
  return units.map((unit) => readMeaning(unit, language));
}
