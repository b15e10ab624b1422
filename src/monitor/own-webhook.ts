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
