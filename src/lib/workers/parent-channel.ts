import { Socket } from 'node:net';
import { openSocketMessages } from './socket-messages.ts';

const CHANNEL_FD = 3;

export interface ParentChannel {
  send(message: unknown, sent?: () => void): void;
}

/** Opens the channel to the parent process. This process ends with its parent. Call it once. */
export function openParentChannel(onMessage: (message: unknown) => void): ParentChannel {
  if (process.send) {
    process.once('disconnect', () => process.exit());
    process.on('message', onMessage);
    return { send: (message, sent = () => {}) => process.send?.(message, sent) };
  }
  const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  socket.on('error', () => {});
  socket.once('close', () => process.exit());
  return openSocketMessages(socket, onMessage);
}
