import { connect, type LookupFunction } from 'node:net';
import type { Endpoint } from './target.ts';

export interface TcpOptions {
  readonly lookup: LookupFunction;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Milliseconds that connecting took; rejects with node's error, or the signal's reason. */
export function tcpConnect({ host, port }: Endpoint, options: TcpOptions): Promise<number> {
  const { lookup, signal, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    if (limit.aborted) return reject(limit.reason);
    const begun = performance.now();
    const socket = connect({ host, port, lookup });
    const stop = () => {
      reject(limit.reason);
      socket.destroy();
    };
    limit.addEventListener('abort', stop, { once: true });
    const over = () => {
      limit.removeEventListener('abort', stop);
      socket.destroy();
    };
    socket.once('connect', () => {
      resolve(performance.now() - begun);
      over();
    });
    socket.on('error', (error) => {
      reject(error);
      over();
    });
  });
}
