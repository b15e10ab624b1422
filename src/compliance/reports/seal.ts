import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { badRequestError } from '../../errors.ts';
import { attempt } from '../../lib/attempt.ts';

const SIGNATURE_BYTES = 64;

export type ReportSigner = ReturnType<typeof createSealer>;

export type PublicKey = ReturnType<typeof publicKeyOf>;

/** PKCS#8 bytes before the 32 key bytes of an Ed25519 private key (RFC 8410, section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Creates a signer. Its key is derived from `secret`, so anyone who can read the data folder can sign. */
export function createSealer(secret: Uint8Array) {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'magpie compliance seal 2', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return {
    key: publicKeyOf(createPublicKey(privateKey)),
    /** Returns an Ed25519 signature of 64 bytes. `openssl pkeyutl -verify -rawin` can check it. */
    sign: (content: string | Uint8Array) => sign(null, Buffer.from(content), privateKey),
  };
}

/** Reads a public key. Throws AppError `bad_request` unless it is an Ed25519 key in PEM. */
export function readPublicKey(pem: string): PublicKey {
  const key = attempt(() => createPublicKey(pem));
  if (key?.asymmetricKeyType === 'ed25519' && !pem.includes('PRIVATE KEY')) return publicKeyOf(key);
  throw badRequestError(
    'the key is not a public key of Ed25519 as PEM: it takes the file that `magpie compliance key` writes',
  );
}

export function requireSignatureLength(signature: Uint8Array): void {
  if (signature.length === SIGNATURE_BYTES) return;
  throw badRequestError(
    `the signature has ${signature.length} bytes: it takes the ${SIGNATURE_BYTES} bytes that Magpie wrote beside the report`,
  );
}

const publicKeyOf = (key: KeyObject) => ({
  pem: key.export({ format: 'pem', type: 'spki' }).toString(),
  fingerprint: createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex'),
  isSigned: (content: string | Uint8Array, signature: Uint8Array) =>
    verify(null, Buffer.from(content), key, signature),
});
