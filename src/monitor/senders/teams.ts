import type { AlertNotification } from '../service-types.ts';
import { formatChatTexts, isAlertEnd, truncateChatBytes } from './chat-text.ts';

/** Maximum bytes of the details, and of the headline. Teams accepts 28 KB for a whole message. */
const MAX_DETAILS_BYTES = 12_000;
const MAX_HEADLINE_BYTES = 500;

/** Formats an Adaptive Card. Texts need no escaping, because these text blocks have no markup. */
export function formatTeamsMessage(notification: AlertNotification) {
  const { headline, details } = formatChatTexts(notification);
  const colour = isAlertEnd(notification) ? 'good' : 'attention';
  const lines = truncateChatBytes(details, MAX_DETAILS_BYTES).split('\n');
  const block = (run: object) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', ...run }] });
  const head = {
    text: truncateChatBytes(headline, MAX_HEADLINE_BYTES),
    weight: 'bolder',
    size: 'medium',
    color: colour,
  };
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [block(head), ...lines.map((text) => block({ text }))],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}
