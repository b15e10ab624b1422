import type { BrowserContext } from 'playwright-core';
import { AppError, BusyError, tooLargeError, unavailableError, upstreamError } from '../../errors.ts';
import { isTimeout, waitUnlessAborted, withDeadline } from '../../lib/concurrency/deadline.ts';
import { createLimiter, type LimiterEntry } from '../../lib/concurrency/limiter.ts';
import { createUrlGuard, type UrlGuard, type UrlGuardOptions } from '../../lib/network/url-guard.ts';
import { type BrowserKeeper, createBrowserKeeper } from './browser.ts';
import { openAndSerialize } from './serialize-page.ts';

export interface PageRenderer {
  /** Returns the HTML after the page's scripts have run. Throws AppError or BusyError. */
  render(
    url: string,
    signal: AbortSignal,
    options?: Pick<LimiterEntry, 'owner' | 'alwaysWaits'> & { readonly timeoutMs?: number; onBegin?(): void },
  ): Promise<{ readonly url: string; readonly html: string }>;
  close(): Promise<void>;
}

export interface RendererOptions extends UrlGuardOptions {
  readonly executable: string;
  /** Limit in milliseconds for one page. Waiting in the queue and starting the browser do not count. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly idleMs?: number;
}

/** Maximum pages rendered at once. Each is rendered in a process of about 100 MB. */
const MAX_PAGES = 2;
const MAX_WAITING_PAGES = 20;
const RETRY_SECONDS = 10;
const CLOSE_MS = 3000;

export function createRenderer(options: RendererOptions): PageRenderer {
  const { executable, timeoutMs: usualMs, maxBytes, idleMs = 60_000 } = options;
  const guard = createUrlGuard(options);
  const keeper = createBrowserKeeper(executable, guard);
  const limiter = createLimiter({
    concurrency: MAX_PAGES,
    maxWaiting: MAX_WAITING_PAGES,
    refuse: () =>
      new BusyError(
        `Magpie is busy: ${MAX_WAITING_PAGES} pages wait for the browser already. Ask again in ${RETRY_SECONDS} seconds, with fewer calls at once`,
        { retryAfter: RETRY_SECONDS },
      ),
  });
  let running = 0;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  return {
    async render(url, signal, { timeoutMs = usualMs, onBegin, ...entry } = {}) {
      if (closed) throw unavailableError('Magpie is shutting down');
      await guard.check(url, signal);
      const work = async () => {
        clearTimeout(idle);
        running += 1;
        onBegin?.();
        try {
          return await renderOne(url, { keeper, guard, maxBytes, timeoutMs, signal });
        } finally {
          running -= 1;
          if (running === 0) idle = setTimeout(() => void keeper.stopBrowser(), idleMs).unref();
        }
      };
      return limiter.run(work, { ...entry, signal });
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      await keeper.stopBrowser();
    },
  };
}

interface RenderTask {
  readonly keeper: BrowserKeeper;
  readonly guard: UrlGuard;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function renderOne(url: string, task: RenderTask): Promise<{ url: string; html: string }> {
  const { keeper, guard, maxBytes, timeoutMs } = task;
  const { browser, proxy, gone } = await waitUnlessAborted(keeper.getBrowser(), task.signal);
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([task.signal, deadline, gone]);
  const lease = proxy.lease({ maxBytes: 3 * maxBytes, signal });
  let context: BrowserContext | undefined;
  try {
    const opening = browser.newContext({
      proxy: { server: proxy.server, username: lease.username, password: lease.password },
      acceptDownloads: false,
      serviceWorkers: 'block',
      reducedMotion: 'reduce',
      permissions: [],
      strictSelectors: false,
    });
    context = await waitUnlessAborted(opening, signal).catch((error: unknown) => {
      void opening.then((late) => late.close()).catch(() => {});
      throw error;
    });
    return await waitUnlessAborted(
      openAndSerialize(context, url, { guard, maxCharacters: maxBytes, timeoutMs }),
      signal,
    );
  } catch (error) {
    task.signal.throwIfAborted();
    throw renderError(error, url, { late: deadline.aborted, heavy: lease.exhausted, timeoutMs });
  } finally {
    lease.close();
    if (context && !(await closes(context))) await keeper.stopBrowser();
  }
}

function renderError(
  error: unknown,
  url: string,
  { late, heavy, timeoutMs }: { late: boolean; heavy: boolean; timeoutMs: number },
): AppError {
  if (error instanceof AppError) return error;
  if (heavy) return tooLargeError(`ResponseTooLarge: ${url} loads more than the limit`, { cause: error });
  if (late) {
    return new AppError('timeout', `the scripts of ${url} took over ${timeoutMs} ms; try another page`, {
      cause: error,
    });
  }
  return upstreamError(`the scripts of ${url} could not be run; try again, or another page`, {
    cause: error,
  });
}

function closes(context: BrowserContext): Promise<boolean> {
  return withDeadline(new AbortController().signal, CLOSE_MS, () => context.close()).then(
    () => true,
    (error: unknown) => !isTimeout(error),
  );
}
