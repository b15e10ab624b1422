import { inflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationPipeline } from '../../../src/server/invoke.ts';
import { makePdf } from '../../helpers/pdf.ts';
import { type RoomsStack, startRooms } from '../../helpers/rooms-stack.ts';
import type { Stack } from '../../helpers/stack.ts';
import { followLink, type Visitor } from '../../helpers/uploads.ts';

/** Pages as they look, with a passage marked. */

let running: RoomsStack;
let stack: Stack;
let pipe: OperationPipeline;
let ada: Visitor;
let bob: Visitor;

beforeAll(async () => {
  running = await startRooms({}, { http: { isOpen: async () => false } });
  ({ stack, pipe } = running);
  const visit = async (user: string) => {
    const pass = await (await pipe.services.passes()).issuePass('link', user);
    return followLink(`${stack.url}/app?pass=${pass}`);
  };
  [ada, bob] = [await visit('ada'), await visit('bob')];
});
afterAll(() => running.close());
const get = (path: string, { cookie }: Visitor | { cookie: string } = ada) =>
  fetch(new URL(path, stack.url), { headers: { cookie }, redirect: 'manual' });

/** The pixels of a PNG of this server: three bytes each, rows without a filter. */
async function pixelsOf(answer: Response) {
  const png = Buffer.from(await answer.arrayBuffer());
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  const at = (x: number, y: number) => {
    const from = y * (3 * width + 1) + 1 + 3 * x;
    return [rows[from] ?? 0, rows[from + 1] ?? 0, rows[from + 2] ?? 0];
  };
  const count = (wanted: (rgb: number[]) => boolean) => {
    let found = 0;
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (wanted(at(x, y))) found++;
    return found;
  };
  return { width, height, at, count };
}
const isYellow = ([red = 0, green = 0, blue = 0]: number[]) => red > 250 && green > 200 && blue < 120;
const isDark = (rgb: number[]) => rgb.every((channel) => channel < 80);

test('a page is drawn as it appears, and a passage is marked in the picture and in the text', async () => {
  await ada.put('mills.pdf', makePdf(['Of wind.', 'The tide mill turns\nby the moon.\nThe miller sleeps.']));
  const plain = await get('/app/file/picture?name=mills.pdf&page=2');
  expect([plain.status, plain.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(plain.headers.get('content-security-policy')).toContain('sandbox');
  const drawn = await pixelsOf(plain);
  expect([drawn.width, drawn.height]).toEqual([1200, 1684]);
  expect(drawn.count(isDark)).toBeGreaterThan(500);
  expect(drawn.count(isYellow)).toBe(0);
  const passage = encodeURIComponent('The tide mill turns by the moon.');
  const marked = await pixelsOf(await get(`/app/file/picture?name=mills.pdf&page=2&passage=${passage}`));
  // Lines stand at 780 and 766 points of 842, two pixels a point: the third line is not marked.
  const yellowIn = (from: number, to: number) => {
    let found = 0;
    for (let y = from; y < to; y++) for (let x = 90; x < 330; x++) if (isYellow(marked.at(x, y))) found++;
    return found;
  };
  expect(yellowIn(105, 128)).toBeGreaterThan(1000);
  expect(yellowIn(133, 156)).toBeGreaterThan(500);
  expect(yellowIn(161, 186)).toBe(0);
  const page = await (await get(`/app/file?name=mills.pdf&page=2&passage=${passage}`)).text();
  expect(page).toContain('<mark id="passage">The tide mill turns by the moon</mark>.');
  expect(page).toContain('/app/file/picture?name=mills.pdf&amp;page=2&amp;passage=The+tide+mill');
  expect(page).toContain('alt="Page 2 as it looks, with the passage marked; its text is beside it"');
});

test('a link to one file shows its pages without the list, and leads from its address to the passage', async () => {
  await ada.put('mills.pdf', makePdf(['Of wind.', 'Of tides.']));
  const pass = await (await pipe.services.passes()).issuePass('file', 'ada', 'mills.pdf');
  const moved = await get(`/app/files/mills.pdf?pass=${pass}&page=2&passage=tides`, { cookie: '' });
  expect(moved.status).toBe(302);
  const to = moved.headers.get('location') ?? '';
  const page = await (await get(to, { cookie: '' })).text();
  expect(page).toContain('Of <mark id="passage">tides</mark>.');
  expect(page).not.toContain('All files');
  expect(page).toMatch(/href="\/app\/file\?name=mills\.pdf&amp;pass=[^"&]+&amp;page=1#page"/);
  expect((await get(`/app/file/picture?name=mills.pdf&page=2&pass=${pass}`, { cookie: '' })).status).toBe(
    200,
  );
  expect((await get(`/app/file/picture?name=other.pdf&page=2&pass=${pass}`, { cookie: '' })).status).toBe(
    401,
  );
});

describe('a page that cannot be drawn', () => {
  test('is shown as text: an encrypted PDF, a kind without pages of its own', async () => {
    const document = new PDFDocument({ pdfVersion: '1.7', userPassword: 'sesame', ownerPassword: 'o' });
    document.text('Words under lock and key.');
    document.end();
    const headers = { cookie: ada.cookie, 'x-form': ada.form, 'x-password': 'sesame' };
    const body = new Uint8Array(Buffer.concat(await document.toArray()));
    await fetch(new URL('/app/files/locked.pdf', stack.url), { method: 'PUT', headers, body });
    await ada.put('notes.md', Buffer.from('# Notes\n\nOf **herons**.'));
    for (const name of ['locked.pdf', 'notes.md']) {
      expect((await get(`/app/file/picture?name=${name}&page=1`)).status).toBe(404);
    }
    expect(await (await get('/app/file?name=locked.pdf')).text()).toContain('Words under lock and key.');
    const notes = await (await get('/app/file?name=notes.md&page=1&passage=Of%20herons')).text();
    expect(notes).not.toContain('<img');
    expect(notes).toContain('<mark id="passage">Of **herons</mark>**.');
  });

  test('is refused for another user, past the end, and without a session', async () => {
    await ada.put('mills.pdf', makePdf(['Of wind.']));
    for (const path of ['/app/file/picture?name=mills.pdf', '/app/file?name=mills.pdf']) {
      expect((await get(path, bob)).status).toBe(404);
      expect((await get(`${path}&page=2`)).status).toBe(404);
      expect((await get(path, { cookie: '' })).status).toBe(401);
    }
  });
});
