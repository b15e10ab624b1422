import { X509Certificate } from 'node:crypto';
import { getCACertificates } from 'node:tls';

/** Where certificates that a client trusts stand, by their subject. */
export interface Anchors {
  readonly bySubject: ReadonlyMap<string, readonly X509Certificate[]>;
  /** Fingerprints of those that the operator has named. */
  readonly own: ReadonlySet<string>;
}

/** How a certificate is vouched for. */
export interface CertificatePath {
  /** From the server's own certificate to the one that is trusted; with nothing to trust at its end, as far as it goes. */
  readonly certificates: readonly X509Certificate[];
  /** Who trusts its end: all browsers, only the operator, no one. */
  readonly trust: 'public' | 'own' | 'none';
}

/** Sets of anchors kept: one an authority. */
const MAX_SETS = 50;
const sets = new Map<string, Anchors>();
let usual: readonly X509Certificate[] | undefined;

/** The usual authorities, and those of the operator (PEM) besides. */
export function anchorsOf(authority = ''): Anchors {
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
    try {
      return new X509Certificate(`${block.slice(begin)}${PEM_END}\n`);
    } catch {
      return [];
    }
  });
}

/** Certificates of a server that are read, signatures that are checked for one path, and how long it may be. */
const [MAX_SENT, MAX_SIGNATURES, MAX_LENGTH] = [20, 60, 8];

/**
 * The path by which a client that tries them all would trust what a server sent, as browsers do: of several the one with
 * the least `faults`, the shortest of these. The order in which they were sent is of no matter.
 */
export function findPath(
  sent: readonly X509Certificate[],
  { bySubject, own }: Anchors,
  faults: (path: readonly X509Certificate[]) => number,
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
    .map((path) => ({ path, count: faults(path.certificates) }))
    .sort((a, b) => a.count - b.count || a.path.certificates.length - b.path.certificates.length)[0];
  return best?.path ?? { certificates: longest, trust: 'none' };
}

/** Whether one certificate's key made the signature of another, by both fingerprints: the same are seen at every probe. */
const signed = new Map<string, boolean>();
/** Answers kept. */
const MAX_SIGNED = 5000;

function isSignedBy(one: X509Certificate, issuer: X509Certificate): boolean {
  const key = `${one.fingerprint256} ${issuer.fingerprint256}`;
  const known = signed.get(key);
  if (known !== undefined) return known;
  const answer = verified(one, issuer);
  if (signed.size >= MAX_SIGNED) signed.clear();
  signed.set(key, answer);
  return answer;
}

function verified(one: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return one.verify(issuer.publicKey);
  } catch {
    // Its key is of a kind that OpenSSL does not know.
    return false;
  }
}
