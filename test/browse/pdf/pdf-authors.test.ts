import { expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { layPdf, type Piece } from '../../helpers/pdf.ts';

/** Authors of a paper who stand side by side, each centred over a column or not. Courier's letters are 0.6 of their size wide. */

const read = (...pieces: readonly Piece[]) =>
  readPdf(layPdf([pieces]), 'https://site.example/paper.pdf').then(({ markdown }) => markdown);
const centred = (middle: number, y: number, lines: readonly string[]): Piece[] =>
  lines.map((text, at) => ({ x: middle - text.length * 2.7, y: y - at * 11, size: 9, text }));
const prose = (x: number, y: number, subject: string): Piece[] =>
  Array.from({ length: 20 }, (_, at) => ({
    x,
    y: y - at * 10,
    size: 8,
    text: `row ${at + 10} of the ${subject} goes on to the end of it all`.padEnd(48, 'l'),
  }));
const QUILL = ['Ada Quill', 'Hedge Institute of Clocks', 'quill@hedge.example'];
const GREEN = ['Tom Green', 'School of Mills', 'green@mills.example'];
const WHITE = ['Lena White', 'Royal Academy', 'white@academy.example'];
const inOrder = (text: string, parts: readonly string[]) => {
  const places = parts.map((part) => text.indexOf(part));
  return places.every((place, at) => place >= 0 && place > (places[at - 1] ?? -1));
};

test('authors above two columns are read before the text below them', async () => {
  const text = await read(
    { x: 150, y: 780, size: 16, text: 'Clocks of Water and of Sand' },
    ...centred(165, 740, QUILL),
    ...centred(425, 740, GREEN),
    { x: 50, y: 690, size: 11, text: 'ABSTRACT' },
    ...prose(50, 675, 'left'),
    ...prose(310, 690, 'right'),
  );
  expect(text).not.toContain('|');
  expect(inOrder(text, [...QUILL, ...GREEN, 'ABSTRACT', '29 of the left', '10 of the right'])).toBe(true);
});

test('three authors side by side are not a table', async () => {
  const text = await read(
    ...centred(130, 740, QUILL),
    ...centred(300, 740, GREEN),
    ...centred(470, 740, WHITE),
    ...prose(50, 675, 'left'),
    ...prose(310, 675, 'right'),
  );
  expect(text).not.toContain('|');
  expect(inOrder(text, [...QUILL, ...GREEN, ...WHITE, '10 of the left'])).toBe(true);
});

test('a table with addresses is read as a table', async () => {
  const rows = [QUILL, GREEN, WHITE].flatMap(([name = '', place = '', address = ''], at) => [
    { x: 50, y: 700 - at * 11, size: 9, text: name },
    { x: 150, y: 700 - at * 11, size: 9, text: place },
    { x: 330, y: 700 - at * 11, size: 9, text: address },
  ]);
  expect(await read(...rows)).toContain('| Tom Green | School of Mills | green@mills.example |');
});
