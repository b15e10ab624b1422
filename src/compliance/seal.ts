import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { Assessment } from './assessment.ts';
import type { Seal } from './report.ts';

export interface Sealer {
  seal(assessment: Assessment): Seal;
  /** Whether the signature is valid, and whether the key belongs to this installation. */
  check(id: string, seal: Seal): { readonly good: boolean; readonly own: boolean };
}

/** PKCS#8 of an Ed25519 key up to its 32 bytes (RFC 8410, section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs with a key that is derived from the installation's secret: anyone who has the data folder has the key. */
export function createSealer(secret: Uint8Array): Sealer {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'magpie compliance seal 1', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const key = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
  return {
    seal(assessment) {
      const digest = digestOf(assessment);
      const signature = sign(null, wordsOf(assessment.id, digest), privateKey).toString('base64');
      return { digest, signature, key };
    },
    check: (id, seal) => ({ good: isGood(id, seal), own: seal.key === key }),
  };
}

function isGood(id: string, { digest, signature, key }: Seal): boolean {
  let publicKey: KeyObject;
  try {
    publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    if (publicKey.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, wordsOf(id, digest), publicKey, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function wordsOf(id: string, digest: string): Buffer {
  return Buffer.from(`magpie-compliance-1 ${id} ${digest}`);
}

/** SHA-256 of a value as JSON without spaces, members sorted by name (as RFC 8785 has them). */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}
