import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';

/** Networks that are not the public internet: base and bits. */
const INSIDE = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
] as const;

const inside = fc
  .tuple(fc.constantFrom(...INSIDE), fc.nat(0xffffffff))
  .map(([[base, bits], random]) => (base | (random & (2 ** (32 - bits) - 1))) >>> 0);

const partsOf = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255);
const hex = (n: number) => n.toString(16);
const groups = (n: number) => `${hex(n >>> 16)}:${hex(n & 0xffff)}`;
/** One part in a notation that is taken for a number. */
const part = (way: number, n: number) =>
  [`${n}`, `0x${hex(n)}`, `0${n.toString(8)}`, `0X00${hex(n)}`][way] ?? `${n}`;

/** The ways to write an IPv4 address into a URL; `ways` says how each part is written. */
const NOTATIONS: Readonly<Record<string, (n: number, ways: readonly number[]) => string>> = {
  'four parts': (n, ways) =>
    partsOf(n)
      .map((one, i) => part(ways[i] ?? 0, one))
      .join('.'),
  'three parts': (n, ways) =>
    [n >>> 24, (n >>> 16) & 255, n & 0xffff].map((one, i) => part(ways[i] ?? 0, one)).join('.'),
  'two parts': (n, ways) => [n >>> 24, n & 0xffffff].map((one, i) => part(ways[i] ?? 0, one)).join('.'),
  'one number': (n, ways) => part(ways[0] ?? 0, n),
  'a trailing dot': (n) => `${partsOf(n).join('.')}.`,
  'full width': (n) =>
    [...partsOf(n).join('.')].map((c) => String.fromCodePoint((c.codePointAt(0) ?? 0) + 0xfee0)).join(''),
  'percent signs': (n) => [...partsOf(n).join('.')].map((c) => `%${hex(c.charCodeAt(0))}`).join(''),
  mapped: (n) => `[::ffff:${groups(n)}]`,
  'mapped with dots': (n) => `[::ffff:${partsOf(n).join('.')}]`,
  compatible: (n) => `[::${groups(n)}]`,
  translated: (n) => `[::ffff:0:${groups(n)}]`,
  NAT64: (n) => `[64:ff9b::${groups(n)}]`,
  'local NAT64': (n) => `[64:ff9b:1::${groups(n)}]`,
  '6to4': (n) => `[2002:${groups(n)}::1]`,
  Teredo: (n) => `[2001::${groups(~n >>> 0)}]`,
};

const guard = createUrlGuard({ allowHosts: [] });
const judged = (host: string) => () => guard.judge(new URL(`http://${host}/`));

test.each(Object.entries(NOTATIONS))('a private address is refused in the notation: %s', (_name, write) => {
  fc.assert(
    fc.property(inside, fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }), (n, ways) => {
      expect(judged(write(n, ways))).toThrow(expect.objectContaining({ code: 'forbidden' }));
    }),
    { numRuns: 500 },
  );
});

test('a public address is accepted in every notation', () => {
  for (const name of ['four parts', 'two parts', 'one number', 'full width', 'mapped', 'NAT64'])
    expect(judged(NOTATIONS[name]?.(0x08080808, [1, 2, 0, 3]) ?? '')()).toBe('guarded');
});
