import { MAX_WORD_CHARS, type SimpleCondition } from './condition.ts';
import { findQuantities, type Quantity } from './quantities.ts';
import {
  endsWithThan,
  getSpanText,
  hasAny,
  isCompleteComparison,
  isCurrencyNode,
  isFiller,
  isPrice,
  isPriceComparison,
  isUnknownWord,
  markTaken,
  type TaskPhrase,
} from './task-phrases.ts';

const COMPARING = ['below', 'above', 'belowEq', 'aboveEq', 'equal', 'outside'];
const MOVING: Readonly<Record<string, 'drop' | 'rise' | 'move'>> = {
  fall: 'drop',
  rise: 'rise',
  change: 'move',
};
const DOWN = /^(?:goes down|go down|went down|crash(?:es)?|comes down)$/iu;
/** Words between a change and its size: `of` in `changes of more than 5 dollars`. */
const OF = /^(?:of|by|in|that are|which are|von|um|de|en|di|da|van|met|o|w wysokości|на|в)$/iu;

interface AmountHints {
  readonly text: string;
  readonly price: boolean;
  readonly condition: boolean;
}

export function readAmount(nodes: readonly TaskPhrase[], context: AmountHints): SimpleCondition | undefined {
  const [quantity] = findQuantities(nodes);
  const negations = nodes.filter((node) => node.tags.has('neg'));
  const moving = nodes.find((node) => hasAny(node, ...Object.keys(MOVING)) && !node.tags.has('f'));
  if (!quantity) return movingOnly(nodes, moving, negations, context);
  const { currency } = quantity;
  const counted = currency === undefined ? countedBehind(nodes, quantity) : undefined;
  const price = nodes.some((node) => isPrice(node)) || (context.price && !counted);
  const label =
    price || currency !== undefined
      ? undefined
      : (labelOf(nodes, quantity, context.text) ?? (context.price ? counted : undefined));
  const amount: Amount = {
    quantity,
    comparing: comparingOf(nodes, quantity),
    moving,
    label,
    facts: { ...(currency !== undefined && { currency }), ...(label && { of: label.text }) },
  };
  const moved = negations.length === 0 ? movementIn(nodes, amount, { ...context, price }) : undefined;
  return moved ?? limitIn(nodes, amount, negations, { ...context, price });
}

interface Amount {
  readonly quantity: Quantity;
  readonly comparing: TaskPhrase | undefined;
  readonly moving: TaskPhrase | undefined;
  readonly label: Label | undefined;
  readonly facts: { readonly currency?: string; readonly of?: string };
}

interface Label {
  readonly text: string;
  readonly nodes: readonly TaskPhrase[];
}

function movementIn(
  nodes: readonly TaskPhrase[],
  { quantity, comparing, moving, label, facts }: Amount,
  { price, condition }: AmountHints,
): SimpleCondition | undefined {
  const lower = condition ? lowerBehind(nodes, quantity) : undefined;
  const by = lower ?? (isMovement(nodes, quantity, comparing, price) ? moving : undefined);
  if (!by) return undefined;
  markTaken([...quantity.nodes, by, ...(comparing ? [comparing] : []), ...(label?.nodes ?? [])]);
  const kind = lower ? (lower.tags.has('below') ? 'drop' : 'rise') : movementOf(by);
  return { kind, value: Math.abs(quantity.value), ...(quantity.percent && { percent: true }), ...facts };
}

function limitIn(
  nodes: readonly TaskPhrase[],
  { quantity, comparing, moving, label, facts }: Amount,
  negations: readonly TaskPhrase[],
  { price, condition }: AmountHints,
): SimpleCondition | undefined {
  if (!comparing) return undefined;
  const limit = limitOf(comparing, negations.length > 0);
  // Outside a condition, `it is not below 20 yet` only describes the present and sets no limit.
  const unsaid = negations.length > 0 || (limit?.kind === 'equal' && !price);
  if (!limit || (unsaid && !condition)) return undefined;
  markTaken([
    ...quantity.nodes,
    comparing,
    ...nodes.filter((node) => hasAny(node, ...COMPARING) && limitOf(node, false)?.kind === limit.kind),
    ...negations,
    ...(label?.nodes ?? []),
  ]);
  markTaken(nodes.filter((node) => node === moving || node.tags.has('contain') || node.tags.has('appear')));
  return { ...limit, value: quantity.value, ...facts };
}

function movingOnly(
  nodes: readonly TaskPhrase[],
  moving: TaskPhrase | undefined,
  negations: readonly TaskPhrase[],
  { text, price, condition }: AmountHints,
): SimpleCondition | undefined {
  if (negations.length > 0 || nodes.some(({ kind }) => kind === 'quote')) return undefined;
  const hasPrice = nodes.some((node) => isPrice(node));
  const cheaper = hasPrice || condition ? nodes.find((node) => isCompleteComparison(node)) : undefined;
  const by = moving && !moving.tags.has('change') ? moving : cheaper;
  if (!by || (!condition && !hasPrice)) return undefined;
  const rises = by.tags.has('rise') || by.tags.has('above');
  const label = hasPrice || price || cheaper ? undefined : labelOf(nodes, undefined, text);
  // Without a price, `goes down` may mean that a site becomes unavailable.
  if (!hasPrice && !price && !label && DOWN.test(by.text)) return undefined;
  markTaken([by, ...(label?.nodes ?? [])]);
  return { kind: rises ? 'rise' : 'drop', value: 0, ...(label && { of: label.text }) };
}

function labelOf(nodes: readonly TaskPhrase[], quantity: Quantity | undefined, text: string) {
  const run = nodes.filter(
    (node) =>
      !quantity?.nodes.includes(node) &&
      (isUnknownWord(node) || node.tags.has('item') || node.tags.has('stock')),
  );
  const first = nodes.indexOf(run[0] as TaskPhrase);
  const joined = run.filter(
    (node, at) =>
      at === 0 || nodes.slice(first, nodes.indexOf(node)).every((one) => run.includes(one) || isFiller(one)),
  );
  if (joined.length === 0) return undefined;
  const units = nodes.filter((node) => node.tags.has('unit'));
  const counted = nodes.filter((node) => node.tags.has('no') && /^(?:count|number)/.test(node.text));
  return {
    text: getSpanText(text, joined).slice(0, MAX_WORD_CHARS),
    nodes: [...joined, ...units, ...counted],
  };
}

/** Returns what is counted: `items` in `fewer than 3 items`. Returns undefined for a price. */
function countedBehind(nodes: readonly TaskPhrase[], { nodes: own }: Quantity): Label | undefined {
  const last = own.at(-1) as TaskPhrase;
  const next = last.tags.has('unit') ? last : nodes[nodes.indexOf(last) + 1];
  const isCounted =
    next !== undefined && (next.tags.has('unit') || next.tags.has('item')) && !next.tags.has('f');
  return isCounted ? { text: next.text, nodes: [next] } : undefined;
}

function comparingOf(nodes: readonly TaskPhrase[], quantity: Quantity): TaskPhrase | undefined {
  const [first, last] = [
    nodes.indexOf(quantity.nodes[0] as TaskPhrase),
    nodes.indexOf(quantity.nodes.at(-1) as TaskPhrase),
  ];
  let best: { readonly node: TaskPhrase; readonly far: number } | undefined;
  nodes.forEach((node, at) => {
    if (!hasAny(node, ...COMPARING) || quantity.nodes.includes(node)) return;
    const between = at < first ? nodes.slice(at + 1, first) : nodes.slice(last + 1, at);
    if (
      !between.every(
        (one) =>
          isFiller(one) ||
          isUnknownWord(one) ||
          isCurrencyNode(one) ||
          hasAny(one, 'unit', 'between', 'stock', 'item'),
      )
    )
      return;
    // `20 less than now` means a change and not a limit.
    if (at > first && endsWithThan(node)) return;
    // A word such as German `über`, which may be a plain preposition, must come closely before the number.
    if (node.tags.has('f') && (at > first || between.length > 1)) return;
    const far = between.length + (at < first ? 0 : 0.5);
    if (!best || far < best.far) best = { node, far };
  });
  return best?.node;
}

/** True if a number is the size of a change, as in `by more than 5 %` or `um 10`. */
function isBy(
  nodes: readonly TaskPhrase[],
  { nodes: own, percent }: Quantity,
  comparing: TaskPhrase | undefined,
): boolean {
  const before = nodes[nodes.indexOf(own[0] as TaskPhrase) - 1];
  const lead =
    comparing && nodes.indexOf(comparing) < nodes.indexOf(own[0] as TaskPhrase)
      ? nodes[nodes.indexOf(comparing) - 1]
      : undefined;
  return before?.tags.has('by') === true || lead?.tags.has('by') === true || percent;
}

const LESS =
  /^(?:less|lower|higher|weniger|niedriger|höher|moins|menos|meno|in meno|minder|lager|hoger|mniej|niżej|wyżej|меньше|ниже|выше)$/iu;

/** Finds a comparison after the number, as in `15% cheaper` or `20 euros less expensive than now`. */
function lowerBehind(nodes: readonly TaskPhrase[], { nodes: own, percent }: Quantity) {
  const next = nodes[nodes.indexOf(own.at(-1) as TaskPhrase) + 1];
  if (!next || next.taken || !(next.tags.has('below') || next.tags.has('above')) || next.tags.has('f'))
    return undefined;
  return percent || isPriceComparison(next) || LESS.test(next.text) ? next : undefined;
}

function isSizeOf(nodes: readonly TaskPhrase[], comparing: TaskPhrase): boolean {
  let at = nodes.indexOf(comparing) - 1;
  for (
    let one = nodes[at];
    one && (OF.test(one.text) || (isPrice(one) && !one.tags.has('change')));
    one = nodes[at]
  )
    at--;
  return nodes[at]?.tags.has('change') === true && !comparing.tags.has('below') && !comparing.tags.has('f');
}

const movementOf = ({ tags }: TaskPhrase): 'drop' | 'rise' | 'move' =>
  MOVING[Object.keys(MOVING).find((tag) => tags.has(tag)) ?? ''] ?? 'move';

function isMovement(
  nodes: readonly TaskPhrase[],
  quantity: Quantity,
  comparing: TaskPhrase | undefined,
  price: boolean,
): boolean {
  const fixed = nodes.some(({ tags }) => tags.has('fall') || tags.has('rise'));
  if (!comparing) return fixed || quantity.percent || isBy(nodes, quantity, comparing);
  if (isSizeOf(nodes, comparing)) return true;
  return isBy(nodes, quantity, comparing) && (price || !quantity.percent || before(nodes, comparing, 'by'));
}

const before = (nodes: readonly TaskPhrase[], node: TaskPhrase, tag: string): boolean =>
  nodes[nodes.indexOf(node) - 1]?.tags.has(tag) === true;

function limitOf(
  { tags, text }: TaskPhrase,
  negated: boolean,
): { kind: 'below' | 'above' | 'equal'; inclusive?: true } | undefined {
  const eq = tags.has('belowEq') || tags.has('aboveEq');
  if (tags.has('equal')) return negated ? undefined : { kind: 'equal' };
  const below = tags.has('below') || (tags.has('belowEq') && !tags.has('aboveEq') && !tags.has('above'));
  const above = tags.has('above') || tags.has('aboveEq');
  if (below === above && text === '') return undefined;
  const kind = below !== negated ? 'below' : 'above';
  const inclusive = (eq && !tags.has('below') && !tags.has('above')) !== negated;
  return { kind, ...(inclusive && { inclusive: true as const }) };
}
