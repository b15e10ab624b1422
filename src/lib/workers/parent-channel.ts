import { Socket } from 'node:net';
import { openFrames } from './frames.ts';

/** Where the messages of a process come that the starter started. */
const CHANNEL_FD = 3;

/** Messages between a process of ours and the thread that started it. */
export interface ParentChannel {
  /** `sent` is called once the system has taken it. */
  send(message: unknown, sent?: () => void): void;
}

/** This process ends with its parent. Called once. */
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
