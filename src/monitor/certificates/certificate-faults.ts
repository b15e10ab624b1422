import type { KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { counted } from '../../lib/text/counted.ts';
import { lifeOf, OWN_LIMIT_DAYS, warningOf } from './certificate-life.ts';
import { type Anchors, type CertificatePath, findPath } from './certificate-path.ts';
import { demandsStaple, whyUseless } from './staple.ts';

/** A problem of a certificate, its chain or its staple. `key` is the key of a rule of the check `certificate`. */
export interface CertificateFault {
  readonly key: FaultKey;
  readonly seen: string;
  readonly score?: number;
}

export type FaultKey =
  | NonNullable<ReturnType<typeof warningOf>>
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-name'
  | 'no-alternative-name'
  | 'untrusted'
  | 'incomplete-chain'
  | 'expired-issuer'
  | 'wrong-issuer'
  | 'weak-key'
  | 'unusual-key'
  | 'weak-signature'
  | 'wrong-usage'
  | 'missing-staple'
  | 'too-long-life';

export interface Shown {
  /** Certificates in the order in which they were sent, the server's own first. */
  readonly sent: readonly X509Certificate[];
  /** OpenSSL's error code for an untrusted chain, or undefined if OpenSSL trusts the chain. */
  readonly distrust: string | undefined;
  readonly staple: Buffer | undefined;
  readonly anchors: Anchors;
}

/** OpenSSL's error codes for problems that this module checks itself, by the same or stricter rules. */
const JUDGED_HERE = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'INVALID_PURPOSE',
  'INVALID_CA',
  'CA_MD_TOO_WEAK',
  'CA_KEY_TOO_SMALL',
  'EE_KEY_TOO_SMALL',
]);
/** Extended key usages that allow a TLS server: serverAuth and any (RFC 5280, 4.2.1.12). */
const SERVER_USAGES = ['1.3.6.1.5.5.7.3.1', '2.5.29.37.0'];
/** Elliptic curves that browsers accept in certificates (Baseline Requirements, 6.1.5). */
const USUAL_CURVES = new Set(['prime256v1', 'secp384r1', 'secp521r1']);
/** Minimum key sizes in bits for 112 bits of security (NIST SP 800-57 part 1, table 2). */
const [MIN_RSA_BITS, MIN_CURVE_BITS] = [2048, 224];

/** Returns all problems of the certificates for clients that request this host. `now` is in milliseconds since the epoch. */
export function faultsOf(
  { sent, distrust, staple, anchors }: Shown,
  host: string,
  now: number,
): CertificateFault[] {
  const [leaf] = sent;
  if (!leaf) return [];
  const path = findPath(sent, anchors, (certificates) => issuerFaults(certificates, 'public', now).length);
  const { certificates, trust } = path;
  const chain = [...issuerFaults(certificates, trust, now), ...usageFaults(leaf)];
  return [
    ...timeFaults(leaf, now),
    ...nameFaults(leaf, host),
    ...trustFaults(path, sent.length, distrust, chain.length > 0),
    ...chain,
    ...keyFaults(leaf, 'it has'),
    ...(trust !== 'none' && certificates.length === 1 ? [] : signatureFaults(leaf, 'it is')),
    ...lifeFaults(leaf, trust),
    ...stapleFaults(leaf, staple, now),
  ];
}

/** Problems that do not keep every browser from showing the page without a warning. */
const TAKEN: ReadonlySet<FaultKey> = new Set([
  'expires-in-7-days',
  'expires-in-14-days',
  'expires-in-30-days',
  'missing-staple',
  'too-long-life',
]);

export function isTrusted(shown: Shown, host: string, now: number): boolean {
  return faultsOf(shown, host, now).every(({ key }) => TAKEN.has(key));
}

function timeFaults(leaf: X509Certificate, now: number): CertificateFault[] {
  const [from, to] = [leaf.validFromDate.getTime(), leaf.validToDate.getTime()];
  if (now > to) return [{ key: 'expired', seen: `it ended on ${dayOf(to)}` }];
  if (now < from) return [{ key: 'not-yet-valid', seen: `it begins on ${dayOf(from)}` }];
  const key = warningOf(leaf, now);
  const left = Math.floor((to - now) / 86_400_000);
  return key ? [{ key, seen: `it ends on ${dayOf(to)}, in ${counted(left, 'day')}` }] : [];
}

/** The subject's common name does not count: browsers have ignored it since 2017. */
function nameFaults(leaf: X509Certificate, host: string): CertificateFault[] {
  const names = leaf.subjectAltName;
  if (names === undefined) {
    return [{ key: 'no-alternative-name', seen: `its only name is in its subject: ${lineOf(leaf.subject)}` }];
  }
  const fits = isIP(host) ? leaf.checkIP(host) : leaf.checkHost(host, { subject: 'never' });
  return fits ? [] : [{ key: 'wrong-name', seen: `${host} is not among its names: ${names.slice(0, 200)}` }];
}

function trustFaults(
  { certificates, trust }: CertificatePath,
  sent: number,
  distrust: string | undefined,
  isChainFaulty: boolean,
): CertificateFault[] {
  const last = certificates.at(-1);
  if (trust === 'none' && last) {
    const code = distrust === undefined ? '' : ` (${distrust})`;
    if (sent < 2 && last.issuer !== last.subject) {
      return [{ key: 'incomplete-chain', seen: `only one certificate is sent${code}` }];
    }
    return [{ key: 'untrusted', seen: `issued by ${lineOf(last.issuer)}${code}` }];
  }
  if (distrust === undefined || JUDGED_HERE.has(distrust) || isChainFaulty) return [];
  return [{ key: 'untrusted', seen: `issued by ${lineOf(certificates[0]?.issuer ?? '')} (${distrust})` }];
}

/** Returns the problems of the issuers in a path. Of the trust anchor only the validity period is checked. */
function issuerFaults(
  path: readonly X509Certificate[],
  trust: CertificatePath['trust'],
  now: number,
): CertificateFault[] {
  const faults: CertificateFault[] = [];
  for (const [at, issuer] of path.entries()) {
    if (at === 0) continue;
    const isAnchor = trust !== 'none' && at === path.length - 1;
    const name = lineOf(issuer.subject);
    const [from, to] = [issuer.validFromDate.getTime(), issuer.validToDate.getTime()];
    if (now > to) faults.push({ key: 'expired-issuer', seen: `${name} ended on ${dayOf(to)}` });
    if (now < from) faults.push({ key: 'expired-issuer', seen: `${name} begins on ${dayOf(from)}` });
    if (isAnchor) continue;
    if (!issuer.ca)
      faults.push({ key: 'wrong-issuer', seen: `${name} is not an authority, and has signed it` });
    faults.push(...keyFaults(issuer, `${name} has`));
    if (issuer.issuer !== issuer.subject) faults.push(...signatureFaults(issuer, `${name} is`));
  }
  return faults;
}

function usageFaults(leaf: X509Certificate): CertificateFault[] {
  // Node puts the extended key usages here. The value is undefined if there are none, whatever its type says.
  const usages: readonly string[] | undefined = leaf.keyUsage;
  if (usages === undefined || usages.some((one) => SERVER_USAGES.includes(one))) return [];
  return [{ key: 'wrong-usage', seen: `its usages are ${usages.slice(0, 10).join(', ')}` }];
}

function keyFaults(certificate: X509Certificate, who: string): CertificateFault[] {
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails: details } = keyOf(certificate) ?? {};
  const { modulusLength, namedCurve } = details ?? {};
  if (modulusLength !== undefined && modulusLength < MIN_RSA_BITS) {
    return [{ key: 'weak-key', seen: `${who} an RSA or DSA key of ${modulusLength} bits` }];
  }
  if (type !== 'rsa' && type !== 'ec')
    return [{ key: 'unusual-key', seen: `${who} a key of the kind ${type}` }];
  if (namedCurve === undefined || USUAL_CURVES.has(namedCurve)) return [];
  const bits = Number(/\d{3}/.exec(namedCurve)?.[0] ?? MIN_CURVE_BITS);
  const key = bits < MIN_CURVE_BITS ? 'weak-key' : 'unusual-key';
  return [{ key, seen: `${who} a key on the elliptic curve ${namedCurve}` }];
}

/** Returns undefined if OpenSSL does not know the type of key. */
function keyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}

function signatureFaults({ signatureAlgorithm = '' }: X509Certificate, who: string): CertificateFault[] {
  const isWeak = /md5|md2|sha1(?!\d)/i.test(signatureAlgorithm);
  return isWeak ? [{ key: 'weak-signature', seen: `${who} signed with ${signatureAlgorithm}` }] : [];
}

/** Browsers allow any length of life for authorities that the user added, but Apple's allow at most 825 days. */
function lifeFaults(leaf: X509Certificate, trust: CertificatePath['trust']): CertificateFault[] {
  const { days, limit } = lifeOf(leaf);
  if (days <= limit) return [];
  const seen = `it lives for ${Math.ceil(days)} days, and browsers take ${limit} of public authorities`;
  if (trust === 'public') return [{ key: 'too-long-life', seen }];
  if (days <= OWN_LIMIT_DAYS) return [{ key: 'too-long-life', seen, score: 0 }];
  return [{ key: 'too-long-life', seen: `${seen}, Apple's ${OWN_LIMIT_DAYS} of any`, score: 3 }];
}

function stapleFaults(leaf: X509Certificate, staple: Buffer | undefined, now: number): CertificateFault[] {
  if (!demandsStaple(leaf)) return [];
  const why = whyUseless(staple, now);
  return why === undefined ? [] : [{ key: 'missing-staple', seen: why }];
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function lineOf(name: string): string {
  return name.replaceAll('\n', ', ').slice(0, 200);
}
