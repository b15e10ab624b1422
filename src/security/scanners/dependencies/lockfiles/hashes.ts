import type { PackageHash } from '../lockfile-reader.ts';

const ALGORITHMS: ReadonlyMap<string, readonly [alg: PackageHash['alg'], digits: number]> = new Map([
  ['md5', ['MD5', 32]],
  ['sha1', ['SHA-1', 40]],
  ['sha256', ['SHA-256', 64]],
  ['sha384', ['SHA-384', 96]],
  ['sha512', ['SHA-512', 128]],
]);
const MAX_HASHES = 30;

export function hexHash(algorithm: string, content: string): PackageHash[] {
  const [alg, digits] = ALGORITHMS.get(algorithm.toLowerCase()) ?? [];
  const hex = content.toLowerCase();
  return alg && hex.length === digits && /^[0-9a-f]+$/.test(hex) ? [{ alg, content: hex }] : [];
}

/** Parses subresource integrity, as npm writes it: `sha512-<base64>`, or several digests separated by spaces. */
export function integrityHashes(integrity: string | undefined): PackageHash[] {
  if (integrity === undefined || integrity.length > 1000) return [];
  return integrity.split(/\s+/).flatMap((one) => {
    const dash = one.indexOf('-');
    return hexHash(one.slice(0, dash), Buffer.from(one.slice(dash + 1), 'base64').toString('hex'));
  });
}

/** Parses digests in the form `sha256:<hex>`, as Python's tools write them. Returns at most 30 digests. */
export function colonHashes(texts: Iterable<string>): PackageHash[] {
  const found = new Map<string, PackageHash>();
  for (const text of texts) {
    const colon = text.indexOf(':');
    for (const hash of hexHash(text.slice(0, colon), text.slice(colon + 1))) found.set(hash.content, hash);
    if (found.size >= MAX_HASHES) break;
  }
  return [...found.values()];
}
