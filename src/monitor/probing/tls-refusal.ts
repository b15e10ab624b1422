/** Error codes if the server refuses the offer (TLS alerts, RFC 8446, 6.2) or chooses another version. */
const REFUSALS = new Set([
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_WRONG_SSL_VERSION',
]);
/** Error codes of a connection that ended during the handshake. `EPROTO`: the answer was not TLS. */
const BREAKS = new Set(['ECONNRESET', 'EPIPE', 'EPROTO']);

export const isTlsRefusal = (code: string): boolean => REFUSALS.has(code);

/** True if the handshake broke off, or ended with an alert that does not clearly refuse the offer. */
export function isHandshakeAbort(code: string): boolean {
  return BREAKS.has(code) || (code.includes('_ALERT_') && !isTlsRefusal(code));
}

/** Alerts about a missing or unwanted client certificate (RFC 5246, 7.2.2; RFC 8446, 6.2). */
const CLIENT_ALERTS =
  /_ALERT_(?:CERTIFICATE_REQUIRED|NO_CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_UNKNOWN|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/;

/** True for an alert about a client certificate. At the start of a handshake, it may have another cause. */
export function isClientCertificateAlert(error: unknown): boolean {
  return CLIENT_ALERTS.test(String((error as NodeJS.ErrnoException | undefined)?.code));
}
