import { AppError, asAppError, tooLargeError, upstreamError } from '../errors.ts';
import { yieldToEventLoop } from '../lib/concurrency/time-slices.ts';
import type { GuardedFetch } from '../lib/network/fetch.ts';
import { describeRetryAfter, parseRetryAfterMs } from '../lib/network/politeness.ts';
import { ACCEPT_PAGES } from '../lib/network/request-headers.ts';
import { otherWrittenUrl, UNKNOWN_PAGE_STATUSES } from '../lib/network/written-address.ts';
import { checkPageWatch } from '../lib/watching/page-watch.ts';
import { checkExtractionSchema } from './extracting/check-schema.ts';
import { toDataPage } from './extracting/data-page.ts';
import { createRecentPageCache } from './fetching/recent-pages.ts';
import statusAdvice from './fetching/status-advice.json' with { type: 'json' };
import type { Page, RawPage } from './reading/page.ts';
import { createPageReadLimiter } from './reading/page-read-limiter.ts';
import { createPageReader } from './reading/page-reader.ts';
import { describeOtherPage, describePageTrouble } from './reading/page-trouble.ts';
import { createReaderPool, type ReaderPool } from './reading/reader-pool.ts';
import { toDigest } from './reducing/digest.ts';
import { createTextPool } from './reducing/text-pool.ts';
import { explainNoText } from './rendering/explain-no-text.ts';
import type { PageRenderer } from './rendering/renderer.ts';
import { isRobotChallenge } from './rendering/robot-challenge.ts';
import type { FetchAndReadOptions, PageBrowser } from './types.ts';

export interface BrowseOptions {
  readonly fetch: GuardedFetch;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Maximum wait in milliseconds until the fetch of a page may start. Default: 30,000. */
  readonly placeWaitMs?: number;
  /** Runs the scripts of pages whose HTML contains little text. The caller must close the renderer. */
  readonly renderer?: PageRenderer;
  readonly readers?: ReaderPool;
}

const PLACE_WAIT_MS = 30_000;
/** Share of the time limit that may pass in pauses which the site asks for. */
const WAITING_SHARE = 0.6;

export function createBrowse(room: BrowseOptions): PageBrowser {
  const { maxBytes, placeWaitMs = PLACE_WAIT_MS, readers } = room;
  const readerDesk = readers ?? createReaderPool();
  const reader = createPageReader(readerDesk);
  const places = createPageReadLimiter({
    readers: readerDesk.readers,
    pageBytes: maxBytes,
    waitMs: placeWaitMs,
  });
  const desk = createTextPool();
  const recentPages = createRecentPageCache();

  const readFromSite = createSiteReader(room, reader, recentPages);

  async function readPage(url: string, options: FetchAndReadOptions): Promise<Page> {
    const known = options.structured ? undefined : recentPages.get(url, options);
    if (known) {
      options.onStage?.('reading');
      return known;
    }
    const leave = await places.enter(options);
    try {
      return await readFromSite(url, options);
    } catch (thrown) {
      throw readingError(thrown);
    } finally {
      leave();
    }
  }

  return {
    readPage,
    async watchPage(url, watch, state, { signal, owner, ...times }) {
      const { selector, what } = watch.extract ?? {};
      const watched = { selector };
      const page = await readPage(url, { signal, owner, fresh: true, structured: true, watched });
      if (page.isCut) throw upstreamError(`${url} came without its end`);
      const links = what === 'links' ? (page.links ?? []) : [];
      const shown = { ...toDataPage(page), url: page.url, title: page.title, links };
      return desk.runTask('judgeWatch', [shown, watch, state, times], { signal, owner });
    },
    async checkWatch(watch) {
      checkPageWatch(watch);
      const { selector } = watch.extract ?? {};
      if (selector === undefined) return;
      (await import('./readers/html/watched-html.ts')).checkSelector(selector);
    },
    async readBytes(raw, signal, owner) {
      const leave = await places.enter({ signal, owner, alwaysWaits: true });
      try {
        const { page } = await reader.readPage(raw, signal, { owner });
        if (/^https?:/.test(raw.url)) refuseChallenge(raw.url, raw.body, page);
        if (page.markdown.trim()) return page;
        throw new AppError('unsupported', `${raw.url} ${raw.body.length === 0 ? 'is empty' : 'has no text'}`);
      } finally {
        leave();
      }
    },
    async digest(markdown, wanted, work) {
      return toDigest(await desk.runTask('digestText', [markdown, wanted], work));
    },
    async createPortions(markdown, focus, work) {
      const ranking = await desk.runTask('rankText', [markdown, focus], work);
      return (percentile, wanted) =>
        desk.runTask('cutPortion', [markdown, ranking, percentile, wanted], work);
    },
    findSection: (markdown, wanted, work) => desk.runTask('findSection', [markdown, wanted], work),
    findSectionTitle: (markdown, fragment, work) =>
      desk.runTask('findSectionTitle', [markdown, fragment], work),
    listLinks: (markdown, more, most, work) => desk.runTask('listLinks', [markdown, more, most], work),
    dropAddresses: (markdown, dropped, work) => desk.runTask('dropAddresses', [markdown, dropped], work),
    comparePages: (before, after, wanted, work) =>
      desk.runTask('comparePages', [before, after, wanted], work),
    checkSchema: checkExtractionSchema,
    fitData: (page, schema, mostChars, work) =>
      desk.runTask('fitData', [toDataPage(page), schema, mostChars], work),
    summarize: (markdown, query, work) => desk.runTask('summarize', [markdown, query], work),
    withList: (text, addresses, work) => desk.runTask('withList', [text, addresses], work),
    shareWords: (shares, ceiling, work) => desk.runTask('shareWords', [shares, ceiling], work),
    async close() {
      await Promise.all([readers ? undefined : readerDesk.close(), desk.close()]);
    },
  };
}

/** Reads a page from its site, with its scripts if it says nothing without them and there is a browser. */
function createSiteReader(
  room: BrowseOptions,
  reader: ReturnType<typeof createPageReader>,
  recentPages: ReturnType<typeof createRecentPageCache>,
) {
  const { renderer } = room;

  async function runScripts(
    { render }: PageRenderer,
    page: Page,
    { signal, owner, onStage, structured = false, watched }: FetchAndReadOptions,
  ): Promise<Page> {
    onStage?.('waiting');
    const { url, html } = await render(page.url, signal, {
      owner,
      alwaysWaits: true,
      onBegin: () => onStage?.('reading'),
    });
    const body = Buffer.from(html);
    const raw = { url, contentType: 'text/html; charset=utf-8', body, structured, watched };
    const { page: rendered } = await reader.readPage(raw, signal, { owner });
    return rendered.markdown.length > page.markdown.length ? rendered : page;
  }

  async function readFromSite(url: string, options: FetchAndReadOptions): Promise<Page> {
    const { signal, owner, onStage, structured = false } = options;
    onStage?.('fetching');
    await yieldToEventLoop();
    const { raw, mayKeep, isCut } = await fetchPage(url, room, options);
    onStage?.('waiting');
    const { page: read, scripted } = await reader.readPage(raw, signal, {
      owner,
      onBegin: () => onStage?.('reading'),
    });
    const page = withReduction(read, isCut, { isCut: true });
    const run = scripted !== 'no' && renderer ? await runScripts(renderer, page, options) : page;
    refuseChallenge(url, run === page ? raw.body : undefined, run);
    refuseOtherPage(url, run, options);
    const trouble = describePageTrouble(run, raw.body) ?? (renderer ? undefined : UNRUN[scripted]);
    const shown = withReduction(run, trouble);
    if (shown.markdown.trim() && (renderer || scripted !== 'surely')) {
      if (mayKeep && !structured) recentPages.put(url, shown, options);
      return shown;
    }
    const why = scripted === 'no' || renderer ? explainNoText(raw.body, page.kind) : NO_SCRIPTS;
    throw upstreamError(`${url} ${why}`);
  }

  return readFromSite;
}

/** Throws AppError if an error page or a form for consent stands in the place of a watched page. */
function refuseOtherPage(url: string, page: Page, { watched }: FetchAndReadOptions): void {
  const other = watched && describeOtherPage(page);
  if (other) throw upstreamError(`${url}: ${other}`);
}

/** Throws AppError if the page only asks whether the visitor is a robot. Without `body`, checks `page`. */
function refuseChallenge(url: string, body: Uint8Array | undefined, page: Page): void {
  const seen = body ?? Buffer.from(`<title>${page.title}</title>${page.markdown}`);
  if (page.kind === 'html' && isRobotChallenge(seen, page.markdown))
    throw upstreamError(`${url} ${CHALLENGE}`);
}

/** Fetches a page. `mayKeep`: the page may be cached. `isCut`: why the end of the page is missing. */
async function fetchPage(
  url: string,
  { fetch, maxBytes, timeoutMs, renderer }: BrowseOptions,
  {
    signal,
    owner,
    fresh = false,
    structured = false,
    watched,
    patience = 1,
    waits = false,
  }: FetchAndReadOptions,
): Promise<{ raw: RawPage; mayKeep: boolean; isCut: string | false | undefined }> {
  const ask = async (address: string) =>
    fetch(address, {
      signal,
      maxBytes,
      timeoutMs: timeoutMs * patience,
      headers: { accept: ACCEPT_PAGES },
      cacheFor: fresh ? undefined : owner,
      asBrowser: true,
      cutsText: true,
      patienceMs: waits ? timeoutMs * patience * WAITING_SHARE : 0,
      followRefresh: { noscript: renderer === undefined },
    }).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'too_large' ? tooLarge(error) : error;
    });
  const asWritten = await ask(url);
  const other = UNKNOWN_PAGE_STATUSES.has(asWritten.status) ? otherWrittenUrl(url) : undefined;
  const second = other === undefined ? asWritten : await ask(other).catch(() => asWritten);
  const response = UNKNOWN_PAGE_STATUSES.has(second.status) ? asWritten : second;
  if (response.status >= 200 && response.status < 300) {
    const raw = {
      url: response.url,
      contentType: response.headers.get('content-type') ?? '',
      body: response.body,
      structured,
      watched,
    };
    const isCut = response.isCut && (response.isCut === 'limit' ? describeLimit(maxBytes) : CUT);
    const mayKeep = !isCut && !/\bno-store\b/i.test(response.headers.get('cache-control') ?? '');
    return { raw, mayKeep, isCut };
  }
  const { status } = response;
  const isChallenge = CHALLENGING.has(status) && isRobotChallenge(response.body, '');
  const after = response.headers.get('retry-after');
  const retry = Math.ceil(parseRetryAfterMs(after, Date.now()) / 1000);
  // After 429 and 503, Magpie pauses requests to the site, so the message names the end of the pause.
  const rest = status === 429 || status === 503 ? describeRetryAfter(after) : undefined;
  const told = isChallenge ? `: it ${CHALLENGE}` : ADVICE[status] ? `: ${ADVICE[status]}` : '';
  const advice = rest === undefined ? told : `: its site ${rest}`;
  throw upstreamError(`${url} answered ${status}${advice}`, { retryAfter: retry > 0 ? retry : undefined });
}

function withReduction(page: Page, why: string | false | undefined, more: Partial<Page> = {}): Page {
  return !why ? page : { ...page, ...more, reduced: [page.reduced, why].filter(Boolean).join('; ') };
}

const describeLimit = (bytes: number) =>
  `the page has over ${bytes} bytes, and only those are read: MAGPIE_PAGE_BYTES sets the limit`;
const CUT = 'the site broke its answer off or sent it damaged, so the text may be cut';
const CHALLENGE = 'shows a challenge for robots in place of the page; try another page';
const CHALLENGING: ReadonlySet<number> = new Set([401, 403, 405, 429, 503]);

const BY_BROWSER = 'MAGPIE_BROWSER=auto has them run by an installed Chromium; or try another page';
const NO_SCRIPTS = `says nothing without running its scripts: ${BY_BROWSER}`;
const UNRUN: Readonly<Record<string, string>> = {
  perhaps: `the page seems to show more once its scripts run: ${BY_BROWSER}`,
};

const ADVICE: Readonly<Record<number, string>> = statusAdvice;

function tooLarge(cause: AppError): AppError {
  return tooLargeError(
    `${cause.message}; read another page or a part of it that has an address of its own, or the operator raises MAGPIE_PAGE_BYTES`,
    { cause },
  );
}

function readingError(thrown: unknown): AppError {
  const error = asAppError(thrown);
  if (error.code !== 'upstream' && error.code !== 'timeout') return error;
  return new AppError(error.code, `Error fetching content: ${error.message}`, {
    cause: thrown,
    retryAfter: error.retryAfter,
  });
}
