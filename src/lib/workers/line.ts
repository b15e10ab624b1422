import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Sockets between this process and one that another process of ours starts. */
export interface Line {
  /** Where that process connects, once for each socket. */
  readonly path: string;
  /** In the order in which it connected. Rejects once closed before that. */
  readonly sockets: Promise<readonly Socket[]>;
  close(): void;
}

/**
 * Waits for `count` sockets at a path that only this user can reach; undefined where the folder of temporary files takes none,
 * which is full, not there, or has too long a path for a socket.
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
    // What its user wants to know of an error is how the process ended.
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

/** Resolves when a socket is closed. */
export async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}
