import type { AlertNotification } from '../service-types.ts';
import { formatChatTexts, isAlertEnd, truncateChatText } from './chat-text.ts';

/** Maximum characters that Discord accepts (https://discord.com/developers/docs/resources/message). */
const [MAX_TITLE, MAX_DESCRIPTION] = [256, 4096];
const COLOURS = {
  critical: 0xb3261e,
  high: 0xb3261e,
  medium: 0xc77700,
  low: 0x8f8f00,
  info: 0x3646b8,
} as const;
const GREEN = 0x17713f;

export function formatDiscordMessage(notification: AlertNotification) {
  const { headline, details } = formatChatTexts(notification);
  const { finding, raised_at, cleared_at = raised_at } = notification.alert;
  const embed = {
    title: fitted(headline, MAX_TITLE),
    description: fitted(details, MAX_DESCRIPTION),
    color: isAlertEnd(notification) ? GREEN : COLOURS[finding.severity],
    timestamp: cleared_at,
  };
  return { embeds: [embed], allowed_mentions: { parse: [] } };
}

/** Shortens, then escapes a text: cutting after escaping could split an escape sequence. */
function fitted(text: string, most: number): string {
  for (let length = most; ; length -= 50) {
    const escaped = truncateChatText(text, Math.max(1, length)).replace(/[\\*_~`|>#[\]<]/g, '\\$&');
    if (escaped.length <= most || length <= 1) return escaped;
  }
}
