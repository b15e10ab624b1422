import { AppError, asAppError } from '../../errors.ts';
import { CHANNEL_TAKES, channelAddress } from '../../lib/network/channel-address.ts';
import type { UrlGuard } from '../../lib/network/url-guard.ts';

/**
 * A monitor's own place for alerts is at a public address, or a mail address that the operator allows: AppError `bad_request`
 * names the option.
 */
export async function checkWebhook(
  text: string,
  guard: UrlGuard,
  mayMail: (to: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const address = channelAddress(text);
  if (!address) throw new AppError('bad_request', `monitoring_options.webhook takes ${CHANNEL_TAKES}`);
  if (address.kind === 'mail' && !mayMail(address.to ?? '')) {
    throw new AppError('bad_request', `monitoring_options.webhook: ${NO_MAIL}`);
  }
  if (address.url === undefined) return;
  try {
    await guard.check(address.url, signal);
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

/** Why a mail address is not taken. */
export const NO_MAIL =
  'this Magpie cannot send mail to that address: no mail server is set, or the operator does not allow its domain';

/** Whether posts to an address are signed: services with a body of their own take no signature. */
export function isSigned(text: string): boolean {
  return channelAddress(text)?.kind === 'webhook';
}
