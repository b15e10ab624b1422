/** The reason for a failed connection, as a predicate that follows the name of the host, and advice for the user. */
export interface NetworkFailure {
  readonly what: string;
  readonly advice: string;
}

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
const FORBIDDEN_HERE: NetworkFailure = {
  what: 'may not be connected to from this machine',
  advice: 'check its firewall',
};

const FAILURES: Readonly<Record<string, NetworkFailure>> = {
  ENOTFOUND: UNKNOWN,
  EAI_AGAIN: NO_DNS,
  EAI_FAIL: NO_DNS,
  ECONNREFUSED: REFUSED,
  ECONNRESET: CONNECTION_BROKEN,
  ECONNABORTED: CONNECTION_BROKEN,
  EPIPE: CONNECTION_BROKEN,
  UND_ERR_SOCKET: CONNECTION_BROKEN,
  EHOSTUNREACH: { what: 'cannot be reached', advice: CHECK_BOTH },
  EHOSTDOWN: { what: 'cannot be reached', advice: CHECK_BOTH },
  ENETUNREACH: NO_NETWORK,
  ENETDOWN: NO_NETWORK,
  EACCES: FORBIDDEN_HERE,
  EPERM: FORBIDDEN_HERE,
  ETIMEDOUT: CONNECT_TIMEOUT,
  UND_ERR_CONNECT_TIMEOUT: CONNECT_TIMEOUT,
  UND_ERR_HEADERS_TIMEOUT: RESPONSE_TIMEOUT,
  UND_ERR_BODY_TIMEOUT: { what: 'stopped in the middle of its answer', advice: LATER },
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE_ISSUER_UNKNOWN,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE_ISSUER_UNKNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE_ISSUER_UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT: CERTIFICATE_ISSUER_UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE_ISSUER_UNKNOWN,
  CERT_UNTRUSTED: CERTIFICATE_ISSUER_UNKNOWN,
  CERT_HAS_EXPIRED: CERTIFICATE_EXPIRED,
  CERT_NOT_YET_VALID: {
    what: 'has a certificate that is not valid yet',
    advice: 'check the clock of this machine',
  },
  CERT_REVOKED: { what: 'has a certificate that was revoked', advice: 'its operator has to replace it' },
  ERR_TLS_CERT_ALTNAME_INVALID: CERTIFICATE_NAME_MISMATCH,
  HOSTNAME_MISMATCH: CERTIFICATE_NAME_MISMATCH,
};

/** Prefixes of TLS error codes, of OpenSSL and of Node's TLS module. */
const TLS_CODES = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_)/;
const NO_TLS: NetworkFailure = {
  what: 'does not speak TLS as it should',
  advice: 'check the port, and whether its address begins with http:// or https://',
};

/** Describes a failed connection by the error's code. Returns undefined for an error that is not a network failure. */
export function networkFailure(error: unknown): NetworkFailure | undefined {
  const codes = collectErrorCodes(error);
  const known = codes.find((code) => Object.hasOwn(FAILURES, code));
  if (known !== undefined) return FAILURES[known];
  return codes.some((code) => TLS_CODES.test(code)) ? NO_TLS : undefined;
}

/** Returns a sentence such as `example.org refuses the connection: check the address`. */
export function failureSentence(host: string, { what, advice }: NetworkFailure): string {
  return `${host} ${what}: ${advice}`;
}

/** True if the message says that this machine has no network or DNS, or that a host name is unknown. */
export function isNetworkDownMessage(message: string): boolean {
  return [UNKNOWN, NO_DNS, NO_NETWORK].some((failure) => message.endsWith(failureSentence('', failure)));
}

export const CHECK_NETWORK = "Check this machine's network connection.";

/** Returns the first attempt's error that is not ENETUNREACH, which every IPv6 attempt gets on a machine without IPv6. */
export function pickMostInformativeError(error: unknown): unknown {
  if (!(error instanceof AggregateError)) return error ?? {};
  const attempts = error.errors as NodeJS.ErrnoException[];
  return attempts.find(({ code }) => code !== 'ENETUNREACH') ?? attempts[0] ?? {};
}

/** Returns the codes of an error and its causes, outermost first. For an error without a code, the list has its name. */
export function collectErrorCodes(error: unknown): string[] {
  const codes: string[] = [];
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    codes.push((at as NodeJS.ErrnoException).code ?? at.name);
    const telling = pickMostInformativeError(at);
    at = telling === at ? at.cause : telling;
  }
  return codes;
}
