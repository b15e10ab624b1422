import { type KeptHead, matches } from './cache-policy.ts';

/** An answer as it is kept: unpacked. */
export interface KeptAnswer extends KeptHead {
  readonly body: Uint8Array;
}

/**
 * Where answers are kept; a driver of it stands in storage. What it holds is derived: any trouble with it
 * counts as not found, and it throws nothing.
 */
export interface FetchCache {
  /** The variants kept of an address, newest first; bodies over `maxBytes` are left out. */
  find(scope: string, url: string, maxBytes: number): Promise<readonly KeptAnswer[]>;
  /** Keeps an answer in place of the one with the same `vary`. */
  put(scope: string, url: string, answer: KeptAnswer): Promise<void>;
  close(): Promise<void>;
}

/** The newest kept answer that a request would have got. */
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
