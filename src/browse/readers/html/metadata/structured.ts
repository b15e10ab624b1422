import { withoutInvisible } from '../../../../lib/text/invisible.ts';
import type { DataItem, StructuredData } from '../../../extracting/structured.ts';
import { MAX_VALUE_CHARS, MAX_VALUES, trimValue, type ValueBudget } from '../../trim-value.ts';
import { descendants, elementsIn, type HtmlElement } from '../parsing/node.ts';
import { parseLinkedData } from './linked-data.ts';

const MAX_CHARS = 400_000;
const MAX_THINGS = 1000;
const MAX_DEPTH = 8;
const MAX_NODES = 2000;

export function readStructured(root: HtmlElement, url: string): StructuredData {
  const budget: ValueBudget = { chars: MAX_CHARS, things: MAX_THINGS };
  const scripts: string[] = [];
  const meta: DataItem = {};
  const pairs: DataItem = {};
  const items = createItems(url, budget);
  let term = '';
  for (const node of elementsIn(root)) {
    const { tag, attributes } = node;
    if (tag === 'script' && /ld\+json/i.test(attributes.type ?? '')) scripts.push(node.textContent);
    if (tag === 'meta') put(meta, attributes.property ?? attributes.name ?? '', attributes.content, budget);
    if (tag === 'dt') term = textOf(node);
    const heading = tag === 'td' ? headingOf(node) : undefined;
    if (tag === 'dd') put(pairs, term, textOf(node), budget);
    else if (heading) put(pairs, textOf(heading), textOf(node), budget);
    items.visit(node);
  }
  const linked = parseLinkedData(scripts).flatMap((one) => thingsIn(trimValue(one, MAX_DEPTH, budget)));
  return { linked, items: items.found, meta, pairs };
}

function headingOf(cell: HtmlElement): HtmlElement | undefined {
  const before = beside(cell, 'previousSibling');
  const isAlone = before?.tag === 'th' && !beside(before, 'previousSibling') && !beside(cell, 'nextSibling');
  return isAlone ? before : undefined;
}

function beside(element: HtmlElement, side: 'previousSibling' | 'nextSibling'): HtmlElement | undefined {
  let node = element[side];
  while (node && node.nodeType !== 1) node = node[side];
  return node ?? undefined;
}

function createItems(url: string, budget: ValueBudget) {
  const found: DataItem[] = [];
  const open: { readonly depth: number; readonly thing: DataItem }[] = [];

  const openItem = (node: HtmlElement, names: readonly string[], within: DataItem | undefined): void => {
    if (budget.things <= 0 || open.length >= MAX_DEPTH) return;
    budget.things -= 1;
    const thing = thingOf(node.attributes);
    open.push({ depth: node.depth, thing });
    if (!within || names.length === 0) found.push(thing);
    else for (const name of names) add(within, name, thing);
  };

  return {
    found,
    visit(node: HtmlElement): void {
      const { itemprop, property, itemscope, typeof: type } = node.attributes;
      for (let last = open.at(-1); last && last.depth >= node.depth; last = open.at(-1)) open.pop();
      const within = open.at(-1)?.thing;
      const named = within ? (itemprop ?? property ?? '').slice(0, 500) : '';
      const names = named.split(/\s+/).filter(Boolean).slice(0, 5);
      if (itemscope !== undefined || type !== undefined) openItem(node, names, within);
      else if (within) for (const name of names) put(within, name, textFor(node, url), budget);
    },
  };
}

function thingOf({ itemtype, typeof: type }: Readonly<Record<string, string>>): DataItem {
  const [first] = (itemtype ?? type ?? '').trim().split(/\s/, 1);
  return first ? { '@type': first.slice(0, 200) } : {};
}

function textFor(node: HtmlElement, url: string): string {
  const { tag, attributes } = node;
  if (attributes.content !== undefined) return attributes.content;
  const address = attributes.href ?? attributes.src;
  if (address !== undefined && tag !== 'span') return URL.parse(address.slice(0, 2000), url)?.href ?? '';
  return attributes.datetime ?? (tag === 'data' ? attributes.value : undefined) ?? textOf(node);
}

function put(thing: DataItem, name: string, text: string | undefined, budget: ValueBudget): void {
  const key = name.trim().slice(0, 100);
  const value = withoutInvisible((text ?? '').slice(0, MAX_VALUE_CHARS)).trim();
  budget.chars -= key.length + value.length;
  if (key !== '' && value !== '' && budget.chars > 0) add(thing, key, value);
}

function add(thing: DataItem, name: string, value: unknown): void {
  const before = Object.hasOwn(thing, name) ? thing[name] : undefined;
  const list = Array.isArray(before) ? before : before === undefined ? [] : [before];
  if (list.length >= MAX_VALUES || (before === undefined && Object.keys(thing).length >= MAX_VALUES)) return;
  list.push(value);
  Object.defineProperty(thing, name, {
    value: list.length === 1 ? value : list,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function textOf(element: HtmlElement): string {
  let [text, nodes] = ['', 0];
  for (const node of descendants(element)) {
    if (++nodes > MAX_NODES || text.length > MAX_VALUE_CHARS) break;
    if (node.nodeType === 3 && !/^(?:script|style)$/.test(node.parentNode?.tag ?? ''))
      text += ` ${node.data.slice(0, MAX_VALUE_CHARS)}`;
  }
  return text.replace(/\s+/g, ' ').trim();
}

function thingsIn(value: unknown): DataItem[] {
  if (Array.isArray(value)) return value.flatMap(thingsIn);
  if (typeof value !== 'object' || value === null) return [];
  const thing = value as DataItem;
  const inner = [thing['@graph'], thing.mainEntity].flatMap((one) =>
    one === undefined ? [] : thingsIn(one),
  );
  return thing['@graph'] === undefined ? [...inner, thing] : inner;
}
