export const ERROR_STATUS = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  too_large: 413,
  unsupported: 415,
  rate_limited: 429,
  cancelled: 499,
  internal: 500,
  upstream: 502,
  unavailable: 503,
  timeout: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export interface ErrorDetails {
  readonly retryAfter?: number;
  readonly scope?: string;
  /** Error code of OAuth, for an answer to an app that signs in. */
  readonly oauth?: string;
  /** Original error, which is logged and never sent to the caller. */
  readonly cause?: unknown;
}

/** The only error type that leaves a module. `message` is shown to callers. `cause` is only logged. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;
  readonly scope: string | undefined;
  readonly oauth: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryAfter = details.retryAfter;
    this.scope = details.scope;
    this.oauth = details.oauth;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Returns a function that creates the errors of `code`, so that the frequent codes have short names. */
const errorOf = (code: ErrorCode) => (message: string, details?: ErrorDetails) =>
  new AppError(code, message, details);

export const badRequestError = errorOf('bad_request');
export const forbiddenError = errorOf('forbidden');
export const notFoundError = errorOf('not_found');
export const tooLargeError = errorOf('too_large');
export const unavailableError = errorOf('unavailable');
export const upstreamError = errorOf('upstream');

export class BusyError extends AppError {
  constructor(message: string, details: ErrorDetails & { readonly retryAfter: number }) {
    super('unavailable', message, details);
    this.name = 'BusyError';
  }
}

/** A temporary database error. A background job that fails with this error is run again. */
export class DatabaseFailure extends AppError {
  constructor(code: 'unavailable' | 'timeout', message: string, details: ErrorDetails) {
    super(code, message, details);
    this.name = 'DatabaseFailure';
  }
}

/** Returns the error for a caller. An unknown error becomes `internal`, and its message hides details. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError') {
    return new AppError('timeout', 'the time limit was reached; try again, or ask for less', {
      cause: thrown,
    });
  }
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return new AppError('cancelled', 'the call was cancelled', { cause: thrown });
  }
  return new AppError('internal', 'something went wrong inside Magpie; the log has the details', {
    cause: thrown,
  });
}

/** For `catch`: returns undefined for AppError `not_found`, and throws any other error again. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
}
