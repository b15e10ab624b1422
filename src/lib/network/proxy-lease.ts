import { randomBytes, timingSafeEqual } from 'node:crypto';

export interface ProxyLeaseLimits {
  /** Maximum bytes in both directions together. Each chunk counts as its size plus `PIECE` bytes. */
  readonly maxBytes: number;
  /** Maximum number of connections at once. Chromium's own limit is 32 per proxy. */
  readonly maxConnections?: number;
  readonly signal: AbortSignal;
}

/** Permission to use the browser's proxy. User name and password are for HTTP Basic authentication. */
export interface ProxyLease {
  readonly username: string;
  readonly password: string;
  readonly bytes: number;
  readonly exhausted: boolean;
  close(): void;
}

/** Bytes that each chunk costs in addition to its size, because forwarding it takes work. */
const PIECE = 64;

interface LeasedSocket {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

export interface ProxyLeaseControl extends ProxyLease {
  accepts(password: string): boolean;
  spend(bytes: number): void;
  hold(upstream: LeasedSocket, client: LeasedSocket): void;
}

/** Creates a lease with a random password of 192 bits. `ended` is called when the lease ends. */
export function createProxyLease(
  { maxBytes, maxConnections = 48, signal }: ProxyLeaseLimits,
  ended: () => void,
): ProxyLeaseControl {
  const username = randomBytes(9).toString('hex');
  const password = randomBytes(24).toString('hex');
  const held = new Set<LeasedSocket>();
  let [bytes, closed] = [0, signal.aborted];
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
