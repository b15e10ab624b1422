import { readdirSync } from 'node:fs';
import { getResolvedPDFJS } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { readPdf } from '../../src/browse/readers/pdf/pdf.ts';
import { withTable } from '../helpers/pdf.ts';

/** Files that name a map of characters instead of bringing one, as most of East Asia's do whose fonts are not in them. */

const FOLDER = new URL('../../src/browse/readers/cmaps/', import.meta.url);

/** A page in a font of one of Adobe's four collections, its lines (or columns, right to left) as bytes in `encoding`. */
function namedPdf(encoding: string, ordering: string, ...lines: readonly Uint8Array[]): Buffer {
  const drawn = lines.map(
    (bytes, at) => `1 0 0 1 ${300 - at * 20} 700 Tm <${Buffer.from(bytes).toString('hex')}> Tj`,
  );
  const contents = `BT /F1 12 Tf ${drawn.join(' ')} ET`;
  return withTable(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
      `<< /Type /Font /Subtype /Type0 /BaseFont /Named /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>',
      `<< /Length ${contents.length} >>\nstream\n${contents}\nendstream`,
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Named /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 7 0 R /DW 1000 >>`,
      '<< /Type /FontDescriptor /FontName /Named /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 80 >>',
    ],
    '',
  );
}
const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16();
const hex = (bytes: string) => Buffer.from(bytes, 'hex');

describe('words of a PDF are read by', () => {
  test.each<[string, string, Uint8Array, string]>([
    ['UniGB-UCS2-H', 'GB1', utf16('喜鹊在树上筑巢'), '喜鹊在树上筑巢'],
    ['UniCNS-UTF16-H', 'CNS1', utf16('喜鵲在樹上築巢'), '喜鵲在樹上築巢'],
    ['UniJIS-UCS2-H', 'Japan1', utf16('鵲は橋を架ける'), '鵲は橋を架ける'],
    ['UniKS-UCS2-H', 'Korea1', utf16('까치가 둥지를 튼다'), '까치가 둥지를 튼다'],
    // The words "Japan", "China", "Taiwan" and "Korea" as the charsets of each country have them.
    ['90ms-RKSJ-H', 'Japan1', hex('93fa967b'), '日本'],
    ['EUC-H', 'Japan1', hex('c6fccbdc'), '日本'],
    ['GBK-EUC-H', 'GB1', hex('d6d0b9fa'), '中国'],
    ['ETen-B5-H', 'CNS1', hex('a578c657'), '台灣'],
    ['KSCms-UHC-H', 'Korea1', hex('c7d1b1b9'), '한국'],
  ])('%s', async (encoding, ordering, bytes, text) => {
    expect((await readPdf(namedPdf(encoding, ordering, bytes), 'a.pdf')).markdown).toBe(text);
  });

  test('the numbers of their glyphs alone', async () => {
    // Characters 1200 and 1201 of Adobe-Japan1.
    const { markdown } = await readPdf(namedPdf('Identity-H', 'Japan1', hex('04b004b1')), 'a.pdf');
    expect(markdown).toMatch(/^\p{Script=Han}{2}$/u);
  });
});

test('vertical columns are read from right to left, with horizontal punctuation', async () => {
  const columns = ['鵲は橋を架ける。', '川の上に「橋」を', '架けるという。'];
  const { markdown } = await readPdf(namedPdf('UniJIS-UCS2-V', 'Japan1', ...columns.map(utf16)), 'a.pdf');
  expect(markdown).toBe(columns.join(''));
});

test('an unknown character map, or a map name that leads to another folder, does not break the reader: the file is read as a PDF without text', async () => {
  for (const name of ['No-Such-H', '..#2f..#2fpackage']) {
    await expect(readPdf(namedPdf(name, 'GB1', hex('d6d0')), 'a.pdf')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/^a\.pdf is a PDF without text, such as a scan; upload it with pdfload/),
    });
  }
});

test('all character maps are present and match the version of pdf.js that reads them', async () => {
  expect(readdirSync(FOLDER).filter((name) => name.endsWith('.bcmap'))).toHaveLength(168);
  const { version } = (await getResolvedPDFJS()) as { version: string };
  expect(version, 'copy cmaps/ of pdfjs-dist of this version; see the README there').toBe('6.1.200');
});
