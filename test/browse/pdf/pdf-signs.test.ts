import { expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { drawnPdf, text } from '../../helpers/drawn-pdf.ts';

const FONTS: Readonly<Record<string, string>> = {
  zapf: '/Subtype /Type1 /BaseFont /ZapfDingbats',
  named:
    '/Subtype /Type1 /BaseFont /ZapfDingbats /Encoding << /Type /Encoding /Differences [65 /a20 /a24 /a71 /a73 /a191] >>',
  wingdings: '/Subtype /TrueType /BaseFont /Wingdings-Regular /Encoding /WinAnsiEncoding',
  wingdings2: '/Subtype /TrueType /BaseFont /Wingdings2 /Encoding /WinAnsiEncoding',
  webdings: '/Subtype /TrueType /BaseFont /Webdings /Encoding /WinAnsiEncoding',
  symbol: '/Subtype /Type1 /BaseFont /Symbol',
  other: '/Subtype /Type1 /BaseFont /Own /Encoding << /Type /Encoding /Differences [65 /a20 /a24] >>',
};
const fontOf = (name: string) => ({ fonts: `/Z << /Type /Font ${FONTS[name]} >>` });
const read = async (drawn: string, name: string) =>
  (await readPdf(drawnPdf(drawn, fontOf(name)), 'a.pdf')).markdown;
/** Lines of a list: a code of the font, then words. */
const list = (codes: string) =>
  [...codes]
    .map(
      (code, at) => text(50, 700 - 15 * at, code, 11, 'Z') + text(68, 700 - 15 * at, `Part ${at} of it`, 11),
    )
    .join('');

test.each<[name: string, codes: string, signs: string]>([
  ['zapf', '483', '✔✘✓'],
  ['named', 'ABE', '✔✘➾'],
  ['wingdings', '\xfc\xfb\xfe\xfd', '✔✘☑☒'],
  ['wingdings2', 'POR', '✔✘☑'],
  ['webdings', 'ar', '✔✘'],
])('check marks and crosses of the font %s stay at their list items', async (name, codes, signs) => {
  const expected = [...signs].map((sign, at) => `- ${sign} Part ${at} of it`);
  expect(await read(list(codes), name)).toBe(expected.join('\n'));
});

test.each([
  ['zapf', 'lnou'],
  ['named', 'CD'],
  ['wingdings', 'lnq\xa7\xd8'],
  ['webdings', 'ng'],
])('bullets of the font %s begin list items', async (name, codes) => {
  const expected = [...codes].map((_, at) => `- Part ${at} of it`);
  expect(await read(list(codes), name)).toBe(expected.join('\n'));
});

test('all codes of ZapfDingbats are signs, and those of other fonts stay', async () => {
  const codes = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('');
  const signs = await read(text(50, 700, codes, 5, 'Z'), 'zapf');
  expect(signs.replace(/\s/g, '')).toMatch(/^[\u2701-\u27be\u2605\u260e\u261b\u261e\u25a0-\u25d7]{94}$/u);
  expect(await read(text(50, 700, '485', 11, 'Z'), 'symbol')).toBe('485');
  expect(await read(text(50, 700, 'AB', 11, 'Z'), 'other')).toBe('AB');
});
