import { AppError, asAppError } from '../../errors.ts';
import { CHANNEL_TAKES, channelAddress } from '../../lib/network/channel-address.ts';
import type { UrlGuard } from '../../lib/network/url-guard.ts';

/** Checks that a webhook is a public address or an allowed mail address. AppError `bad_request` names the option. */
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
    // The rest of the guard's message names a setting that opens addresses for reading only, not for webhooks.
    const [why] = message.split('; the operator', 1);
    throw new AppError('bad_request', `monitoring_options.webhook takes a public URL: ${why}`, {
      cause: error,
    });
  }
}

export const NO_MAIL =
  'this Magpie cannot send mail to that address: no mail server is set, or the operator does not allow its domain';

/** True if requests to this webhook are signed. Chat services define their own body format and take no signature. */
export function isSigned(text: string): boolean {
  return channelAddress(text)?.kind === 'webhook';
}
