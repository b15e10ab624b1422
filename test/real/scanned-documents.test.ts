import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import type { ReadingProgress } from '../../src/documents/types.ts';
import { createLog } from '../../src/log.ts';
import { createServices, type Services } from '../../src/wiring/services.ts';
import { environment, temporaryFolder } from '../helpers/magpie.ts';
import { layPdf, makePdf } from '../helpers/pdf.ts';
import { bitmap, fixture, gifOf, makeScans, scanPage, TEXTS } from '../helpers/scans.ts';

/** Scanned files from their upload to the answer. */

const folder = temporaryFolder();
const services = (name: string, ocr: string) => {
  const data = join(folder.path, name);
  return createServices(loadConfig({}, { ...environment(data), MAGPIE_OCR: ocr }), createLog('silent'));
};
const never = new AbortController().signal;
let on: Services;
let off: Services;
beforeAll(() => {
  [on, off] = [services('on', 'eng'), services('off', 'off')];
});
afterAll(async () => {
  await Promise.all([on.lifecycle.close(), off.lifecycle.close()]);
  folder.remove();
});

async function* whole(bytes: Uint8Array) {
  yield new Uint8Array(bytes);
}
const add = async (to: Services, name: string, bytes: Uint8Array, signal = never) =>
  (await to.documents()).addDocument('ada', name, whole(bytes), signal);
const scan = makeScans([bitmap(1), bitmap(2)].map(scanPage));

test('pdfsearch finds the words of a scanned file, and document names their page', async () => {
  const told: ReadingProgress[] = [];
  const room = await on.documents();
  const watch = setInterval(() => told.push(...room.listReading('ada')), 5);
  expect(await add(on, 'mills.pdf', scan).finally(() => clearInterval(watch))).toMatchObject({
    pages: 2,
    parts: 1,
  });
  expect(await room.readPage('ada', 'mills.pdf', 1)).toBe(TEXTS[0]);
  const { matches } = await room.findInFile(
    'ada',
    'mills.pdf',
    [{ from: 1, to: 1 }],
    'what are the wages of the keeper?',
    1,
    never,
  );
  expect(matches[0]).toMatchObject({ page: 2, text: expect.stringContaining('eleven shillings a week') });
  const [found] = await (await on.knowledge()).findPassages('ada', 'eleven shillings', {}, never);
  expect(found?.passage.text).toContain('eleven shillings');
  // While it was read, its pages were counted; now it is not being read.
  expect(told.map(({ name }) => name)).toContain('mills.pdf');
  expect(told.filter(({ stage, of }) => stage === 'scans' && of === 2).length).toBeGreaterThan(0);
  expect(room.listReading('ada')).toEqual([]);
  expect(room.listReading('bob')).toEqual([]);
});

test('scanned pages among others are read too, and a stamp on them is kept', async () => {
  const { objects, width, height } = scanPage(bitmap(2));
  const stamped = (number: number) => ({
    objects,
    width,
    height: height + 40,
    content: `q ${width} 0 0 ${height} 0 40 cm /X0 Do Q BT /F 9 Tf 20 10 Td (Scanned by Acme ${number}) Tj ET`,
  });
  await add(on, 'stamped.pdf', makeScans([stamped(1), stamped(2)]));
  const room = await on.documents();
  expect(await room.readPage('ada', 'stamped.pdf', 2)).toBe(`Scanned by Acme 2\n\n${TEXTS[1]}`);
});

test('without OCR the error of a scanned file says how to enable OCR, and a file with words on a page is accepted', async () => {
  await expect(add(off, 'mills.pdf', scan)).rejects.toMatchObject({
    code: 'unsupported',
    message:
      '"mills.pdf" is a PDF without text, such as a scan: set MAGPIE_OCR=eng where Magpie runs, and Magpie reads such pages by OCR',
  });
  expect((await add(off, 'half.pdf', makePdf(['Words.', '']))).pages).toBe(2);
});

test('with OCR, the error of a file says that its pages are empty', async () => {
  await expect(add(on, 'a.pdf', layPdf([[], []]))).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining(
      '"a.pdf" is a PDF without text, and its pages show none that can be read',
    ),
  });
  expect((await (await on.documents()).listDocuments('ada')).map(({ name }) => name)).not.toContain('a.pdf');
});

test('images compressed by a fax machine are read', async () => {
  await add(on, 'fax.pdf', fixture('fax.pdf'));
  expect(await (await on.documents()).readPage('ada', 'fax.pdf', 1)).toBe(TEXTS[0]);
});

test('a scanned file does not delay files with text, and a cancelled file leaves nothing', async () => {
  const room = await on.documents();
  const stop = new AbortController();
  const maps = Array.from({ length: 60 }, () => bitmap(1));
  const long = add(on, 'long.pdf', makeScans(maps.map(scanPage)), stop.signal);
  long.catch(() => {});
  await expect
    .poll(() => room.listReading('ada').map(({ stage, done }) => stage === 'scans' && done > 0), {
      timeout: 120_000,
    })
    .toEqual([true]);
  await add(on, 'quick.pdf', makePdf(['Quick words.']));
  expect(room.listReading('ada')).toMatchObject([{ name: 'long.pdf', stage: 'scans', of: 60 }]);
  stop.abort(new Error('left'));
  await expect(long).rejects.toThrow('left');
  expect(room.listReading('ada')).toEqual([]);
  const names = (await room.listDocuments('ada')).map(({ name }) => name);
  expect(names).toContain('quick.pdf');
  expect(names).not.toContain('long.pdf');
});

test('a picture is read by OCR like a page, and refused where OCR is off or the picture has no text', async () => {
  const photo = fixture('page-1.jpg');
  expect(await add(on, 'photo.jpg', photo)).toMatchObject({ name: 'photo.jpg', kind: 'picture', pages: 1 });
  const room = await on.documents();
  expect(await room.readPage('ada', 'photo.jpg', 1)).toContain(
    'A tide mill takes in water when the sea is high',
  );
  await expect(add(off, 'photo.jpg', photo)).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringMatching(/^"photo\.jpg" is a picture, and OCR is off: set MAGPIE_OCR=eng/),
  });
  const blank = Buffer.concat([Buffer.from('BM'), Buffer.alloc(52)]);
  await expect(add(on, 'blank.bmp', blank)).rejects.toMatchObject({
    message: '"blank.bmp" is a picture in which no text can be read',
  });
});

test('the first picture of a GIF is read; a GIF that declares more than its data is refused', async () => {
  const [first, second] = [gifOf(bitmap(1)), gifOf(bitmap(2))];
  const film = Buffer.concat([first.subarray(0, -1), second.subarray(19)]);
  expect(await add(on, 'film.gif', film)).toMatchObject({ kind: 'picture', pages: 1 });
  const room = await on.documents();
  expect(await room.readPage('ada', 'film.gif', 1)).toBe(TEXTS[0]);
  expect(await room.drawPage('ada', 'film.gif', 1, '', never)).toMatchObject({ type: 'image/gif' });
  const huge = Buffer.from(first.subarray(0, 400));
  for (const at of [6, 8, 24, 26]) huge.writeUInt16LE(65_535, at);
  for (const broken of [huge, first.subarray(0, 5000)])
    await expect(add(on, 'broken.gif', broken)).rejects.toMatchObject({
      message: '"broken.gif" is a picture in which no text can be read',
    });
});
