import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of 127.0.0.1 that nothing listens on, for what has to be named before it listens. */
export async function freePort(): Promise<number> {
  const held = createServer().listen(0, '127.0.0.1');
  await once(held, 'listening');
  const address = held.address();
  held.close();
  await once(held, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return address.port;
}
