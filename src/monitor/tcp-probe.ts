import { connect, type LookupFunction } from 'node:net';
import type { Endpoint } from './target.ts';

export interface TcpOptions {
  readonly lookup: LookupFunction;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** What connecting ends with when no connection is accepted, as the operating system would report after minutes. */
export function connectLate(): Error {
  return Object.assign(new Error('the connection was not accepted in time'), { code: 'ETIMEDOUT' });
}

/** Milliseconds that connecting took; rejects with node's error, or the signal's reason. */
export function tcpConnect({ host, port }: Endpoint, options: TcpOptions): Promise<number> {
  const { lookup, signal, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const begun = performance.now();
    const socket = connect({ host, port, lookup });
    const end = (error: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.destroy();
      reject(error);
    };
    const stop = () => end(signal.reason);
    const timer = setTimeout(() => end(connectLate()), timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    socket.once('connect', () => {
      resolve(performance.now() - begun);
      end(undefined);
    });
    socket.on('error', end);
  });
}
