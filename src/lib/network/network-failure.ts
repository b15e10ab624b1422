import { AppError, forbiddenError, unavailableError, upstreamError } from '../../errors.ts';
import { PRIVATE_ADDRESS_CODE } from './address.ts';
import failures from './network-failures.json' with { type: 'json' };

/** Reason of a failed connection, and advice. A message consists of the host's name, `what` and `advice`. */
export interface NetworkFailure {
  readonly what: string;
  readonly advice: string;
}

/** Maximum bytes of response headers. The texts in `network-failures.json` repeat this number. */
export const MAX_HEADER_BYTES = 64 * 1024;
export const {
  connectionBroken: CONNECTION_BROKEN,
  responseTimeout: RESPONSE_TIMEOUT,
  certificateIssuerUnknown: CERTIFICATE_ISSUER_UNKNOWN,
  certificateExpired: CERTIFICATE_EXPIRED,
  certificateNameMismatch: CERTIFICATE_NAME_MISMATCH,
  unusableAnswer: UNUSABLE_ANSWER,
}: Readonly<Record<keyof typeof failures, NetworkFailure>> = failures;

const FAILURES: ReadonlyMap<string, NetworkFailure> = new Map(
  Object.values(failures).flatMap(({ codes, ...failure }) =>
    codes
      .split(' ')
      .filter(Boolean)
      .map((code) => [code, failure]),
  ),
);
const FAMILIES: readonly (readonly [RegExp, NetworkFailure])[] = [
  [/^EAI_/, failures.noNameService],
  [/^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_)/, failures.notTls],
  [/^(?:HPE_|ERR_HTTP2_)/, failures.notHttp],
  [/^(?:Z_|ZSTD_|ERR__ERROR_|ERR_BROTLI)/, failures.brokenPacking],
];

export function networkFailure(error: unknown): NetworkFailure | undefined {
  const codes = collectErrorCodes(error);
  const known = codes.map((code) => FAILURES.get(code)).find((failure) => failure !== undefined);
  return known ?? FAMILIES.find(([family]) => codes.some((code) => family.test(code)))?.[1];
}

export function failureSentence(host: string, { what, advice }: NetworkFailure): string {
  return `${host} ${what}: ${advice}`;
}

export function isNetworkDownMessage(message: string): boolean {
  return [failures.unknownHost, failures.noNameService, failures.noNetwork].some((failure) =>
    message.endsWith(failureSentence('', failure)),
  );
}

export const CHECK_NETWORK = "Check this machine's network connection.";

/** Returns an error other than ENETUNREACH if possible. Without IPv6, IPv6 attempts fail with ENETUNREACH. */
export function pickMostInformativeError(error: unknown): unknown {
  if (!(error instanceof AggregateError)) return error ?? {};
  const attempts = error.errors as NodeJS.ErrnoException[];
  return attempts.find(({ code }) => code !== 'ENETUNREACH') ?? attempts[0] ?? {};
}

export function collectErrorCodes(error: unknown): string[] {
  const codes: string[] = [];
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    codes.push((at as NodeJS.ErrnoException).code ?? at.name);
    const telling = pickMostInformativeError(at);
    at = telling === at ? at.cause : telling;
  }
  return codes;
}

interface FetchFailure {
  readonly url: URL;
  readonly caller: AbortSignal;
  readonly deadline: AbortSignal;
  readonly timeoutMs: number;
}

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
  const failure = networkFailure(error) ?? UNUSABLE_ANSWER;
  return upstreamError(failureSentence(url.host, failure), { cause });
}

export function forbidden(url: URL): AppError {
  return forbiddenError(
    `${url.host} is not a public address and is not read; the operator can allow it with MAGPIE_ALLOW_HOSTS`,
  );
}

export function fetchClosedError(): AppError {
  return unavailableError('Magpie is shutting down and no longer fetches; try again later');
}
