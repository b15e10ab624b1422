import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { dump } from './readers/html-dump.ts';

export interface HtmlPage {
  readonly title: string;
  readonly markdown: string;
}

/** Turns HTML into Markdown without holding the event loop up. */
export interface HtmlReader {
  read(html: string, url: string, signal: AbortSignal): Promise<HtmlPage>;
  close(): Promise<void>;
}

/** Workers at once; each holds the libraries (about 60 MB), so few do. */
const WORKERS = 2;
/** Pages that may wait for a worker. */
const QUEUE = 200;
/** Milliseconds for one page; after that it is read as plain text. */
const TIME = 5000;
/** Milliseconds after which a worker with nothing to do is let go. */
const IDLE = 60_000;

interface Job {
  readonly html: string;
  readonly url: string;
  /** Undefined when the worker failed: out of time or of stack. */
  done(page: HtmlPage | undefined): void;
}

/**
 * A pool of workers for the main content of pages. A page that takes a worker longer than 5 s loses
 * the worker, and comes as plain text instead. (No heap limit: reaching one can end the whole process.)
 */
export function createHtmlReader(): HtmlReader {
  const waiting: Job[] = [];
  const idle: { worker: Worker; timer: NodeJS.Timeout }[] = [];
  const all = new Set<Worker>();

  function start(): Worker {
    const file = import.meta.url.endsWith('.ts') ? './readers/html-worker.ts' : './readers/html-worker.js';
    const worker = new Worker(new URL(file, import.meta.url));
    worker.unref();
    worker.once('exit', () => all.delete(worker));
    all.add(worker);
    return worker;
  }

  function next(): void {
    if (waiting.length === 0) return;
    const free = idle.pop();
    if (free) clearTimeout(free.timer);
    else if (all.size >= WORKERS) return;
    const job = waiting.shift();
    if (job) work(free?.worker ?? start(), job);
  }

  function work(worker: Worker, job: Job): void {
    let ended = false;
    const end = (page: HtmlPage | undefined, usable: boolean) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      worker.removeAllListeners('message').removeAllListeners('error');
      worker.on('error', () => {});
      if (usable) rest(worker);
      else {
        all.delete(worker);
        void worker.terminate();
      }
      job.done(page);
      next();
    };
    const timer = setTimeout(() => end(undefined, false), TIME);
    worker.once('message', ({ page }: { page?: HtmlPage }) => end(page, page !== undefined));
    worker.once('error', () => end(undefined, false));
    worker.postMessage({ html: job.html, url: job.url });
  }

  function rest(worker: Worker): void {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.worker === worker),
        1,
      );
      all.delete(worker);
      void worker.terminate();
    }, IDLE).unref();
    idle.push({ worker, timer });
  }

  return {
    async read(html, url, signal) {
      signal.throwIfAborted();
      if (waiting.length >= QUEUE) {
        throw new AppError('unavailable', 'too many pages are being read at once; try again shortly', {
          retryAfter: 5,
        });
      }
      const page = await new Promise<HtmlPage | undefined>((resolve, reject) => {
        const job: Job = { html, url, done: resolve };
        waiting.push(job);
        signal.addEventListener(
          'abort',
          () => {
            const at = waiting.indexOf(job);
            if (at >= 0) waiting.splice(at, 1);
            reject(signal.reason);
          },
          { once: true },
        );
        next();
      });
      return page ?? dump(html);
    },
    async close() {
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}
