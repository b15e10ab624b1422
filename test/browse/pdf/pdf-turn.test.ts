import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { withTable } from '../../helpers/pdf.ts';

/** Pages whose text stands on its side or head, and texts that are drawn twice. */

/** A page with drawn text, and whether it is shown turned. */
function drawnPdf(drawn: string, rotate = 0): Buffer {
  return withTable(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 842] /Rotate ${rotate} /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R /Annots [6 0 R] >>`,
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      '<< /Type /Annot /Subtype /Link /Rect [98 98 112 160] /A << /S /URI /URI (https://mill.example/) >> >>',
    ],
    '',
  );
}
const words = ['Mills by the sea', 'turn with the tide', 'twice on each day.'];

test.each([
  ['anticlockwise', (at: number) => `0 1 -1 0 ${200 + at * 12} 100 Tm`],
  ['clockwise', (at: number) => `0 -1 1 0 ${200 - at * 12} 700 Tm`],
  ['upside down', (at: number) => `-1 0 0 -1 400 ${200 + at * 12} Tm`],
])('a page whose text is turned %s is read from its own top', async (_name, place) => {
  const drawn = `BT /F1 10 Tf ${words.map((text, at) => `${place(at)} (${text}) Tj`).join(' ')} ET`;
  const { markdown } = await readPdf(drawnPdf(drawn, 90), 'a.pdf');
  expect(markdown).toBe(words.join(' '));
});

test('a link on a turned page stays at its word, and a note in the margin follows the text', async () => {
  const drawn =
    'BT /F1 10 Tf 0 1 -1 0 108 100 Tm (the source of all) Tj 0 1 -1 0 120 100 Tm (of these words) Tj 1 0 0 1 20 20 Tm (stamp) Tj ET';
  const { markdown, links } = await readPdf(drawnPdf(drawn), 'a.pdf');
  expect(markdown).toBe(
    '[the source](https://mill.example/) of all of these words\n\nBeside the text: stamp',
  );
  expect(links).toEqual([{ url: 'https://mill.example/', text: 'the source' }]);
});

test('text drawn twice at one place is read once, and a word repeated in a line is read twice', async () => {
  const drawn =
    'BT /F1 10 Tf 1 0 0 1 50 700 Tm (bold) Tj 1 0 0 1 50.3 700 Tm (bold) Tj 1 0 0 1 80 700 Tm (that) Tj 1 0 0 1 110 700 Tm (that) Tj ET';
  expect((await readPdf(drawnPdf(drawn), 'a.pdf')).markdown).toBe('bold that that');
});

test('a text of which each letter is drawn twice, as in bold, is read once', async () => {
  const word = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'abotMW1,') });
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), fc.nat(9), async (all, tenths) => {
      const text = all.join(' ');
      const letters = [...text].flatMap((letter, at) => {
        const x = 50 + 6 * at;
        return letter === ' '
          ? []
          : [x, x + tenths / 10].map((left) => `1 0 0 1 ${left.toFixed(1)} 700 Tm (${letter}) Tj`);
      });
      const pdf = drawnPdf(`BT /F1 10 Tf ${letters.join(' ')} 1 0 0 1 50 680 Tm (below it all) Tj ET`);
      expect((await readPdf(pdf, 'a.pdf')).markdown).toBe(`${text} below it all`);
    }),
    { seed: 38, numRuns: 60 },
  );
});
