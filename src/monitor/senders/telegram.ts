import type { AlertNotification } from '../service-types.ts';
import { escapeChatMarkup, formatChatTexts, truncateChatText } from './chat-text.ts';

const [MAX_HEADLINE, MAX_DETAILS] = [400, 3600];

export function formatTelegramMessage(notification: AlertNotification) {
  const { headline, details } = formatChatTexts(notification);
  return {
    text: `<b>${escapeChatMarkup(truncateChatText(headline, MAX_HEADLINE))}</b>\n${escapeChatMarkup(truncateChatText(details, MAX_DETAILS))}`,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  };
}
