import { createWebhookPost, type WebhookOptions } from '../../lib/network/webhook.ts';
import type { NotificationSender } from '../alerts/notification.ts';

export function createWebhookSender(options: WebhookOptions): NotificationSender {
  const post = createWebhookPost(options);
  return { send: (id, notification, signal) => post({ id, body: JSON.stringify(notification) }, signal) };
}
