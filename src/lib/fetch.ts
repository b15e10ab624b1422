/** Limits and extras of one fetch. */
export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ceiling on the bytes of the body after decompression; more is `too_large`. Default 10 MiB. */
  readonly maxBytes?: number;
  /** The whole exchange, redirects and body included, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** Hosts or host:port that this one call may reach besides public addresses (an operator's own engine). */
  readonly allow?: readonly string[];
}

export interface Fetched {
  /** The address after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Fetches from addresses that outsiders choose; see `createGuardedFetch`. */
export interface GuardedFetch {
  (url: string, options: FetchOptions): Promise<Fetched>;
  close(): Promise<void>;
}
