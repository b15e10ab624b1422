import { expect, test } from 'vitest';
import { createSealer } from '../../../src/lib/secrets/sealer.ts';

const secret = new Uint8Array(32).fill(7);

test('a sealed text is opened only by the same secret and purpose, and reveals no part of its content', () => {
  const { seal, unseal } = createSealer(secret, 'nests');
  const text = 'a verifier, ü';
  const sealed = seal(text);
  expect(unseal(sealed)).toBe(text);
  expect(seal(text)).not.toBe(sealed);
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('verifier');
  expect(createSealer(secret, 'eggs').unseal(sealed)).toBeUndefined();
  expect(createSealer(new Uint8Array(32), 'nests').unseal(sealed)).toBeUndefined();
});

test('a sealed text that is changed, cut or invented is refused', () => {
  const { seal, unseal } = createSealer(secret, 'nests');
  const bytes = Buffer.from(seal('a text'), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const other = Buffer.from(bytes);
    other[at] = (other[at] ?? 0) ^ 1;
    expect(unseal(other.toString('base64url')), `byte ${at}`).toBeUndefined();
    expect(unseal(bytes.subarray(0, at).toString('base64url'))).toBeUndefined();
  }
  expect(unseal('')).toBeUndefined();
  expect(unseal('no base64url at all')).toBeUndefined();
});
