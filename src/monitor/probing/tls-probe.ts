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
import { attempt } from '../../lib/attempt.ts';
import { loadTrustAnchors } from '../certificates/certificate-path.ts';
import type { ServerCertificates } from '../certificates/certificate-problems.ts';
import type { Endpoint } from '../targets/target.ts';
import { onConnectTimeout } from './tcp-probe.ts';
import { isClientCertificateAlert } from './tls-refusal.ts';

export interface TlsConnectionInfo extends ServerCertificates {
  readonly protocol: string;
  readonly cipher: string;
  readonly certificate: X509Certificate;
}

/** Enables all ciphers of OpenSSL, so that outdated servers can be examined. */
const OLD = 'DEFAULT:@SECLEVEL=0';
/** OpenSSL's default groups in their order, then curves that browsers do not accept. */
const GROUPS = [
  'X25519MLKEM768:X25519:P-256:X448:P-384:P-521:ffdhe2048:ffdhe3072',
  'brainpoolP256r1:brainpoolP384r1:brainpoolP512r1',
  'secp256k1:secp224k1:secp192k1:P-224:P-192',
]
  .join(':')
  .split(':');

/** Groups that this OpenSSL knows. Node 22 would refuse a list that contains an unknown group. */
let known: string | undefined;
const knownGroups = () =>
  (known ??= GROUPS.filter((group) => attempt(() => createSecureContext({ ecdhCurve: group }))).join(':'));

const contexts = new Map<string, SecureContext>();
const MAX_CONTEXTS = 50;

export function getLenientTlsContext(authority = ''): SecureContext {
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
  /** Time limit for connecting, including the DNS lookup. */
  readonly connectMs: number;
  readonly authority?: string | undefined;
}

export function probeTlsHandshake(
  { host, port }: Endpoint,
  { lookup, signal, timeoutMs, connectMs, authority }: HandshakeOptions,
): Promise<TlsConnectionInfo> {
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    if (limit.aborted) return reject(limit.reason);
    const socket = connect({ host, port, lookup, ...buildLenientTlsOptions(host, authority) });
    disableCertificateParsing(socket);
    const staple = captureOcspStaple(socket);
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
    const stopWaiting = onConnectTimeout(socket, host, connectMs, (error) => socket.destroy(error));
    socket.once('connect', stopWaiting);
    socket.once('secureConnect', () => {
      try {
        resolve(readTlsInfo(socket, staple(), authority));
      } catch (error) {
        reject(error);
      }
      over();
    });
    socket.on('error', (error) => {
      const facts = isClientCertificateAlert(error)
        ? readUnfinishedTlsInfo(socket, staple(), authority)
        : undefined;
      if (facts) resolve(facts);
      else reject(error);
      over();
    });
    socket.once('close', () =>
      reject(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })),
    );
  });
}

/** Returns options that accept any certificate, because the check judges it after the handshake. */
export function buildLenientTlsOptions(host: string, authority: string | undefined): ConnectionOptions {
  return {
    rejectUnauthorized: false,
    requestOCSP: true,
    checkServerIdentity: () => undefined,
    servername: isIP(host) === 0 ? host : undefined,
    secureContext: getLenientTlsContext(authority),
  };
}

/** Prevents a crash of Node 24, which cannot parse an issuer's key on the curve secp256k1. */
export function disableCertificateParsing(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.getPeerCertificate = () => ({}) as DetailedPeerCertificate;
}

export function captureOcspStaple(socket: Socket): () => Buffer | undefined {
  let staple: Buffer | undefined;
  socket.once('OCSPResponse', (answer: Buffer | null) => {
    staple = answer ?? undefined;
  });
  return () => staple;
}

export function readUnfinishedTlsInfo(
  socket: TLSSocket,
  staple: Buffer | undefined,
  authority: string | undefined,
): TlsConnectionInfo | undefined {
  const sent = sentBy(socket);
  const [certificate] = sent;
  if (!certificate) return undefined;
  const agreed = { protocol: socket.getProtocol() ?? '', cipher: socket.getCipher()?.name ?? '' };
  return { ...agreed, distrust: undefined, certificate, sent, staple, anchors: loadTrustAnchors(authority) };
}

const MAX_SENT = 20;

function sentBy(socket: TLSSocket): X509Certificate[] {
  const sent: X509Certificate[] = [];
  let at: X509Certificate | undefined = socket.getPeerX509Certificate();
  for (; at && sent.length < MAX_SENT; at = at.issuerCertificate) sent.push(at);
  return sent;
}

export function readTlsInfo(
  socket: TLSSocket,
  staple: Buffer | undefined,
  authority: string | undefined,
): TlsConnectionInfo {
  const facts = readUnfinishedTlsInfo(socket, staple, authority);
  if (!facts) throw new Error('the server showed no certificate');
  return { ...facts, distrust: socket.authorized ? undefined : codeOf(socket.authorizationError) };
}

function codeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return code ?? message ?? String(error);
}
