import { expect, test } from 'vitest';
import { checkOwnerName } from '../../src/storage/owner.ts';

test.each(['ann', 'Ann Łęcka', '👩‍👩‍👧', 'sub@https://issuer.example', 'ann\0bob'])(
  '%j is a valid owner',
  (name) => {
    expect(checkOwnerName(name)).toBe(name);
  },
);

test.each(['a\ud83d', '\udc4d', 'ann\ud83d bob'])('%j is not a valid owner', (name) => {
  expect(() => checkOwnerName(name)).toThrow('half a character');
});
