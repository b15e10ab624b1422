import { AppError, DatabaseFailure, unavailableError } from '../../errors.ts';

const LASTING: readonly (readonly [RegExp, string])[] = [
  [/^53100$/, 'cannot grow: its disk is full; make room, and try again'],
  [/^28P01$/, 'refuses this user with this password: check both in DATABASE_URL, or PGPASSWORD'],
  [
    /^28/,
    'does not know this user, or does not let it in from here or in this way: check the user and sslmode in DATABASE_URL, and pg_hba.conf of the server',
  ],
  [
    /^3D000$/,
    'is not there: check its name in DATABASE_URL, or have it made by an administrator (docs/postgresql.md)',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'shows the certificate of another host: check the host in DATABASE_URL'],
  [
    /^(DEPTH_ZERO_)?SELF_SIGNED_|^UNABLE_TO_|^CERT_/,
    'shows a certificate that is out of date or from an authority that is not known: name the certificate of that authority by sslrootcert in DATABASE_URL',
  ],
  [/^0A000$/, 'has no pgvector, which Magpie needs: install it beside PostgreSQL (docs/postgresql.md)'],
  [/^58|^XX/, 'cannot be read or written: see its log'],
  [
    /^42501$/,
    'does not give this user the rights that Magpie needs: it takes the owner of the database, or from its administrator pgvector (CREATE EXTENSION vector) and a schema for jobs (CREATE SCHEMA magpie_jobs AUTHORIZATION and the name of this user)',
  ],
];
const UNMET: readonly (readonly [RegExp, string])[] = [
  [
    /^42704 type "\w+" does not exist/,
    "does not find pgvector's types: the search_path of this user takes the schema of pgvector too, after that of the tables",
  ],
  [
    /^ SASL: .*client password must/,
    'asks for a password, and none is given: it goes into DATABASE_URL (postgres://user:password@host) or PGPASSWORD',
  ],
  [
    /^ .*does not support SSL/,
    'does not speak TLS, which sslmode asks for: switch on ssl there, or take sslmode=disable, which encrypts nothing',
  ],
];
const PASSING: readonly (readonly [RegExp, string])[] = [
  [/^53300$/, 'has no connection left: raise its max_connections, or start fewer nodes'],
  [/^53/, 'has run out of memory or another resource; try again'],
  [/^57P0[1-5]$/, 'is stopping or starting; try again'],
  [/^25P03$/, 'has ended a step whose next statement did not come in time; try again'],
  [
    /^25006$/,
    'may only be read: default_transaction_read_only is on for this user or database, or it is a standby and DATABASE_URL must name the primary',
  ],
  [/^ENOTFOUND$/, 'is on a host whose name is not known: check the host in DATABASE_URL'],
  [
    /^EAI_AGAIN$/,
    'is on a host whose name cannot be looked up now: check the host in DATABASE_URL, and try again',
  ],
  [/^40001$|^40P01$/, 'has ended a step for the sake of another; try again'],
];
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

export function isCancelled(error: unknown): boolean {
  return (error as ServerError).code === CANCELLED;
}

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
  const reasonIn = (list: typeof PASSING, text = code) => list.find(([texts]) => texts.test(text))?.[1];
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
