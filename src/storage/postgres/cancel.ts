import type pg from 'pg';
import { callSignal } from '../../lib/concurrency/call-signal.ts';
import { isCancelled } from './errors.ts';

const REQUEST_MS = 5000;

/** Cancels the running statement on abort. Writes are not cancelled, because their commit may have begun. */
export async function cancelWithCall<T>(
  driver: typeof pg,
  client: pg.PoolClient,
  work: () => Promise<T>,
): Promise<T> {
  const signal = callSignal();
  if (!signal) return work();
  signal.throwIfAborted();
  let request: Promise<void> | undefined;
  const end = () => {
    request = cancelStatement(driver, client);
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    return await work();
  } catch (error) {
    if (isCancelled(error)) signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
    // Waits for the cancel request, because a late one could cancel the next statement instead.
    await request;
  }
}

type BackendPlace = pg.Client & Readonly<Record<'processID' | 'secretKey', number>>;

export function cancelStatement(driver: typeof pg, client: pg.ClientBase): Promise<void> {
  const { host, port, ssl, processID, secretKey } = client as BackendPlace;
  const connection = new driver.Connection({ ssl } as pg.ConnectionConfig) as unknown as CancelConnection;
  return new Promise((resolve) => {
    const timer = setTimeout(() => connection.stream.destroy(), REQUEST_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    connection.on('error', done);
    connection.on('end', done);
    connection.on('connect', () => (ssl ? connection.requestSsl() : connection.cancel(processID, secretKey)));
    connection.on('sslconnect', () => connection.cancel(processID, secretKey));
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}

interface CancelConnection {
  readonly stream: { destroy(): void };
  on(event: 'error' | 'end' | 'connect' | 'sslconnect', listener: () => void): void;
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}
