import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback that counts what reaches it, WebSockets and bare connections too. */
export interface Counted {
  readonly port: number;
  /** host:port, as MAGPIE_ALLOW_HOSTS takes it. */
  readonly host: string;
  /** Paths asked for. */
  readonly asked: string[];
  /** Connections made. */
  connections(): number;
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export async function startCounted(answer: Answer, address = '127.0.0.1'): Promise<Counted> {
  const asked: string[] = [];
  let connections = 0;
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*');
    answer(request, response);
  });
  server.on('connection', () => connections++);
  server.on('upgrade', (request, socket) => {
    asked.push(`websocket ${request.url}`);
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.on('error', () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.end(Buffer.from([0x81, 6, ...Buffer.from('socket')]));
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    asked,
    connections: () => connections,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
