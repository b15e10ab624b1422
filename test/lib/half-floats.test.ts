/// <reference lib="esnext.float16" />
import { expect, test } from 'vitest';
import { packHalfFloats, unpackHalfFloats } from '../../src/lib/half-floats.ts';
import { seeded } from '../helpers/vectors.ts';

const ALL = Uint16Array.from({ length: 65_536 }, (_, half) => half);

test('each of the 65,536 half floats is decoded as by the engine', () => {
  const own = unpackHalfFloats(new Uint8Array(ALL.buffer));
  expect(own).toEqual(new Float32Array(new Float16Array(ALL.buffer)));
});

test('each half float is encoded back to the same value', () => {
  const floats = new Float32Array(new Float16Array(ALL.buffer));
  const again = new Uint16Array(packHalfFloats(floats).buffer);
  for (const half of ALL) if (!Number.isNaN(floats[half])) expect(again[half]).toBe(half);
  expect(unpackHalfFloats(packHalfFloats(Float32Array.of(Number.NaN)))[0]).toBeNaN();
});

test('other numbers are rounded as by the engine, also in the middle between two half floats', () => {
  const random = seeded(7);
  const floats = new Float32Array(300_000);
  for (let at = 0; at < floats.length; at += 3) {
    const low = Math.floor(random() * 0x7c00);
    const [a = 0, b = 0] = new Float16Array(Uint16Array.of(low, low + 1).buffer);
    floats[at] = (a + b) / 2;
    floats[at + 1] = -(a + (b - a) * random());
    floats[at + 2] = (random() - 0.5) * 2 ** (random() * 300 - 150);
  }
  const native = new Uint8Array(new Float16Array(floats).buffer);
  expect(Buffer.from(packHalfFloats(floats)).equals(Buffer.from(native))).toBe(true);
});

test('bytes can begin at an odd offset', () => {
  const bytes = new Uint8Array([9, ...packHalfFloats(Float32Array.of(0.5, -2))]).subarray(1);
  expect([...unpackHalfFloats(bytes)]).toEqual([0.5, -2]);
});
