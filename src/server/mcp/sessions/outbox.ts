import type { Writable } from 'node:stream';

/** Number of bytes waiting to be sent to the client, above which this process stops reading the client's input. */
const MAX_WAITING_BYTES = 1_000_000;
const MAX_WAITING_NOTIFICATIONS = 1000;
/** Notifications that may be dropped while the client does not read its input: progress and log messages. */
const PASSING = ['notifications/progress', 'notifications/message'];

export interface Outbox {
  isFull(): boolean;
  /**
   * Resolves when the client has received the text. `notification` is the MCP method if the text is a notification. While the
   * queue is full, notifications wait. Duplicate notifications and progress are then dropped.
   */
  send(text: string, notification?: string): Promise<void>;
}

/** Creates an outbox. @param ondrain called whenever the queue becomes empty */
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
