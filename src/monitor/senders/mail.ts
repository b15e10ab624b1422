import { AppError } from '../../errors.ts';
import { failureSentence, networkFailure } from '../../lib/network/network-failure.ts';
import { detailsOf, headlineOf, RefusedError, type Sender } from '../alerts/notification.ts';

export interface MailOptions {
  /** `smtp://user:password@host:port` or `smtps://...`. */
  readonly server: string;
  readonly from: string;
  readonly to: readonly string[];
}

/** Milliseconds that a mail server has for each step. */
const STEP_MS = 10_000;
/** Seconds that a server which refuses is left alone: many a server locks an account after a few refused logins. */
const REST_S = 300;

/** Sends notifications by SMTP; STARTTLS is used where the server has it. */
export function createMailSender({ server, from, to }: MailOptions): Sender {
  return {
    async send(name, notification, signal) {
      const { createTransport } = await import('nodemailer');
      signal.throwIfAborted();
      const transport = createTransport({
        url: server,
        connectionTimeout: STEP_MS,
        greetingTimeout: STEP_MS,
        socketTimeout: STEP_MS,
        // A text is never the name of a file.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const stop = () => transport.close();
      signal.addEventListener('abort', stop, { once: true });
      try {
        await transport.sendMail({
          from,
          to: [...to],
          subject: headlineOf(notification).replace(/\s+/g, ' ').slice(0, 200),
          text: `${headlineOf(notification)}\n\n${detailsOf(notification)}\n`,
          // A mail that comes twice is recognised by it.
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

/** Without the server's name and words: users read it, and whose server it is, and who gets mail, is the operator's. */
function failureOf(cause: unknown): AppError {
  const { responseCode, code, originalCode } = cause as Record<string, unknown>;
  const isLogin = code === 'EAUTH';
  const reply = typeof responseCode === 'number' ? responseCode : undefined;
  // A reply of 5xx stays the same for the same request (RFC 5321, section 4.2.1).
  if (reply !== undefined ? reply >= 500 : isLogin) {
    const what = isLogin ? 'the login' : 'the mail';
    const shown = reply === undefined ? '' : ` (${reply})`;
    return new RefusedError(`the mail server refuses ${what}${shown}`, { cause, retryAfter: REST_S });
  }
  if (reply !== undefined) return new AppError('upstream', `the mail server answers ${reply}`, { cause });
  // The package puts a code of its own before the system's.
  const failure = networkFailure(Object.assign(new Error('mail'), { code: originalCode ?? code }));
  if (failure) return new AppError('upstream', failureSentence('the mail server', failure), { cause });
  const named = typeof code === 'string' ? `: ${code}` : '';
  return new AppError('upstream', `the mail server cannot be used${named}`, { cause });
}
