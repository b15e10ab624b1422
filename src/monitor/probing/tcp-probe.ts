import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Endpoint } from '../targets/target.ts';

function connectLate(isLookedUp: boolean): Error {
  return isLookedUp
    ? Object.assign(new Error('the connection was not accepted in time'), { code: 'ETIMEDOUT' })
    : Object.assign(new Error('the name was not looked up in time'), { code: 'EAI_AGAIN' });
}

export function onConnectTimeout(
  socket: Socket,
  host: string,
  timeoutMs: number,
  late: (error: Error) => void,
): () => void {
  let isLookedUp = isIP(host) > 0;
  socket.once('lookup', () => {
    isLookedUp = true;
  });
  const timer = setTimeout(() => late(connectLate(isLookedUp)), timeoutMs);
  return () => clearTimeout(timer);
}

/** Returns the milliseconds to connect. Rejects with Node's error or the signal's reason. */
export function measureTcpConnect(
  { host, port }: Endpoint,
  options: { readonly lookup: LookupFunction; readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<number> {
  const { lookup, signal, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const begun = performance.now();
    const socket = connect({ host, port, lookup });
    const end = (error: unknown) => {
      stopWaiting();
      signal.removeEventListener('abort', stop);
      socket.destroy();
      reject(error);
    };
    const stop = () => end(signal.reason);
    const stopWaiting = onConnectTimeout(socket, host, timeoutMs, end);
    signal.addEventListener('abort', stop, { once: true });
    socket.once('connect', () => {
      resolve(performance.now() - begun);
      end(undefined);
    });
    socket.on('error', end);
  });
}
