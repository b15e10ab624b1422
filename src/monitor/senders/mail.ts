import { AppError } from '../../errors.ts';
import { failureSentence, networkFailure } from '../../lib/network/network-failure.ts';
import {
  formatDetails,
  formatHeadline,
  NotificationRefusedError,
  type NotificationSender,
} from '../alerts/notification.ts';

export interface MailOptions {
  /** Address of the mail server: `smtp://user:password@host:port` or `smtps://...`. */
  readonly server: string;
  readonly from: string;
  readonly to: readonly string[];
}

const STEP_MS = 10_000;
/** Seconds without login attempts after a refused login, since many servers lock an account after a few refused logins. */
const REST_S = 300;

/** Sends notifications by SMTP, with STARTTLS if the server offers it. */
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
        // Forbids reading files, so that a text is never used as a file name.
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
          // Uses the same id for each attempt, so that the receiver can recognize a duplicate mail.
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

/** Returns an error without the server's name and reply. Users see the error, but only the operator may know the server. */
function failureOf(cause: unknown): AppError {
  const { responseCode, code, originalCode } = cause as Record<string, unknown>;
  const isLogin = code === 'EAUTH';
  const reply = typeof responseCode === 'number' ? responseCode : undefined;
  // Treats a reply of 5xx as permanent, because a repeated request would fail again (RFC 5321, section 4.2.1).
  if (reply !== undefined ? reply >= 500 : isLogin) {
    const what = isLogin ? 'the login' : 'the mail';
    const shown = reply === undefined ? '' : ` (${reply})`;
    return new NotificationRefusedError(`the mail server refuses ${what}${shown}`, {
      cause,
      retryAfter: REST_S,
    });
  }
  if (reply !== undefined) return new AppError('upstream', `the mail server answers ${reply}`, { cause });
  // Restores the system's error code, which the mail package replaces with its own code.
  const failure = networkFailure(Object.assign(new Error('mail'), { code: originalCode ?? code }));
  if (failure) return new AppError('upstream', failureSentence('the mail server', failure), { cause });
  const named = typeof code === 'string' ? `: ${code}` : '';
  return new AppError('upstream', `the mail server cannot be used${named}`, { cause });
}
