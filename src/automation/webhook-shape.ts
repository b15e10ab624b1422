import type { JsonObject } from './platform.ts';

/** What a web hook takes: a chat service wants its message in a member of its own, every other address gets all facts. */
export type WebhookShape = 'facts' | 'slack' | 'discord' | 'teams' | 'text';

/** Characters of a message that the service takes: Discord refuses longer ones, Slack and Teams cut or refuse them. */
export const MAX_MESSAGE_CHARACTERS: Readonly<Record<WebhookShape, number>> = {
  facts: 100_000,
  slack: 3900,
  discord: 1900,
  teams: 20_000,
  text: 3900,
};

/** The shape for an address, by its host. */
export function shapeOf(address: string): WebhookShape {
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

/** The body for a chat service around a text, as JSON takes it. `facts` and `text` have none of their own. */
export function messageAround(shape: WebhookShape, text: string): JsonObject {
  if (shape === 'slack') return { text };
  // No one is called by a name that a page mentions.
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
