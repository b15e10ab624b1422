import { badRequestError } from '../../errors.ts';

type Parts<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** What is watched of a page, and when its user is notified, in the fields that `automationrpa` takes too. */
export interface PageWatch {
  /** Default: what the condition is about, such as the items for `new_items`, or else the main text. */
  readonly extract?:
    | Parts<{
        what: 'text' | 'title' | 'headings' | 'links' | 'items' | 'price' | 'prices';
        selector: string;
        product: string;
      }>
    | undefined;
  readonly when?:
    | (Parts<{ words: readonly string[]; without: readonly string[]; value: number; percent: boolean }> &
        Parts<{ currency: string; of: string }> & { readonly is: string })
    | undefined;
}

/** Conditions that are met or not, each with the parts that it requires and those that it takes. */
export const LEVEL_CONDITIONS = ['appears', 'disappears', 'below', 'above', 'in_stock', 'out_of_stock'];
const AMOUNT = ['value', 'currency', 'of'];
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  ...{ change: [], in_stock: [], out_of_stock: [], new_items: ['words', 'without'] },
  ...{ appears: ['words'], disappears: ['words'], below: AMOUNT, above: AMOUNT },
  ...Object.fromEntries(['falls', 'rises', 'moves'].map((name) => [name, [...AMOUNT, 'percent']])),
};

/** Throws AppError `bad_request` for parts of a watch that are missing or do not go together. */
export function checkPageWatch({ extract = {}, when = { is: 'change' } }: PageWatch): void {
  const [taken, { is }] = [TAKEN[when.is], when];
  if (!taken) throw badRequestError(`when.is takes ${Object.keys(TAKEN).join(', ')} where a page is watched`);
  const other = Object.entries(when).find(
    ([name, given]) => given !== undefined && !['is', ...taken].includes(name),
  );
  if (other) throw badRequestError(`when.${other[0]} has no meaning where when.is is ${is}`);
  const [first] = LEVEL_CONDITIONS.includes(is) ? taken : [];
  if (first && !Object.hasOwn(when, first))
    throw badRequestError(`when.${first} is required where when.is is ${is}`);
  if (extract.what && extract.selector) throw badRequestError('extract takes what or selector, not both');
}

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
  /** Number of further probes that must see a change before its notice. */
  readonly confirmations: number;
}

/** Result of a probe of a page. `state` is for the next probe. */
export interface PageVerdict {
  readonly state: string;
  readonly notice?: PageNotice | undefined;
  /** True if another probe should confirm a change soon. */
  readonly isPending: boolean;
  /** The watched value in words. */
  readonly shown: string;
}

/** It counts only if `before` is still the state that is stored. */
export interface WatchedResult extends PageVerdict {
  readonly before: string | undefined;
}
