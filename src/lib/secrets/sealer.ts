import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { attempt } from '../attempt.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Creates a cipher (AES-256-GCM). Each purpose has a key of its own (HKDF, RFC 5869). */
export function createSealer(secret: Uint8Array, purpose: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `magpie ${purpose}`, 32));
  return {
    seal(text: string): string {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
      const bytes = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(bytes).toString('base64url');
    },
    unseal(sealed: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const content = bytes.subarray(IV_BYTES, -TAG_BYTES);
      return attempt(() => decipher.update(content, undefined, 'utf8') + decipher.final('utf8'));
    },
  };
}
