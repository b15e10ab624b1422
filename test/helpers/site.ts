import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a site answers at a path: a page's HTML, or more. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds until it comes; a moment where it is left out, for a second request to come in, if there were one. */
  readonly afterMs?: number;
}

/** A site on loopback whose pages the test writes; `asked` tells what it was asked, in order. */
export interface TestSite {
  readonly url: string;
  readonly host: string;
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly at: number }[];
  /** Requests under way at once, at most so far. */
  readonly most: { atOnce: number };
  /** Paths with their query; a function is asked each time. */
  readonly pages: Map<string, Reply | ((headers: IncomingHttpHeaders) => Reply)>;
  /** For paths that `pages` does not have. */
  fallback: (path: string) => Reply | undefined;
  paths(): string[];
  close(): Promise<void>;
}

export async function startSite(): Promise<TestSite> {
  const pages: TestSite['pages'] = new Map();
  const asked: TestSite['asked'] = [];
  const most = { atOnce: 0 };
  let underWay = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push({ path, headers: request.headers, at: performance.now() });
    underWay += 1;
    most.atOnce = Math.max(most.atOnce, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const found = pages.get(path);
    const reply = (typeof found === 'function' ? found(request.headers) : found) ?? site.fallback(path);
    const {
      status = 200,
      headers = {},
      body = '',
      afterMs = 2,
    } = reply ?? { status: 404, body: '<h1>Not here</h1>' };
    setTimeout(
      () => response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body),
      afterMs,
    ).unref();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: TestSite = {
    url: `http://${host}`,
    host,
    asked,
    most,
    pages,
    fallback: () => undefined,
    paths: () => asked.map(({ path }) => path),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return site;
}

/** An article about `subject`, with links and what else stands in its head. */
export function article(subject: string, links: readonly string[] = [], head = ''): Reply {
  const sentences = `The ${subject} is described here at length, so that a reader learns what the ${subject} does. `;
  return {
    body: `<!doctype html><html lang="en"><head><title>About the ${subject}</title>${head}</head><body>
      <article><h1>About the ${subject}</h1><p>${sentences.repeat(4)}</p>
      <p>${sentences.repeat(3)}</p></article>
      <nav>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</nav></body></html>`,
  };
}
