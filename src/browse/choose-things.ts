import { scalarOf, typeOf } from './coerce.ts';
import { folded, type NamesOf, pathsOf, valueAt } from './data-names.ts';
import { type Origin, RECORDS, type Source, type Sources, TABLE } from './data-sources.ts';
import type { DataSchema, Thing } from './structured.ts';

/** Which thing of a page, or which of its lists, is meant by a schema. */

/** Types that pages name beside what they are about. */
const BESIDE =
  /(?:^|[/#:])(?:Organization|NewsMediaOrganization|OnlineStore|WebSite|Breadcrumb|BreadcrumbList|ListItem|SearchAction|EntryPoint|ImageObject|Person|SiteNavigationElement|WPHeader|WPFooter|Brand|ContactPoint|ReadAction|Question|Answer|FAQPage)$/;
/** ... and what is as true of these as of the page. */
const COMMON = new Set(['name', 'title', 'headline', 'url', 'link', 'image', 'description', 'logo', 'id']);
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
      const score = scoreOf(thing, schema, name, namesIn(thing, schema, namesOf, language));
      if (score > (best?.score ?? 0)) best = { thing, from, language, score };
    }
  }
  return best;
}

function scoreOf(thing: Thing, schema: DataSchema, name: string, found: readonly string[]): number {
  if (name !== '') return found.length + (isOfType(thing, name) ? CALLED_SO : 0);
  const isBeside = typesOf(thing).some((type) => BESIDE.test(type));
  const asks = Object.keys(schema.properties ?? {});
  return isBeside && asks.length > 0 && found.every((one) => COMMON.has(folded(one))) ? 0 : found.length;
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
  for (const source of all.filter(({ isSingle }) => !isSingle)) {
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
  const score = from === RECORDS ? shareOf(good, wanted) : most * 1000 + Math.min(good.length, 999);
  const isNamed = score > 0 && name !== '' && group.some((thing) => isOfType(thing, name));
  return { from, language, values, score: score + (isNamed ? NAMED_SO : 0) };
}

/** Characters of the items of a list beyond which more do not count. */
const MANY_CHARS = 20_000;

/** Elements that repeat are a page's menus too: a list of them has more than half of what is wanted on average; more text is better. */
function shareOf(good: readonly { readonly thing: Thing; readonly has: number }[], wanted: number): number {
  const mean = good.reduce((sum, { has }) => sum + has, 0) / Math.max(1, good.length);
  if (mean * 2 <= wanted && wanted > 1) return 0;
  const chars = good.reduce((sum, { thing }) => sum + Number(thing['@chars'] ?? 0), 0);
  return mean * 1000 + (Math.min(chars, MANY_CHARS) / MANY_CHARS) * 999;
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
