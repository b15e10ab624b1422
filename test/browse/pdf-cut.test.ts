import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPdf } from '../../src/browse/readers/pdf/pdf.ts';
import { createFileReader } from '../../src/browse/reading/file-reader.ts';
import { makePdf } from '../helpers/pdf.ts';
import { sharedReaders } from '../helpers/shared-readers.ts';

/** PDF files whose end is lost, as of a download that broke. */

const desk = sharedReaders();
const URL = 'https://site.example/cut.pdf';
const pages = Array.from(
  { length: 6 },
  (_, at) => `Chapter ${at + 1}\nWhat stands on page ${at + 1} of this book.`,
);

test('the remaining pages of a truncated file are read, and the answer says that the file is cut off', async () => {
  const whole = makePdf(pages);
  const cut = whole.subarray(0, whole.indexOf('Chapter 5'));
  const { markdown, reduced } = await readPdf(new Uint8Array(cut), URL);
  expect(markdown).toContain('What stands on page 1');
  expect(markdown).toContain('What stands on page 4');
  expect(markdown).not.toContain('page 6');
  expect(reduced).toMatch(/^the file is cut off or broken: \d of its pages could be read/);
});

test('compressed pages of a truncated file are found too', async () => {
  const page =
    '<< /Type /Page /MediaBox [0 0 600 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 6 0 R >>';
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  const pairs = `4 0 5 ${page.length + 1} `;
  const packed = deflateSync(Buffer.from(`${pairs}${page} ${font}`, 'latin1'));
  const text = 'BT /F1 11 Tf 1 0 0 1 50 700 Tm (Packed pages are read as well) Tj ET';
  const cut = Buffer.concat([
    Buffer.from(`%PDF-1.5\n6 0 obj\n<< /Length ${text.length} >>\nstream\n${text}\nendstream\nendobj\n`),
    Buffer.from(
      `7 0 obj\n<< /Type /ObjStm /N 2 /First ${pairs.length} /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`,
    ),
    packed,
    Buffer.from('\nendstream\nendobj\n8 0 obj\n<< /Type /XRef /Si'),
  ]);
  const { markdown } = await readPdf(new Uint8Array(cut), URL);
  expect(markdown).toContain('Packed pages are read as well');
});

test('a truncated file without a page, or an encrypted truncated file, is refused as broken', async () => {
  const refused = { code: 'unsupported', message: expect.stringContaining('broken PDF') };
  const noise = Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 89 + 7) % 256));
  await expect(readPdf(new Uint8Array(noise), URL)).rejects.toMatchObject(refused);
  const head = Buffer.from(
    '%PDF-1.4\n1 0 obj\n<< /Filter /Standard /V 2 >>\nendobj\n2 0 obj\n<< /Type /Page >>\nendobj\n',
  );
  await expect(readPdf(new Uint8Array(head), URL)).rejects.toMatchObject(refused);
});

test('a truncated upload is refused, because its part would pass for the whole file', async () => {
  const whole = makePdf(pages);
  const file = new Uint8Array(whole.subarray(0, whole.indexOf('Chapter 5')));
  const signal = new AbortController().signal;
  await expect(createFileReader(desk).read({ file, name: 'cut.pdf', signal })).rejects.toMatchObject({
    code: 'unsupported',
  });
});
