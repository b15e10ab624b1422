import { formatDetails, formatHeadline } from '../alerts/notification.ts';
import type { Notification } from '../types.ts';

/** Truncates a text to a number of UTF-16 code units without splitting a character, and appends `…`. */
export function truncateChatText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text
    .slice(0, maxLength - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}

export function truncateChatBytes(text: string, maxBytes: number): string {
  let short = text;
  while (Buffer.byteLength(short) > maxBytes) {
    const over = Buffer.byteLength(short) - maxBytes;
    short = truncateChatText(short, Math.max(1, short.length - Math.ceil(over / 4) - 1));
  }
  return short;
}

export function formatChatTexts(notification: Notification): {
  readonly headline: string;
  readonly details: string;
} {
  return { headline: formatHeadline(notification), details: formatDetails(notification) };
}

export function isAlertEnd({ event }: Notification): boolean {
  return event === 'alert.cleared';
}

/**
 * Escapes the characters that Slack (https://api.slack.com/reference/surfaces/formatting#escaping) and Telegram
 * (https://core.telegram.org/bots/api#html-style) treat as markup.
 */
export function escapeChatMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
