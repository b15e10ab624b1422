import { availableParallelism } from 'node:os';
import { moduleUrl } from '../lib/module-url.ts';
import { createWorkerPool } from '../lib/worker-pool.ts';
import type { PageFacts } from './page.ts';
import { dump } from './readers/html-dump.ts';

export interface HtmlPage extends PageFacts {
  readonly title: string;
  readonly markdown: string;
}

/** Turns HTML into Markdown without holding the event loop up. */
export interface HtmlReader {
  readHtml(html: string, url: string, signal: AbortSignal): Promise<HtmlPage>;
  close(): Promise<void>;
}

interface Job {
  readonly html: string;
  readonly url: string;
}

type Answer = { readonly page: HtmlPage } | { readonly error: string };

/** Workers at most; each is about 20 MB, and few calls read more pages than these at once. */
const MAX_WORKERS = 4;
/** Pages that may wait for a worker. */
const MAX_WAITING = 200;
/** Milliseconds for one page; after that it is read as plain text. */
const TIME_LIMIT_MS = 5000;
/** Milliseconds after which a worker with nothing to do is let go. */
const IDLE_MS = 60_000;

/**
 * A pool of workers for the main content of pages. A page that takes a worker longer than 5 s loses the
 * worker, and comes as plain text instead.
 */
export function createHtmlReader(): HtmlReader {
  const pool = createWorkerPool<Job, Answer>({
    file: moduleUrl('./readers/html-worker.ts', import.meta.url),
    workers: Math.min(MAX_WORKERS, availableParallelism()),
    queue: MAX_WAITING,
    idleMs: IDLE_MS,
    stopOnAbort: false,
  });
  return {
    async readHtml(html, url, signal) {
      const outcome = await pool.run({ html, url }, TIME_LIMIT_MS, signal);
      return 'answer' in outcome && 'page' in outcome.answer ? outcome.answer.page : dump(html);
    },
    close: () => pool.close(),
  };
}
