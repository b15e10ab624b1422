import { expect, test } from 'vitest';
import { loadPdfium } from '../../../src/browse/readers/pdf/pdf-page-drawer.ts';
import { drawPreview } from '../../../src/browse/readers/pdf/pdf-preview.ts';
import { makePdf } from '../../helpers/pdf.ts';

/** Pages as they look, in the library's own memory, which no collector frees. */

test('a file that cannot be opened leaves no memory allocated in the library', async () => {
  const closed = new Uint8Array(8_000_000).fill(32);
  const size = async () => (await loadPdfium()).pdfium.HEAPU8.length;
  expect(await drawPreview(closed, 1, '')).toBeUndefined();
  const once = await size();
  for (let time = 0; time < 30; time++) expect(await drawPreview(closed, 1, '')).toBeUndefined();
  expect(await size()).toBe(once);
  expect(await drawPreview(new Uint8Array(makePdf(['Of wind.'])), 1, 'wind')).toMatchObject({ marked: true });
});
