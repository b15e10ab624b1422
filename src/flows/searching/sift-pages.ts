import type { Digest, Page } from '../../browse/types.ts';
import { AppError, BusyError } from '../../errors.ts';
import { isWithinRange, type TimeRange } from '../../lib/time/date-range.ts';
import type { FoundPage } from '../../search/types.ts';
import { type Reading, TooLate } from './leading-pages.ts';

/** The leading pages are read, and what does not keep to the question, or repeats another, makes room for the next. */

export type ReadPage = Pick<Page, 'title' | 'markdown' | 'author' | 'published' | 'site' | 'reduced'>;

/** A result: read, failed, or not tried. */
export interface SiftedPage {
  readonly hit: FoundPage;
  readonly page?: ReadPage;
  readonly digest?: Digest;
  /** Why it could not be read. */
  readonly error?: string;
  /** The same where that is due to Magpie itself and not to the page. */
  readonly busy?: BusyError;
  /** Addresses of pages with the same text. */
  readonly copies: string[];
}

export interface Sifted {
  /** Those that were read before those that were not, each group by rank. */
  readonly results: readonly SiftedPage[];
  /** Addresses of pages that could not be read. */
  readonly missed: readonly string[];
  /** How many are left out, since their own date is before the asked time. */
  readonly older: number;
  /** How many are here though no date of their own says that they are of the asked time. */
  readonly undated: number;
  /** How many are left out, since they do not have the quoted words. */
  readonly wordless: number;
  /** No page that was read has the quoted words, and so none is left out for that. */
  readonly unproven: boolean;
  /** Why one of the pages was not read, where Magpie itself had no place for it. */
  readonly busy?: BusyError | undefined;
}

export interface SiftOptions {
  /** Reads `wanted` of the pages, the first ones where these can be read. */
  read(pages: readonly FoundPage[], wanted: number): Promise<Map<string, Reading<ReadPage>>>;
  digest(hit: FoundPage, page: ReadPage): Promise<Digest>;
  /** How many pages are to be read. */
  readonly wanted: number;
  readonly signal: AbortSignal;
}

/** Shared runs of words from which two pages of different hosts, or of one, are one text. */
const COPY_SHARE = 0.75;
const COPY_SHARE_OF_ONE_HOST = 1;

/** Runs of words that a question has in double quotes, which begin a word: in `5" pipe` they are inches. */
export function phrasesOf(question: string): string[] {
  return [...question.matchAll(/(?<![^\s([{,;:])["“„]([^"“”„]{2,200})["”“]/g)].flatMap(([, words = '']) =>
    /[\p{L}\p{N}]/u.test(words) ? [words] : [],
  );
}

/**
 * Reads the leading pages, and where some of them are copies, older than asked or without the quoted words, as many
 * more once.
 */
export async function siftPages(
  found: readonly FoundPage[],
  { q, timeRange }: { readonly q: string; readonly timeRange?: TimeRange | undefined },
  { read, digest, wanted, signal }: SiftOptions,
): Promise<Sifted> {
  const good: SiftedPage[] = [];
  const wordless: SiftedPage[] = [];
  const failed = new Map<string, SiftedPage>();
  const now = Date.now();
  const phrases = phrasesOf(q);
  let older = 0;
  let left = found;

  /** The page whose text another has; one with the quoted words does not count as a copy of one without them. */
  function originalOf(one: SiftedPage): SiftedPage | undefined {
    const others = one.digest?.hasPhrases ? good : [...good, ...wordless];
    return others.find((other) => isCopy(one, other));
  }

  /** Reads so many more pages, and resolves with how many of those that were read others are to replace. */
  async function readMore(count: number): Promise<number> {
    const readings = await read(left, count);
    const tried = left.flatMap((hit) => {
      const reading = readings.get(hit.url);
      return reading ? [digested(hit, reading, digest, signal)] : [];
    });
    left = left.filter(({ url }) => !readings.has(url));
    let replaced = 0;
    for (const one of await Promise.all(tried)) {
      if (!one.page || !one.digest) {
        failed.set(one.hit.url, one);
        continue;
      }
      const original = originalOf(one);
      const published = Date.parse(one.page.published ?? '');
      if (!original && !isOlder(published, timeRange, now) && one.digest.hasPhrases) {
        good.push(one);
        continue;
      }
      replaced++;
      if (original) original.copies.push(one.hit.url);
      else if (isOlder(published, timeRange, now)) older++;
      else wordless.push(one);
    }
    return replaced;
  }

  const replaced = await readMore(wanted);
  if (replaced > 0 && left.length > 0) await readMore(replaced);
  const unproven = wordless.length > 0 && good.length === 0;
  const others = found
    .filter((hit) => failed.has(hit.url) || left.includes(hit))
    .filter((hit) => phrases.length === 0 || unproven || says(hit, phrases))
    .map((hit) => failed.get(hit.url) ?? { hit, copies: [] });
  return {
    results: [...good, ...(unproven ? wordless : []), ...others],
    missed: [...failed.keys()],
    older,
    undated: timeRange === undefined ? 0 : good.filter(({ page }) => !datedBy(page)).length,
    wordless: unproven ? 0 : wordless.length,
    unproven,
    busy: [...failed.values()].find(({ busy }) => busy)?.busy,
  };
}

async function digested(
  hit: FoundPage,
  reading: Reading<ReadPage>,
  digest: SiftOptions['digest'],
  signal: AbortSignal,
): Promise<SiftedPage> {
  const failed = (error: unknown): SiftedPage => ({
    hit,
    error: whyNot(hit.url, error),
    ...(error instanceof BusyError && { busy: error }),
    copies: [],
  });
  if ('error' in reading) return failed(reading.error);
  try {
    return { hit, page: reading.page, digest: await digest(hit, reading.page), copies: [] };
  } catch (error) {
    signal.throwIfAborted();
    // What takes too long to cut down is left out, and the other results are not.
    if (error instanceof AppError) return failed(error);
    throw error;
  }
}

function whyNot(url: string, error: unknown): string {
  if (error instanceof AppError) return error.message;
  return `Error fetching content: ${url} ${error instanceof TooLate ? error.message : 'could not be read'}`;
}

function datedBy(page: ReadPage | undefined): boolean {
  return !Number.isNaN(Date.parse(page?.published ?? ''));
}

function isOlder(published: number, timeRange: TimeRange | undefined, now: number): boolean {
  return timeRange !== undefined && !Number.isNaN(published) && !isWithinRange(published, timeRange, now);
}

/** A site's own pages differ by little now and then: two of one host are one text only where no words differ. */
function isCopy(one: SiftedPage, other: SiftedPage): boolean {
  const least = hostOf(one) === hostOf(other) ? COPY_SHARE_OF_ONE_HOST : COPY_SHARE;
  return one.digest !== undefined && other.digest !== undefined && one.digest.likeness(other.digest) >= least;
}

function hostOf({ hit }: SiftedPage): string {
  return new URL(hit.url).hostname;
}

/** Whether what an engine says of a page has the quoted words. */
function says({ title, snippet }: FoundPage, phrases: readonly string[]): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  const text = ` ${plain(`${title} ${snippet}`)} `;
  return phrases.every((phrase) => text.includes(` ${plain(phrase).trim()} `));
}
