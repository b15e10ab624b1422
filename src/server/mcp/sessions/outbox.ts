import type { Writable } from 'node:stream';

/** Above this many unsent bytes, the client's input is not read. */
const MAX_WAITING_BYTES = 1_000_000;
const MAX_WAITING_NOTIFICATIONS = 1000;
/** Notifications that may be dropped while the client does not read: progress and log messages. */
const PASSING = ['notifications/progress', 'notifications/message'];

export interface Outbox {
  isFull(): boolean;
  send(text: string, notification?: string): Promise<void>;
}

/** Creates an outbox. `ondrain` is called whenever the queue becomes empty. */
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
