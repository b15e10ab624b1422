import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

const HEADER_BYTES = 4;

/** Sends and receives messages on a socket. The length in bytes (32 bits) precedes each message. */
export function openSocketMessages(socket: Socket, onMessage: (message: unknown) => void) {
  let chunks: Buffer[] = [];
  let held = 0;
  let bytes: number | undefined;

  const take = (count: number): Buffer => {
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    held -= count;
    chunks = held > 0 ? [all.subarray(count)] : [];
    return all.subarray(0, count);
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    held += chunk.length;
    for (;;) {
      if (bytes === undefined) {
        if (held < HEADER_BYTES) return;
        bytes = take(HEADER_BYTES).readUInt32LE();
      }
      if (held < bytes) return;
      const message = take(bytes);
      bytes = undefined;
      onMessage(deserialize(message));
    }
  });
  return {
    send(message: unknown, sent: () => void = () => {}): void {
      const body = serialize(message);
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUInt32LE(body.length);
      socket.cork();
      socket.write(header);
      socket.write(body, sent);
      socket.uncork();
    },
  };
}
