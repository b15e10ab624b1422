import { AppError } from '../errors.ts';
import { PRIVATE_ADDRESS } from './address.ts';

/** Ceiling on the headers of one answer, in bytes. */
export const HEADER_BYTES = 64 * 1024;

/** What a fetch ended with, and whose patience or wish it was. */
export interface Failure {
  readonly url: URL;
  readonly caller: AbortSignal;
  readonly deadline: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Anything that a fetch can throw, in plain words and with the host named: forbidden, timeout, cancelled,
 * unavailable (closed), else upstream. An AppError stays.
 */
export function fetchError(error: unknown, { url, caller, deadline, timeoutMs }: Failure): AppError {
  if (error instanceof AppError) return error;
  const cause = error;
  if (caller.aborted) {
    const late = caller.reason instanceof DOMException && caller.reason.name === 'TimeoutError';
    if (!late) return new AppError('cancelled', 'the call was cancelled', { cause });
    return new AppError('timeout', `${url.host} did not answer in time`, { cause });
  }
  if (deadline.aborted) {
    return new AppError('timeout', `${url.host} did not answer within ${timeoutMs / 1000} s`, { cause });
  }
  const codes = codesOf(error);
  if (codes.includes(PRIVATE_ADDRESS)) return forbidden(url);
  if (codes.some((code) => code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED')) return closed();
  const known = codes.find((code) => REASONS[code]) ?? '';
  const reason = REASONS[known] ?? FAMILIES.find(([family]) => codes.some((code) => family.test(code)))?.[1];
  return new AppError('upstream', `${url.host} ${reason ?? 'gave no usable answer'}`, { cause });
}

/** The host is named and not what it resolved to, which is the operator's business only. */
export function forbidden(url: URL): AppError {
  return new AppError(
    'forbidden',
    `${url.host} is not a public address and is not read; the operator can allow it with MAGPIE_ALLOW_HOSTS`,
  );
}

/** For a fetch that comes after `close()`. */
export function closed(): AppError {
  return new AppError('unavailable', 'Magpie is shutting down and no longer fetches; try again later');
}

/** Whether this machine has no network, as it seems, by what the message of such an error says; a name may also be wrong. */
export function isWithoutNetwork(message: string): boolean {
  return NO_NETWORK.some((words) => message.endsWith(words));
}

const NO_NETWORK = [
  'is not known to the name service: check the name and the network',
  'cannot be resolved: DNS or the network is unavailable',
  'cannot be reached: the network is unavailable',
] as const;
const [UNKNOWN, NO_DNS, NO_NETWORK_ROUTE] = NO_NETWORK;
const UNKNOWN_ISSUER = 'has a certificate from an unknown issuer';
const CONNECT_TIMEOUT = 'did not accept the connection in time';
const CONNECTION_BROKEN = 'broke the connection off';

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: UNKNOWN,
  EAI_AGAIN: NO_DNS,
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: CONNECTION_BROKEN,
  EPIPE: CONNECTION_BROKEN,
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: NO_NETWORK_ROUTE,
  ETIMEDOUT: CONNECT_TIMEOUT,
  UND_ERR_CONNECT_TIMEOUT: CONNECT_TIMEOUT,
  UND_ERR_HEADERS_TIMEOUT: 'did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'stopped in the middle of its answer',
  UND_ERR_SOCKET: CONNECTION_BROKEN,
  UND_ERR_HEADERS_OVERFLOW: `sent more than ${HEADER_BYTES} bytes of headers`,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent a body of another length than it said',
  Z_BUF_ERROR: 'sent a packed body that ends too early',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
};
/** Codes that come in many kinds: zlib, Brotli and Zstandard; OpenSSL; the HTTP parser. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^(Z_|ZSTD_|ERR__ERROR_|ERR_BROTLI)/, 'sent a body that does not unpack'],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO$|CERT_)/, 'does not speak TLS as it should'],
  [/^HTTPParserError$/, 'does not speak HTTP as it should'],
];

/**
 * Of the attempts at several addresses the one that says most: on a machine without IPv6 the attempt by IPv6 says
 * nothing of the host. Any other error is itself.
 */
export function mostTelling(error: unknown): unknown {
  if (!(error instanceof AggregateError)) return error ?? {};
  const attempts = error.errors as NodeJS.ErrnoException[];
  return attempts.find(({ code }) => code !== 'ENETUNREACH') ?? attempts[0] ?? {};
}

/** Codes of the error and of what caused it, outermost first; the name of an error without a code. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    codes.push((at as NodeJS.ErrnoException).code ?? at.name);
    const telling = mostTelling(at);
    at = telling === at ? at.cause : telling;
  }
  return codes;
}
