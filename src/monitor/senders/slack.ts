import type { WebhookOptions } from '../../lib/network/webhook.ts';
import type { NotificationSender } from '../alerts/notification.ts';
import type { Notification } from '../types.ts';
import { escapeChatMarkup, formatChatTexts, truncateChatText } from './chat-text.ts';
import { createChatSender } from './webhook.ts';

/** Slack advises 4,000 characters in total (https://api.slack.com/methods/chat.postMessage#truncating). */
const [MAX_HEADLINE, MAX_DETAILS] = [400, 3500];

export function createSlackSender(options: Omit<WebhookOptions, 'secret'>): NotificationSender {
  return createChatSender(options, (notification) => ({ text: textOf(notification) }));
}

function textOf(notification: Notification): string {
  const { headline, details } = formatChatTexts(notification);
  const head = truncateChatText(headline.replaceAll('*', ''), MAX_HEADLINE);
  return `*${escapeChatMarkup(head)}*\n${escapeChatMarkup(truncateChatText(details, MAX_DETAILS))}`;
}
