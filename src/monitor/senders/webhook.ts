import { createWebhookPost, type WebhookOptions } from '../../lib/network/webhook.ts';
import type { NotificationSender } from '../alerts/notification.ts';
import type { AlertNotification } from '../service-types.ts';
import { escapeChatMarkup, formatChatTexts, truncateChatText } from './chat-text.ts';

export function createWebhookSender(options: WebhookOptions): NotificationSender {
  const post = createWebhookPost(options);
  return { send: (id, notification, signal) => post({ id, body: JSON.stringify(notification) }, signal) };
}

/** Posts a notification in a chat service's format. Sends no id: chat services do not detect duplicates. */
export function createChatSender(
  options: Omit<WebhookOptions, 'secret'>,
  format: (notification: AlertNotification) => object,
): NotificationSender {
  const post = createWebhookPost(options);
  return {
    send: (_name, notification, signal) => post({ body: JSON.stringify(format(notification)) }, signal),
  };
}

/** Maximum characters. Slack advises 4,000 for a message (https://api.slack.com/methods/chat.postMessage). */
const [MAX_HEADLINE, MAX_DETAILS] = [400, 3500];

export function createSlackSender(options: Omit<WebhookOptions, 'secret'>): NotificationSender {
  return createChatSender(options, (notification) => ({ text: textOf(notification) }));
}

function textOf(notification: AlertNotification): string {
  const { headline, details } = formatChatTexts(notification);
  const head = truncateChatText(headline.replaceAll('*', ''), MAX_HEADLINE);
  return `*${escapeChatMarkup(head)}*\n${escapeChatMarkup(truncateChatText(details, MAX_DETAILS))}`;
}
