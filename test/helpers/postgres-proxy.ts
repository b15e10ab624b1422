import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A way to PostgreSQL that breaks as networks do. */
export interface PostgresProxy {
  /** The address of the database, by way of this proxy. */
  readonly url: string;
  /** Leads new connections to another server. */
  leadTo(url: string): void;
  /** Passes nothing on in either direction, without a word, until it is mended. */
  silence(): void;
  /** The same for the connections that are open, while new ones go through. */
  silenceOpen(): void;
  mend(): void;
  /** Milliseconds that each answer comes later from now on. */
  delay(ms: number): void;
  close(): Promise<void>;
}

export async function makeProxy(to: string): Promise<PostgresProxy> {
  let target = new URL(to);
  let silent = false;
  let lateMs = 0;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      if (silent) from.pause();
      if (from === near) from.on('data', (bytes) => into.write(bytes));
      else passLater(from, into, () => lateMs);
      from.on('error', () => {});
      from.on('close', () => {
        open.delete(from);
        into.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(to);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    leadTo(other) {
      target = new URL(other);
    },
    silence() {
      silent = true;
      for (const socket of open) socket.pause();
    },
    silenceOpen() {
      for (const socket of open) socket.pause();
    },
    mend() {
      silent = false;
      for (const socket of open) socket.resume();
    },
    delay(ms) {
      lateMs = ms;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** In their order, also where what came later has less to wait. */
function passLater(from: Socket, into: Socket, lateMs: () => number): void {
  let passed: Promise<unknown> | undefined;
  from.on('data', (bytes) => {
    const due = performance.now() + lateMs();
    if (passed === undefined && lateMs() === 0) {
      into.write(bytes);
      return;
    }
    const turn = (passed ?? Promise.resolve())
      .then(() => setTimeout(Math.max(0, due - performance.now())))
      .then(() => {
        into.write(bytes);
        if (passed === turn) passed = undefined;
      });
    passed = turn;
  });
}
