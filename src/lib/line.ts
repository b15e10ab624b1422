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

/** Waits for `count` sockets at a path that only this user can reach. */
export async function openLine(count: number): Promise<Line> {
  const folder = await mkdtemp(join(tmpdir(), 'magpie-'));
  const { promise: sockets, resolve, reject } = Promise.withResolvers<readonly Socket[]>();
  sockets.catch(() => {});
  const taken: Socket[] = [];
  const server = createServer();
  const close = () => {
    server.close(() => void rm(folder, { recursive: true, force: true }));
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
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(path, listening);
  });
  return { path, sockets, close };
}

/** Resolves when a socket is closed. */
export async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}
