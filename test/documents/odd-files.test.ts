import { zipSync } from 'fflate';
import PDFDocument from 'pdfkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createFileReader } from '../../src/browse/reading/file-reader.ts';
import { createReaderPool } from '../../src/browse/reading/reader-pool.ts';
import { makeGlyphPdf, makePdf } from '../helpers/pdf.ts';

/** Files as people and enemies have them: each is read, or refused with a word that says what is wrong. */

const desk = createReaderPool();
const reader = createFileReader(desk);
afterAll(() => desk.close());
const read = (bytes: Uint8Array) =>
  reader.read({ file: bytes, name: 'a.pdf', signal: new AbortController().signal });
const whole = makePdf(Array.from({ length: 6 }, (_, i) => `Words of page ${i + 1}, all of them.`));
/** A file that is encrypted as PDF writers do: RC4 of 40 bits, AES of 128 and of 256. */
const encrypted = async (
  pdfVersion: '1.3' | '1.6' | '1.7ext3',
  passwords: { readonly userPassword?: string },
) => {
  const document = new PDFDocument({ pdfVersion, ownerPassword: 'owner', ...passwords });
  document.text('Words under lock and key.');
  document.end();
  return Buffer.concat(await document.toArray());
};
const VERSIONS = ['1.3', '1.6', '1.7ext3'] as const;
const latin = (text: string) => Buffer.from(text, 'latin1');

describe('refused', () => {
  test.each<[string, Uint8Array, string]>([
    ['an empty file', Buffer.alloc(0), '"a.pdf" is empty'],
    ['text', Buffer.from('Just words.'), '"a.pdf" is not a PDF, as its name says it is: PDF, Word'],
    ['a web page', Buffer.from('<!doctype html><p>%PDF'), '"a.pdf" is not a PDF, as its name says it is'],
    [
      'a ZIP archive that has a PDF in it as it is',
      zipSync({ 'a.pdf': [whole, { level: 0 }] }),
      '"a.pdf" is a ZIP archive of 1 files (a.pdf); unpack it',
    ],
    ['a ZIP archive', latin('PK\x03\x04\x14\0'), '"a.pdf" is a broken ZIP archive'],
    ['a TIFF', latin('II*\0\0\0'), '"a.pdf" is a TIFF picture; PDF, Word (.docx)'],
    [
      'an old workbook',
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.alloc(600),
        Buffer.from('Workbook', 'utf16le'),
      ]),
      '"a.pdf" is an old Excel workbook (.xls); save it as .xlsx or CSV, which are read, or run `soffice --headless --convert-to xlsx` (LibreOffice) on it',
    ],
    ['a program', latin('MZ\x90\0'), '"a.pdf" is a program; PDF, Word (.docx)'],
    ['a beginning alone', latin('%PDF-1.7\n'), '"a.pdf" is a broken PDF'],
    [
      'nothing behind its beginning',
      Buffer.concat([latin('%PDF-1.7\n'), Buffer.alloc(50_000)]),
      'is a broken PDF',
    ],
    ['half a file', whole.subarray(0, whole.length / 2), '"a.pdf" is a broken PDF'],
    [
      'an encrypted file',
      makePdf(
        ['secret'],
        '',
        `/Encrypt << /Filter /Standard /V 1 /R 2 /O (${'a'.repeat(32)}) /U (${'b'.repeat(32)}) /P -4 >> /ID [(a) (a)]`,
      ),
      '"a.pdf" is an encrypted PDF and needs a password',
    ],
    [
      '10,001 pages',
      makePdf(Array.from({ length: 10_001 }, () => 'x')),
      'has 10001 pages, and at most 10000 are read',
    ],
  ])('%s', async (_name, bytes, why) => {
    await expect(read(bytes)).rejects.toMatchObject({ message: expect.stringContaining(why) });
  });

  test.each(VERSIONS)('a file that requires a password, as of PDF %s', async (version) => {
    await expect(read(await encrypted(version, { userPassword: 'secret' }))).rejects.toMatchObject({
      code: 'unsupported',
      message: '"a.pdf" is an encrypted PDF and needs a password',
    });
  });

  test('a page tree that contains itself', async () => {
    const text = makePdf(['Words.']).toString('latin1').replace('/Kids [4 0 R]', '/Kids [2 0 R]');
    await expect(read(latin(text))).rejects.toMatchObject({
      message: expect.stringContaining('is a broken PDF'),
    });
  });
});

describe('read', () => {
  test.each(VERSIONS)('a file that requires a password only for changes, as of PDF %s', async (version) => {
    expect((await read(await encrypted(version, {}))).pages).toEqual(['Words under lock and key.']);
  });

  test('a file without its cross-reference table', async () => {
    const objects = whole.subarray(0, whole.lastIndexOf('xref\n0'));
    const { pages } = await read(Buffer.concat([objects, latin('trailer\n<< /Root 1 0 R >>\n%%EOF\n')]));
    expect(pages[5]).toBe('Words of page 6, all of them.');
  });

  test('a file with scripts, as text and without running them', async () => {
    const script = '/OpenAction << /S /JavaScript /JS (globalThis.ran = true; while \\(true\\) {}) >>';
    const text = whole.toString('latin1').replace('/Type /Catalog', `/Type /Catalog ${script}`);
    expect((await read(latin(text))).pages).toHaveLength(6);
  });

  test('a page tree that declares a billion pages, up to its real pages', async () => {
    const text = makePdf(['Words.']).toString('latin1').replace('/Count 1', '/Count 1000000000');
    expect((await read(latin(text))).pages).toEqual(['Words.']);
  });

  test('a file with extra bytes before its beginning', async () => {
    expect((await read(Buffer.concat([latin('junk\r\n'), whole]))).pages).toHaveLength(6);
  });

  test('a file with a page of broken content, without the text of that page', async () => {
    const text = whole.toString('latin1').replace('(Words of page 2', '((((Words of page 2');
    const { pages } = await read(latin(text));
    expect(pages).toHaveLength(6);
    expect(pages[2]).toBe('Words of page 3, all of them.');
  });

  test('text in the place of running heads, when the page has only that text', async () => {
    const pages = Array.from({ length: 5 }, (_, i) => `The same head on every page ${i}`);
    expect((await read(makePdf(pages))).pages[4]).toBe('The same head on every page 4');
  });

  test.each([
    ['Chinese', '喜鹊用树枝筑巢。'],
    ['Japanese', 'カササギは枝で巣を作る。'],
    ['Korean', '까치는 나뭇가지로 둥지를 짓는다.'],
    ['beyond the first plane', '𠮷野家 and 🐦'],
  ])('%s by an embedded map of its glyphs', async (_name, text) => {
    expect((await read(makeGlyphPdf(text))).pages).toEqual([text]);
  });

  test('Chinese by an embedded map of its codes, and by a map of its glyphs', async () => {
    const text = '喜鹊用树枝筑巢。';
    expect((await read(makeGlyphPdf(text, { codes: 'embedded' }))).pages).toEqual([text]);
  });

  test.each([
    ['Hebrew', 'העורב בונה קן'],
    ['Arabic', 'يبني العقعق عشه'],
  ])('%s, drawn from its right end, in reading order', async (_name, text) => {
    const drawn = [...text].reverse().join('');
    expect((await read(makeGlyphPdf(drawn))).pages).toEqual([text]);
  });

  test('Hebrew with a number, which reads from left to right', async () => {
    const drawn = [...'העורב המצוי '].reverse().join('');
    const { pages } = await read(makeGlyphPdf(`${[...' קן'].reverse().join('')}2026${drawn}`));
    expect(pages).toEqual(['העורב המצוי 2026 קן']);
  });
});
