import { type CachedResponseHead, matchesVaryHeaders } from './cache-policy.ts';

export interface CachedResponse extends CachedResponseHead {
  readonly body: Uint8Array;
}

/** Cache of HTTP responses. Its methods never throw. */
export interface FetchCache {
  /** Returns stored responses of up to `maxBytes` for a URL, one per `Vary` value and newest first. */
  find(scope: string, url: string, maxBytes: number): Promise<readonly CachedResponse[]>;
  put(scope: string, url: string, answer: CachedResponse): Promise<void>;
  close(): Promise<void>;
}

export async function findCachedResponse(
  cache: FetchCache,
  scope: string,
  url: string,
  request: Readonly<Record<string, string>>,
  maxBytes: number,
): Promise<CachedResponse | undefined> {
  return (await cache.find(scope, url, maxBytes)).find((answer) => matchesVaryHeaders(answer, request));
}
