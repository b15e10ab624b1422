import { X509Certificate } from 'node:crypto';
import { getCACertificates } from 'node:tls';
import { attempt } from '../../lib/attempt.ts';

export interface TrustAnchors {
  readonly bySubject: ReadonlyMap<string, readonly X509Certificate[]>;
  readonly own: ReadonlySet<string>;
}

export interface CertificatePath {
  /** Chain from the server's certificate to the trust anchor, or to the last issuer that was found. */
  readonly certificates: readonly X509Certificate[];
  /** Who trusts the last certificate: all browsers (`public`), this operator (`own`) or no one (`none`). */
  readonly trust: 'public' | 'own' | 'none';
}

const MAX_SETS = 50;
const sets = new Map<string, TrustAnchors>();
let usual: readonly X509Certificate[] | undefined;

export function loadTrustAnchors(authority = ''): TrustAnchors {
  const known = sets.get(authority);
  if (known) return known;
  usual ??= getCACertificates('default').flatMap(readPem);
  const own = readPem(authority);
  const bySubject = Map.groupBy([...usual, ...own], ({ subject }) => subject);
  const anchors = { bySubject, own: new Set(own.map(({ fingerprint256 }) => fingerprint256)) };
  if (sets.size >= MAX_SETS) sets.clear();
  sets.set(authority, anchors);
  return anchors;
}

const PEM_END = '-----END CERTIFICATE-----';

function readPem(text: string): X509Certificate[] {
  return text.split(PEM_END).flatMap((block) => {
    const begin = block.lastIndexOf('-----BEGIN CERTIFICATE-----');
    if (begin < 0) return [];
    return attempt(() => new X509Certificate(`${block.slice(begin)}${PEM_END}\n`)) ?? [];
  });
}

const [MAX_SENT, MAX_SIGNATURES, MAX_LENGTH] = [20, 60, 8];

export function findCertificatePath(
  sent: readonly X509Certificate[],
  { bySubject, own }: TrustAnchors,
  countProblems: (path: readonly X509Certificate[]) => number,
): CertificatePath {
  const [leaf, ...others] = sent.slice(0, MAX_SENT);
  if (!leaf) return { certificates: [], trust: 'none' };
  let signatures = 0;
  let longest: readonly X509Certificate[] = [leaf];
  const found: CertificatePath[] = [];
  const isAnchor = (one: X509Certificate) =>
    bySubject.get(one.subject)?.some(({ fingerprint256 }) => fingerprint256 === one.fingerprint256) ?? false;
  const isSigned = (one: X509Certificate, issuer: X509Certificate) => {
    signatures++;
    return isSignedBy(one, issuer);
  };
  const follow = (path: readonly X509Certificate[], last: X509Certificate) => {
    if (path.length > longest.length) longest = path;
    if (isAnchor(last)) {
      found.push({ certificates: path, trust: own.has(last.fingerprint256) ? 'own' : 'public' });
      return;
    }
    if (path.length >= MAX_LENGTH) return;
    for (const issuer of [...(bySubject.get(last.issuer) ?? []), ...others]) {
      const isNext = issuer.subject === last.issuer && !path.includes(issuer) && signatures < MAX_SIGNATURES;
      if (isNext && isSigned(last, issuer)) follow([...path, issuer], issuer);
    }
  };
  follow([leaf], leaf);
  const best = found
    .map((path) => ({ path, count: countProblems(path.certificates) }))
    .sort((a, b) => a.count - b.count || a.path.certificates.length - b.path.certificates.length)[0];
  return best?.path ?? { certificates: longest, trust: 'none' };
}

/** Caches whether one certificate signed another. The key consists of the fingerprints of both. */
const signed = new Map<string, boolean>();
const MAX_SIGNED = 5000;

function isSignedBy(one: X509Certificate, issuer: X509Certificate): boolean {
  const key = `${one.fingerprint256} ${issuer.fingerprint256}`;
  const known = signed.get(key);
  if (known !== undefined) return known;
  const answer = attempt(() => one.verify(issuer.publicKey)) ?? false;
  if (signed.size >= MAX_SIGNED) signed.clear();
  signed.set(key, answer);
  return answer;
}
