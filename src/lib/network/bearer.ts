import { AppError } from '../../errors.ts';

/** Returns the token of an `Authorization: Bearer` header (RFC 6750 section 2.1), or undefined. */
export function parseBearerToken(authorization: string | null | undefined): string | undefined {
  return /^bearer +([\w.~+/-]+=*)$/i.exec(authorization?.trim() ?? '')?.[1];
}

/** Returns `Authorization`, otherwise `X-Api-Key` in the same form. Some clients can set only `X-Api-Key`. */
export function readAuthorization(headers: Headers): string | null {
  const given = headers.get('authorization');
  const key = headers.get('x-api-key')?.trim();
  return given !== null || !key ? given : /^bearer /i.test(key) ? key : `Bearer ${key}`;
}

/** Returns the error for missing or invalid credentials. The cause goes only to the log. */
export function unauthenticated(cause?: unknown): AppError {
  return new AppError(
    'unauthenticated',
    'a valid credential is required: send a key or an access token in the header Authorization: Bearer <key or token>',
    { cause },
  );
}
