import { channelAddress } from '../../lib/network/channel-address.ts';
import type { Sender } from '../alerts/notification.ts';
import { type ChannelOptions, createChannelSender } from './channel.ts';
import { createWebhookSender } from './webhook.ts';

export interface OwnOptions extends Omit<ChannelOptions, 'trusted'> {
  readonly url: string;
  readonly secret: Buffer;
}

/** Sends to a monitor's own place, at public addresses only: signed, or as its service takes it. */
export function createOwnSender({ url, ...rest }: OwnOptions): Sender {
  const address = channelAddress(url);
  if (!address) return createWebhookSender({ url, ...rest, trusted: false });
  return createChannelSender(address, { ...rest, trusted: false });
}
