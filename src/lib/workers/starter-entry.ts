import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { attempt } from '../attempt.ts';
import { lowerPriority } from './lower-priority.ts';
import type { StarterMessage, StarterReport, StartOrder, StartReport } from './starter.ts';

// Ignores signals, for example from Ctrl-C. The server ends this process itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', () => {
  for (const { pid } of children.values()) end(pid);
  process.exit();
});

const children = new Map<number, ChildProcess>();
const [starting, unwanted] = [new Set<number>(), new Set<number>()];

process.on('message', (message: StarterMessage) => {
  const { id } = message;
  if ('kill' in message) {
    children.get(id)?.kill('SIGKILL');
    if (starting.has(id)) unwanted.add(id);
    return;
  }
  const report = (one: StartReport) => process.send?.({ id, report: one } satisfies StarterReport);
  start(id, message.order, report).catch((error: NodeJS.ErrnoException) =>
    report({ failed: error.message, code: error.code }),
  );
});

async function start(id: number, order: StartOrder, report: (one: StartReport) => void): Promise<void> {
  const { command, args, cwd, env, detached, streams, path, isLower } = order;
  const line: Socket[] = [];
  const stdio: ('ignore' | Socket)[] = [];
  starting.add(id);
  try {
    for (const stream of streams) {
      if (stream === 'ignore') {
        stdio.push(stream);
        continue;
      }
      // Pauses the socket, because its data belong to the program that is being started.
      const socket = new Socket().pause();
      line.push(socket);
      socket.connect(path);
      await once(socket, 'connect');
      socket.on('error', () => {});
      stdio.push(socket);
    }
    const child = spawn(command, args, { ...(cwd === undefined ? {} : { cwd }), env, detached, stdio });
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) report({ failed: error.message, code: error.code });
    });
    if (child.pid === undefined) return;
    if (isLower) lowerPriority(child.pid);
    children.set(id, child);
    child.once('exit', (exit, signal) => {
      children.delete(id);
      report({ exit, signal });
    });
    if (unwanted.has(id)) child.kill('SIGKILL');
    report({ pid: child.pid });
  } finally {
    starting.delete(id);
    unwanted.delete(id);
    for (const socket of line) socket.destroy();
  }
}

function end(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const id of [-pid, pid]) attempt(() => process.kill(id, 'SIGKILL'));
}
