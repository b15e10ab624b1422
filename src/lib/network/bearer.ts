import { AppError } from '../../errors.ts';

/**
 * The credential of an `Authorization` header (RFC 6750 section 2.1); undefined for a missing header, another
 * scheme, or what cannot be a token.
 */
export function bearerOf(authorization: string | null | undefined): string | undefined {
  return /^bearer +([\w.~+/-]+=*)$/i.exec(authorization?.trim() ?? '')?.[1];
}

/** The one answer to a caller without a valid credential, whatever is wrong; `cause` is for the log. */
export function unauthenticated(cause?: unknown): AppError {
  return new AppError(
    'unauthenticated',
    'a valid credential is required: send a key or an access token in the header Authorization: Bearer <key or token>',
    { cause },
  );
}
