import { badRequestError } from '../../errors.ts';

export const ACCEPT_PAGES =
  'text/html,application/xhtml+xml,text/markdown;q=0.9,application/pdf;q=0.8,text/plain;q=0.8,*/*;q=0.5';

/** Matches names of headers with credentials, which another origin must not receive. */
const CREDENTIALS = /auth|cookie|key|token|secret|signature/;

/** Returns headers with lower-case names. The AppError for an invalid header hides the header's value. */
export function requestHeaders(
  own: Readonly<Record<string, string>>,
  userAgent: string,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    try {
      new Headers().set(name, value);
    } catch {
      throw badRequestError(
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

export function hasCredentials(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => CREDENTIALS.test(name));
}

export function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return pick(headers, (name) => !CREDENTIALS.test(name) && name !== 'host');
}

export function withoutContent(headers: Readonly<Record<string, string>>): Record<string, string> {
  return pick(headers, (name) => !name.startsWith('content-'));
}

function pick(headers: Readonly<Record<string, string>>, wanted: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => wanted(name)));
}
