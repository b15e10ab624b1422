import { AppError, asAppError, unavailableError } from '../../errors.ts';
import type { ChannelAddress } from '../../lib/network/channel-address.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import { maskSecretsInForeignText } from '../../lib/secrets/known-secrets.ts';
import { NotificationRefusedError, type NotificationSender } from '../alerts/notification.ts';
import { MAIL_NOT_ALLOWED_MESSAGE } from '../alerts/own-webhook.ts';
import { formatDiscordMessage } from './discord.ts';
import { formatNtfyMessage } from './ntfy.ts';
import { formatTeamsMessage } from './teams.ts';
import { formatTelegramMessage } from './telegram.ts';
import { createChatSender, createSlackSender, createWebhookSender } from './webhook.ts';

export interface ChannelOptions {
  readonly fetch: GuardedFetch;
  /** True if the operator chose the webhook, which may then have a private address. */
  readonly trusted: boolean;
  readonly secret?: Buffer | undefined;
  mail?(to: string): NotificationSender | undefined;
}

export function createChannelSender(address: ChannelAddress, options: ChannelOptions): NotificationSender {
  return maskSender(senderOf(address, options), address.secrets);
}

/** Masks secrets in the errors of a sender. `keepsCause`: the log, which only the operator reads, has the cause. */
export function maskSender(
  sender: NotificationSender,
  secrets: readonly string[],
  keepsCause = false,
): NotificationSender {
  return {
    async send(name, notification, signal) {
      try {
        await sender.send(name, notification, signal);
      } catch (error) {
        const { code, message, retryAfter } = asAppError(error);
        const words = maskSecretsInForeignText(message, secrets);
        const details = omitUndefined({ retryAfter, cause: keepsCause ? error : undefined });
        throw error instanceof NotificationRefusedError
          ? new NotificationRefusedError(words, details)
          : new AppError(code, words, details);
      }
    },
  };
}

function senderOf(address: ChannelAddress, { fetch, trusted, secret, mail }: ChannelOptions) {
  const { kind, url = '', to = '', thread, authorization } = address;
  const post = { url, fetch, trusted, authorization };
  switch (kind) {
    case 'slack':
      return createSlackSender(post);
    case 'discord':
      return createChatSender(post, formatDiscordMessage);
    case 'teams':
      return createChatSender(post, formatTeamsMessage);
    case 'telegram':
      return createChatSender(post, (notification) => {
        return { chat_id: to, message_thread_id: thread, ...formatTelegramMessage(notification) };
      });
    case 'ntfy':
      return createChatSender(post, (notification) => ({ topic: to, ...formatNtfyMessage(notification) }));
    case 'mail':
      return mail?.(to) ?? { send: () => Promise.reject(unavailableError(MAIL_NOT_ALLOWED_MESSAGE)) };
    case 'webhook':
      return createWebhookSender({ ...post, secret });
  }
}
