import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  classifyKeyText,
  generateAccessKey,
  generateKeyId,
  getKeyPrefix,
} from '../../../src/access/keys/key.ts';
import { redactSecrets } from '../../../src/lib/secrets/redact.ts';

/** The form of a key. */

test('a key has the form that secret scanners search for, and keys are unique', () => {
  const keys = Array.from({ length: 500 }, generateAccessKey);
  expect(new Set(keys).size).toBe(500);
  for (const key of keys) {
    expect(key).toMatch(/^magpie_[0-9A-Za-z]{38}$/);
    expect(classifyKeyText(key)).toBe('key');
    expect(key.startsWith(getKeyPrefix(key))).toBe(true);
  }
  expect(getKeyPrefix(keys[0] ?? '')).toHaveLength('magpie_'.length + 4);
  // Every digit comes about as often: 16,000 draws of 62, each 258 times on average.
  const counts = new Map<string, number>();
  for (const digit of keys.map((key) => key.slice(7, 39)).join('')) {
    counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(count).toBeGreaterThan(160);
  // 256 is no multiple of 62: were the bytes beyond the last one used, the first eight would come 2,500 times, not 2,065.
  const first = [...'01234567'].reduce((sum, digit) => sum + (counts.get(digit) ?? 0), 0);
  expect(first).toBeLessThan(2290);
});

/** A text with its checksum: CRC-32 in base 62, six digits. */
function withChecksum(body: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const crc = crc32(body);
  return body + [5, 4, 3, 2, 1, 0].map((place) => digits[Math.floor(crc / 62 ** place) % 62]).join('');
}

test('a key is recognised by prefix, length, digits and checksum, each of which is required', () => {
  const random = 'Aa0'.repeat(11).slice(0, 32);
  expect(classifyKeyText(withChecksum(`magpie_${random}`))).toBe('key');
  expect(classifyKeyText(withChecksum(`magpie_${random}0`))).toBe('mistyped');
  expect(classifyKeyText(withChecksum(`magpie_${random.slice(1)}`))).toBe('mistyped');
  expect(classifyKeyText(withChecksum(`magpie_${random.slice(1)}-`))).toBe('mistyped');
  expect(classifyKeyText(`x${withChecksum(`magpie_${random}`)}`)).toBe('other');
});

test('the checksum detects every mistyped character, swap and cut', () => {
  const key = generateAccessKey();
  for (let at = 7; at < key.length; at++) {
    const other = key[at] === 'x' ? 'y' : 'x';
    expect(classifyKeyText(key.slice(0, at) + other + key.slice(at + 1))).toBe('mistyped');
    expect(classifyKeyText(key.slice(0, at))).toBe('mistyped');
    const [a = '', b = ''] = [key[at - 1], key[at]];
    if (at > 7 && a !== b)
      expect(classifyKeyText(key.slice(0, at - 1) + b + a + key.slice(at + 1))).toBe('mistyped');
  }
  for (const text of [`${key}0`, `${key} `, `magpie_${'é'.repeat(38)}`, 'magpie_', `${key}\n`]) {
    expect(classifyKeyText(text)).toBe('mistyped');
  }
  for (const text of ['', 'k23456789a', 'eyJhbGciOi.J9.x', ` ${key}`, key.toUpperCase()]) {
    expect(classifyKeyText(text)).toBe('other');
  }
});

test('logs mask a key, and show its prefix', () => {
  const key = generateAccessKey();
  expect(redactSecrets(`refused ${key}`)).toBe('refused [redacted]');
  expect(redactSecrets(`refused ${getKeyPrefix(key)}`)).toBe(`refused ${getKeyPrefix(key)}`);
});

test('ids are short, easy to read aloud, and do not have the form of a key', () => {
  const ids = Array.from({ length: 200 }, generateKeyId);
  expect(new Set(ids).size).toBe(200);
  for (const id of ids) expect(id).toMatch(/^k[2-9a-hjkmnp-z]{9}$/);
});
