import { AppError, asAppError } from '../errors.ts';
import type { UrlGuard } from '../lib/url-guard.ts';

/** A monitor's own webhook is at a public address: AppError `bad_request` names the option. */
export async function checkWebhook(url: string, guard: UrlGuard, signal: AbortSignal): Promise<void> {
  try {
    await guard.check(url, signal);
  } catch (error) {
    const { code, message } = asAppError(error);
    if (code !== 'bad_request' && code !== 'forbidden') return;
    // After it the guard names a setting that opens addresses for reading, and not for this.
    const [why] = message.split('; the operator', 1);
    throw new AppError('bad_request', `monitoring_options.webhook takes a public URL: ${why}`, {
      cause: error,
    });
  }
}

const SLACK = ['hooks.slack.com', 'hooks.slack-gov.com'];
const DISCORD = ['discord.com', 'discordapp.com'];

/**
 * Whether a URL is a place that takes Slack's body and refuses any other: Slack's incoming webhooks, and Discord's with
 * `/slack` behind (https://discord.com/developers/docs/resources/webhook#execute-slackcompatible-webhook).
 */
export function takesSlackBody(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  if (SLACK.includes(hostname)) return true;
  return DISCORD.includes(hostname) && /^\/api\/(?:v\d+\/)?webhooks\/.*\/slack\/?$/.test(pathname);
}
