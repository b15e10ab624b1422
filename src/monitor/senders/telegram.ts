import type { WebhookOptions } from '../../lib/network/webhook.ts';
import { createWebhookPost } from '../../lib/network/webhook.ts';
import type { NotificationSender } from '../alerts/notification.ts';
import type { Notification } from '../types.ts';
import { formatChatTexts, truncateChatText } from './chat-text.ts';

export interface TelegramOptions extends Omit<WebhookOptions, 'secret'> {
  readonly chat: string;
  readonly thread?: number | undefined;
}

/** Maximum characters. A message may have 4096 without its markup (https://core.telegram.org/bots/api#sendmessage). */
const [MAX_HEADLINE, MAX_DETAILS] = [400, 3600];

export function createTelegramSender({ chat, thread, ...options }: TelegramOptions): NotificationSender {
  const post = createWebhookPost(options);
  const to = { chat_id: chat, message_thread_id: thread };
  return {
    send: (_name, notification, signal) =>
      post({ body: JSON.stringify({ ...to, ...bodyOf(notification) }) }, signal),
  };
}

function bodyOf(notification: Notification) {
  const { headline, details } = formatChatTexts(notification);
  // Escapes the characters that Telegram treats as markup (https://core.telegram.org/bots/api#html-style).
  const safe = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return {
    text: `<b>${safe(truncateChatText(headline, MAX_HEADLINE))}</b>\n${safe(truncateChatText(details, MAX_DETAILS))}`,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  };
}
