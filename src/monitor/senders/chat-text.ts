import { formatDetails, formatHeadline } from '../alerts/notification.ts';
import type { AlertNotification } from '../service-types.ts';

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

export function formatChatTexts(notification: AlertNotification) {
  return { headline: formatHeadline(notification), details: formatDetails(notification) };
}

export const isAlertEnd = ({ event }: AlertNotification): boolean => event === 'alert.cleared';

/** Escapes markup for Slack and Telegram (https://api.slack.com/reference/surfaces/formatting#escaping). */
export function escapeChatMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
