import { connect, isIP, type Socket } from 'node:net';
import type { Endpoint } from '../targets/target.ts';
import { encodeClientHello, type TlsOffer } from './client-hello.ts';
import { createServerAnswerParser, type ServerChoice } from './server-hello.ts';
import { onConnectTimeout } from './tcp-probe.ts';
import type { HandshakeOptions } from './tls-probe.ts';

/** Offers TLS versions and ciphers that Node cannot use. Rejects with Node's error codes if the server refuses. */
export function offerTls(
  { host, port }: Endpoint,
  { lookup, signal, timeoutMs, connectMs }: HandshakeOptions,
  offer: TlsOffer,
): Promise<ServerChoice> {
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    if (limit.aborted) return reject(limit.reason);
    const reader = createServerAnswerParser(offer);
    const socket: Socket = connect({ host, port, lookup });
    const end = (error: unknown) => {
      stopWaiting();
      limit.removeEventListener('abort', stop);
      socket.destroy();
      const chosen = signal.aborted ? undefined : reader.chosen();
      if (chosen) resolve(chosen);
      else reject(error);
    };
    const stop = () => end(limit.reason);
    limit.addEventListener('abort', stop, { once: true });
    const stopWaiting = onConnectTimeout(socket, host, connectMs, end);
    socket.once('connect', () => {
      stopWaiting();
      socket.write(encodeClientHello(offer, isIP(host) === 0 ? host : undefined));
    });
    socket.on('data', (piece: Buffer) => {
      try {
        if (reader.push(piece)) end(undefined);
      } catch (error) {
        // A TLS alert after the server's choice of a cipher makes the choice invalid.
        stopWaiting();
        limit.removeEventListener('abort', stop);
        socket.destroy();
        reject(error);
      }
    });
    socket.on('error', end);
    socket.once('close', () =>
      end(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })),
    );
  });
}
