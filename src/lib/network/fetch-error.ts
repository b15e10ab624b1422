import { AppError } from '../../errors.ts';
import { PRIVATE_ADDRESS_CODE } from './address.ts';
import { collectErrorCodes, failureSentence, networkFailure, RESPONSE_TIMEOUT } from './network-failure.ts';

export const MAX_HEADER_BYTES = 64 * 1024;

export interface FetchFailure {
  readonly url: URL;
  readonly caller: AbortSignal;
  readonly deadline: AbortSignal;
  readonly timeoutMs: number;
}

/** Converts an error to an AppError that names the host: forbidden, timeout, cancelled, unavailable or upstream. */
export function fetchError(error: unknown, { url, caller, deadline, timeoutMs }: FetchFailure): AppError {
  if (error instanceof AppError) return error;
  const cause = error;
  if (caller.aborted) {
    const late = caller.reason instanceof DOMException && caller.reason.name === 'TimeoutError';
    if (!late) return new AppError('cancelled', 'the call was cancelled', { cause });
    return new AppError('timeout', failureSentence(url.host, RESPONSE_TIMEOUT), { cause });
  }
  if (deadline.aborted) {
    const late = { ...RESPONSE_TIMEOUT, what: `did not answer within ${timeoutMs / 1000} s` };
    return new AppError('timeout', failureSentence(url.host, late), { cause });
  }
  const codes = collectErrorCodes(error);
  if (codes.includes(PRIVATE_ADDRESS_CODE)) return forbidden(url);
  if (codes.some((code) => code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED'))
    return fetchClosedError();
  const failure = networkFailure(error);
  if (failure) return new AppError('upstream', failureSentence(url.host, failure), { cause });
  const known = codes.find((code) => REASONS[code]) ?? '';
  const reason = REASONS[known] ?? FAMILIES.find(([family]) => codes.some((code) => family.test(code)))?.[1];
  return new AppError('upstream', `${url.host} ${reason ?? 'gave no usable answer'}`, { cause });
}

/** Returns the error for a non-public address. It names only the host, because only the operator may know the IP address. */
export function forbidden(url: URL): AppError {
  return new AppError(
    'forbidden',
    `${url.host} is not a public address and is not read; the operator can allow it with MAGPIE_ALLOW_HOSTS`,
  );
}

export function fetchClosedError(): AppError {
  return new AppError('unavailable', 'Magpie is shutting down and no longer fetches; try again later');
}

/** Messages for invalid HTTP responses, by error code. Each message continues a sentence that begins with the host. */
const REASONS: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: `sent more than ${MAX_HEADER_BYTES} bytes of headers`,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent a body of another length than it said',
  Z_BUF_ERROR: 'sent a packed body that ends too early',
};
/** Messages for groups of error codes with the same prefix: of decompression (zlib, Brotli, Zstandard) and the HTTP parser. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^(Z_|ZSTD_|ERR__ERROR_|ERR_BROTLI)/, 'sent a body that does not unpack'],
  [/^(?:HTTPParserError$|ERR_HTTP2_)/, 'does not speak HTTP as it should'],
];
