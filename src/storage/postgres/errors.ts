import { AppError, DatabaseFailure, unavailableError } from '../../errors.ts';
import reasons from './error-reasons.json' with { type: 'json' };

const [LASTING, UNMET, PASSING] = [reasons.lasting, reasons.unmet, reasons.passing].map((texts) =>
  Object.entries(texts).map(([pattern, why]) => ({ pattern: new RegExp(pattern), why })),
);
const AGAIN = new Set(['40001', '40P01']);
const CANCELLED = '57014';
/** Error code of a server that has become a standby. A new connection may reach the new primary server. */
const READ_ONLY = '25006';
const LOCK_TIMEOUT = '55P03';
const STILL_REFERENCED = '23503';
const WAY_LOST = /^(E(CONN|HOST|NET|ADDR)[A-Z]+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_[A-Z]+)$/;
const RETRY_AFTER_S = 2;
/** PostgreSQL's routine that reports a prepared statement whose result columns have changed. */
const STALE_STATEMENT = 'RevalidateCachedQuery';

interface ServerError {
  readonly code?: string;
  readonly routine?: string;
  readonly message?: string;
  readonly severity?: string;
  readonly syscall?: string;
}

export function canTryAgain(error: unknown): boolean {
  return AGAIN.has((error as ServerError).code ?? '');
}

export function isStaleStatement(error: unknown): boolean {
  return (error as ServerError).routine === STALE_STATEMENT;
}

export function isConnectionBroken(error: unknown): boolean {
  if (error instanceof AggregateError) return true;
  const { code = '', severity } = error as ServerError;
  const ends =
    code === READ_ONLY || isStaleStatement(error) || (severity !== undefined && severity !== 'ERROR');
  return ends || isLost(error);
}

/** Returns true if the connection was lost. Errors of the driver have no code, so their text is checked. */
function isLost(error: unknown): boolean {
  const { code = '', message = '', syscall } = error as ServerError;
  // Tests `connect` too, because the error codes of a Unix socket differ from those of TCP.
  if (WAY_LOST.test(code) || syscall === 'connect') return true;
  return (
    code === '' &&
    !(error instanceof AppError) &&
    /connection|terminated|not queryable|timeout/i.test(message)
  );
}

export function isLockTimeout(error: unknown): boolean {
  return (error as ServerError).code === LOCK_TIMEOUT;
}

export function isStillReferenced(error: unknown): boolean {
  return (error as ServerError).code === STILL_REFERENCED;
}

export const isCancelled = (error: unknown): boolean => (error as ServerError).code === CANCELLED;

/** Converts an error to AppError or, if temporary, DatabaseFailure. `place` must not contain a password. */
export function databaseError(error: unknown, place: string): unknown {
  if (error instanceof AppError) return error;
  // An AggregateError without a cause is reported as the error of the host's first address.
  if (error instanceof AggregateError) return databaseError(error.cause ?? error.errors[0], place);
  // Converts the code to text, because the code of a DOMException, such as an abort's reason, is a number.
  const code = String((error as ServerError).code ?? '');
  const details = { cause: error, retryAfter: RETRY_AFTER_S };
  const named = (why: string) => new DatabaseFailure('unavailable', `the database ${place} ${why}`, details);
  if (isStaleStatement(error)) return named('has other tables since a newer Magpie has started; try again');
  const reasonIn = (list: typeof PASSING, text = code) =>
    list?.find(({ pattern }) => pattern.test(text))?.why;
  const lasting = reasonIn(LASTING) ?? reasonIn(UNMET, `${code} ${(error as ServerError).message}`);
  if (lasting) return unavailableError(`the database ${place} ${lasting}`, details);
  const passing = reasonIn(PASSING);
  if (passing) return named(passing);
  if (code === CANCELLED || code === LOCK_TIMEOUT) {
    const why = `the database ${place} took too long; try again, or ask for less`;
    return new DatabaseFailure('timeout', why, details);
  }
  if (code.startsWith('08') || isConnectionBroken(error)) return named('does not answer; try again');
  return error;
}
