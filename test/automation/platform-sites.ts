import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a platform was asked, and how it answers. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** A status with its body, as the platform's documentation has it. */
export interface Said {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

export const KEY = 'good-key-of-the-platform';
/** Keys that each platform knows, and what is wrong with them. */
export const BAD_KEYS = {
  wrong: 'wrong-key',
  poor: 'key-without-rights',
  spent: 'key-without-quota',
} as const;

export interface PlatformSite {
  readonly url: string;
  readonly asked: Asked[];
  /** Automations that were made, as the platform keeps them. */
  readonly made: Record<string, unknown>[];
  /** Answers every request so, until it is undefined again: an outage, a page of something else. */
  broken: Said | 'hang' | 'text' | undefined;
  /** Fails this many requests of a kind, as a platform that breaks off in the middle. */
  failOnce: RegExp | undefined;
  /** Called with each request before it is answered: what other processes do at the same moment. */
  meanwhile: ((asked: Asked) => Promise<void> | void) | undefined;
  close(): Promise<void>;
}

export type Answer = (asked: Asked, site: PlatformSite) => Said;

/** A platform on a local server; it checks what its documentation says it checks. */
export async function startPlatform(answer: Answer): Promise<PlatformSite> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://local');
    let text = '';
    for await (const chunk of request) text += chunk;
    const asked: Asked = {
      method: request.method ?? '',
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: request.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
    site.asked.push(asked);
    await site.meanwhile?.(asked);
    if (site.broken === 'hang') return;
    if (site.broken === 'text') return void response.writeHead(200).end('<h1>Sign in</h1>');
    const failing = site.failOnce?.test(`${asked.method} ${asked.path}`);
    if (failing) site.failOnce = undefined;
    const said = failing ? { status: 500, body: {} } : (site.broken ?? answer(asked, site));
    response
      .writeHead(said.status, { 'content-type': 'application/json', ...said.headers })
      .end(JSON.stringify(said.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site: PlatformSite = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    made: [],
    broken: undefined,
    failOnce: undefined,
    meanwhile: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return site;
}

/** A part of a list, as `from` and `count` say. */
export function pageOf<T>(all: readonly T[], from: number, count: number): T[] {
  return all.slice(from, from + count);
}

/** A JSON text that has to be one; undefined for anything else. */
export function jsonText(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return JSON.parse(value) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
