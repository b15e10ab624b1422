import { channelAddress } from '../../lib/network/channel-address.ts';
import type { Sender } from '../alerts/notification.ts';
import { type ChannelOptions, createChannelSender } from './channel.ts';
import { createWebhookSender } from './webhook.ts';

export interface OwnOptions extends Omit<ChannelOptions, 'trusted'> {
  readonly url: string;
  readonly secret: Buffer;
}

/** Sends to a user's own webhook, at public addresses only. Posts are signed unless a service defines the body. */
export function createOwnSender({ url, ...rest }: OwnOptions): Sender {
  const address = channelAddress(url);
  if (!address) return createWebhookSender({ url, ...rest, trusted: false });
  return createChannelSender(address, { ...rest, trusted: false });
}
