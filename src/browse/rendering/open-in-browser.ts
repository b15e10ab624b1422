import { AppError, asAppError } from '../../errors.ts';
import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import type { OpenInBrowser } from '../../lib/network/fetch.ts';
import type { PageRenderer } from './renderer.ts';

/** Opens addresses in the browser. Errors name only the host: the address may contain a search query. */
export function createBrowserOpener({ render }: PageRenderer): OpenInBrowser {
  return async (url, { signal, timeoutMs }) => {
    const open = async (until: AbortSignal) => (await render(url, until, { timeoutMs })).html;
    try {
      return await withDeadline(signal, timeoutMs, open);
    } catch (cause) {
      signal.throwIfAborted();
      const host = URL.canParse(url) ? new URL(url).host : 'the address';
      if (isTimeout(cause)) {
        throw new AppError('timeout', `the browser did not show ${host} within ${timeoutMs} ms`, { cause });
      }
      const { code, message, retryAfter } = asAppError(cause);
      throw new AppError(code, message.replaceAll(url, host), { retryAfter, cause });
    }
  };
}
