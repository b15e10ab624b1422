import { randomBytes, timingSafeEqual } from 'node:crypto';

/** Bounds of one page's pass. */
export interface LeaseLimits {
  /**
   * Bytes in both directions together, as they travel (packed, in TLS), and 64 more for each piece they come
   * in: a body of single bytes costs its work. Over it the pass ends.
   */
  readonly maxBytes: number;
  /** Connections at once. Default 48: Chromium itself stops at 32 a proxy. */
  readonly maxConnections?: number;
  /** Ends the pass: the page's deadline and its caller's wish. */
  readonly signal: AbortSignal;
}

/** A pass through the guard's proxy, as HTTP Basic credentials. */
export interface Lease {
  readonly username: string;
  readonly password: string;
  /** Bytes so far. */
  readonly bytes: number;
  /** Whether it ended by its bytes. */
  readonly exhausted: boolean;
  /** Ends its connections and refuses further ones. */
  close(): void;
}

/** What passing one piece on costs, in bytes. */
const PIECE = 64;

interface Held {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** The proxy's side of a pass. */
export interface OpenLease extends Lease {
  accepts(password: string): boolean;
  spend(bytes: number): void;
  /** Counts one connection, and its streams end with the pass; at once when the limit is reached. */
  hold(upstream: Held, client: Held): void;
}

/** Random, of 192 bits; `ended` is called once. */
export function createLease(
  { maxBytes, maxConnections = 48, signal }: LeaseLimits,
  ended: () => void,
): OpenLease {
  const username = randomBytes(9).toString('hex');
  const password = randomBytes(24).toString('hex');
  const held = new Set<Held>();
  let bytes = 0;
  let closed = signal.aborted;
  const close = () => {
    if (closed) return;
    closed = true;
    signal.removeEventListener('abort', close);
    for (const stream of held) stream.destroy();
    ended();
  };
  signal.addEventListener('abort', close);
  return {
    username,
    password,
    get bytes() {
      return bytes;
    },
    get exhausted() {
      return bytes > maxBytes;
    },
    close,
    accepts(given) {
      const [a, b] = [Buffer.from(given), Buffer.from(password)];
      return !closed && a.length === b.length && timingSafeEqual(a, b);
    },
    spend(count) {
      bytes += count + PIECE;
      if (bytes > maxBytes) close();
    },
    hold(...streams) {
      const room = !closed && held.size < 2 * maxConnections;
      for (const stream of streams) {
        if (!room) stream.destroy();
        else held.add(stream);
        stream.once('close', () => held.delete(stream));
      }
    },
  };
}
