import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SocketServer {
  readonly path: string;
  /** The sockets in the order of connection. Rejects if `close` is called before all have connected. */
  readonly sockets: Promise<readonly Socket[]>;
  close(): void;
}

/** Opens a server on a Unix socket for the current user only. Returns undefined if that is impossible. */
export async function openSocketServer(count: number): Promise<SocketServer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'magpie-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  const { promise: sockets, resolve, reject } = Promise.withResolvers<readonly Socket[]>();
  sockets.catch(() => {});
  const taken: Socket[] = [];
  const server = createServer();
  const close = () => {
    server.close(() => void rm(folder, { recursive: true, force: true }).catch(() => {}));
    reject(new Error('what was to connect did not'));
  };
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    taken.push(socket);
    if (taken.length < count) return;
    resolve(taken);
    close();
  });
  const path = join(folder, 'line');
  const isOpen = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(path, () => resolve(true));
  });
  if (isOpen) return { path, sockets, close };
  close();
  return undefined;
}

export async function waitForSocketClose(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}
