import { type KeptHead, matches } from './cache-policy.ts';

export interface KeptAnswer extends KeptHead {
  readonly body: Uint8Array;
}

/** Cache of HTTP responses. It never throws, and any failure counts as not found. */
export interface FetchCache {
  /** Returns the cached variants of an address, newest first. Responses with bodies over `maxBytes` are left out. */
  find(scope: string, url: string, maxBytes: number): Promise<readonly KeptAnswer[]>;
  put(scope: string, url: string, answer: KeptAnswer): Promise<void>;
  close(): Promise<void>;
}

export async function findKept(
  cache: FetchCache,
  scope: string,
  url: string,
  request: Readonly<Record<string, string>>,
  maxBytes: number,
): Promise<KeptAnswer | undefined> {
  const kept = await cache.find(scope, url, maxBytes);
  return kept.find((answer) => matches(answer, request));
}
