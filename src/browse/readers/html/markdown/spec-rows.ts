import { pushAll } from '../../../../lib/long-lists.ts';
import { pushTo } from '../../../../lib/push-to.ts';
import { oneLine } from '../../markdown.ts';
import {
  createElement,
  descendants,
  type HtmlElement,
  type HtmlText,
  isWithin,
  moveChildren,
} from '../parsing/node.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';

const MIN_ROWS = 3;
const MAX_NAME_CHARS = 40;
const MAX_VALUE_CHARS = 100;
const MAX_NODES = 40;
const ROW = /^(?:div|section|article|li)$/;

export function joinSpecRows(root: HtmlElement): void {
  const groups: (readonly HtmlElement[])[] = [];
  for (const node of [root, ...descendants(root)])
    if (node.nodeType === 1 && node.firstChild && BLOCK_TAGS.has(node.tag)) pushAll(groups, alikeIn(node));
  for (const group of groups) {
    const pairs = group.map(pairIn);
    if (pairs.filter(Boolean).length < Math.max(MIN_ROWS, group.length * MOST_SHARE)) continue;
    for (const pair of pairs) if (pair) join(pair);
  }
}

function alikeIn(around: HtmlElement): (readonly HtmlElement[])[] {
  const byShape = new Map<string, HtmlElement[]>();
  for (let child = around.firstChild; child; child = child.nextSibling) {
    if (child.nodeType !== 1 || !ROW.test(child.tag) || child.firstChild === null) continue;
    pushTo(byShape, `${child.tag} ${child.attributes.class ?? ''}`, child);
  }
  return [...byShape.values()].filter(({ length }) => length >= MIN_ROWS);
}

const MOST_SHARE = 0.6;

interface SpecPair {
  readonly row: HtmlElement;
  readonly name: HtmlElement;
  readonly value: HtmlElement;
}

function pairIn(row: HtmlElement): SpecPair | undefined {
  const [name, value, more] = linesIn(row);
  if (!name || !value || more || isWithin(value, name) || isWithin(name, value)) return undefined;
  const [called, said] = [name.textContent.trim(), value.textContent.trim()];
  if (called.length > MAX_NAME_CHARS || said.length > MAX_VALUE_CHARS || called === said) return undefined;
  return NAME.test(called) && name.getElementsByTagName('a').length === 0 ? { row, name, value } : undefined;
}

function linesIn(row: HtmlElement): HtmlElement[] {
  const lines: HtmlElement[] = [];
  let nodes = 0;
  for (const node of descendants(row)) {
    if (++nodes > MAX_NODES) return [];
    if (node.nodeType === 1) {
      if (HEADING_TAGS.has(node.tag) || UNFIT.test(node.tag)) return [];
      continue;
    }
    if (node.data.trim() === '') continue;
    const line = blockAround(node);
    if (!line || line === row) return [];
    if (lines.at(-1) !== line) lines.push(line);
    if (lines.length > 2) break;
  }
  return lines;
}

function blockAround({ parentNode }: HtmlText): HtmlElement | null {
  let at = parentNode;
  while (at && !BLOCK_TAGS.has(at.tag)) at = at.parentNode;
  return at;
}

const UNFIT = /^(?:img|table|ul|ol|dl|pre|blockquote|figure|br|hr|x-.*)$/;
const NAME = /^\p{L}[^\n]*[^.!?…。,;\n]$/u;

function join({ row, name, value }: SpecPair): void {
  const label = `${oneLine(name.textContent)
    .replace(/[:：]$/, '')
    .trimEnd()}:`;
  const strong = createElement('strong', row.depth + 2, label);
  const line = createElement('p', row.depth + 1, strong, ' ');
  moveChildren(value, line);
  for (const child of row.childNodes) row.removeChild(child);
  row.appendChild(line);
}
