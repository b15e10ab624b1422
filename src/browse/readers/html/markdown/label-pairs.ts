import type { DataItem } from '../../../extracting/structured.ts';
import { splitClassNames } from '../parsing/class-words.ts';
import { type HtmlElement, type HtmlNode, nextNode } from '../parsing/node.ts';
import { plainText } from '../records/record-text.ts';

export interface LabelPair {
  readonly name: string;
  readonly value: string;
}

const MAX_NAME_CHARS = 60;
const MAX_PAIR_CHARS = 300;
const MAX_CHILDREN = 6;
const MAX_NODES = 200_000;
const MAX_PAIRS = 300;
const LABEL = new Set(
  'label name key term title attr attribute property prop spec caption head header heading dt th'.split(' '),
);
const BOLD = new Set(['b', 'strong', 'th', 'dt', 'label']);
const HOLDER = /^(?:div|li|p|span|tr|dl|section|a)$/;

export function readPairs(root: HtmlElement, isOther: (element: HtmlElement) => boolean): DataItem {
  const pairs: DataItem = {};
  let [nodes, count] = [0, 0];
  for (let node = nextNode(root, root); node && nodes++ < MAX_NODES && count < MAX_PAIRS; ) {
    const enters: boolean = node.nodeType === 3 || !isOther(node);
    const pair = node.nodeType === 1 && enters ? pairOf(node) : undefined;
    if (pair && !Object.hasOwn(pairs, pair.name) && pair.name !== '__proto__') {
      pairs[pair.name] = pair.value;
      count++;
    }
    node = nextNode(node, root, enters);
  }
  return pairs;
}

export function pairOf(element: HtmlElement): LabelPair | undefined {
  if (!HOLDER.test(element.tag)) return undefined;
  const nodes = nodesOf(element);
  const [first, ...rest] = nodes ?? [];
  if (!first) return undefined;
  if (first.nodeType === 3) return rest.length === 0 ? written(first.data) : undefined;
  const name = plainText(first, MAX_NAME_CHARS + 1);
  const after = rest[0]?.nodeType === 3 ? rest[0].data.trim() : '';
  const colon = /[:：]$/.test(name) || /^[:：]/.test(after);
  const bold = BOLD.has(first.tag);
  const [only] = rest;
  const isTwo = rest.length === 1 && only?.nodeType === 1;
  const isLabel = () => splitClassNames(first).some((words) => LABEL.has(words.at(-1) ?? ''));
  if (!(isTwo ? colon || bold || isLabel() : colon && rest.length > 0)) return undefined;
  const value = rest.map((node) =>
    node.nodeType === 3 ? node.data.slice(0, MAX_PAIR_CHARS) : plainText(node, MAX_PAIR_CHARS),
  );
  return checked(name, value.join(' '));
}

function nodesOf(element: HtmlElement): HtmlNode[] | undefined {
  const nodes: HtmlNode[] = [];
  let count = 0;
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (++count > 3 * MAX_CHILDREN) return undefined;
    if (node.nodeType === 3 ? node.data.trim() !== '' : node.tag !== 'br') nodes.push(node);
  }
  return nodes.length > MAX_CHILDREN ? undefined : nodes;
}

function written(text: string): LabelPair | undefined {
  if (text.length > MAX_PAIR_CHARS) return undefined;
  const at = text.search(/[:：]/);
  return at > 0 && !/\d$|https?$/.test(text.slice(0, at))
    ? checked(text.slice(0, at), text.slice(at + 1))
    : undefined;
}

function checked(name: string, value: string): LabelPair | undefined {
  const called = name
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s?[:：]$/, '');
  const said = value
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[:：]\s?/, '');
  const fits =
    called.length <= MAX_NAME_CHARS && /\p{L}/u.test(called) && !/[.!?]\s/.test(called) && said !== '';
  return fits && called.split(' ').length <= 6 && said.length <= MAX_PAIR_CHARS
    ? { name: called, value: said }
    : undefined;
}
