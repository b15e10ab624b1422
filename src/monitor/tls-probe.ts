import type { X509Certificate } from 'node:crypto';
import { isIP, type LookupFunction } from 'node:net';
import {
  type ConnectionOptions,
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type SecureVersion,
  type TLSSocket,
} from 'node:tls';
import type { Endpoint } from './target.ts';
import { onConnectLate } from './tcp-probe.ts';

/** What a TLS connection has shown. */
export interface TlsFacts {
  /** `TLSv1.3`. */
  readonly protocol: string;
  /** In OpenSSL's words. */
  readonly cipher: string;
  /** OpenSSL's code for why the chain is not trusted; undefined when it is. */
  readonly distrust: string | undefined;
  readonly certificate: X509Certificate;
  /** Certificates that the server sent. */
  readonly sent: number;
}

/** Everything that OpenSSL can still speak: what is too old is to be seen, not to be missed. */
const OLD = 'DEFAULT:@SECLEVEL=0';

const contexts = new Map<string, SecureContext>();
/** Contexts kept: one an authority. */
const MAX_CONTEXTS = 50;

/** A context that speaks all versions and trusts the usual authorities, and the given ones (PEM) besides. */
export function lenientContext(authority = ''): SecureContext {
  const known = contexts.get(authority);
  if (known) return known;
  const context = createSecureContext({
    ca: [...getCACertificates('default'), ...(authority ? [authority] : [])],
    minVersion: 'TLSv1',
    ciphers: OLD,
  });
  if (contexts.size >= MAX_CONTEXTS) contexts.clear();
  contexts.set(authority, context);
  return context;
}

export interface HandshakeOptions {
  readonly lookup: LookupFunction;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Milliseconds until the connection is taken, the look-up of its name included. */
  readonly connectMs: number;
  readonly authority?: string | undefined;
}

/** The only versions and ciphers that are offered. */
export interface TlsOffer {
  readonly from: SecureVersion;
  readonly to: SecureVersion;
  /** As OpenSSL lists them; everything but those without encryption or proof of identity when left out. */
  readonly ciphers?: string;
}

/** What both sides have agreed on. */
export interface Agreed extends Pick<TlsFacts, 'protocol' | 'cipher'> {
  /** Bits of the numbers of a Diffie-Hellman key exchange; undefined with another. */
  readonly dhBits: number | undefined;
}

/** One TLS handshake with any certificate: the facts say whether it is trusted. Rejects with node's error. */
export function handshake(endpoint: Endpoint, options: HandshakeOptions): Promise<TlsFacts> {
  return shake(endpoint, options, { secureContext: lenientContext(options.authority) }, factsOf);
}

/** A handshake with nothing but one offer; with a server that shows no certificate too. */
export function offerTls(endpoint: Endpoint, options: HandshakeOptions, offer: TlsOffer): Promise<Agreed> {
  const { from, to, ciphers = OLD } = offer;
  return shake(endpoint, options, { minVersion: from, maxVersion: to, ciphers }, agreedOf);
}

function shake<T>(
  { host, port }: Endpoint,
  { lookup, signal, timeoutMs, connectMs }: HandshakeOptions,
  terms: ConnectionOptions,
  read: (socket: TLSSocket) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    if (limit.aborted) return reject(limit.reason);
    const socket = connect({
      host,
      port,
      lookup,
      rejectUnauthorized: false,
      servername: isIP(host) === 0 ? host : undefined,
      ...terms,
    });
    const over = () => {
      stopWaiting();
      limit.removeEventListener('abort', stop);
      socket.destroy();
    };
    const stop = () => {
      reject(limit.reason);
      over();
    };
    limit.addEventListener('abort', stop, { once: true });
    const stopWaiting = onConnectLate(socket, host, connectMs, (error) => socket.destroy(error));
    socket.once('connect', stopWaiting);
    socket.once('secureConnect', () => {
      try {
        resolve(read(socket));
      } catch (error) {
        reject(error);
      }
      over();
    });
    socket.on('error', (error) => {
      reject(error);
      over();
    });
    socket.once('close', () =>
      reject(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })),
    );
  });
}

function agreedOf(socket: TLSSocket): Agreed {
  const key = socket.getEphemeralKeyInfo();
  const dhBits = key && 'type' in key && key.type === 'DH' ? key.size : undefined;
  return { protocol: socket.getProtocol() ?? '', cipher: socket.getCipher().name, dhBits };
}

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
const BREAKS = new Set(['ECONNRESET', 'EPIPE']);

/** Whether the server said that it refuses an offer; a timeout or a lost connection says nothing. */
export function isRefusal(code: string): boolean {
  return REFUSALS.has(code);
}

/** Whether the server ended the handshake without a reason, or with an alert that may mean anything. */
export function isBreak(code: string): boolean {
  return BREAKS.has(code) || (code.includes('_ALERT_') && !isRefusal(code));
}

/** What a connected socket shows. */
export function factsOf(socket: TLSSocket): TlsFacts {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) throw new Error('the server showed no certificate');
  let sent = 0;
  for (let at: X509Certificate | undefined = certificate; at && sent < 10; at = at.issuerCertificate) {
    sent++;
    if (at.checkIssued(at)) break;
  }
  // Node writes names that do not fit here as well; those are judged apart.
  const code = socket.authorized ? undefined : codeOf(socket.authorizationError);
  return {
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().name,
    distrust: code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? undefined : code,
    certificate,
    sent,
  };
}

/** Whether a browser would take it without a word: the chain, the time and the name are right. */
export function isTrusted({ distrust, certificate }: TlsFacts, host: string): boolean {
  const named = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host);
  return distrust === undefined && named !== undefined;
}

function codeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return code ?? message ?? String(error);
}
