import type { Sender } from '../notification.ts';
import { takesSlackBody } from '../own-webhook.ts';
import { createSlackSender, type SlackOptions } from './slack.ts';
import { createWebhookSender } from './webhook.ts';

/** Posts to a monitor's own webhook, at public addresses only: signed, or as Slack takes it where Slack is. */
export function createOwnSender({
  secret,
  ...rest
}: Omit<SlackOptions, 'trusted'> & { secret: Buffer }): Sender {
  if (takesSlackBody(rest.url)) return createSlackSender({ ...rest, trusted: false });
  return createWebhookSender({ ...rest, trusted: false, secret });
}
