import type { AlertNotification } from '../service-types.ts';
import { formatChatTexts, isAlertEnd, truncateChatBytes } from './chat-text.ts';

const [MAX_TITLE_BYTES, MAX_MESSAGE_BYTES] = [250, 4000];
const PRIORITIES = { critical: 5, high: 4, medium: 3, low: 2, info: 2 } as const;
const END_PRIORITY = 3;

export function formatNtfyMessage(notification: AlertNotification) {
  const { headline, details } = formatChatTexts(notification);
  return {
    title: truncateChatBytes(headline, MAX_TITLE_BYTES),
    message: truncateChatBytes(details, MAX_MESSAGE_BYTES),
    priority: isAlertEnd(notification) ? END_PRIORITY : PRIORITIES[notification.alert.finding.severity],
    tags: [isAlertEnd(notification) ? 'white_check_mark' : 'rotating_light'],
  };
}
