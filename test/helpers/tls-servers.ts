import { getDiffieHellman } from 'node:crypto';
import type { TlsOptions } from 'node:tls';
import { type CertificateTerms, der, type Identity, makeCertificate, pemOf } from './certificates.ts';
import { root } from './test-authority.ts';

/** Servers on 127.0.0.1, each good or bad in one way that clients and scanners of TLS look at. */

export interface TlsServer {
  readonly name: string;
  /** Whom clients ask for; it leads to 127.0.0.1. */
  readonly host: string;
  options(): TlsOptions;
}

/** Names that the servers are asked by. */
export const [HOST, WILD_HOST] = ['localhost', 'shop.magpie.example'];
const NAMES = [HOST, '127.0.0.1'];
const OLD = { ciphers: 'DEFAULT:@SECLEVEL=0' };

/** TLS 1.3 has no signature for them. */
const OLD_CURVES: TlsOptions = { maxVersion: 'TLSv1.2', ecdhCurve: 'P-256:P-224:secp192k1' };

const authorities = new Map<string, Identity>();

/** An authority between the root and the servers; one of each name. */
function intermediate(subject: string, terms: Partial<CertificateTerms> = {}): Identity {
  const known = authorities.get(subject);
  if (known) return known;
  const made = makeCertificate({ subject, authority: true, by: root, to: 1000, ...terms });
  authorities.set(subject, made);
  return made;
}

const usual = () => intermediate('Magpie test intermediate');

/** A leaf with the chain that its server sends. */
function shown(terms: Partial<CertificateTerms>, chain: readonly Identity[] = [usual()]): TlsOptions {
  const [by = usual()] = chain;
  const leaf = makeCertificate({ subject: 'a server', names: NAMES, by, ...terms });
  return { key: leaf.keyPem, cert: [leaf, ...chain].map(({ pem }) => pem).join('') };
}

function withCertificate(name: string, terms: Partial<CertificateTerms>, more: TlsOptions = {}): TlsServer {
  return { name, host: HOST, options: () => ({ ...shown(terms), ...more }) };
}

function behind(name: string, subject: string, terms: Partial<CertificateTerms>): TlsServer {
  return { name, host: HOST, options: () => ({ ...shown({}, [intermediate(subject, terms)]), ...OLD }) };
}

/** RSA, so that every cipher finds a key. */
function speaking(name: string, how: TlsOptions): TlsServer {
  return { name, host: HOST, options: () => ({ ...shown({ key: 'rsa2048' }), ...how }) };
}

const stranger = () =>
  intermediate('Unknown authority', { by: makeCertificate({ subject: 'Unknown root', authority: true }) });

export const CERTIFICATE_SERVERS: readonly TlsServer[] = [
  withCertificate('good', { key: 'rsa2048' }),
  withCertificate('EC', { key: 'p256' }),
  withCertificate('expired', { from: -100, to: -10 }),
  withCertificate('not yet valid', { from: 10, to: 100 }),
  withCertificate('wrong host', { names: ['other.example'] }),
  { name: 'self-signed', host: HOST, options: selfSigned },
  { name: 'unknown root', host: HOST, options: () => shown({}, [stranger()]) },
  withCertificate('weak key', { key: 'rsa1024' }, OLD),
  withCertificate('SHA-1', { hash: 'sha1' }, OLD),
  { name: 'chain missing', host: HOST, options: withoutChain },
  withCertificate('ending in 5 days', { from: -85, to: 5.5 }),
  withCertificate('ending in 10 days', { from: -80, to: 10.5 }),
  withCertificate('ending in 20 days', { from: -70, to: 20.5 }),
  withCertificate('ending in 29 days', { from: -170, to: 29.5 }),
  withCertificate('a life of 6 days', { from: -2, to: 4 }),
  withCertificate('no alternative name', { subject: HOST, names: undefined }),
  withCertificate('must-staple', { mustStaple: true }),
  withCertificate('life too long', { from: -10, to: 500 }),
  withCertificate('client usage only', { usage: 'client' }),
  withCertificate('weak curve', { key: 'secp192k1' }, { ...OLD, ...OLD_CURVES }),
  withCertificate('unusual curve', { key: 'secp224r1' }, { ...OLD, ...OLD_CURVES }),
  behind('expired intermediate', 'Expired intermediate', { from: -500, to: -5 }),
  { ...withCertificate('wildcard', { names: ['*.magpie.example'] }), host: WILD_HOST },
  behind('SHA-1 intermediate', 'SHA-1 intermediate', { hash: 'sha1' }),
  behind('intermediate that is no authority', 'Not an authority', { authority: false, usage: 'none' }),
];

/** Those that Node's OpenSSL can serve; see `tlslite-server.py` for the others. */
export const PROTOCOL_SERVERS: readonly TlsServer[] = [
  speaking('TLS 1.0 only', { ...OLD, minVersion: 'TLSv1', maxVersion: 'TLSv1' }),
  speaking('TLS 1.1 only', { ...OLD, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' }),
  speaking('TLS 1.0 to 1.3', { ...OLD, minVersion: 'TLSv1', maxVersion: 'TLSv1.3' }),
  speaking('AES-CBC only', { ciphers: 'AES128-SHA:AES256-SHA', maxVersion: 'TLSv1.2' }),
  speaking('ECDHE-CBC only', {
    ciphers: 'ECDHE-RSA-AES128-SHA256:ECDHE-RSA-AES256-SHA384',
    maxVersion: 'TLSv1.2',
  }),
  speaking('NULL', { ciphers: 'NULL-SHA256:NULL-SHA:@SECLEVEL=0', maxVersion: 'TLSv1.2' }),
  { name: 'anonymous', host: HOST, options: () => ({ ciphers: 'aNULL:@SECLEVEL=0', maxVersion: 'TLSv1.2' }) },
  speaking('DH 1024', {
    ciphers: 'DHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0',
    dhparam: numbersOf('modp2'),
    maxVersion: 'TLSv1.2',
  }),
  speaking('RSA key exchange', {
    ciphers: 'ECDHE-RSA-AES128-GCM-SHA256:AES128-GCM-SHA256',
    maxVersion: 'TLSv1.2',
    honorCipherOrder: true,
  }),
  speaking('1.2 with GCM only', {
    ciphers: 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384',
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.2',
  }),
  speaking('client certificate asked', { requestCert: true, rejectUnauthorized: true }),
  speaking('client certificate asked, TLS 1.2', {
    requestCert: true,
    rejectUnauthorized: true,
    maxVersion: 'TLSv1.2',
  }),
];

function selfSigned(): TlsOptions {
  const leaf = makeCertificate({ subject: HOST, names: NAMES });
  return { key: leaf.keyPem, cert: leaf.pem };
}

function withoutChain(): TlsOptions {
  const leaf = makeCertificate({ subject: 'a server', names: NAMES, by: usual() });
  return { key: leaf.keyPem, cert: leaf.pem };
}

/** A known group of numbers as PEM (PKCS #3): a sequence of the prime and the generator. */
export function numbersOf(group: string): string {
  const known = getDiffieHellman(group);
  const positive = (value: Buffer) => der(0x02, Buffer.from([0]), value);
  return pemOf('DH PARAMETERS', der(0x30, positive(known.getPrime()), positive(known.getGenerator())));
}
