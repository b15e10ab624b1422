import type { Draft } from '../plans/plan.ts';
import { listSimpleConditions, type SendCondition } from './condition.ts';
import {
  collectUnlistedWords,
  isCurrencyNode,
  isFiller,
  isPrice,
  isUnlistedWord,
  markTaken,
} from './phrases.ts';
import type { TaskPhrase } from './task-phrases.ts';

interface Facts {
  readonly when: SendCondition;
  readonly pages: readonly string[];
  readonly price: boolean;
  readonly text: string;
}

export function readExtraction(
  nodes: readonly TaskPhrase[],
  { when, pages, price, text }: Facts,
): Draft['extract'] {
  const singles = listSimpleConditions(when);
  const compares = singles.some(({ kind }) => kind === 'compare');
  const money = singles.some((one) => 'currency' in one && one.currency !== undefined);
  const unlabelled = singles.every((one) => !('of' in one) || one.of === undefined);
  const prices = nodes.filter(isPrice);
  if (price || compares || (money && unlabelled)) {
    markTaken(prices);
    markTaken(nodes.filter((node) => node.tags.has('item') || (node.tags.has('new') && price)));
    const all =
      nodes.some((node) => node.tags.has('prices')) ||
      nodes.some(
        (node, at) =>
          node.tags.has('any') && nodes[at + 1] !== undefined && isPrice(nodes[at + 1] as TaskPhrase),
      );
    const product = all || compares || pages.length === 0 ? undefined : productOf(nodes, prices, text);
    return { kind: 'prices', ...(all && { all: true }), ...(product !== undefined && { of: product }) };
  }
  for (const kind of ['links', 'headings', 'title'] as const) {
    const named = nodes.filter((node) => node.tags.has(kind));
    if (named.length === 0) continue;
    markTaken(named);
    if (kind === 'links' || kind === 'headings') markTaken(nodes.filter((node) => node.tags.has('item')));
    return { kind };
  }
  const isNew = singles.some(({ kind }) => kind === 'new');
  const lists = nodes.filter((node) => node.tags.has('item') || node.tags.has('feed'));
  const untaken = lists.filter((node) => !node.taken && !node.tags.has('f') && !node.tags.has('send'));
  if (isNew || (singles.every(({ kind }) => kind === 'always' || kind === 'change') && untaken.length > 0)) {
    markTaken(lists);
    return { kind: 'items' };
  }
  return { kind: 'text' };
}

function productOf(
  nodes: readonly TaskPhrase[],
  prices: readonly TaskPhrase[],
  text: string,
): string | undefined {
  for (const price of prices) {
    const at = nodes.indexOf(price);
    const run = [collectUnlistedWords(nodes, at + 1, 1), beforePrice(nodes, at)].find(
      (one) => one.length > 0 && one.every((node) => !node.taken) && !qualifies(nodes, one),
    );
    if (!run) continue;
    markTaken(run);
    return text.slice(run[0]?.start, run.at(-1)?.end).slice(0, 100);
  }
  const limit = nodes.findIndex(
    (node) =>
      node.taken && node.tags.has('below') && /cost|kost|coût|cuest|cust|стоит|cheap/i.test(node.text),
  );
  const run = limit < 0 ? [] : beforeVerb(nodes, limit);
  if (run.length === 0) return undefined;
  markTaken(run);
  return text.slice(run[0]?.start, run.at(-1)?.end).slice(0, 100);
}

/** Words for a price after a product's name: `the iPhone 16 price`, `iPhoneの価格`. */
const NAME_FIRST = /price|pricing|preis|prijs|fare|rate|quote|価格|値段|料金|金額|运|价|價|费|費/iu;
const VERBS = /cost|kost|coût|cout|cuest|cust|koszt|стои|retail|vale|vaut/iu;

/** Returns all unknown words before a verb, but only adjacent ones before a noun. */
function beforePrice(nodes: readonly TaskPhrase[], at: number): TaskPhrase[] {
  const { text } = nodes[at] as TaskPhrase;
  if (VERBS.test(text)) return beforeVerb(nodes, at);
  if (!NAME_FIRST.test(text)) return [];
  const run = beforeVerb(nodes, at);
  const between = nodes.slice(nodes.indexOf(run.at(-1) as TaskPhrase) + 1, at);
  return between.every((node) => /^(?:の|的|'s|’s)$/u.test(node.text)) ? run : [];
}

/** Words after a currency do not name a product, as in `100 pesos nuevos`. */
function qualifies(nodes: readonly TaskPhrase[], [first]: readonly TaskPhrase[]): boolean {
  const before = nodes[nodes.indexOf(first as TaskPhrase) - 1];
  return before !== undefined && isCurrencyNode(before);
}

function beforeVerb(nodes: readonly TaskPhrase[], verb: number): TaskPhrase[] {
  for (let at = verb - 1; at >= 0; at--) {
    const node = nodes[at] as TaskPhrase;
    if (isUnlistedWord(node) && !node.taken) return collectUnlistedWords(nodes, at, -1);
    if (node.kind !== 'page' && !isFiller(node)) return [];
  }
  return [];
}
