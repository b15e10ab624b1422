import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyReport } from '../../../src/compliance/compliance.ts';
import { formatSeal } from '../../../src/compliance/reports/report.ts';
import { createSealer, readPublicKey } from '../../../src/compliance/reports/seal.ts';

const sealer = createSealer(Buffer.alloc(32, 7));
const other = createSealer(Buffer.alloc(32, 8));
const REPORT = Buffer.from(
  `<html><p>12 passed</p><code>${formatSeal(sealer.key.fingerprint)}</code></html>\n`,
);
const SIGNATURE = sealer.sign(REPORT);

describe('verification of a signature', () => {
  test('the signed file is genuine by the key of this installation and by the published key', () => {
    const { pem, fingerprint } = sealer.key;
    for (const key of [sealer.key, readPublicKey(pem)]) {
      expect(verifyReport(REPORT, SIGNATURE, key)).toMatchObject({ state: 'genuine', key: fingerprint });
    }
    // Without our own code: any implementation of Ed25519 says the same.
    expect(verify(null, REPORT, createPublicKey(pem), SIGNATURE)).toBe(true);
  });

  test('each byte of the file counts, and each byte of the signature', () => {
    for (let at = 0; at < REPORT.length; at++) {
      const changed = Buffer.from(REPORT);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(verifyReport(changed, SIGNATURE, sealer.key).state, `byte ${at}`).not.toBe('genuine');
    }
    for (let at = 0; at < SIGNATURE.length; at++) {
      const changed = Buffer.from(SIGNATURE);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(verifyReport(REPORT, changed, sealer.key)).toMatchObject({ state: 'changed' });
    }
    for (const file of [Buffer.concat([REPORT, Buffer.from(' ')]), REPORT.subarray(1), Buffer.alloc(0)]) {
      expect(verifyReport(file, SIGNATURE, sealer.key).state).toBe('changed');
    }
  });

  test('a changed file is distinguished from a file that another key has signed', () => {
    const changed = Buffer.from(REPORT.toString().replace('12 passed', '13 passed'));
    expect(verifyReport(changed, SIGNATURE, sealer.key)).toEqual({
      state: 'changed',
      key: sealer.key.fingerprint,
      named: sealer.key.fingerprint,
      reason: expect.stringContaining('was changed after it was signed'),
    });
    expect(verifyReport(REPORT, SIGNATURE, other.key)).toEqual({
      state: 'unknown_key',
      key: other.key.fingerprint,
      named: sealer.key.fingerprint,
      reason: expect.stringContaining(`signed with the key ${sealer.key.fingerprint}`),
    });
    const letter = Buffer.from('Dear auditor');
    expect(verifyReport(letter, SIGNATURE, sealer.key)).toMatchObject({
      state: 'changed',
      reason: expect.stringContaining('is not a report of Magpie'),
    });
  });
});

describe('refused input', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  test.each([
    ['no key', 'hello'],
    ['an empty file', ''],
    ['a key of another kind', rsa.export({ type: 'spki', format: 'pem' }).toString()],
    ['a private key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ])('%s', (_, pem) => {
    expect(() => readPublicKey(pem)).toThrow(/not a public key of Ed25519 as PEM/);
  });

  test('an invalid signature is reported with its length', () => {
    for (const length of [0, 63, 65, 5000]) {
      expect(() => verifyReport(REPORT, Buffer.alloc(length), sealer.key)).toThrow(
        `the signature has ${length} bytes: it takes the 64 bytes`,
      );
    }
  });

  test('any public key is accepted', () => {
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expect(readPublicKey(pem).fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });
});

test('an installation keeps its key, and keys are unique', () => {
  expect(createSealer(Buffer.alloc(32, 7)).key).toEqual({ ...sealer.key, isSigned: expect.any(Function) });
  expect(other.key.fingerprint).not.toBe(sealer.key.fingerprint);
});
