import type { KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { formatCount } from '../../lib/text/format-count.ts';
import { type CertificatePath, findCertificatePath, type TrustAnchors } from './certificate-path.ts';
import { APPLE_MAX_VALIDITY_DAYS, findExpiryWarning, getValidityDays } from './certificate-validity.ts';
import { explainInvalidStaple, hasMustStaple } from './ocsp-staple.ts';

/** Problem of a certificate, its chain or its stapled OCSP answer. `key` names a rule. */
export interface CertificateProblem {
  readonly key: CertificateProblemKey;
  readonly description: string;
  readonly score?: number;
}

export type CertificateProblemKey =
  | NonNullable<ReturnType<typeof findExpiryWarning>>
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

export interface ServerCertificates {
  /** In the order in which the server sent them, its own certificate first. */
  readonly sent: readonly X509Certificate[];
  /** OpenSSL's error code. Undefined if OpenSSL trusts the chain. */
  readonly distrust: string | undefined;
  readonly staple: Buffer | undefined;
  readonly anchors: TrustAnchors;
}

/** These error codes of OpenSSL are ignored, because the functions below check the same at least as strictly. */
const JUDGED_HERE = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'INVALID_PURPOSE',
  'INVALID_CA',
  'CA_MD_TOO_WEAK',
  'CA_KEY_TOO_SMALL',
  'EE_KEY_TOO_SMALL',
]);
const SERVER_USAGES = ['1.3.6.1.5.5.7.3.1', '2.5.29.37.0'];
/** Elliptic curves that browsers accept in certificates (Baseline Requirements, 6.1.5). */
const USUAL_CURVES = new Set(['prime256v1', 'secp384r1', 'secp521r1']);
/** Minimum key sizes in bits for 112 bits of security (NIST SP 800-57 part 1, table 2). */
const [MIN_RSA_BITS, MIN_CURVE_BITS] = [2048, 224];

/** Returns all problems for clients that request this host. `now` is in milliseconds since the epoch. */
export function findCertificateProblems(
  { sent, distrust, staple, anchors }: ServerCertificates,
  host: string,
  now: number,
): CertificateProblem[] {
  const [leaf] = sent;
  if (!leaf) return [];
  const path = findCertificatePath(
    sent,
    anchors,
    (certificates) => issuerFaults(certificates, 'public', now).length,
  );
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

/** At least one browser shows the page without a warning despite these problems. */
const TAKEN: ReadonlySet<CertificateProblemKey> = new Set([
  'expires-in-7-days',
  'expires-in-14-days',
  'expires-in-30-days',
  'missing-staple',
  'too-long-life',
]);

export function isTrustedByBrowsers(shown: ServerCertificates, host: string, now: number): boolean {
  return findCertificateProblems(shown, host, now).every(({ key }) => TAKEN.has(key));
}

function timeFaults(leaf: X509Certificate, now: number): CertificateProblem[] {
  const [from, to] = [leaf.validFromDate.getTime(), leaf.validToDate.getTime()];
  if (now > to) return [{ key: 'expired', description: `it ended on ${dayOf(to)}` }];
  if (now < from) return [{ key: 'not-yet-valid', description: `it begins on ${dayOf(from)}` }];
  const key = findExpiryWarning(leaf, now);
  const left = Math.floor((to - now) / 86_400_000);
  return key ? [{ key, description: `it ends on ${dayOf(to)}, in ${formatCount(left, 'day')}` }] : [];
}

/** The common name does not count, because browsers have ignored it since 2017. */
function nameFaults(leaf: X509Certificate, host: string): CertificateProblem[] {
  const names = leaf.subjectAltName;
  if (names === undefined) {
    return [
      { key: 'no-alternative-name', description: `its only name is in its subject: ${lineOf(leaf.subject)}` },
    ];
  }
  const fits = isIP(host) ? leaf.checkIP(host) : leaf.checkHost(host, { subject: 'never' });
  return fits
    ? []
    : [{ key: 'wrong-name', description: `${host} is not among its names: ${names.slice(0, 200)}` }];
}

function trustFaults(
  { certificates, trust }: CertificatePath,
  sent: number,
  distrust: string | undefined,
  isChainFaulty: boolean,
): CertificateProblem[] {
  const last = certificates.at(-1);
  if (trust === 'none' && last) {
    const code = distrust === undefined ? '' : ` (${distrust})`;
    if (sent < 2 && last.issuer !== last.subject) {
      return [{ key: 'incomplete-chain', description: `only one certificate is sent${code}` }];
    }
    return [{ key: 'untrusted', description: `issued by ${lineOf(last.issuer)}${code}` }];
  }
  if (distrust === undefined || JUDGED_HERE.has(distrust) || isChainFaulty) return [];
  return [
    { key: 'untrusted', description: `issued by ${lineOf(certificates[0]?.issuer ?? '')} (${distrust})` },
  ];
}

/** Checks the issuers in a path, but only the validity period of the trust anchor. */
function issuerFaults(
  path: readonly X509Certificate[],
  trust: CertificatePath['trust'],
  now: number,
): CertificateProblem[] {
  const faults: CertificateProblem[] = [];
  for (const [at, issuer] of path.entries()) {
    if (at === 0) continue;
    const isAnchor = trust !== 'none' && at === path.length - 1;
    const name = lineOf(issuer.subject);
    const [from, to] = [issuer.validFromDate.getTime(), issuer.validToDate.getTime()];
    if (now > to) faults.push({ key: 'expired-issuer', description: `${name} ended on ${dayOf(to)}` });
    if (now < from) faults.push({ key: 'expired-issuer', description: `${name} begins on ${dayOf(from)}` });
    if (isAnchor) continue;
    if (!issuer.ca)
      faults.push({ key: 'wrong-issuer', description: `${name} is not an authority, and has signed it` });
    faults.push(...keyFaults(issuer, `${name} has`));
    if (issuer.issuer !== issuer.subject) faults.push(...signatureFaults(issuer, `${name} is`));
  }
  return faults;
}

function usageFaults(leaf: X509Certificate): CertificateProblem[] {
  // Node's `keyUsage` lists the extended key usages. It is undefined if there are none, despite its type.
  const usages: readonly string[] | undefined = leaf.keyUsage;
  if (usages === undefined || usages.some((one) => SERVER_USAGES.includes(one))) return [];
  return [{ key: 'wrong-usage', description: `its usages are ${usages.slice(0, 10).join(', ')}` }];
}

function keyFaults(certificate: X509Certificate, who: string): CertificateProblem[] {
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails: details } = keyOf(certificate) ?? {};
  const { modulusLength, namedCurve } = details ?? {};
  if (modulusLength !== undefined && modulusLength < MIN_RSA_BITS) {
    return [{ key: 'weak-key', description: `${who} an RSA or DSA key of ${modulusLength} bits` }];
  }
  if (type !== 'rsa' && type !== 'ec')
    return [{ key: 'unusual-key', description: `${who} a key of the kind ${type}` }];
  if (namedCurve === undefined || USUAL_CURVES.has(namedCurve)) return [];
  const bits = Number(/\d{3}/.exec(namedCurve)?.[0] ?? MIN_CURVE_BITS);
  const key = bits < MIN_CURVE_BITS ? 'weak-key' : 'unusual-key';
  return [{ key, description: `${who} a key on the elliptic curve ${namedCurve}` }];
}

function keyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}

function signatureFaults({ signatureAlgorithm = '' }: X509Certificate, who: string): CertificateProblem[] {
  const isWeak = /md5|md2|sha1(?!\d)/i.test(signatureAlgorithm);
  return isWeak ? [{ key: 'weak-signature', description: `${who} signed with ${signatureAlgorithm}` }] : [];
}

/** Checks the length of the validity period. For a private certificate authority, only Apple sets a limit. */
function lifeFaults(leaf: X509Certificate, trust: CertificatePath['trust']): CertificateProblem[] {
  const { days, limit } = getValidityDays(leaf);
  if (days <= limit) return [];
  const seen = `it lives for ${Math.ceil(days)} days, and browsers take ${limit} of public authorities`;
  if (trust === 'public') return [{ key: 'too-long-life', description: seen }];
  if (days <= APPLE_MAX_VALIDITY_DAYS) return [{ key: 'too-long-life', description: seen, score: 0 }];
  return [
    { key: 'too-long-life', description: `${seen}, Apple's ${APPLE_MAX_VALIDITY_DAYS} of any`, score: 3 },
  ];
}

function stapleFaults(leaf: X509Certificate, staple: Buffer | undefined, now: number): CertificateProblem[] {
  if (!hasMustStaple(leaf)) return [];
  const why = explainInvalidStaple(staple, now);
  return why === undefined ? [] : [{ key: 'missing-staple', description: why }];
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function lineOf(name: string): string {
  return name.replaceAll('\n', ', ').slice(0, 200);
}
