import { detailsOf, headlineOf } from '../alerts/notification.ts';
import type { Notification } from '../types.ts';


/** Truncates a text to a number of UTF-16 units without splitting a character, and marks the cut. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text
    .slice(0, most - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}

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

export function isEnd({ event }: Notification): boolean {
  return event === 'alert.cleared';
}
