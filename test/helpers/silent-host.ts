import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Ports of 127.0.0.1 that answer nobody, as those behind a firewall that drops what comes. */
export interface SilentHost {
  readonly ports: readonly number[];
  close(): Promise<void>;
}

const LISTENS = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const servers = Array.from({ length: workerData }, () => createServer());
  const listening = servers.map((server) => new Promise((done) => server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, done)));
  Promise.all(listening).then(() => {
    parentPort.postMessage(servers.map((server) => server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;
/** Connections that the system takes for a server which never does, and more than that. */
const FILLING = 4;

/** They listen, but their thread stands still and their queues are full: the system drops whoever comes then. */
export async function startSilentHost(count: number): Promise<SilentHost> {
  const worker = new Worker(LISTENS, { eval: true, workerData: count });
  const ports = await new Promise<number[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const sockets: Socket[] = [];
  for (const port of ports) {
    for (let at = 0; at < FILLING; at++) sockets.push(connect(port, '127.0.0.1').on('error', () => {}));
  }
  const silent = async (port: number) => {
    for (;;) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      const taken = await Promise.race([
        new Promise<boolean>((resolve) => socket.once('connect', () => resolve(true))),
        new Promise<boolean>((resolve) => setTimeout(resolve, 300, false)),
      ]);
      if (!taken) return;
    }
  };
  await Promise.all(ports.map(silent));
  return {
    ports,
    async close() {
      for (const socket of sockets) socket.destroy();
      await worker.terminate();
    },
  };
}
