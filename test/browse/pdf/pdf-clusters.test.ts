import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { drawnPdf, pdfStream } from '../../helpers/drawn-pdf.ts';

/** Scripts whose letters are drawn as several glyphs, of which the font's map may name only the first. */

const FONT = '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>';

/** Draws glyphs one after the other. The font's map leaves out those without a text. */
async function read(glyphs: readonly (string | undefined)[], first = 1): Promise<string> {
  const code = (at: number) => (at + first).toString(16).padStart(4, '0');
  const named = glyphs.flatMap((text, at) =>
    text ? [`<${code(at)}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`] : [],
  );
  const map = `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap
/CIDSystemInfo\n<</Registry (Adobe)\n/Ordering (UCS)\n/Supplement 0\n>> def
/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def
1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange
${named.length} beginbfchar\n${named.join('\n')}\nendbfchar\nendcmap
CMapName currentdict /CMap defineresource pop\nend\nend`;
  const shown = glyphs.map((_, at) => code(at)).join('');
  const file = drawnPdf(`BT /F9 12 Tf 1 0 0 1 60 700 Tm <${shown}> Tj ET\n`, {
    fonts:
      '/F9 << /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 6 0 R >>',
    objects: [
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own ${FONT} /FontDescriptor 5 0 R /DW 500 >>`,
      '<< /Type /FontDescriptor /FontName /Own /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
      pdfStream(deflateSync(map).toString('latin1'), '/Filter /FlateDecode'),
    ],
  });
  return (await readPdf(file, 'https://site.example/a.pdf')).markdown;
}

test('glyphs without a text are neither blanks nor letters, whatever their codes', async () => {
  const cluster = fc.tuple(
    fc.constantFrom('สำ', 'น้ำ', 'ก', 'ทุ', 'ខ្មែ', 'រ', 'ស្រុ', 'न्', 'दी', 'हि', 'ব', 'ສຳ'),
    fc.nat(2),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(cluster, { minLength: 1, maxLength: 9 }),
      fc.constantFrom(1, 40, 128, 500),
      async (clusters, first) => {
        const glyphs = clusters.flatMap(([text, more]) => [text, ...Array(more).fill(undefined)]);
        expect(await read(glyphs, first)).toBe(clusters.map(([text]) => text).join(''));
      },
    ),
    { seed: 5, numRuns: 40 },
  );
});

test('a blank that the font names stays between clusters', async () => {
  const words = ['ชั้น', 'ส', undefined, 'ำ', ' ', 'ខ្មែ', undefined, 'រ'];
  expect(await read(words)).toBe('ชั้นสำ ខ្មែរ');
});

test('sara am as two signs becomes one, wherever its tone mark stands', async () => {
  const signs: [aa: string, nikhahit: string, am: string, tones: string[]][] = [
    ['\u0e32', '\u0e4d', '\u0e33', ['', '\u0e48', '\u0e49']],
    ['\u0eb2', '\u0ecd', '\u0eb3', ['', '\u0ec8', '\u0ec9']],
  ];
  for (const [aa, nikhahit, am, tones] of signs) {
    for (const tone of tones) {
      const letter = aa === '\u0e32' ? 'น' : 'ນ';
      for (const marks of [nikhahit + tone, tone + nikhahit])
        expect(await read([letter, ...marks, aa, letter])).toBe(letter + tone + am + letter);
    }
  }
});
