import type { X509Certificate } from 'node:crypto';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import {
  type ConnectionOptions,
  connect,
  createSecureContext,
  type DetailedPeerCertificate,
  getCACertificates,
  type SecureContext,
  TLSSocket,
} from 'node:tls';
import type { Shown } from '../certificates/certificate-faults.ts';
import { anchorsOf } from '../certificates/certificate-path.ts';
import type { Endpoint } from '../targets/target.ts';
import { onConnectLate } from './tcp-probe.ts';
import { asksForCertificate } from './tls-refusal.ts';

/** What a TLS connection has shown. */
export interface TlsFacts extends Shown {
  /** `TLSv1.3`. */
  readonly protocol: string;
  /** In OpenSSL's words. */
  readonly cipher: string;
  /** The server's own. */
  readonly certificate: X509Certificate;
}

/** Everything that OpenSSL can still speak: what is too old is to be seen, not to be missed. */
const OLD = 'DEFAULT:@SECLEVEL=0';
/** OpenSSL's own groups in its order, and behind them the curves that no browser takes. */
const GROUPS = [
  'X25519MLKEM768:X25519:P-256:X448:P-384:P-521:ffdhe2048:ffdhe3072',
  'brainpoolP256r1:brainpoolP384r1:brainpoolP512r1',
  'secp256k1:secp224k1:secp192k1:P-224:P-192',
]
  .join(':')
  .split(':');

/** Those that the OpenSSL of this Node.js knows: the one of Node.js 22 takes no list with X25519MLKEM768 in it. */
let known: string | undefined;
const knownGroups = () => (known ??= GROUPS.filter(isKnown).join(':'));

function isKnown(group: string): boolean {
  try {
    createSecureContext({ ecdhCurve: group });
    return true;
  } catch {
    return false;
  }
}

const contexts = new Map<string, SecureContext>();
/** Contexts kept: one an authority. */
const MAX_CONTEXTS = 50;

/** A context that speaks all versions and trusts the usual authorities, and the given ones (PEM) besides. */
export function lenientContext(authority = ''): SecureContext {
  const kept = contexts.get(authority);
  if (kept) return kept;
  const context = createSecureContext({
    ca: [...getCACertificates('default'), ...(authority ? [authority] : [])],
    minVersion: 'TLSv1',
    ciphers: OLD,
    ecdhCurve: knownGroups(),
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

/**
 * One TLS handshake with any certificate: the facts say whether it is trusted. A server that shows its certificate and then
 * asks for one of the client's has shown all that is asked here. Rejects with node's error.
 */
export function handshake(
  { host, port }: Endpoint,
  { lookup, signal, timeoutMs, connectMs, authority }: HandshakeOptions,
): Promise<TlsFacts> {
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    if (limit.aborted) return reject(limit.reason);
    const socket = connect({
      host,
      port,
      lookup,
      ...tlsTerms(host, authority),
    });
    leaveNamesToUs(socket);
    const staple = stapleOf(socket);
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
        resolve(factsOf(socket, staple(), authority));
      } catch (error) {
        reject(error);
      }
      over();
    });
    socket.on('error', (error) => {
      const facts = asksForCertificate(error) ? unfinishedFactsOf(socket, staple(), authority) : undefined;
      if (facts) resolve(facts);
      else reject(error);
      over();
    });
    socket.once('close', () =>
      reject(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })),
    );
  });
}

/** How a connection takes any certificate of a host, so that it can be judged. */
export function tlsTerms(host: string, authority: string | undefined): ConnectionOptions {
  return {
    rejectUnauthorized: false,
    requestOCSP: true,
    checkServerIdentity: () => undefined,
    servername: isIP(host) === 0 ? host : undefined,
    secureContext: lenientContext(authority),
  };
}

/**
 * Keeps Node from reading the certificates by itself when the handshake ends, as it does to compare names. Node 24 ends the
 * process with a segmentation fault at an issuer whose key is on a curve without a NIST name (secp256k1), which any server
 * can send.
 */
export function leaveNamesToUs(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.getPeerCertificate = () => ({}) as DetailedPeerCertificate;
}

/** What the server has sent of its certificate's state by the time that this is called, with `requestOCSP`. */
export function stapleOf(socket: Socket): () => Buffer | undefined {
  let staple: Buffer | undefined;
  socket.once('OCSPResponse', (answer: Buffer | null) => {
    staple = answer ?? undefined;
  });
  return () => staple;
}

/** What a server has shown that broke the handshake off; undefined where it had not come as far as its certificate. */
export function unfinishedFactsOf(
  socket: TLSSocket,
  staple: Buffer | undefined,
  authority: string | undefined,
): TlsFacts | undefined {
  const sent = sentBy(socket);
  const [certificate] = sent;
  if (!certificate) return undefined;
  const agreed = { protocol: socket.getProtocol() ?? '', cipher: socket.getCipher()?.name ?? '' };
  return { ...agreed, distrust: undefined, certificate, sent, staple, anchors: anchorsOf(authority) };
}

/** Certificates that are read. */
const MAX_SENT = 20;

/** The certificates that a server sent, in its order. Node gives them once for each connection. */
function sentBy(socket: TLSSocket): X509Certificate[] {
  const sent: X509Certificate[] = [];
  let at: X509Certificate | undefined = socket.getPeerX509Certificate();
  for (; at && sent.length < MAX_SENT; at = at.issuerCertificate) sent.push(at);
  return sent;
}

/** What a connected socket shows; once for each. */
export function factsOf(
  socket: TLSSocket,
  staple: Buffer | undefined,
  authority: string | undefined,
): TlsFacts {
  const facts = unfinishedFactsOf(socket, staple, authority);
  if (!facts) throw new Error('the server showed no certificate');
  return { ...facts, distrust: socket.authorized ? undefined : codeOf(socket.authorizationError) };
}

function codeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return code ?? message ?? String(error);
}
