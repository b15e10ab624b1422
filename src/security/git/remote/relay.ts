import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type AppError, upstreamError } from '../../../errors.ts';
import { PRIVATE_ADDRESS_CODE } from '../../../lib/network/address.ts';
import { forbidden } from '../../../lib/network/fetch-error.ts';
import {
  CONNECTION_BROKEN,
  failureSentence,
  networkFailure,
  RESPONSE_TIMEOUT,
} from '../../../lib/network/network-failure.ts';
import type { ConnectionVerdict, UrlGuard } from '../../../lib/network/url-guard.ts';

export interface RelayOptions {
  readonly guard: UrlGuard;
  readonly host: string;
  readonly port: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const MAX_CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;

/** Opens a local port for git and ssh. Connections are forwarded to the host after a check of its address. */
export async function startRelay({ guard, host, port, maxBytes, signal }: RelayOptions) {
  const verdict = verdictOf(guard, host, port);
  const open = new Set<Socket>();
  let bytes = 0;
  let count = 0;
  let refusal: AppError | undefined;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    if (++count > MAX_CONNECTIONS) return void client.destroy();
    const upstream = connect({
      host: host.replace(/^\[(.*)\]$/, '$1'),
      port,
      lookup: guard.lookups[verdict],
    });
    upstream.setTimeout(CONNECT_TIMEOUT_MS, () => upstream.destroy(new Error('late')));
    upstream.once('connect', () => upstream.setTimeout(IDLE_TIMEOUT_MS));
    upstream.on('error', (error) => {
      refusal ??= refusalOf(error, host);
      client.destroy();
    });
    upstream.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes > maxBytes) upstream.destroy();
    });
    upstream.pipe(client).pipe(upstream);
    client.on('error', () => upstream.destroy());
    for (const [one, other] of [
      [upstream, client],
      [client, upstream],
    ] as const) {
      open.add(one);
      one.on('close', () => {
        open.delete(one);
        if (one === client) other.destroy();
        else other.end();
      });
    }
  });
  const close = () => {
    signal.removeEventListener('abort', close);
    server.close();
    for (const socket of open) socket.destroy();
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve());
  });
  signal.addEventListener('abort', close, { once: true });
  return {
    port: (server.address() as AddressInfo).port,
    get bytes() {
      return bytes;
    },
    /** The first reason why a connection was refused or failed. Undefined if no connection failed. */
    get refusal() {
      return refusal;
    },
    close,
  };
}

/** Asks the guard about a host. The guard blocks port 22 (ssh), so it is asked about port 9418 instead. */
function verdictOf(guard: UrlGuard, host: string, port: number): ConnectionVerdict {
  try {
    return guard.judge(new URL(`http://${host}:${port}/`));
  } catch (error) {
    if (port !== 22) throw error;
    return guard.judge(new URL(`http://${host}:9418/`));
  }
}

function refusalOf(error: Error, host: string): AppError {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === PRIVATE_ADDRESS_CODE) return forbidden(new URL(`http://${host}/`));
  const failure = networkFailure(error) ?? (error.message === 'late' ? RESPONSE_TIMEOUT : CONNECTION_BROKEN);
  return upstreamError(failureSentence(host, failure), { cause: error });
}
