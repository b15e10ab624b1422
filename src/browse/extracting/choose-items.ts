import { maxOf } from '../../lib/long-lists.ts';
import { coerceToScalar, resolveSchemaType } from './coerce.ts';
import {
  getValueAtPath,
  listPropertyPaths,
  normalizePropertyName,
  type PropertyNameLookup,
} from './data-names.ts';
import {
  type DataSources,
  JSON_LD_LABEL,
  MICRODATA_LABEL,
  type PageDataSource,
  REPEATED_ELEMENTS_LABEL,
  TABLE_LABEL,
  type ValueOrigin,
} from './data-sources.ts';
import type { DataItem, DataSchema } from './structured.ts';

const BESIDE =
  /(?:^|[/#:])(?:Organization|NewsMediaOrganization|OnlineStore|WebSite|Breadcrumb|BreadcrumbList|ListItem|SearchAction|EntryPoint|ImageObject|Person|SiteNavigationElement|WPHeader|WPFooter|Brand|ContactPoint|ReadAction|Question|Answer|FAQPage|VideoObject)$/;
/** Properties that do not identify a page's main item, because publishers and breadcrumbs have them, too. */
const COMMON = new Set(['name', 'title', 'headline', 'url', 'link', 'image', 'description']);
const FOR_PROGRAMS = new Set([JSON_LD_LABEL, MICRODATA_LABEL]);
const CALLED_SO = 100;

export interface FoundItem extends ValueOrigin {
  readonly thing: DataItem;
}

export function chooseItem(
  schema: DataSchema,
  name: string,
  { all, namesOf }: DataSources,
): FoundItem | undefined {
  let best: (FoundItem & { readonly score: number }) | undefined;
  for (const { things, from, language } of all.filter(({ isList }) => !isList)) {
    for (const thing of things) {
      // Table rows of two cells are pairs of name and value, not items.
      if (from === TABLE_LABEL && Object.keys(thing).length < 3) continue;
      const found = namesIn(thing, schema, namesOf, language);
      const isVague =
        name === '' && found.length > 0 && found.every((one) => COMMON.has(normalizePropertyName(one)));
      if (isVague && FOR_PROGRAMS.has(from) && isBeside(thing, things)) continue;
      const score = found.length + (name !== '' && isOfType(thing, name) ? CALLED_SO : 0);
      if (score > (best?.score ?? 0)) best = { thing, from, language, score };
    }
  }
  return best;
}

function isBeside(thing: DataItem, things: readonly DataItem[]): boolean {
  const types = typesOf(thing);
  if (types.length === 0 || types.some((type) => BESIDE.test(type))) return true;
  const type = String(thing['@type']);
  return things.some((other) => other !== thing && String(other['@type'] ?? '') === type);
}

interface ItemList extends ValueOrigin {
  readonly values: readonly DataItem[];
  readonly score: number;
}

export function chooseItemList(
  items: DataSchema,
  path: string,
  { all, namesOf }: DataSources,
): ItemList | undefined {
  const wanted = Object.keys(items.properties ?? {}).length;
  if (wanted === 0) return undefined;
  const name = path.slice(path.lastIndexOf('.') + 1);
  let best: ItemList | undefined;
  for (const source of all.filter(({ isSingle, isWay }) => !isSingle && !isWay)) {
    const groups = Map.groupBy(source.things, (thing) => String(thing['@type'] ?? ''));
    for (const group of groups.values()) {
      const list = listOf(group, source, { items, wanted, name, namesOf });
      if (list.score > (best?.score ?? 0)) best = list;
    }
  }
  return best;
}

interface ItemRequest {
  readonly items: DataSchema;
  readonly wanted: number;
  readonly name: string;
  readonly namesOf: PropertyNameLookup;
}

const ANY_LIST = /^(?:|items?|lists?|results?|entries|data|rows?|records?|elements?|cards?)$/;
const NAMED_SO = 1500;

function listOf(
  group: readonly DataItem[],
  { from, language }: PageDataSource,
  { items, wanted, name, namesOf }: ItemRequest,
): ItemList {
  const good = group
    .map((thing) => ({ thing, has: namesIn(thing, items, namesOf, language).length }))
    .filter(({ has }) => has * 2 >= wanted);
  const values = good.map(({ thing }) => thing);
  const most = Math.max(0, maxOf(good.map(({ has }) => has)));
  const isNamed =
    good.length > 0 &&
    !ANY_LIST.test(normalizePropertyName(name)) &&
    group.some((thing) => isOfType(thing, name));
  if (FOR_PROGRAMS.has(from) && good.length === 1 && !isNamed) return { from, language, values, score: 0 };
  const score =
    from === REPEATED_ELEMENTS_LABEL
      ? shareOf(good, { wanted, isNamed, of: group.length })
      : most * 1000 + (good.length > 1 ? FOR_PROGRAMS_MORE : 0) + Math.min(good.length, 500);
  return { from, language, values, score: score > 0 && isNamed ? score + NAMED_SO : score };
}

/** A list of repeated elements gets more points for longer text, up to `CHARS_COUNT` for `MANY_CHARS`. */
const MANY_CHARS = 20_000;
const CHARS_COUNT = 450;
const FOR_PROGRAMS_MORE = 490;
/** A list with fewer characters per item, and without prices, dates or other facts, is a menu. */
const MENU_CHARS = 25;
const GOOD_SHARE = 0.3;

function shareOf(
  good: readonly { readonly thing: DataItem; readonly has: number }[],
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

function isBare(thing: DataItem): boolean {
  return ['price', 'published', 'author', 'rating', 'location', 'availability'].every(
    (name) => thing[name] === undefined,
  );
}

function namesIn(
  thing: DataItem,
  { properties = {} }: DataSchema,
  namesOf: PropertyNameLookup,
  language: string | undefined,
): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const isScalar = !/^(?:object|array)$/.test(resolveSchemaType(schema));
    const has = findValuesByName(thing, name, namesOf).some(
      (value) => !isScalar || coerceToScalar(value, schema, language) !== undefined,
    );
    return has ? [name] : [];
  });
}

export function findValuesByName(thing: DataItem, name: string, namesOf: PropertyNameLookup): unknown[] {
  return listPropertyPaths(name)
    .map((path) => getValueAtPath(thing, path, namesOf))
    .filter((value) => value !== undefined);
}

function typesOf(thing: DataItem): string[] {
  const types = Array.isArray(thing['@type']) ? thing['@type'] : [thing['@type']];
  return types.filter((type) => typeof type === 'string');
}

function isOfType(thing: DataItem, name: string): boolean {
  const own = normalizePropertyName(name);
  return typesOf(thing).some((type) => {
    const called = normalizePropertyName(type.replace(/^.*[/#:]/, ''));
    return called !== '' && [called, `${called}s`, called.replace(/y$/, 'ies')].includes(own);
  });
}
