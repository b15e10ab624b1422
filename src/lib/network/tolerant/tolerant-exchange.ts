import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { readDamagedBody } from '../body.ts';
import { readTolerantResponse } from './tolerant-response.ts';

export interface TolerantRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum size in bytes, before and after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Headers about the connection. The caller's values are ignored, because this module sets them. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'host', 'transfer-encoding']);

/** Sends a GET over a new connection and reads the response as browsers do. Throws AppError. */
export async function exchangeTolerantly(
  { url, headers, maxBytes, signal }: TolerantRequest,
  connect: buildConnector.connector,
) {
  const requestedAt = Date.now();
  const socket = await open(url, connect, signal);
  const stop = () => socket.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    socket.on('error', () => {});
    socket.write(requestText(url, headers), 'latin1');
    const answer = await readTolerantResponse(socket, maxBytes);
    signal.throwIfAborted();
    const { status } = answer;
    const { body, isCut } = await readDamagedBody(answer, maxBytes, signal);
    const times = { requestedAt, receivedAt: Date.now() };
    return { status, headers: answer.headers, body, isCut: isCut && ('broken' as const), ...times };
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

function open(url: URL, connect: buildConnector.connector, signal: AbortSignal): Promise<Socket> {
  const { hostname, host, protocol, port } = url;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    connect({ hostname: hostname.replace(/^\[(.*)\]$/, '$1'), host, protocol, port }, (error, socket) => {
      signal.removeEventListener('abort', abort);
      if (error) return reject(error);
      if (signal.aborted) {
        socket?.destroy();
        reject(signal.reason);
      } else if (socket) resolve(socket);
    });
  });
}

function requestText(url: URL, headers: TolerantRequest['headers']): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !OWN_HEADERS.has(name))
    .map(([name, value]) => `${name}: ${value}`);
  const host = headers.host ?? url.host;
  return [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${host}`,
    'connection: close',
    ...lines,
    '',
    '',
  ].join('\r\n');
}
