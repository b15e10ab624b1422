import type { X509Certificate } from 'node:crypto';
import { isIP, type LookupFunction } from 'node:net';
import {
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type SecureVersion,
  type TLSSocket,
} from 'node:tls';
import type { Endpoint } from './target.ts';

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
const MOST = 50;

/** A context that speaks all versions and trusts the usual authorities, and the given ones (PEM) besides. */
export function lenientContext(authority = ''): SecureContext {
  const known = contexts.get(authority);
  if (known) return known;
  const context = createSecureContext({
    ca: [...getCACertificates('default'), ...(authority ? [authority] : [])],
    minVersion: 'TLSv1',
    ciphers: OLD,
  });
  if (contexts.size >= MOST) contexts.clear();
  contexts.set(authority, context);
  return context;
}

export interface HandshakeOptions {
  readonly lookup: LookupFunction;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly authority?: string | undefined;
  /** The one version that is offered. */
  readonly version?: SecureVersion;
  /** The only ciphers that are offered, as OpenSSL lists them. */
  readonly ciphers?: string;
}

/** One TLS handshake; rejects with node's error. Nobody is trusted by it: the facts say who could be. */
export function handshake({ host, port }: Endpoint, options: HandshakeOptions): Promise<TlsFacts> {
  const { lookup, signal, timeoutMs, authority, version, ciphers } = options;
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    if (limit.aborted) return reject(limit.reason);
    const only = version !== undefined || ciphers !== undefined;
    const socket = connect({
      host,
      port,
      lookup,
      rejectUnauthorized: false,
      ...(isIP(host) === 0 && { servername: host }),
      ...(only
        ? { ciphers: ciphers ?? OLD, ...(version && { minVersion: version, maxVersion: version }) }
        : { secureContext: lenientContext(authority) }),
    });
    const stop = () => {
      reject(limit.reason);
      socket.destroy();
    };
    limit.addEventListener('abort', stop, { once: true });
    const over = () => {
      limit.removeEventListener('abort', stop);
      socket.destroy();
    };
    socket.once('secureConnect', () => {
      try {
        resolve(factsOf(socket));
      } catch (error) {
        reject(error);
      }
      over();
    });
    socket.on('error', (error) => {
      reject(error);
      over();
    });
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
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
