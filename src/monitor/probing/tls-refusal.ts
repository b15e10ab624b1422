/**
 * OpenSSL's errors by which a server says that it does not take what it was offered: the alerts protocol_version,
 * handshake_failure and insufficient_security (RFC 8446, section 6.2), and an answer in a version that was not offered.
 */
const REFUSALS = new Set([
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_WRONG_SSL_VERSION',
]);
/** Beside these, an answer that is not TLS: some servers say in plain text that they do not take an offer. */
const BREAKS = new Set(['ECONNRESET', 'EPIPE', 'EPROTO']);

/** Whether the server said that it refuses an offer; a timeout or a lost connection says nothing. */
export function isRefusal(code: string): boolean {
  return REFUSALS.has(code);
}

/** Whether the server ended the handshake without a reason, or with an alert that may mean anything. */
export function isBreak(code: string): boolean {
  return BREAKS.has(code) || (code.includes('_ALERT_') && !isRefusal(code));
}

/**
 * Alerts with which a server answers to a client's certificate, or the lack of one (RFC 5246, 7.2.2; RFC 8446, 6.2), once it
 * has shown its own.
 */
const CLIENT_ALERTS =
  /_ALERT_(?:CERTIFICATE_REQUIRED|NO_CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_UNKNOWN|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/;

/** Whether an error is such an alert; before the server's certificate it may mean something else. */
export function asksForCertificate(error: unknown): boolean {
  return CLIENT_ALERTS.test(String((error as NodeJS.ErrnoException | undefined)?.code));
}
