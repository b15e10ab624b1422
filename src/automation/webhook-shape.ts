import type { JsonRecord } from './platform.ts';

export type WebhookShape = 'facts' | 'slack' | 'discord' | 'teams' | 'text';

export const MAX_MESSAGE_CHARACTERS: Readonly<Record<WebhookShape, number>> = {
  facts: 100_000,
  slack: 3900,
  discord: 1900,
  teams: 20_000,
  text: 3900,
};

export function getWebhookShape(address: string): WebhookShape {
  const { hostname, pathname } = new URL(address);
  if (/(?:^|\.)(?:hooks\.slack\.com|hooks\.slack-gov\.com|chat\.googleapis\.com)$/.test(hostname))
    return 'slack';
  if (/(?:^|\.)discord(?:app)?\.com$/.test(hostname) && pathname.startsWith('/api/webhooks')) {
    return pathname.endsWith('/slack') ? 'slack' : 'discord';
  }
  if (/\.webhook\.office\.com$|\.logic\.azure\.com$|\.api\.powerplatform\.com$/.test(hostname))
    return 'teams';
  return hostname === 'ntfy.sh' ? 'text' : 'facts';
}

export function messageAround(shape: WebhookShape, text: string): JsonRecord {
  if (shape === 'slack') return { text };
  // Mentions in the text notify no one, because the text may come from an untrusted page.
  if (shape === 'discord') return { content: text, allowed_mentions: { parse: [] } };
  const block = { type: 'TextBlock', text, wrap: true };
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [block],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}
