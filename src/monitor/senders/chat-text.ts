import { detailsOf, headlineOf } from '../alerts/notification.ts';
import type { Notification } from '../types.ts';

/** A notification in the words of chat services, each within the length that its service takes. */

/** Cut to so many characters, whole ones, with a mark where something is left out. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text
    .slice(0, most - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}

/** Cut to so many bytes of UTF-8. */
export function cutBytes(text: string, most: number): string {
  let short = text;
  while (Buffer.byteLength(short) > most) {
    const over = Buffer.byteLength(short) - most;
    short = cut(short, Math.max(1, short.length - Math.ceil(over / 4) - 1));
  }
  return short;
}

export function textsOf(notification: Notification): { readonly headline: string; readonly details: string } {
  return { headline: headlineOf(notification), details: detailsOf(notification) };
}

/** Whether it is the end of an alert. */
export function isEnd({ event }: Notification): boolean {
  return event === 'alert.cleared';
}
