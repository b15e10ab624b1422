import { parseChannelAddress } from '../../lib/network/channel-address.ts';
import type { NotificationSender } from '../alerts/notification.ts';
import { type ChannelOptions, createChannelSender } from './channel.ts';
import { createWebhookSender } from './webhook.ts';

export interface OwnSenderOptions extends Omit<ChannelOptions, 'trusted'> {
  readonly url: string;
  readonly secret: Buffer;
}

export function createOwnSender({ url, ...rest }: OwnSenderOptions): NotificationSender {
  const address = parseChannelAddress(url);
  if (!address) return createWebhookSender({ url, ...rest, trusted: false });
  return createChannelSender(address, { ...rest, trusted: false });
}
