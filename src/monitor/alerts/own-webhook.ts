import { asAppError, badRequestError } from '../../errors.ts';
import { CHANNEL_ADDRESS_FORMATS, parseChannelAddress } from '../../lib/network/channel-address.ts';
import type { UrlGuard } from '../../lib/network/url-guard.ts';

/** Checks a user's webhook. Throws `bad_request` unless it is a public URL or an allowed mail address. */
export async function checkWebhook(
  text: string,
  guard: UrlGuard,
  mayMail: (to: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const address = parseChannelAddress(text);
  if (!address) throw badRequestError(`monitoring_options.webhook takes ${CHANNEL_ADDRESS_FORMATS}`);
  if (address.kind === 'mail' && !mayMail(address.to ?? '')) {
    throw badRequestError(`monitoring_options.webhook: ${MAIL_NOT_ALLOWED_MESSAGE}`);
  }
  if (address.url === undefined) return;
  try {
    await guard.check(address.url, signal);
  } catch (error) {
    const { code, message } = asAppError(error);
    if (code !== 'bad_request' && code !== 'forbidden') return;
    // Removes the advice `; the operator ...` from the message, because it does not help with webhooks.
    const [why] = message.split('; the operator', 1);
    throw badRequestError(`monitoring_options.webhook takes a public URL: ${why}`, { cause: error });
  }
}

export const MAIL_NOT_ALLOWED_MESSAGE =
  'this Magpie cannot send mail to that address: no mail server is set, or the operator does not allow its domain';

export function isSignedWebhook(text: string): boolean {
  return parseChannelAddress(text)?.kind === 'webhook';
}
