import { AppError } from '../../errors.ts';

/** Returns the token of an `Authorization: Bearer` header (RFC 6750 section 2.1); undefined without a valid token. */
export function parseBearerToken(authorization: string | null | undefined): string | undefined {
  return /^bearer +([\w.~+/-]+=*)$/i.exec(authorization?.trim() ?? '')?.[1];
}

/** Returns the error for missing or invalid credentials. Its message never contains the cause; only the log has the cause. */
export function unauthenticated(cause?: unknown): AppError {
  return new AppError(
    'unauthenticated',
    'a valid credential is required: send a key or an access token in the header Authorization: Bearer <key or token>',
    { cause },
  );
}
