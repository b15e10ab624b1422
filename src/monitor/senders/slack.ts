import { createWebhookPost, type WebhookOptions } from '../../lib/network/webhook.ts';
import { formatDetails, formatHeadline, type NotificationSender } from '../alerts/notification.ts';
import type { Notification } from '../types.ts';
import { truncateChatText } from './chat-text.ts';

/** Maximum characters. Slack recommends 4,000 in all (https://api.slack.com/methods/chat.postMessage#truncating). */
const [MAX_HEADLINE, MAX_DETAILS] = [400, 3500];

export type SlackOptions = Omit<WebhookOptions, 'secret'>;

/** Posts notifications to incoming webhooks of Slack, Mattermost, Rocket.Chat and Discord (address ending in `/slack`). */
export function createSlackSender(options: SlackOptions): NotificationSender {
  const post = createWebhookPost(options);
  return {
    // Sends no message name, because a Slack webhook cannot detect duplicates.
    send: (_name, notification, signal) =>
      post({ body: JSON.stringify({ text: textOf(notification) }) }, signal),
  };
}

/** Escapes the characters that Slack treats as markup (https://api.slack.com/reference/surfaces/formatting#escaping). */
function textOf(notification: Notification): string {
  const safe = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const head = truncateChatText(formatHeadline(notification).replaceAll('*', ''), MAX_HEADLINE);
  return `*${safe(head)}*\n${safe(truncateChatText(formatDetails(notification), MAX_DETAILS))}`;
}
