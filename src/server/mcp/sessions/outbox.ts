import type { Writable } from 'node:stream';

/** Bytes that wait for a client to read them, from which on nothing is read from it. */
const MAX_WAITING_BYTES = 1_000_000;
/** Notifications that wait for a client to read. */
const MAX_WAITING_NOTIFICATIONS = 1000;
/** Notifications that only say how work goes on: a client that does not read has no use for them. */
const PASSING = ['notifications/progress', 'notifications/message'];

/** What goes to the client, and how much of it waits there. */
export interface Outbox {
  isFull(): boolean;
  /**
   * Resolves once the client has it. While the box is full a notification waits, and one that says the same as another
   * that waits, or only how far work has come, is left out: `notification` is its method.
   */
  send(text: string, notification?: string): Promise<void>;
}

/** @param ondrain called whenever all that waited has been taken */
export function createOutbox(output: Writable, ondrain: () => void): Outbox {
  const waiting = new Set<string>();
  const isFull = () => output.writableLength >= MAX_WAITING_BYTES;
  output.on('drain', () => {
    for (const text of waiting) output.write(text);
    waiting.clear();
    ondrain();
  });
  return {
    isFull,
    async send(text, notification) {
      if (notification !== undefined && isFull()) {
        if (!PASSING.includes(notification) && waiting.size < MAX_WAITING_NOTIFICATIONS) waiting.add(text);
        return;
      }
      const { promise: written, resolve, reject } = Promise.withResolvers<void>();
      output.write(text, (error) => (error ? reject(error) : resolve()));
      return written;
    },
  };
}
