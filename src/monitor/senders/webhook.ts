import { createWebhookPost, type WebhookOptions } from '../../lib/network/webhook.ts';
import type { NotificationSender } from '../alerts/notification.ts';
import type { Notification } from '../types.ts';

export function createWebhookSender(options: WebhookOptions): NotificationSender {
  const post = createWebhookPost(options);
  return { send: (id, notification, signal) => post({ id, body: JSON.stringify(notification) }, signal) };
}

/** Posts the result of `format`, without the message's name: chat services detect no duplicates. */
export function createChatSender(
  options: Omit<WebhookOptions, 'secret'>,
  format: (notification: Notification) => object,
): NotificationSender {
  const post = createWebhookPost(options);
  return {
    send: (_name, notification, signal) => post({ body: JSON.stringify(format(notification)) }, signal),
  };
}
