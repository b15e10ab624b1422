import { type AppError, upstreamError } from '../../errors.ts';
import { failureSentence, networkFailure } from '../../lib/network/network-failure.ts';
import {
  formatDetails,
  formatHeadline,
  NotificationRefusedError,
  type NotificationSender,
} from '../alerts/notification.ts';

export interface MailOptions {
  readonly server: string;
  readonly from: string;
  readonly to: readonly string[];
}

const STEP_MS = 10_000;
/** Wait in seconds after a refused login, because mail servers lock accounts after several refusals. */
const REST_S = 300;

export function createMailSender({ server, from, to }: MailOptions): NotificationSender {
  return {
    async send(name, notification, signal) {
      const { createTransport } = await import('nodemailer');
      signal.throwIfAborted();
      const transport = createTransport({
        url: server,
        connectionTimeout: STEP_MS,
        greetingTimeout: STEP_MS,
        socketTimeout: STEP_MS,
        // Texts of a notification must never be read as file names.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const stop = () => transport.close();
      signal.addEventListener('abort', stop, { once: true });
      try {
        await transport.sendMail({
          from,
          to: [...to],
          subject: formatHeadline(notification).replace(/\s+/g, ' ').slice(0, 200),
          text: `${formatHeadline(notification)}\n\n${formatDetails(notification)}\n`,
          // Each attempt has the same Message-ID, so that a receiver can recognize a repeated mail.
          messageId: `<${name}@magpie.invalid>`,
        });
      } catch (cause) {
        throw failureOf(cause);
      } finally {
        signal.removeEventListener('abort', stop);
        transport.close();
      }
    },
  };
}

/** Returns the error for a failed mail. Only the logged `cause` contains the server's name and reply. */
function failureOf(cause: unknown): AppError {
  const { responseCode, code, originalCode } = cause as Record<string, unknown>;
  const isLogin = code === 'EAUTH';
  const reply = typeof responseCode === 'number' ? responseCode : undefined;
  if (reply !== undefined ? reply >= 500 : isLogin) {
    const what = isLogin ? 'the login' : 'the mail';
    const shown = reply === undefined ? '' : ` (${reply})`;
    return new NotificationRefusedError(`the mail server refuses ${what}${shown}`, {
      cause,
      retryAfter: REST_S,
    });
  }
  if (reply !== undefined) return upstreamError(`the mail server answers ${reply}`, { cause });
  // The mail library replaces the system's error code, but keeps it as `originalCode`.
  const failure = networkFailure(Object.assign(new Error('mail'), { code: originalCode ?? code }));
  if (failure) return upstreamError(failureSentence('the mail server', failure), { cause });
  const named = typeof code === 'string' ? `: ${code}` : '';
  return upstreamError(`the mail server cannot be used${named}`, { cause });
}
