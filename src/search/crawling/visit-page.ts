import { createHash } from 'node:crypto';
import { AppError, asAppError } from '../../errors.ts';
import type { FetchResult } from '../../lib/network/fetch.ts';
import { ACCEPT_PAGES } from '../../lib/network/request-headers.ts';
import type { PageParser, ParsedPage } from '../types.ts';
import type { WaitingAddress } from './crawl-store.ts';
import type { VisitOutcome } from './index-run.ts';
import { isFatalCrawlError } from './polite-fetch.ts';
import type { CrawlScope, OutOfScopeReason } from './scope.ts';

export interface PageVisitOptions {
  readonly scope: CrawlScope;
  readonly maxDepth: number;
  /** True to send the stored ETag and Last-Modified, so that the site sends only a changed page. */
  readonly conditional: boolean;
  readonly signal: AbortSignal;
  readonly read: PageParser;
  isAllowed(url: string): Promise<boolean>;
  fetchPage(url: string, headers: Readonly<Record<string, string>>): Promise<FetchResult>;
  isKept(url: string): Promise<boolean>;
  getState(url: string): Promise<'read' | 'left' | 'waiting' | undefined>;
  queueAddresses(urls: readonly string[], depth: number): Promise<void>;
}

const LEFT_OUT: Readonly<Record<OutOfScopeReason, string>> = {
  outside: 'leads out of the site',
  pattern: 'left out by --include or --exclude',
  file: 'no text by its name',
  trap: 'one of endlessly many addresses',
};

export function createPageVisit(
  options: PageVisitOptions,
): (waiting: WaitingAddress) => Promise<VisitOutcome> {
  const { scope, maxDepth, signal } = options;
  const texts = new Set<string>();

  const unasked = async ({ url, depth }: WaitingAddress): Promise<VisitOutcome | undefined> => {
    const judged = scope.judge(url);
    if ('why' in judged) return { end: 'unasked', why: LEFT_OUT[judged.why] };
    if (depth > maxDepth) return { end: 'unasked', why: 'deeper than asked for' };
    if (!(await options.isAllowed(url))) return { end: 'unasked', why: 'forbidden by robots.txt' };
    return undefined;
  };

  const queue = async (url: string, depth: number) => {
    const state = await options.getState(url);
    if (state === undefined) await options.queueAddresses([url], depth);
    return state;
  };

  const movedAway = async (
    asked: string,
    answered: string,
    depth: number,
  ): Promise<VisitOutcome | undefined> => {
    const judged = scope.judge(answered);
    if ('why' in judged) return { end: 'gone', why: LEFT_OUT[judged.why] };
    if (judged.url === asked) return undefined;
    if (!(await options.isAllowed(judged.url))) return { end: 'gone', why: 'forbidden by robots.txt' };
    await queue(judged.url, depth);
    return { end: 'gone', why: 'leads to another page' };
  };

  const isCopy = async (page: ParsedPage, url: string, depth: number): Promise<boolean> => {
    const judged = page.canonical === undefined ? undefined : scope.judge(page.canonical);
    if (!judged || 'why' in judged || judged.url === url) return false;
    return (await queue(judged.url, depth)) !== 'left';
  };

  const queueLinks = async ({ links = [] }: ParsedPage, depth: number): Promise<void> => {
    const inside = links.flatMap((link) => {
      const led = scope.judge(link.url);
      return 'url' in led ? [led.url] : [];
    });
    await options.queueAddresses([...new Set(inside)], depth);
  };

  const settle = async (
    waiting: WaitingAddress,
    answer: FetchResult,
    page: ParsedPage,
    kept: boolean,
  ): Promise<VisitOutcome> => {
    const { url, depth } = waiting;
    const asks = parseRobotsTag(answer.headers.get('x-robots-tag') ?? '');
    if (depth < maxDepth && !asks.nofollow && !page.robots?.nofollow) await queueLinks(page, depth + 1);
    if (asks.noindex || page.robots?.noindex) return { end: 'gone', why: 'asks not to be indexed' };
    if (await isCopy(page, url, depth)) return { end: 'gone', why: 'names another page as its original' };
    const digest = hashPageText(page);
    if (texts.has(digest)) return { end: 'gone', why: 'the same text as another page' };
    texts.add(digest);
    const known = { ...(!answer.isCut && validators(answer)), digest };
    if (kept && waiting.digest === digest) return { end: 'unchanged', known };
    const { title, markdown: text } = page;
    return { end: 'indexed', page: { url, title, text, readAt: Date.now() }, known };
  };

  return async (waiting) => {
    const { url, depth } = waiting;
    const left = await unasked(waiting);
    if (left) return left;
    const kept = await options.isKept(url);
    let answer: FetchResult;
    try {
      answer = await options.fetchPage(url, headersFor(kept && options.conditional ? waiting : {}));
    } catch (error) {
      return toFailedVisit(error, signal);
    }
    if (answer.status === 304) return { end: 'unchanged', known: waiting };
    const ended = refused(answer) ?? (await movedAway(url, answer.url, depth));
    if (ended) return ended;
    if (kept && answer.isCut) return { end: 'failed', why: 'the end of its answer is missing' };
    let page: ParsedPage;
    try {
      const contentType = answer.headers.get('content-type') ?? '';
      page = await options.read({ url: answer.url, contentType, body: answer.body }, signal);
    } catch (error) {
      return toFailedVisit(error, signal);
    }
    return settle(waiting, answer, page, kept);
  };
}

export function hashPageText({ title, markdown }: Pick<ParsedPage, 'title' | 'markdown'>): string {
  return createHash('sha256').update(`${title}\0${markdown}`).digest('base64url').slice(0, 22);
}

/** Converts an error to an outcome. Throws if the user has aborted or if the error must end the run. */
export function toFailedVisit(error: unknown, signal: AbortSignal): VisitOutcome {
  signal.throwIfAborted();
  if (isFatalCrawlError(error)) throw error;
  const { code, message } = asAppError(error);
  if (code === 'unsupported') return { end: 'skipped', why: 'no text that is read' };
  if (code === 'too_large') return { end: 'skipped', why: 'larger than MAGPIE_PAGE_BYTES' };
  if (!(error instanceof AppError)) return { end: 'failed', why: 'it could not be read' };
  return { end: 'failed', why: message, fatal: code === 'timeout' || code === 'upstream' };
}

function refused({ status }: FetchResult): VisitOutcome | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 404 || status === 410) return { end: 'gone', why: `not there (${status})` };
  return { end: 'failed', why: `it answered ${status}`, fatal: status >= 500 || status === 429 };
}

function headersFor({ etag, modified }: Pick<WaitingAddress, 'etag' | 'modified'>): Record<string, string> {
  return {
    accept: ACCEPT_PAGES,
    'cache-control': 'no-cache',
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(modified !== undefined && { 'if-modified-since': modified }),
  };
}

function validators({ headers }: FetchResult): { etag?: string; modified?: string } {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')];
  return {
    etag: etag && /^(?:W\/)?"[!#-~]{0,200}"$/.test(etag) ? etag : undefined,
    modified: modified && /^[\w,:+ -]{10,40}$/.test(modified) ? modified : undefined,
  };
}

/** Parses `X-Robots-Tag`: rules for all robots (`noindex, nofollow`) and for Magpie (`magpie: noindex`). */
export function parseRobotsTag(header: string): { noindex: boolean; nofollow: boolean } {
  const rules = header
    .toLowerCase()
    .split(',')
    .map((rule) => rule.trim().replace(/^magpie\s*:\s*/, ''));
  const has = (name: string) => rules.includes(name) || rules.includes('none');
  return { noindex: has('noindex'), nofollow: has('nofollow') };
}
