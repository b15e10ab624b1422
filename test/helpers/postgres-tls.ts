import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A way to PostgreSQL that speaks TLS, as a server with `ssl = on` does. */
export interface PostgresTls {
  readonly port: number;
  /** Connections that were encrypted, and those that were not. */
  readonly met: { encrypted: number; bare: number };
  close(): Promise<void>;
}

/** What a client sends that asks for TLS, and its answer. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const SPEAKS_TLS = 'S';

/** @param identity key and certificate in PEM */
export async function makePostgresTls(to: string, identity: string): Promise<PostgresTls> {
  const target = new URL(to);
  const met = { encrypted: 0, bare: 0 };
  const open = new Set<Socket>();
  const join = (near: Socket, first?: Buffer) => {
    const far = connect(Number(target.port), target.hostname);
    open.add(far);
    if (first) far.write(first);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => far.destroy());
  };
  const server = createServer((near) => {
    open.add(near);
    near.on('error', () => {});
    near.once('data', (first) => {
      if (!first.equals(SSL_REQUEST)) {
        met.bare++;
        join(near, first);
        return;
      }
      near.write(SPEAKS_TLS);
      const secure = new TLSSocket(near, { isServer: true, key: identity, cert: identity });
      secure.on('error', () => {});
      secure.once('secure', () => {
        met.encrypted++;
        join(secure);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    met,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
