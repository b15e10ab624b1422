import { AppError } from '../../errors.ts';

/** The `accept` of page reading: pages before documents, Markdown where a site offers it. */
export const ACCEPT_PAGES =
  'text/html,application/xhtml+xml,text/markdown;q=0.9,application/pdf;q=0.8,text/plain;q=0.8,*/*;q=0.5';

/** What no other origin may learn: cookies, tokens, keys, by the names that services give them. */
const CREDENTIALS = /auth|cookie|key|token|secret|signature/;

/**
 * Headers as they are sent, names in lower case, in their own order after those that are left out. AppError `bad_request` for one that cannot be; its value
 * may be a secret, so the error neither shows it nor keeps it as its cause.
 */
export function requestHeaders(
  own: Readonly<Record<string, string>>,
  userAgent: string,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    try {
      new Headers().set(name, value);
    } catch {
      throw new AppError(
        'bad_request',
        `the header ${JSON.stringify(name)} cannot be sent: it takes one line of Latin letters, digits and signs`,
      );
    }
    headers[name.toLowerCase()] = value;
  }
  const missing = Object.entries({
    'accept-encoding': 'gzip, deflate, br, zstd',
    'user-agent': userAgent,
  }).filter(([name]) => !Object.hasOwn(headers, name));
  return { ...Object.fromEntries(missing), ...headers };
}

/** Whether they authenticate a user: then the answer is for that user alone, and neither kept nor shared. */
export function hasCredentials(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => CREDENTIALS.test(name));
}

/** What another origin may be sent. */
export function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return pick(headers, (name) => !CREDENTIALS.test(name) && name !== 'host');
}

/** For a request that has lost its body to a redirect. */
export function withoutContent(headers: Readonly<Record<string, string>>): Record<string, string> {
  return pick(headers, (name) => !name.startsWith('content-'));
}

function pick(headers: Readonly<Record<string, string>>, wanted: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => wanted(name)));
}
