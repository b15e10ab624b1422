import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A local server to which a process that we start connects its sockets. */
export interface Line {
  /** Path of the Unix socket. The process connects to it once for each socket. */
  readonly path: string;
  /** The sockets, in the order in which they connected. Rejects if the server is closed before. */
  readonly sockets: Promise<readonly Socket[]>;
  close(): void;
}

/**
 * Waits for `count` sockets at a path that only the current user can access. Undefined if no socket can be created in the
 * temporary folder: it is full, missing, or its path is too long for a socket.
 */
export async function openLine(count: number): Promise<Line | undefined> {
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
    // Socket errors are ignored, since the end of the process is reported separately.
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

/** Resolves when the socket is closed. */
export async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}
