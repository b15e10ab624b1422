import { createWebhookPost, type WebhookOptions } from '../../lib/webhook.ts';
import { detailsOf, headlineOf, type Notice, type Sender } from '../notice.ts';

export type SlackOptions = Omit<WebhookOptions, 'secret'>;

/** Posts notices as Slack, Mattermost, Rocket.Chat and Discord's `/slack` take them at an incoming webhook. */
export function createSlackSender(options: SlackOptions): Sender {
  const post = createWebhookPost(options);
  return {
    // Of such a hook every message is a post of its own, so it has no name.
    send: (_name, notice, signal) => post({ body: JSON.stringify({ text: textOf(notice) }) }, signal),
  };
}

/** Three characters are markup there (https://api.slack.com/reference/surfaces/formatting#escaping). */
function textOf(notice: Notice): string {
  const safe = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `*${safe(headlineOf(notice)).replaceAll('*', '')}*\n${safe(detailsOf(notice))}`;
}
