import { Socket } from 'node:net';
import { openFrames } from './frames.ts';

/** File descriptor of the message socket in a process that the starter process has started. */
const CHANNEL_FD = 3;

/** Channel for messages between a child process and the thread that started it. */
export interface ParentChannel {
  /** Sends a message. `sent` is called once the system has accepted it. */
  send(message: unknown, sent?: () => void): void;
}

/** Opens the channel to the parent. This process then ends when its parent ends. Call it only once. */
export function openParentChannel(onMessage: (message: unknown) => void): ParentChannel {
  if (process.send) {
    process.once('disconnect', () => process.exit());
    process.on('message', onMessage);
    return { send: (message, sent = () => {}) => process.send?.(message, sent) };
  }
  const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  socket.on('error', () => {});
  socket.once('close', () => process.exit());
  return openFrames(socket, onMessage);
}
