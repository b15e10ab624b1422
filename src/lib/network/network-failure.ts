/** The reason of a failed connection, which follows the host's name, and advice for the user. */
export interface NetworkFailure {
  readonly what: string;
  readonly advice: string;
}

export const MAX_HEADER_BYTES = 64 * 1024;
const LATER = 'try again later';
const CHECK_BOTH = 'check the address, and the network of this machine';
const UNKNOWN: NetworkFailure = {
  what: 'is not known to the name service',
  advice: 'check the name and the network',
};
const NO_DNS: NetworkFailure = {
  what: 'cannot be resolved, since the name service does not answer',
  advice: 'check the network of this machine',
};
const NO_NETWORK: NetworkFailure = {
  what: 'cannot be reached, since there is no network',
  advice: 'check the network of this machine',
};
const REFUSED: NetworkFailure = {
  what: 'refuses the connection',
  advice: 'check the address and its port, and that the service runs',
};
export const CONNECTION_BROKEN: NetworkFailure = { what: 'broke the connection off', advice: LATER };
const CONNECT_TIMEOUT: NetworkFailure = { what: 'did not accept the connection in time', advice: LATER };
export const RESPONSE_TIMEOUT: NetworkFailure = { what: 'did not answer in time', advice: LATER };
export const CERTIFICATE_ISSUER_UNKNOWN: NetworkFailure = {
  what: 'has a certificate from an unknown issuer',
  advice: 'if you trust it, start Magpie with the file of its issuer in NODE_EXTRA_CA_CERTS',
};
export const CERTIFICATE_EXPIRED: NetworkFailure = {
  what: 'has a certificate that has expired',
  advice: 'its operator has to renew it; check also the clock of this machine',
};
export const CERTIFICATE_NAME_MISMATCH: NetworkFailure = {
  what: 'has a certificate for another name',
  advice: 'use the name that the certificate is for',
};
const CERTIFICATE_INVALID: NetworkFailure = {
  what: 'has a certificate that is not valid',
  advice: 'its operator has to replace it',
};
const FORBIDDEN_HERE: NetworkFailure = {
  what: 'may not be connected to from this machine',
  advice: 'check its firewall',
};
const EXHAUSTED: NetworkFailure = {
  what: 'cannot be reached, since this machine has no connection left',
  advice: 'try again in a minute; if it stays so, raise the number of open files (ulimit -n)',
};
export const TLS_REFUSED: NetworkFailure = {
  what: 'takes no version and cipher of TLS that is in use',
  advice: 'its operator has to update it',
};
const CLIENT_CERTIFICATE: NetworkFailure = {
  what: 'asks for a client certificate',
  advice: 'Magpie has none: use an address that takes none',
};
const NAME_NOT_SERVED: NetworkFailure = {
  what: 'does not serve this name',
  advice: 'check the name in the address',
};
export const UNUSABLE_ANSWER: NetworkFailure = { what: 'gave no usable answer', advice: LATER };
const NOT_HTTP: NetworkFailure = {
  what: 'does not speak HTTP as it should',
  advice: 'check the address and its port, or try again later',
};

const CODES: readonly (readonly [NetworkFailure, string])[] = [
  [UNKNOWN, 'ENOTFOUND ENODATA EAI_NODATA EAI_NONAME EBADNAME'],
  [NO_DNS, 'ESERVFAIL EREFUSED ETIMEOUT ENOTIMP EFORMERR EBADRESP'],
  [REFUSED, 'ECONNREFUSED'],
  [
    CONNECTION_BROKEN,
    'ECONNRESET ECONNABORTED EPIPE ENETRESET ENOTCONN ESHUTDOWN UND_ERR_SOCKET ERR_SOCKET_CLOSED ERR_STREAM_PREMATURE_CLOSE ERR_STREAM_DESTROYED',
  ],
  [{ what: 'cannot be reached', advice: CHECK_BOTH }, 'EHOSTUNREACH EHOSTDOWN'],
  [NO_NETWORK, 'ENETUNREACH ENETDOWN EADDRNOTAVAIL EAFNOSUPPORT ENONET'],
  [EXHAUSTED, 'EMFILE ENFILE ENOBUFS EADDRINUSE'],
  [FORBIDDEN_HERE, 'EACCES EPERM'],
  [CONNECT_TIMEOUT, 'ETIMEDOUT ERR_SOCKET_CONNECTION_TIMEOUT UND_ERR_CONNECT_TIMEOUT'],
  [RESPONSE_TIMEOUT, 'UND_ERR_HEADERS_TIMEOUT'],
  [{ what: 'stopped in the middle of its answer', advice: LATER }, 'UND_ERR_BODY_TIMEOUT'],
  [
    CERTIFICATE_ISSUER_UNKNOWN,
    'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY CERT_UNTRUSTED',
  ],
  [CERTIFICATE_EXPIRED, 'CERT_HAS_EXPIRED'],
  [
    { what: 'has a certificate that is not valid yet', advice: 'check the clock of this machine' },
    'CERT_NOT_YET_VALID',
  ],
  [
    { what: 'has a certificate that was revoked', advice: CERTIFICATE_INVALID.advice },
    'CERT_REVOKED ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED',
  ],
  [CERTIFICATE_NAME_MISMATCH, 'ERR_TLS_CERT_ALTNAME_INVALID ERR_TLS_CERT_ALTNAME_FORMAT HOSTNAME_MISMATCH'],
  [
    CERTIFICATE_INVALID,
    'CERT_SIGNATURE_FAILURE CERT_CHAIN_TOO_LONG CERT_REJECTED INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED UNSPECIFIED UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY ERROR_IN_CERT_NOT_BEFORE_FIELD ERROR_IN_CERT_NOT_AFTER_FIELD ERR_SSL_EE_KEY_TOO_SMALL ERR_SSL_CA_KEY_TOO_SMALL ERR_SSL_CA_MD_TOO_WEAK',
  ],
  [
    TLS_REFUSED,
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY ERR_SSL_UNSUPPORTED_PROTOCOL ERR_SSL_WRONG_SSL_VERSION ERR_SSL_DH_KEY_TOO_SMALL ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  ],
  [
    CLIENT_CERTIFICATE,
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE ERR_SSL_SSLV3_ALERT_NO_CERTIFICATE',
  ],
  [
    NAME_NOT_SERVED,
    'ERR_SSL_TLSV1_UNRECOGNIZED_NAME ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME ERR_SSL_SSL/TLS_ALERT_UNRECOGNIZED_NAME',
  ],
  [NOT_HTTP, 'HTTPParserError UND_ERR_INFO'],
  [
    { what: `sent more than ${MAX_HEADER_BYTES} bytes of headers`, advice: LATER },
    'UND_ERR_HEADERS_OVERFLOW HPE_HEADER_OVERFLOW',
  ],
  [
    { what: 'sent a body of another length than it said', advice: LATER },
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  ],
  [{ what: 'sent a packed body that ends too early', advice: LATER }, 'Z_BUF_ERROR'],
];
const FAILURES = new Map(
  CODES.flatMap(([failure, codes]) => codes.split(' ').map((code) => [code, failure] as const)),
);
/** Beginnings of codes that are not listed above. */
const FAMILIES: readonly (readonly [RegExp, NetworkFailure])[] = [
  [/^EAI_/, NO_DNS],
  [
    /^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_)/,
    {
      what: 'does not speak TLS as it should',
      advice: 'check the port, and whether its address begins with http:// or https://',
    },
  ],
  [/^(?:HPE_|ERR_HTTP2_)/, NOT_HTTP],
  [/^(?:Z_|ZSTD_|ERR__ERROR_|ERR_BROTLI)/, { what: 'sent a body that does not unpack', advice: LATER }],
];

export function networkFailure(error: unknown): NetworkFailure | undefined {
  const codes = collectErrorCodes(error);
  const known = codes.map((code) => FAILURES.get(code)).find((failure) => failure !== undefined);
  return known ?? FAMILIES.find(([family]) => codes.some((code) => family.test(code)))?.[1];
}

export function failureSentence(host: string, { what, advice }: NetworkFailure): string {
  return `${host} ${what}: ${advice}`;
}

/** True if the message says that there is no network or DNS, or that a host is unknown. */
export function isNetworkDownMessage(message: string): boolean {
  return [UNKNOWN, NO_DNS, NO_NETWORK].some((failure) => message.endsWith(failureSentence('', failure)));
}

export const CHECK_NETWORK = "Check this machine's network connection.";

/** Returns the first error other than ENETUNREACH: on a machine without IPv6, each attempt over IPv6 fails with it. */
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
