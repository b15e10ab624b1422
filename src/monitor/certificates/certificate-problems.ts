import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { attempt } from '../../lib/attempt.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { type CertificatePath, findCertificatePath, type TrustAnchors } from './certificate-path.ts';

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
  /** The certificates in the order in which the server sent them. The first is its own. */
  readonly sent: readonly X509Certificate[];
  /** OpenSSL's error code for the chain. Undefined if OpenSSL trusts the chain. */
  readonly distrust: string | undefined;
  readonly staple: Buffer | undefined;
  readonly anchors: TrustAnchors;
}

/** OpenSSL errors to ignore, because the functions below check the same facts at least as strictly. */
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
/** Minimum bits of an RSA key and of a curve for 112 bits of security (NIST SP 800-57 part 1, table 2). */
const [MIN_RSA_BITS, MIN_CURVE_BITS] = [2048, 224];

/** Returns all problems for clients of this host. `now` is in milliseconds since 1970. */
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

/** Problems for which at least one browser shows no warning. */
const TOLERATED_PROBLEMS: ReadonlySet<CertificateProblemKey> = new Set([
  'expires-in-7-days',
  'expires-in-14-days',
  'expires-in-30-days',
  'missing-staple',
  'too-long-life',
]);

export function isTrustedByBrowsers(shown: ServerCertificates, host: string, now: number): boolean {
  return findCertificateProblems(shown, host, now).every(({ key }) => TOLERATED_PROBLEMS.has(key));
}

function timeFaults(leaf: X509Certificate, now: number): CertificateProblem[] {
  const [from, to] = [leaf.validFromDate.getTime(), leaf.validToDate.getTime()];
  if (now > to) return [{ key: 'expired', description: `it ended on ${dayOf(to)}` }];
  if (now < from) return [{ key: 'not-yet-valid', description: `it begins on ${dayOf(from)}` }];
  const key = findExpiryWarning(leaf, now);
  const left = Math.floor((to - now) / 86_400_000);
  return key ? [{ key, description: `it ends on ${dayOf(to)}, in ${formatCount(left, 'day')}` }] : [];
}

/** Checks the host name. Only alternative names count: browsers have ignored common names since 2017. */
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

function issuerFaults(path: readonly X509Certificate[], trust: CertificatePath['trust'], now: number) {
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
  // Despite its type, Node's `keyUsage` is the list of extended key usages, or undefined if there are none.
  const usages: readonly string[] | undefined = leaf.keyUsage;
  if (usages === undefined || usages.some((one) => SERVER_USAGES.includes(one))) return [];
  return [{ key: 'wrong-usage', description: `its usages are ${usages.slice(0, 10).join(', ')}` }];
}

function keyFaults(certificate: X509Certificate, who: string): CertificateProblem[] {
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails: details } =
    attempt(() => certificate.publicKey) ?? {};
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

function signatureFaults({ signatureAlgorithm = '' }: X509Certificate, who: string): CertificateProblem[] {
  const isWeak = /md5|md2|sha1(?!\d)/i.test(signatureAlgorithm);
  return isWeak ? [{ key: 'weak-signature', description: `${who} signed with ${signatureAlgorithm}` }] : [];
}

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

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const lineOf = (name: string): string => name.replaceAll('\n', ', ').slice(0, 200);

const DAY_MS = 86_400_000;

/** Maximum days of validity by date of issue (CA/Browser Forum ballots 193 and SC-081v3). */
const LIMITS: readonly (readonly [from: string, days: number])[] = [
  ['2029-03-15', 47],
  ['2027-03-15', 100],
  ['2026-03-15', 200],
  ['2020-09-01', 398],
  ['2018-03-01', 825],
  ['1970-01-01', 1187],
];
/** Maximum days that Apple accepts from a private authority (support.apple.com/103769). */
const APPLE_MAX_VALIDITY_DAYS = 825;

/** Returns the days of validity, and the maximum (`limit`) that browsers accept from public authorities. */
function getValidityDays({ validFromDate, validToDate }: X509Certificate): { days: number; limit: number } {
  const from = validFromDate.getTime();
  const limit = LIMITS.find(([day]) => from >= Date.parse(day))?.[1] ?? 1187;
  return { days: (validToDate.getTime() - from) / DAY_MS, limit };
}

/** Warnings, most urgent first. Limit: `days` or `share` of the validity period, whichever is shorter. */
const WARNINGS = [
  { key: 'expires-in-7-days', days: 7, share: 1 / 12 },
  { key: 'expires-in-14-days', days: 14, share: 1 / 6 },
  { key: 'expires-in-30-days', days: 30, share: 1 / 3 },
] as const;

function findExpiryWarning(certificate: X509Certificate, now: number) {
  const left = (certificate.validToDate.getTime() - now) / DAY_MS;
  const { days: life } = getValidityDays(certificate);
  return WARNINGS.find(({ days, share }) => left < Math.min(days, life * share))?.key;
}

/** Extension with which a certificate demands TLS features (RFC 7633): OID 1.3.6.1.5.5.7.1.24 in DER. */
const TLS_FEATURE = Buffer.from('2b06010505070118', 'hex');
/** TLS features status_request and status_request_v2, which demand a stapled OCSP status. */
const STAPLES = [5, 17];

function hasMustStaple({ raw }: X509Certificate): boolean {
  const feature = findCertificateExtension(raw, TLS_FEATURE);
  const list = feature && parseDerElements(feature)[0];
  if (!list) return false;
  return parseDerElements(list.content).some(
    ({ tag, content }) => tag === 0x02 && STAPLES.includes(numberOf(content)),
  );
}

function numberOf(content: Buffer): number {
  return content.length > 0 && content.length <= 4 ? content.readUIntBE(0, content.length) : -1;
}

/** Explains why a stapled OCSP answer (RFC 6960, 4.2.1) is missing or invalid. Returns undefined if valid. */
export function explainInvalidStaple(staple: Buffer | undefined, now: number): string | undefined {
  if (staple === undefined || staple.length === 0) return 'none is sent';
  const [state, body] = parseDerElements(parseDerElements(staple)[0]?.content ?? Buffer.alloc(0));
  if (state?.tag !== 0x0a || state.content[0] !== 0)
    return 'the one that is sent is a failure of the authority';
  const basic = findDerChild(findDerChild(body, 0x30), 0x04)?.content ?? Buffer.alloc(0);
  const data = findDerChild(parseDerElements(basic)[0], 0x30);
  const single = findDerChild(findDerChild(data, 0x30), 0x30);
  if (!single) return 'the one that is sent cannot be read';
  const until = findDerChild(findDerChild(single, 0xa0), 0x18)?.content.toString('latin1');
  const end = until === undefined ? undefined : timeOf(until);
  if (end !== undefined && end < now)
    return `the one that is sent ended on ${new Date(end).toISOString().slice(0, 10)}`;
  return findDerChild(single, 0xa1) ? 'the one that is sent says that the certificate is revoked' : undefined;
}

function timeOf(text: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

const MAX_ELEMENTS = 500;

function parseDerElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  let at = 0;
  while (at + 2 <= bytes.length && elements.length < MAX_ELEMENTS) {
    const first = bytes.readUInt8(at + 1);
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    const start = at + 2 + lengthBytes;
    if (lengthBytes > 4 || first === 0x80 || start > bytes.length) break;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    const end = start + length;
    if (end > bytes.length) break;
    elements.push({
      tag: bytes.readUInt8(at),
      content: bytes.subarray(start, end),
      whole: bytes.subarray(at, end),
    });
    at = end;
  }
  return elements;
}

function findDerChild(parent: DerElement | undefined, tag: number): DerElement | undefined {
  return parent && parseDerElements(parent.content).find((one) => one.tag === tag);
}

function findCertificateExtension(certificate: Buffer, identifier: Buffer): Buffer | undefined {
  const signed = findDerChild(parseDerElements(certificate)[0], 0x30);
  const list = findDerChild(findDerChild(signed, 0xa3), 0x30);
  for (const one of list ? parseDerElements(list.content) : []) {
    const [id, ...rest] = parseDerElements(one.content);
    if (id?.tag === 0x06 && id.content.equals(identifier))
      return rest.find(({ tag }) => tag === 0x04)?.content;
  }
  return undefined;
}
