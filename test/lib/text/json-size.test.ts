import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsAsJson } from '../../../src/lib/text/json-size.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

/** The least number of bytes that a value fits in is what it takes as JSON. */
async function expectExact(value: unknown): Promise<void> {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  expect(await fitsAsJson(value, bytes)).toBe(true);
  expect(await fitsAsJson(value, bytes - 1)).toBe(false);
}

test('the measured size of any JSON value equals its written size', async () => {
  await fc.assert(fc.asyncProperty(fc.jsonValue({ stringUnit: anyCharacter }), expectExact));
});

test('absent members, surrogate pairs and lone surrogates are measured, wherever a long text is split', async () => {
  await expectExact({ a: undefined, b: [undefined, null, 'x'], c: { d: undefined } });
  for (const before of [99_998, 99_999, 100_000, 199_999]) {
    await expectExact({ text: `${'a'.repeat(before)}😀"\n\u0001é` });
    await expectExact({ text: `${'a'.repeat(before)}\ud83d` });
    await expectExact({ text: `${'a'.repeat(before)}\ude00${'b'.repeat(10)}` });
  }
});

test('other calls are served while megabytes are measured', async () => {
  const value = { results: [{ full_content: '\u0001'.repeat(2_000_000) }] };
  const steps: string[] = [];
  const measured = fitsAsJson(value, 100_000_000).then((fits) => steps.push(`measured ${fits}`));
  setImmediate(() => steps.push('another'));
  await measured;
  expect(steps).toEqual(['another', 'measured true']);
  expect(await fitsAsJson(value, 1_999_999)).toBe(false);
});
