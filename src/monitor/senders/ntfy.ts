import type { WebhookOptions } from '../../lib/network/webhook.ts';
import { createWebhookPost } from '../../lib/network/webhook.ts';
import type { NotificationSender } from '../alerts/notification.ts';
import type { Notification } from '../types.ts';
import { formatChatTexts, isAlertEnd, truncateChatBytes } from './chat-text.ts';

export interface NtfyOptions extends Omit<WebhookOptions, 'secret'> {
  readonly topic: string;
}

/** Maximum sizes in bytes. A longer message would arrive as an attached file (https://docs.ntfy.sh/publish/#limitations). */
const [MAX_TITLE_BYTES, MAX_MESSAGE_BYTES] = [250, 4000];
const PRIORITIES = { critical: 5, high: 4, medium: 3, low: 2, info: 2 } as const;
const END_PRIORITY = 3;

/** Publishes notifications to an ntfy server as JSON, in plain text without markup. */
export function createNtfySender({ topic, ...options }: NtfyOptions): NotificationSender {
  const post = createWebhookPost(options);
  return {
    send: (_name, notification, signal) =>
      post({ body: JSON.stringify({ topic, ...bodyOf(notification) }) }, signal),
  };
}

function bodyOf(notification: Notification) {
  const { headline, details } = formatChatTexts(notification);
  return {
    title: truncateChatBytes(headline, MAX_TITLE_BYTES),
    message: truncateChatBytes(details, MAX_MESSAGE_BYTES),
    priority: isAlertEnd(notification) ? END_PRIORITY : PRIORITIES[notification.alert.finding.severity],
    tags: [isAlertEnd(notification) ? 'white_check_mark' : 'rotating_light'],
  };
}
