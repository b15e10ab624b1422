import type { SimpleCondition } from './condition.ts';
import { numberWord } from './read-schedule.ts';
import { isCurrency, type TaskPhrase } from './task-phrases.ts';

export interface Quantity {
  readonly value: number;
  readonly currency?: string;
  readonly percent: boolean;
  readonly nodes: readonly TaskPhrase[];
}

const FACTORS: Readonly<Record<string, number>> = { k3: 1e3, k4: 1e4, k6: 1e6, k8: 1e8, k9: 1e9 };

export function findQuantities(nodes: readonly TaskPhrase[]): Quantity[] {
  return nodes.flatMap((node, at) => {
    if (node.taken || node.kind !== 'number') return [];
    // In `iPhone 16 costs less than 700`, 16 belongs to a name, and 700 is a quantity.
    const quantity = quantityAt(nodes, at);
    return isName(nodes, at, quantity) ? [] : [quantity];
  });
}

function quantityAt(nodes: readonly TaskPhrase[], at: number): Quantity {
  const number = nodes[at] as TaskPhrase;
  const own: TaskPhrase[] = [number];
  let value = number.value;
  let currency = currencyOf(nodes[at - 1]);
  if (currency !== undefined) own.unshift(nodes[at - 1] as TaskPhrase);
  let percent = false;
  if (nodes[at - 1]?.tags.has('pctBefore')) {
    percent = true;
    own.unshift(nodes[at - 1] as TaskPhrase);
  }
  for (let next = at + 1; next < Math.min(nodes.length, at + 5); next++) {
    const node = nodes[next] as TaskPhrase;
    const factor = Object.entries(FACTORS).find(([tag]) => node.tags.has(tag) && !node.taken);
    if (factor) value *= factor[1];
    else if (node.tags.has('pct')) percent = true;
    else if (currencyOf(node) !== undefined && (currency === undefined || currency.length === 1))
      currency = currencyOf(node);
    else if (!node.tags.has('unit')) break;
    own.push(node);
  }
  return { value, percent, nodes: own, ...(currency !== undefined && { currency }) };
}

const currencyOf = (node: TaskPhrase | undefined): string | undefined =>
  node && !node.taken ? [...node.tags].find(isCurrency) : undefined;

/** True for a number that follows an unknown word such as a product's name, if the number has no unit. */
function isName(nodes: readonly TaskPhrase[], at: number, { nodes: own }: Quantity): boolean {
  const before = nodes[at - 1];
  if (!before || own.length > 1 || before.kind !== 'word' || before.tags.size > 0) return false;
  return /^\p{Lu}|\d|\p{Ll}\p{Lu}/u.test(before.text);
}

const BETWEEN_WITHIN = 7;

/** Reads a range such as `between 10 and 20` as two limits, and marks its phrases as used (`taken`). */
export function readRangeLimits(nodes: readonly TaskPhrase[]): SimpleCondition[] {
  const found: SimpleCondition[] = [];
  nodes.forEach((node, at) => {
    const outside = node.tags.has('outside');
    if (node.taken || !(node.tags.has('between') || outside)) return;
    const ahead = nodes.slice(at + 1, at + 1 + BETWEEN_WITHIN);
    const [low, high] = findQuantities(ahead.filter((one) => !one.taken));
    const first = ahead.indexOf(low?.nodes[0] as TaskPhrase);
    // At most one phrase may precede the number: `from my shop for 10 to 20` is not a range.
    if (!low || !high || first > 1 || high.value <= low.value) return;
    if (
      numberWord(node) !== undefined ||
      (node.tags.has('f') && !ahead.some((one) => one.tags.has('until') || one.tags.has('and')))
    )
      return;
    const currency = high.currency ?? low.currency;
    const facts = currency === undefined ? {} : { currency };
    if (outside) return;
    node.taken = true;
    for (const one of ahead.slice(0, ahead.indexOf(high.nodes.at(-1) as TaskPhrase) + 1)) one.taken = true;
    found.push(
      { kind: 'above', value: low.value, inclusive: true, ...facts },
      { kind: 'below', value: high.value, inclusive: true, ...facts },
    );
  });
  return found;
}
