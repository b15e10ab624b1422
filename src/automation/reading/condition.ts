import { z } from 'zod';

export const MAX_WORD_CHARS = 100;
const label = z.string().min(1).max(MAX_WORD_CHARS);
const amount = {
  value: z.number().min(-1e15).max(1e15),
  /** ISO 4217 code, or a sign shared by several currencies: `$`, `¥`, `kr`. */
  currency: z.string().max(3).optional(),
  /** Word for the things that are counted, such as `stars`. The number nearest to the word is compared. */
  of: label.optional(),
};

const single = z.discriminatedUnion('kind', [
  /** `stock` is met if the product is available, `nostock` if the product is unavailable. */
  z.object({ kind: z.enum(['always', 'change', 'stock', 'nostock']) }),
  /** A new item must have one of the words in `about`, or all of them if `every` is true. */
  z.object({
    kind: z.literal('new'),
    about: z.array(label).max(10).optional(),
    every: z.boolean().optional(),
    without: z.array(label).max(10).optional(),
  }),
  z.object({ kind: z.enum(['word', 'gone']), word: label }),
  z.object({ kind: z.enum(['below', 'above', 'equal']), ...amount, inclusive: z.boolean().optional() }),
  /** `value` is the minimum change since the last notification. 0 means any change. */
  z.object({ kind: z.enum(['drop', 'rise', 'move']), ...amount, percent: z.boolean().optional() }),
  z.object({ kind: z.literal('compare'), is: z.enum(['below', 'above', 'different']) }),
]);
export type SimpleCondition = z.output<typeof single>;

const MAX_PARTS = 10;
const parts = z.array(single).min(1).max(MAX_PARTS);
const all = z.object({ kind: z.literal('all'), of: parts });

export const conditionSchema = z.union([
  single,
  all,
  z.object({
    kind: z.literal('any'),
    of: z
      .array(z.union([single, all]))
      .min(1)
      .max(MAX_PARTS),
  }),
]);
export type SendCondition = z.output<typeof conditionSchema>;

export function listSimpleConditions(condition: SendCondition): SimpleCondition[] {
  if (condition.kind === 'any') return condition.of.flatMap(listSimpleConditions);
  return condition.kind === 'all' ? condition.of : [condition];
}

export function whenInWords(condition: SendCondition, number: string): string {
  if (condition.kind === 'any') return condition.of.map((one) => whenInWords(one, number)).join(', or ');
  if (condition.kind === 'all') return condition.of.map((one) => singleInWords(one, number)).join(' and ');
  return singleInWords(condition, number);
}

const PLAIN: Readonly<Record<string, string>> = {
  always: 'at every run',
  change: 'when it has changed',
  stock: 'when it is available',
  nostock: 'when it is not available',
};

function singleInWords(one: SimpleCondition, number: string): string {
  switch (one.kind) {
    case 'word':
      return `when ${JSON.stringify(one.word)} appears`;
    case 'gone':
      return `when ${JSON.stringify(one.word)} disappears`;
    case 'new':
      return `when there are new items${wordsOf('with', one.about, one.every)}${wordsOf('without', one.without)}`;
    case 'compare':
      return one.is === 'different'
        ? 'when the prices of the two pages differ'
        : `when the price of the first page is ${one.is} that of the second`;
    case 'below':
    case 'above':
    case 'equal':
      return `when ${nameOf(one, number)} ${limitInWords(one)} ${amountOf(one)}`;
    case 'drop':
    case 'rise':
    case 'move': {
      const verb = { drop: 'falls', rise: 'rises', move: 'changes' }[one.kind];
      const amount = `${amountOf(one)}${one.percent ? '%' : ''}`;
      return `when ${nameOf(one, number)} ${verb}${one.value === 0 ? '' : ` by ${amount} or more since the last notification`}`;
    }
    default:
      return PLAIN[one.kind] ?? one.kind;
  }
}

const wordsOf = (lead: string, words: readonly string[] | undefined, every?: boolean): string =>
  words ? ` ${lead} ${words.map((word) => JSON.stringify(word)).join(every ? ' and ' : ' or ')}` : '';

function limitInWords({
  kind,
  inclusive,
}: {
  readonly kind: string;
  readonly inclusive?: boolean | undefined;
}): string {
  if (kind === 'equal') return 'is';
  if (!inclusive) return `goes ${kind}`;
  return kind === 'below' ? 'is at most' : 'is at least';
}

const nameOf = ({ of }: { readonly of?: string | undefined }, number: string): string =>
  of === undefined ? number : `the number beside ${JSON.stringify(of)}`;

function amountOf({
  value,
  currency,
}: {
  readonly value: number;
  readonly currency?: string | undefined;
}): string {
  return currency === undefined ? String(value) : `${value} ${currency}`;
}

export function oppositeOf(single: SimpleCondition): SimpleCondition {
  if (single.kind === 'word') return { kind: 'gone', word: single.word };
  if (single.kind === 'gone') return { kind: 'word', word: single.word };
  if (single.kind === 'stock') return { kind: 'nostock' };
  if (single.kind === 'nostock') return { kind: 'stock' };
  if (single.kind === 'below') return { ...single, kind: 'above', inclusive: !single.inclusive };
  if (single.kind === 'above') return { ...single, kind: 'below', inclusive: !single.inclusive };
  return single;
}
