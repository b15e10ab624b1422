import { childrenOf, findAllBelow, findByPath, type XmlElement } from '../xml.ts';
import { formatListNumber } from './number-labels.ts';

const LEVELS = 10;

interface OdfLevel {
  readonly format: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
  /** Number of levels in the shown number, for example 2 for `2.1`. */
  readonly shown: number;
}

/** Number formats of a list style, by level from 1. A level without a format has bullets. */
export type ListStyle = ReadonlyMap<number, OdfLevel>;

export interface OdfStyles {
  readonly lists: ReadonlyMap<string, ListStyle>;
  readonly headings: ListStyle;
  hides(element: XmlElement): boolean;
  raises(element: XmlElement): boolean;
  nameOf(element: XmlElement): string;
}

export function readOdfStyles(roots: readonly (XmlElement | undefined)[]): OdfStyles {
  const groups = roots.flatMap((root) =>
    childrenOf(root).filter(({ name }) => name === 'styles' || name === 'automatic-styles'),
  );
  const all = groups.flatMap((group) => childrenOf(group));
  const hidden = new Set(
    all
      .filter((style) => style.name === 'style' && childrenOf(style).some(isHiding))
      .map(({ attributes }) => attributes.name),
  );
  const parents = new Map(all.map(({ attributes }) => [attributes.name, attributes['parent-style-name']]));
  const isRaising = ({ attributes }: XmlElement) =>
    /^(?:super|[1-9]\d?%)/.test(attributes['text-position'] ?? '');
  const raised = new Set(
    all.filter((style) => childrenOf(style).some(isRaising)).map(({ attributes }) => attributes.name),
  );
  const lists = all
    .filter(({ name }) => name === 'list-style')
    .map((style) => [style.attributes.name ?? '', levelsOf(style)] as const);
  const outline = all.find(({ name }) => name === 'outline-style');
  return {
    lists: new Map(lists),
    headings: outline ? levelsOf(outline) : new Map(),
    hides: ({ attributes }) => hidden.has(attributes['style-name'] ?? ''),
    raises: ({ attributes }) => raised.has(attributes['style-name'] ?? ''),
    nameOf: ({ attributes: { 'style-name': name = '' } }) =>
      (/^P\d+$/.test(name) && parents.get(name)) || name,
  };
}

function isHiding({ name, attributes }: XmlElement): boolean {
  if (name === 'text-properties') return attributes.display === 'none';
  if (name === 'table-properties') return attributes.display === 'false';
  return name === 'drawing-page-properties' && attributes.visibility === 'hidden';
}

function levelsOf(style: XmlElement): Map<number, OdfLevel> {
  return new Map(
    childrenOf(style).flatMap(({ name, attributes }): [number, OdfLevel][] => {
      const format = attributes['num-format'] ?? '';
      if (!/^(?:list-level-style-number|outline-level-style)$/.test(name) || format === '') return [];
      const level: OdfLevel = {
        format,
        prefix: attributes['num-prefix'] ?? '',
        suffix: attributes['num-suffix'] ?? '',
        start: Number(attributes['start-value'] ?? 1),
        shown: Math.min(Math.max(Number(attributes['display-levels']) || 1, 1), LEVELS),
      };
      return [[Number(attributes.level), level]];
    }),
  );
}

export function countItem(
  counts: (number | undefined)[],
  level: number,
  style: ListStyle | undefined,
  start: string | undefined,
): string | undefined {
  const own = style?.get(level);
  const last = counts[level];
  const next = last === undefined ? (own?.start ?? 1) : last + 1;
  counts[level] = start === undefined ? next : Number(start);
  counts.length = level + 1;
  if (!own) return undefined;
  const numbers = Array.from({ length: own.shown }, (_, at) => level - own.shown + 1 + at)
    .filter((at) => at > 0 && (at === level || style?.has(at)))
    .map((at) => formatListNumber(counts[at] ?? style?.get(at)?.start ?? 1, style?.get(at)?.format ?? '1'));
  return (own.prefix + numbers.join('.') + own.suffix).trim();
}

/** True for a section, field or paragraph that is not displayed. A field in a paragraph may hide all of it. */
export function isHiddenByItself(element: XmlElement): boolean {
  const { name, attributes } = element;
  if (attributes.display === 'none' || attributes['is-hidden'] === 'true') return true;
  return /^[hp]$/.test(name) && findAllBelow(element, 'hidden-paragraph').some(isHiddenByItself);
}

export function hiddenColumns(table: XmlElement, most: number): ReadonlySet<number> {
  const hidden = new Set<number>();
  let at = 0;
  for (const { attributes } of findAllBelow(table, 'table-column')) {
    const times = Math.min(Number(attributes['number-columns-repeated']) || 1, most);
    if (isCollapsed(attributes)) for (let i = 0; i < times && at + i < most; i++) hidden.add(at + i);
    at = Math.min(at + times, most);
  }
  return hidden;
}

export function isCollapsed(attributes: Readonly<Record<string, string>>): boolean {
  return attributes.visibility === 'collapse' || attributes.visibility === 'filter';
}

/** Returns the value in a cell's attributes. Some programs write cells with a value but without text. */
export function cellValue({ attributes }: XmlElement): string {
  const { 'value-type': type, value = '', currency = '' } = attributes;
  switch (type) {
    case 'percentage':
      return value && `${Number((Number(value) * 100).toPrecision(15))}%`;
    case 'currency':
      return [value, currency].filter(Boolean).join(' ');
    case 'date':
      return (attributes['date-value'] ?? '').replace('T00:00:00', '').replace('T', ' ');
    case 'time': {
      const [, hours, minutes] = /^PT(\d{1,6})H(\d{1,2})M/.exec(attributes['time-value'] ?? '') ?? [];
      return hours ? `${hours}:${minutes?.padStart(2, '0')}` : (attributes['time-value'] ?? '');
    }
    case 'boolean':
      return (attributes['boolean-value'] ?? '').toUpperCase();
    case 'string':
      return attributes['string-value'] ?? '';
    default:
      return value;
  }
}

export function commentAuthor(annotation: XmlElement): string {
  const creator = findByPath(annotation, 'creator');
  return creator ? creator.children.filter((one) => typeof one === 'string').join('') : '';
}
