import { lettersOf } from '../../../../lib/text/letters.ts';
import { toIsoDate } from '../../../../lib/time/written-date.ts';
import type { PageMetadata } from '../../../reading/page.ts';
import { oneLine } from '../../markdown.ts';
import { elementsIn, type HtmlElement } from '../parsing/node.ts';
import { weightedLength } from '../parsing/white-space.ts';
import { beginsWithBy, cleanAuthor, isNameOfPerson } from './author-name.ts';
import { findByline, isLikely } from './byline.ts';
import { type LinkedDataFacts, readLinkedData } from './linked-data.ts';
import META_NAMES from './meta-names.json' with { type: 'json' };

export interface PageFacts extends Omit<PageMetadata, 'links' | 'reduced' | 'structured'> {
  readonly title: string;
  readonly titles: ReadonlySet<string>;
  /** Types from schema.org (without its prefix) and Open Graph, for example `NewsArticle` and `article`. */
  readonly types: ReadonlySet<string>;
}

/** `oneEach` lists `<meta>` names that a page repeats for each author, with a value such as "Lake, Ada". */
const { author: AUTHOR, oneEach: ONE_EACH, published: PUBLISHED, site: SITE } = META_NAMES;
const { title: TITLE, publisher: PUBLISHER, description: DESCRIPTION } = META_NAMES;
const MAX_AUTHOR_CHARS = 148;
const PUBLISHED_NAME =
  /^(?!(?:music|books?|video|movie|game|product):)(?:.{0,99}(?<!last)[.:_-])?(?:published?|creat(?:ed|ion)|issued|posted|release)[._:-]?(?:date|time|at|on)?$|(?:date|time)[._:-]?(?:published|created|issued|posted)$/;
/** Matches names of author fields in less common vocabularies, for example `cXenseParse:author`. */
const AUTHOR_NAME =
  /^(?!(?:music|books?|movie|game|product|twitter|fb|smartbanner):|.{0,99}(?:image|photo|video|comment|site))(?:.{0,99}[.:_-])?(?:authors?|bylines?|writers?)(?:[._:-]?(?:full|display)?[._:-]?names?)?$/;

/** Matches what names the maker of a site in a field for authors. */
const FIRM =
  /\b(?:GmbH|Inc|LLC|Ltd|AG|Corp|Corporation|e\. ?V)\b\.?|\bwww\.|^(?:bundes)?ministerium|©|^copyright|\[at\]/iu;

export function readFacts(root: HtmlElement, url: string): PageFacts {
  const found = collect(root);
  const all = (names: readonly string[]) => names.map((name) => found.meta.get(name));
  const meta = (names: readonly string[]) => all(names).find(Boolean);
  const canonical = absolute(found.canonical ?? meta(['og:url']), url);
  const linked = readLinkedData(found.scripts, ownValues(found, [...all(TITLE)], [url, canonical]));
  const [onlyHeading] = found.headings.length === 1 ? found.headings : [];
  const site = meta(SITE.slice(0, 1)) ?? linked.site ?? meta(SITE);
  const named = meta(TITLE) ?? linked.title ?? '';
  const bare = lettersOf(found.title) === lettersOf(site ?? '') ? '' : found.title;
  const whole = bare || named || onlyHeading || found.title;
  const headings = found.headings.filter((heading) => !isNameOfSite(heading, whole, found.second));
  const title = pickTitle(whole, named, headings, site, url);
  const language =
    found.language || (meta(['content-language', 'og:locale', 'dc.language'])?.replace('_', '-') ?? '');
  const description = meta(DESCRIPTION) ?? linked.description;
  const titles = namesOfPage([whole, named, title, linked.title]);
  const types = new Set([...linked.types, ...found.types, meta(['og:type']) ?? '']);
  const region = languageWithRegion(language, meta(['og:locale']), url, found.meta);
  const isEvent = isOfEvent(types);
  const shown = findByline(root, titles, region, isEvent);
  const readDate = (text: string | undefined) => toIsoDate(text, region);
  const inAddress = isEvent ? undefined : dateInAddress(canonical ?? url);
  const given = firstOf(readDate, [
    ...all(PUBLISHED.slice(0, 2)),
    linked.published,
    ...all(PUBLISHED),
    otherNamed(found.meta, PUBLISHED_NAME),
    shown.published,
    inAddress,
    found.meta.get('last-published'),
    dateBefore(found.title),
  ]);
  const published = isLocalDayOf(inAddress, given) ? inAddress : given;
  const metas = [...all(AUTHOR), cardAuthor(found.meta), otherNamed(found.meta, AUTHOR_NAME)];
  const persons = metas.map((names) => withoutName(names, site)).filter((names) => !FIRM.test(names ?? ''));
  const author = firstOf(cleanAuthor, [
    isAccount(linked, shown.author) ? undefined : linked.author,
    inSpelling(shown.author, [linked.author, ...metas]),
    ...persons,
    shown.lateAuthor,
    linked.author,
    ...metas,
    shown.person,
  ]);
  return {
    title,
    titles,
    types,
    author: author && completed(author, [linked.author, ...persons, shown.author]),
    published,
    language: /^[a-z]{2,3}(-[\w-]{1,20})?$/i.test(language) ? language : undefined,
    site: (site ?? meta(PUBLISHER))?.slice(0, 200),
    canonical: canonical || undefined,
    description: description ? description.slice(0, 1000) : undefined,
    next: nextOf(found.next, canonical, url),
    robots: robotsOf(found),
  };
}

/** Returns a past date before a title. A second date ends an event, and a date to come begins one. */
function dateBefore(title: string): string | undefined {
  const [, date] = /^(\d{1,2}\.\d{1,2}\.\d{4}|\d{4}-\d\d-\d\d) ?[-–—:|](?! ?\d{1,4}[.-])/.exec(title) ?? [];
  return date && isLikely(toIsoDate(date) ?? '') ? date : undefined;
}

function ownValues(
  { title, headings }: HeadContent,
  titles: readonly (string | undefined)[],
  addresses: readonly (string | undefined)[],
): (value: string) => boolean {
  const own = new Set(addresses.flatMap((one) => plainAddress(one ?? '', '') ?? []));
  const names = [title, ...titles, ...headings].map((one) => lettersOf(one ?? '')).filter(Boolean);
  return (value) => {
    if (/^(?:https?:\/\/|\/)/.test(value)) return own.has(plainAddress(value, addresses[0] ?? '') ?? '-');
    const said = lettersOf(value);
    return said !== '' && names.some((name) => name === said || (said.length >= 10 && name.includes(said)));
  };
}

function plainAddress(address: string, base: string): string | undefined {
  const url = URL.parse(address, base === '' ? undefined : base);
  return url ? `${url.hostname.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}` : undefined;
}

const DAY_FIRST_HOSTS =
  /^(?:uk|au|nz|ie|in|za|eu|sg|ng|ke|pk|fr|de|at|ch|es|it|nl|be|pt|br|mx|ar|cl|pl|cz|gr|tr|ru|ua|no|dk|fi)$/;

/** Returns the language, and for English the region: 3/4 is in March in `en-US` and in April in `en-GB`. */
function languageWithRegion(
  language: string,
  locale: string | undefined,
  url: string,
  meta: ReadonlyMap<string, string>,
): string | undefined {
  if (!/^(?:en)?$/i.test(language)) return language;
  const named = locale?.replace('_', '-') ?? '';
  if (/^en-[a-z]{2}$/i.test(named)) return named;
  const [, end = ''] = /\.([a-z]{2,3})$/.exec(URL.parse(url)?.hostname ?? '') ?? [];
  if (/^(?:us|gov|edu|mil)$/.test(end)) return 'en-US';
  if (DAY_FIRST_HOSTS.test(end)) return `en-${end === 'uk' ? 'GB' : end}`;
  // A number above 12 in a date must be the day, so its position shows the page's order of day and month.
  for (const value of meta.values()) {
    const [, first = 0, second = 0] = /(?<![\d/-])(\d\d?)[/-](\d\d?)[/-]\d{4}(?![\d/-])/.exec(value) ?? [];
    if (Number(first) > 12 !== Number(second) > 12) return Number(first) > 12 ? 'en-GB' : 'en-US';
  }
  return language || undefined;
}

function isAccount({ author, isOrganization, types }: LinkedDataFacts, shown: string | undefined): boolean {
  // Accounts write in forums. A byline in a post is of a text that the post quotes.
  if (types.has('DiscussionForumPosting') || types.has('QAPage')) return false;
  return isOrganization === true || (shown !== undefined && !isNameOfPerson(author ?? ''));
}

/** Returns a name in the spelling of the metadata, because a byline may be in capitals. */
function inSpelling(name: string | undefined, others: readonly (string | undefined)[]): string | undefined {
  if (name?.includes(', '))
    return name
      .split(', ')
      .map((one) => inSpelling(one, others))
      .join(', ');
  for (const other of name === undefined ? [] : others) {
    const at = other?.toLowerCase().indexOf(name?.toLowerCase() ?? '') ?? -1;
    if (at >= 0) return other?.slice(at, at + (name?.length ?? 0));
  }
  return name;
}

/** Returns a longer list with all of these authors, if there is one: pages often show only some authors. */
function completed(author: string, lists: readonly (string | undefined)[]): string {
  const names = namesIn(author);
  const more = lists.find((list) => {
    const others = namesIn(list ?? '');
    return (
      others.length > names.length && names.every((name) => others.some((other) => isShorter(name, other)))
    );
  });
  return cleanAuthor(more) ?? author;
}

function namesIn(list: string): readonly string[] {
  return list.split(list.includes(';') ? ';' : /,| (?:and|&) /).filter((name) => name.trim());
}

/** True if `name` equals `other` or is its short form, as "D. Solís" is of "Solís, Diego". */
function isShorter(name: string, other: string): boolean {
  const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const others = wordsOf(other);
  return wordsOf(name).every((word) =>
    others.some((own) => (word.length === 1 ? own.startsWith(word) : own === word)),
  );
}

function isOfEvent(types: ReadonlySet<string>): boolean {
  return [...types].some((type) => /Event$/.test(type)) && !types.has('NewsArticle');
}

function withoutName(names: string | undefined, site = ''): string | undefined {
  return names
    ?.split('; ')
    .filter((name) => lettersOf(name) !== lettersOf(site))
    .join('; ');
}

/** Returns the name in `twitter:data1` if `twitter:label1` says "Written by" or the like. */
function cardAuthor(meta: ReadonlyMap<string, string>): string | undefined {
  const at = [1, 2].find((number) => beginsWithBy(`${meta.get(`twitter:label${number}`)} A`));
  return at === undefined ? undefined : meta.get(`twitter:data${at}`);
}

function otherNamed(meta: ReadonlyMap<string, string>, names: RegExp): string | undefined {
  for (const [name, value] of meta) if (names.test(name)) return value;
  return undefined;
}

/** True for the day at the author's place, of a moment that its page gives for Greenwich. */
function isLocalDayOf(day: string | undefined, moment: string | undefined): boolean {
  if (!/^\S{10}T\S{4,20}(?:Z|\+00:00)$/.test(moment ?? '')) return false;
  const hours = (Date.parse(moment ?? '') - Date.parse(day ?? '')) / 3_600_000;
  return (hours >= -14 && hours < 0) || (hours >= 24 && hours < 36);
}

/** Returns the day in `/2026/03/14/title`. Without a title, the URL leads to the list of a day's texts. */
function dateInAddress(url: string): string | undefined {
  const [, ...parts] =
    /\/((?:19|20)\d\d)[/-](\d\d)[/-](\d\d)[/-][^/]{3}/.exec(URL.parse(url)?.pathname ?? '') ?? [];
  return parts.length > 0 ? toIsoDate(parts.join('-')) : undefined;
}

function firstOf(
  read: (value: string | undefined) => string | undefined,
  values: readonly (string | undefined)[],
): string | undefined {
  for (const value of values) {
    const found = read(value);
    if (found) return found;
  }
  return undefined;
}

function robotsOf({ meta }: HeadContent): PageFacts['robots'] {
  const robots = `${meta.get('robots') ?? ''},${meta.get('magpie') ?? ''}`.toLowerCase();
  const flags = { noindex: /noindex|none/.test(robots), nofollow: /nofollow|none/.test(robots) };
  return flags.noindex || flags.nofollow ? flags : undefined;
}

interface HeadContent {
  readonly meta: Map<string, string>;
  readonly scripts: string[];
  readonly types: Set<string>;
  readonly headings: string[];
  readonly second: string[];
  language: string;
  title: string;
  canonical?: string;
  next?: string;
}

function collect(root: HtmlElement): HeadContent {
  const found: HeadContent = {
    meta: new Map(),
    scripts: [],
    types: new Set(),
    headings: [],
    second: [],
    language: (root.attributes.lang ?? root.attributes['xml:lang'] ?? '').trim(),
    title: '',
  };
  for (const node of elementsIn(root)) {
    if (Object.hasOwn(ADDERS, node.tag)) ADDERS[node.tag]?.(found, node);
    addProperties(found, node);
  }
  return found;
}

const ADDERS: Readonly<Record<string, (found: HeadContent, node: HtmlElement) => void>> = {
  meta: (found, { attributes }) => addMeta(found, attributes),
  title(found, { parentNode, textContent }) {
    if (parentNode?.tag !== 'svg') found.title ||= oneLine(textContent);
  },
  link(found, { attributes }) {
    if (/(?:^|\s)canonical(?:\s|$)/i.test(attributes.rel ?? '')) found.canonical ??= attributes.href ?? '';
    addNext(found, attributes);
  },
  script(found, { attributes, textContent }) {
    if (/ld\+json/i.test(attributes.type ?? '')) found.scripts.push(textContent);
  },
  a: (found, { attributes }) => addNext(found, attributes),
  h1: (found, { textContent }) => void found.headings.push(oneLine(textContent)),
  h2(found, { textContent }) {
    if (found.second.length < MAX_SECOND_HEADINGS) found.second.push(oneLine(textContent));
  },
};

function addProperties(found: HeadContent, node: HtmlElement): void {
  const { itemtype } = node.attributes;
  if (itemtype !== undefined) found.types.add(itemtype.replace(/^.*[/#]/, ''));
}

function addMeta({ meta }: HeadContent, attributes: Record<string, string>): void {
  const { property, name, itemprop, 'http-equiv': equivalent, content } = attributes;
  const key = (property ?? name ?? itemprop ?? equivalent)?.trim().toLowerCase();
  const value = content === undefined ? '' : oneLine(content);
  if (!key || !value) return;
  // Microdata may belong to a comment or a teaser. Only `findByline` reads author and date from microdata.
  if (property === undefined && name === undefined && /^(?:author|datepublished)$/.test(key)) return;
  const before = meta.get(key);
  if (before === undefined || (ONE_EACH.includes(key) && ADDRESS.test(before))) meta.set(key, value);
  else if (ONE_EACH.includes(key) && isFurther(before, value)) meta.set(key, `${before}; ${value}`);
}

const ADDRESS = /^(?:https?:|\/|@)/;

function isFurther(before: string, value: string): boolean {
  if (before.length + value.length >= MAX_AUTHOR_CHARS || ADDRESS.test(value)) return false;
  const said = lettersOf(value);
  return !before.split('; ').some((name) => lettersOf(name).includes(said) || said.includes(lettersOf(name)));
}

function addNext(found: HeadContent, { rel, href }: Record<string, string>): void {
  if (href && /(?:^|\s)next(?:\s|$)/i.test(rel ?? '')) found.next ??= href;
}

/** Returns the next page's address, or undefined for another host. A page must not choose other hosts. */
function nextOf(next: string | undefined, canonical: string | undefined, url: string): string | undefined {
  const found = absolute(next, url)?.replace(/#.*/s, '');
  if (found === undefined || found.length > MAX_NEXT_CHARS) return undefined;
  if (URL.parse(found)?.host !== URL.parse(url)?.host) return undefined;
  return found === canonical || found === url.replace(/#.*/s, '') ? undefined : found;
}

const MAX_NEXT_CHARS = 500;

const BREAK = / [|–—·»«•:/-]+ | ?\| ?|: /;
const MAX_SECOND_HEADINGS = 3;

function isNameOfSite(heading: string, title: string, second: readonly string[]): boolean {
  return (
    heading !== '' &&
    title.endsWith(heading) &&
    second.some((below) => below.length > 3 && title !== below && title.startsWith(below))
  );
}

function pickTitle(whole: string, named: string, headings: readonly string[], site = '', url = ''): string {
  // The longest heading is tried first. A shorter heading may be the site's name.
  const longest = headings
    .map((text) => text.replace(/\s?[¶§#🔗]{1,2}$/u, ''))
    .sort((a, b) => b.length - a.length);
  const known = [named, ...longest].filter((text) => text.length > 3);
  const inside = known.find((text) => weightedLength(text) >= 10 && whole.includes(text));
  if (inside) return withoutSite(inside, site, url);
  return withoutSite(whole, site, url);
}

function withoutSite(title: string, site: string, url: string): string {
  const host =
    URL.parse(url)
      ?.hostname.replace(/^www\./, '')
      .split('.') ?? [];
  const names = [site, ...host.slice(0, -1)].map(lettersOf).filter((name) => name.length > 1);
  const isSite = (text: string) => {
    const plain = lettersOf(text);
    return (
      plain !== '' &&
      names.some(
        (name) =>
          name === plain ||
          (plain.length > 3 && name.includes(plain)) ||
          (name.length > 3 && plain.startsWith(name) && plain.length < name.length * 2),
      )
    );
  };
  for (const mark of [' | ', ' – ', ' — ', ' - ', ' · ', ' » ', ' « ', ' • ', ' :: ', '|']) {
    const last = title.lastIndexOf(mark);
    if (last > 0 && isSite(title.slice(last + mark.length))) return title.slice(0, last).trim();
    const first = title.indexOf(mark);
    if (first > 0 && names.includes(lettersOf(title.slice(0, first))))
      return title.slice(first + mark.length).trim();
  }
  const bar = title.lastIndexOf(' | ');
  return bar > 0 && bar > title.length / 2 ? title.slice(0, bar).trim() : title;
}

function namesOfPage(titles: readonly (string | undefined)[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const title of titles) {
    if (!title) continue;
    const plain = title.toLowerCase();
    names.add(plain);
    for (const part of oneLine(plain).split(BREAK)) if (part.length > 15) names.add(part.trim());
  }
  return names;
}

function absolute(address: string | undefined, url: string): string | undefined {
  const found = address ? URL.parse(address, url) : undefined;
  return found && /^https?:$/.test(found.protocol) ? found.href : undefined;
}
