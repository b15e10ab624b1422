import { badRequestError } from '../../errors.ts';

/** What is watched of a page, and when its user is notified. Stored with the monitor as JSON. */
export interface PageWatch {
  /** Default: what the condition is about, such as the items for `new_items`, or else the main text. */
  readonly what?: 'text' | 'title' | 'headings' | 'links' | 'items' | 'price' | 'prices' | undefined;
  /** CSS selector of the watched part. */
  readonly selector?: string | undefined;
  /** Word beside the watched number, or the product whose price is watched. */
  readonly of?: string | undefined;
  readonly is: PageWatchCondition;
  readonly words?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
  /** Limit of `below` and `above`; least change of `falls`, `rises` and `moves`. */
  readonly value?: number | undefined;
  readonly percent?: boolean | undefined;
  /** ISO 4217 code, or a sign: prices in other currencies do not count. */
  readonly currency?: string | undefined;
}

export const LEVEL_CONDITIONS = [
  ...(['appears', 'disappears', 'below', 'above', 'in_stock', 'out_of_stock'] as const),
] as const;
export const PAGE_CONDITIONS = [
  ...(['change', 'new_items', 'falls', 'rises', 'moves'] as const),
  ...LEVEL_CONDITIONS,
] as const;
export type PageWatchCondition = (typeof PAGE_CONDITIONS)[number];

/** A change of a page in one sentence, with the texts before and after. */
export interface PageNotice {
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

export interface PageWatchTimes {
  readonly now: number;
  /** Milliseconds for which a value has to stay that was there lately, so that a page that flickers is silent. */
  readonly settleMs: number;
  /** Number of further looks that must see a change before its notice. */
  readonly confirmations: number;
}

/** Result of a look at a page. `state` is for the next look. */
export interface PageVerdict {
  readonly state: string;
  readonly notice?: PageNotice | undefined;
  /** True if another look should confirm a change soon. */
  readonly isPending: boolean;
  /** The watched value in words. */
  readonly shown: string;
}

type WatchParts<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** A watch by the fields that `automationrpa` and `startMonitoring` share. */
export interface PageWatchFields {
  readonly extract?:
    | WatchParts<{ what: NonNullable<PageWatch['what']>; selector: string; product: string }>
    | undefined;
  readonly when?:
    | (WatchParts<Omit<PageWatch, 'what' | 'selector' | 'is'>> & { readonly is: string })
    | undefined;
}

const WORDED: readonly string[] = ['appears', 'disappears'];
const NUMERIC: readonly string[] = ['below', 'above', 'falls', 'rises', 'moves'];
const TAKEN_BY: Readonly<Record<string, readonly string[]>> = {
  ...{ appears: ['words'], disappears: ['words'], new_items: ['words', 'without'] },
  ...{ below: ['value', 'currency', 'of'], above: ['value', 'currency', 'of'] },
  ...Object.fromEntries(
    ['falls', 'rises', 'moves'].map((name) => [name, ['value', 'percent', 'currency', 'of']]),
  ),
};

/** Throws AppError `bad_request` for fields that lack a part or do not go together. */
export function toPageWatch({ extract = {}, when = { is: 'change' } }: PageWatchFields): PageWatch {
  const { what, selector, product } = extract;
  const is = PAGE_CONDITIONS.find((one) => one === when.is);
  if (!is) throw badRequestError(`when.is takes ${PAGE_CONDITIONS.join(', ')} where a page is watched`);
  const taken = ['is', ...(TAKEN_BY[is] ?? [])];
  const other = Object.entries(when).find(([name, given]) => given !== undefined && !taken.includes(name));
  if (other) throw badRequestError(`when.${other[0]} has no meaning where when.is is ${is}`);
  if (what !== undefined && selector !== undefined)
    throw badRequestError('extract takes what or selector, not both');
  if (WORDED.includes(is) && !when.words)
    throw badRequestError(`when.words is required where when.is is ${is}`);
  if ((is === 'below' || is === 'above') && when.value === undefined)
    throw badRequestError(`when.value is required where when.is is ${is}`);
  const isPrice = product !== undefined || (what === 'prices' && NUMERIC.includes(is));
  const all = { ...when, is, selector, what: isPrice ? 'price' : what, of: when.of ?? product } as const;
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as unknown as PageWatch;
}

/** Writes a watch as the fields that it was made of. */
export function toWatchFields({ what, selector, ...when }: PageWatch) {
  const { is, words, without, ...amount } = when;
  const lists = { words: words && [...words], without: without && [...without] };
  const extract = what === undefined && selector === undefined ? undefined : { what, selector };
  return { extract, when: { is, ...lists, ...amount } };
}
