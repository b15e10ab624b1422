import { isCurrency, type TaskPhrase } from './task-phrases.ts';

const CHEAPER =
  /cheap|expens|pric|billig|günst|teur|teuer|cher|barat|car[oa]|econom|convenient|costos|costa|goedko|duur|tani|tańs|droż|droz|дешев|дорож|安|便宜|贵|貴|降价|涨价/iu;

export function hasAny(node: TaskPhrase | undefined, ...tags: readonly string[]): boolean {
  return node !== undefined && tags.some((tag) => node.tags.has(tag));
}

export function isPriceComparison(node: TaskPhrase): boolean {
  return hasAny(node, 'below', 'above', 'fall', 'rise') && CHEAPER.test(node.text);
}

export function isPrice(node: TaskPhrase): boolean {
  return node.tags.has('price') || node.tags.has('prices');
}

const THAN = new Set(['than', 'als', 'que', 'di', 'dan', 'niż', 'чем']);

export function endsWithThan({ text }: TaskPhrase): boolean {
  return THAN.has(text.toLowerCase().split(' ').at(-1) ?? '');
}

/** True for a comparison that needs no number: `cheaper`, but not `less than`. */
export function isCompleteComparison(node: TaskPhrase): boolean {
  const { tags, text } = node;
  if (tags.has('f') || tags.has('about') || !(tags.has('below') || tags.has('above'))) return false;
  return text.length > 4 && (isPriceComparison(node) || !endsWithThan(node));
}

export function isCurrencyNode({ tags }: TaskPhrase): boolean {
  return [...tags].some(isCurrency);
}

export function isFiller(node: TaskPhrase): boolean {
  return hasAny(node, 'f', 'f2', 'per', 'at', 'by', 'page', 'both', 'any', 'word', 'about');
}

export function isUnlistedWord(node: TaskPhrase): boolean {
  return node.kind === 'word' && node.tags.size === 0;
}

export function isNor(node: TaskPhrase | undefined): boolean {
  return (
    node !== undefined &&
    (node.tags.has('nor') || (node.tags.has('nor2') && node.text.toLowerCase() === 'noch'))
  );
}

const EXCEPT = /^(?:except|sauf|excepto|salvo|tranne|eccetto|behalve|oprócz|poza|кроме|ausgenommen|除了)$/iu;
const WITHOUT = /^(?:without|ohne|sans|sin|senza|sem|zonder|bez|без)$/iu;

export function isExclusion({ tags, text }: TaskPhrase): boolean {
  return tags.has('skip') || tags.has('neg') || EXCEPT.test(text) || /^(?:außer|ausser)$/iu.test(text);
}

export function isWithout({ text }: TaskPhrase): boolean {
  return WITHOUT.test(text);
}

export function findExclusionBefore(
  nodes: readonly TaskPhrase[],
  at: number,
  within: number,
): number | undefined {
  for (let back = at - 1; back >= Math.max(0, at - within); back--) {
    const node = nodes[back] as TaskPhrase;
    if (isExclusion(node)) return node.taken ? undefined : back;
    if (node.taken || !(isFiller(node) || node.tags.has('every'))) return undefined;
  }
  return undefined;
}

export function markTaken(nodes: readonly TaskPhrase[]): void {
  for (const node of nodes) node.taken = true;
}

export function collectUnlistedWords(nodes: readonly TaskPhrase[], from: number, step: 1 | -1): TaskPhrase[] {
  const run: TaskPhrase[] = [];
  for (let at = from; at >= 0 && at < nodes.length; at += step) {
    const node = nodes[at] as TaskPhrase;
    if (isUnlistedWord(node)) run.push(node);
    else if (run.length > 0 || !isFiller(node)) break;
  }
  return step === 1 ? run : run.reverse();
}

export function getSpanText(text: string, nodes: readonly TaskPhrase[]): string {
  return text.slice(nodes[0]?.start, nodes.at(-1)?.end);
}
