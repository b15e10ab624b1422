import { AppError } from '../../errors.ts';
import { failureSentence, networkFailure } from '../../lib/network-failure.ts';
import { detailsOf, headlineOf, type Sender } from '../notification.ts';

export interface MailOptions {
  /** `smtp://user:password@host:port` or `smtps://...`. */
  readonly server: string;
  readonly from: string;
  readonly to: readonly string[];
}

/** Milliseconds that a mail server has for each step. */
const STEP_MS = 10_000;

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
        throw new AppError('upstream', troubleOf(cause), { cause });
      } finally {
        signal.removeEventListener('abort', stop);
        transport.close();
      }
    },
  };
}

/** Without the server's name and words: users read it, and whose server it is, and who gets mail, is the operator's. */
function troubleOf(error: unknown): string {
  const { responseCode, code, originalCode } = error as Record<string, unknown>;
  if (typeof responseCode === 'number') return `the mail server answers ${responseCode}`;
  // The package puts a code of its own before the system's.
  const failure = networkFailure(Object.assign(new Error('mail'), { code: originalCode ?? code }));
  if (failure) return failureSentence('the mail server', failure);
  return `the mail server cannot be used${typeof code === 'string' ? `: ${code}` : ''}`;
}
