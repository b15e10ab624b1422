import { parentPort } from 'node:worker_threads';
import { readHtml } from './html.ts';

/** Takes one page at a time off the event loop; see html-reader.ts. */
parentPort?.on('message', ({ html, url }: { html: string; url: string }) => {
  try {
    parentPort?.postMessage({ page: readHtml(html, url) });
  } catch (error) {
    parentPort?.postMessage({ error: String(error) });
  }
});
