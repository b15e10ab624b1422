import type { Page, PageDigest } from '../../browse/types.ts';
import { AppError, BusyError } from '../../errors.ts';
import { isWithinRange, type TimeRange } from '../../lib/time/date-range.ts';
import { parseInstant } from '../../lib/time/written-date.ts';
import type { FoundPage } from '../../search/types.ts';
import { type PageReading, PageTimeoutError } from './leading-pages.ts';

export type SiftablePage = Pick<
  Page,
  'title' | 'markdown' | 'author' | 'published' | 'site' | 'reduced' | 'warnings'
>;

export interface SiftedPage {
  readonly hit: FoundPage;
  readonly page?: SiftablePage;
  readonly digest?: PageDigest;
  readonly error?: string;
  readonly busy?: BusyError;
  readonly copies: string[];
}

export interface SiftResult {
  readonly results: readonly SiftedPage[];
  readonly unreadUrls: readonly string[];
  readonly olderCount: number;
  readonly undatedCount: number;
  readonly withoutPhrasesCount: number;
  /** True if no page has the question's quoted phrases. Pages without the phrases are then kept. */
  readonly isPhraseUnproven: boolean;
  readonly busy?: BusyError | undefined;
}

export interface SiftOptions {
  read(pages: readonly FoundPage[], wanted: number): Promise<Map<string, PageReading<SiftablePage>>>;
  digest(hit: FoundPage, page: SiftablePage): Promise<PageDigest>;
  readonly wanted: number;
  readonly signal: AbortSignal;
}

const COPY_SHARE = 0.75;
const COPY_SHARE_OF_ONE_HOST = 1;

/** Returns the phrases in double quotes. A quote after a digit means inches. */
export function parseQuotedPhrases(question: string): string[] {
  return [...question.matchAll(/(?<![^\s([{,;:])["“„]([^"“”„]{2,200})["”“]/g)].flatMap(([, words = '']) =>
    /[\p{L}\p{N}]/u.test(words) ? [words] : [],
  );
}

export async function siftPages(
  found: readonly FoundPage[],
  { q, timeRange }: { readonly q: string; readonly timeRange?: TimeRange | undefined },
  { read, digest, wanted, signal }: SiftOptions,
): Promise<SiftResult> {
  const good: SiftedPage[] = [];
  const wordless: SiftedPage[] = [];
  const failed = new Map<string, SiftedPage>();
  const now = Date.now();
  const phrases = parseQuotedPhrases(q);
  let older = 0;
  let left = found;

  /** Finds a page that `one` copies. If `one` contains the quoted phrases, the other page must too. */
  function originalOf(one: SiftedPage): SiftedPage | undefined {
    const others = one.digest?.hasPhrases ? good : [...good, ...wordless];
    return others.find((other) => isCopy(one, other));
  }

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
      const published = parseInstant(one.page.published) ?? Number.NaN;
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
    unreadUrls: [...failed.keys()],
    olderCount: older,
    undatedCount:
      timeRange === undefined
        ? 0
        : good.filter(({ page }) => parseInstant(page?.published) === undefined).length,
    withoutPhrasesCount: unproven ? 0 : wordless.length,
    isPhraseUnproven: unproven,
    busy: [...failed.values()].find(({ busy }) => busy)?.busy,
  };
}

async function digested(
  hit: FoundPage,
  reading: PageReading<SiftablePage>,
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
    if (error instanceof AppError) return failed(error);
    throw error;
  }
}

function whyNot(url: string, error: unknown): string {
  if (error instanceof AppError) return error.message;
  return `Error fetching content: ${url} ${error instanceof PageTimeoutError ? error.message : 'could not be read'}`;
}

function isOlder(published: number, timeRange: TimeRange | undefined, now: number): boolean {
  return timeRange !== undefined && !Number.isNaN(published) && !isWithinRange(published, timeRange, now);
}

/** True if one page copies the other. Pages of one host often differ little, so all words must be equal. */
function isCopy(one: SiftedPage, other: SiftedPage): boolean {
  const least = hostOf(one) === hostOf(other) ? COPY_SHARE_OF_ONE_HOST : COPY_SHARE;
  return one.digest !== undefined && other.digest !== undefined && one.digest.likeness(other.digest) >= least;
}

const hostOf = ({ hit }: SiftedPage): string => new URL(hit.url).hostname;

function says({ title, snippet }: FoundPage, phrases: readonly string[]): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  const text = ` ${plain(`${title} ${snippet}`)} `;
  return phrases.every((phrase) => text.includes(` ${plain(phrase).trim()} `));
}
