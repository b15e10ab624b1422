import { scalarOf, typeOf } from './coerce.ts';
import { folded, type NamesOf, pathsOf, valueAt } from './data-names.ts';
import { LINKED, MICRODATA, type Origin, RECORDS, type Source, type Sources, TABLE } from './data-sources.ts';
import type { DataSchema, Thing } from './structured.ts';

/** Which thing of a page, or which of its lists, is meant by a schema. */

/** Types that pages name beside what they are about. */
const BESIDE =
  /(?:^|[/#:])(?:Organization|NewsMediaOrganization|OnlineStore|WebSite|Breadcrumb|BreadcrumbList|ListItem|SearchAction|EntryPoint|ImageObject|Person|SiteNavigationElement|WPHeader|WPFooter|Brand|ContactPoint|ReadAction|Question|Answer|FAQPage|VideoObject)$/;
/** ... and what is as true of these as of the page. */
const COMMON = new Set(['name', 'title', 'headline', 'url', 'link', 'image', 'description']);
const FOR_PROGRAMS = new Set([LINKED, MICRODATA]);
/** What a type that is called as the schema's property counts. */
const CALLED_SO = 100;

export interface Found extends Origin {
  readonly thing: Thing;
}

/** The thing with most of what the schema asks for, or one that is called so; the first of several. */
export function bestThing(schema: DataSchema, name: string, { all, namesOf }: Sources): Found | undefined {
  let best: (Found & { readonly score: number }) | undefined;
  for (const { things, from, language } of all.filter(({ isList }) => !isList)) {
    for (const thing of things) {
      // Rows of two cells are names with values, whatever the first of them is.
      if (from === TABLE && Object.keys(thing).length < 3) continue;
      const found = namesIn(thing, schema, namesOf, language);
      // Names and addresses alone may be those of anything on the page, which says its own elsewhere.
      const isVague = name === '' && found.length > 0 && found.every((one) => COMMON.has(folded(one)));
      if (isVague && FOR_PROGRAMS.has(from) && isBeside(thing, things)) continue;
      const score = found.length + (name !== '' && isOfType(thing, name) ? CALLED_SO : 0);
      if (score > (best?.score ?? 0)) best = { thing, from, language, score };
    }
  }
  return best;
}

/** What pages name beside what they are about, or several of. */
function isBeside(thing: Thing, things: readonly Thing[]): boolean {
  const types = typesOf(thing);
  if (types.length === 0 || types.some((type) => BESIDE.test(type))) return true;
  const type = String(thing['@type']);
  return things.some((other) => other !== thing && String(other['@type'] ?? '') === type);
}

interface List extends Origin {
  readonly values: readonly Thing[];
  readonly score: number;
}

/** The things of one kind that have most of what the items need: at least half of it. */
export function bestList(items: DataSchema, path: string, { all, namesOf }: Sources): List | undefined {
  const wanted = Object.keys(items.properties ?? {}).length;
  if (wanted === 0) return undefined;
  const name = path.slice(path.lastIndexOf('.') + 1);
  let best: List | undefined;
  for (const source of all.filter(({ isSingle, isWay }) => !isSingle && !isWay)) {
    const groups = Map.groupBy(source.things, (thing) => String(thing['@type'] ?? ''));
    for (const group of groups.values()) {
      const list = listOf(group, source, { items, wanted, name, namesOf });
      if (list.score > (best?.score ?? 0)) best = list;
    }
  }
  return best;
}

interface Wanted {
  readonly items: DataSchema;
  readonly wanted: number;
  readonly name: string;
  readonly namesOf: NamesOf;
}

/** Names that say nothing of what a list is of. */
const ANY_LIST = /^(?:|items?|lists?|results?|entries|data|rows?|records?|elements?|cards?)$/;
/** What the name of a list counts, beside 1000 for each of the properties that its things have. */
const NAMED_SO = 1500;

function listOf(
  group: readonly Thing[],
  { from, language }: Source,
  { items, wanted, name, namesOf }: Wanted,
): List {
  const good = group
    .map((thing) => ({ thing, has: namesIn(thing, items, namesOf, language).length }))
    .filter(({ has }) => has * 2 >= wanted);
  const values = good.map(({ thing }) => thing);
  const most = Math.max(0, ...good.map(({ has }) => has));
  const isNamed =
    good.length > 0 && !ANY_LIST.test(folded(name)) && group.some((thing) => isOfType(thing, name));
  // One thing of those that a page names is a list where it is called so.
  if (FOR_PROGRAMS.has(from) && good.length === 1 && !isNamed) return { from, language, values, score: 0 };
  const score =
    from === RECORDS
      ? shareOf(good, { wanted, isNamed, of: group.length })
      : most * 1000 + (good.length > 1 ? FOR_PROGRAMS_MORE : 0) + Math.min(good.length, 500);
  return { from, language, values, score: score > 0 && isNamed ? score + NAMED_SO : score };
}

/** Characters of the items of a list beyond which more do not count, and what they count; what data for programs counts more. */
const MANY_CHARS = 20_000;
const CHARS_COUNT = 450;
const FOR_PROGRAMS_MORE = 490;
/** Characters of the items of a menu, and the share of elements that must have what is wanted. */
const MENU_CHARS = 25;
const GOOD_SHARE = 0.3;

/** Elements that repeat are a page's menus too: a list of them has more than half of what is wanted on average; more text is better. */
function shareOf(
  good: readonly { readonly thing: Thing; readonly has: number }[],
  { wanted, isNamed, of }: { readonly wanted: number; readonly isNamed: boolean; readonly of: number },
): number {
  if (good.length < GOOD_SHARE * of || (good.length < 2 && of > 1)) return 0;
  const mean = good.reduce((sum, { has }) => sum + has, 0) / Math.max(1, good.length);
  if (mean * 2 <= wanted && wanted > 1) return 0;
  const chars = good.reduce((sum, { thing }) => sum + Number(thing['@chars'] ?? 0), 0);
  const isMenu = chars < MENU_CHARS * good.length && good.every(({ thing }) => isBare(thing));
  if (isMenu && !isNamed) return 0;
  return mean * 1000 + (Math.min(chars, MANY_CHARS) / MANY_CHARS) * CHARS_COUNT;
}

/** A link or a picture with words. */
function isBare(thing: Thing): boolean {
  return ['price', 'published', 'author', 'rating', 'location', 'availability'].every(
    (name) => thing[name] === undefined,
  );
}

/** Which of the schema's properties a thing has, in their types. */
function namesIn(
  thing: Thing,
  { properties = {} }: DataSchema,
  namesOf: NamesOf,
  language: string | undefined,
): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const isScalar = !/^(?:object|array)$/.test(typeOf(schema));
    const has = valuesOf(thing, name, namesOf).some(
      (value) => !isScalar || scalarOf(value, schema, language) !== undefined,
    );
    return has ? [name] : [];
  });
}

export function valuesOf(thing: Thing, name: string, namesOf: NamesOf): unknown[] {
  return pathsOf(name)
    .map((path) => valueAt(thing, path, namesOf))
    .filter((value) => value !== undefined);
}

function typesOf(thing: Thing): string[] {
  const types = Array.isArray(thing['@type']) ? thing['@type'] : [thing['@type']];
  return types.filter((type) => typeof type === 'string');
}

/** Whether a thing is called so, as one or as several. */
function isOfType(thing: Thing, name: string): boolean {
  const own = folded(name);
  return typesOf(thing).some((type) => {
    const called = folded(type.replace(/^.*[/#:]/, ''));
    return called !== '' && [called, `${called}s`, called.replace(/y$/, 'ies')].includes(own);
  });
}
