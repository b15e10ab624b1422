import { expect, test } from 'vitest';
import { createFileReader } from '../../../src/browse/reading/file-reader.ts';
import { withTable } from '../../helpers/pdf.ts';
import { sharedReaders } from '../../helpers/shared-readers.ts';

/** What is filled into a form stands with its label, and notes on a page are read with it. */

const desk = sharedReaders();
const reader = createFileReader(desk);

/** A page of labels (place and text) and annotations (what a PDF writes of each, without its type). */
async function read(
  labels: readonly (readonly [x: number, y: number, text: string])[],
  annotations: readonly string[],
): Promise<string> {
  const drawn = labels.map(([x, y, text]) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`).join(' ');
  const stream = `BT /F1 11 Tf ${drawn} ET`;
  const places = annotations.map((_, at) => `${6 + at} 0 R`).join(' ');
  const file = withTable(
    [
      `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${places}] /DA (/Helv 10 Tf) >> >>`,
      '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R /Annots [${places}] >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ...annotations.map((body) => `<< /Type /Annot ${body} >>`),
    ],
    '',
  );
  const signal = new AbortController().signal;
  return (await reader.read({ file, name: 'a.pdf', signal })).pages.join('\n\n');
}

const widget = (rect: string, rest: string) =>
  `/Subtype /Widget /Rect [${rect}] /F 4 /DA (/Helv 10 Tf) ${rest}`;
const text = (rect: string, name: string, value: string, rest = '') =>
  widget(rect, `/FT /Tx /T (${name}) /V (${value}) ${rest}`);

test('field values are placed after their labels, however far apart, and are not a column of their own', async () => {
  const given = await read(
    [
      [50, 700, 'Name'],
      [50, 670, 'Place of birth'],
      [50, 640, 'Country'],
      [50, 610, 'Languages'],
      [50, 580, 'Remarks'],
    ],
    [
      text('250 695 500 713', 'a', 'Ada Lovelace'),
      text('250 665 500 683', 'b', 'London'),
      widget(
        '250 635 500 653',
        '/FT /Ch /Ff 131072 /T (c) /Opt [[(gb) (Great Britain)] [(fr) (France)]] /V (gb)',
      ),
      widget(
        '250 605 500 623',
        '/FT /Ch /Ff 2097152 /T (d) /Opt [(English) (French) (Greek)] /V [(English) (French)]',
      ),
      text('250 530 500 590', 'e', 'Wrote the first program.\\rDied young.', '/Ff 4096'),
    ],
  );
  expect(given).toBe(
    'Name Ada Lovelace\n\nPlace of birth London\n\nCountry Great Britain\n\nLanguages English, French\n\n' +
      'Remarks Wrote the first program.\n\nDied young.',
  );
});

test('check boxes are read as ticked or not ticked', async () => {
  const box = (rect: string, name: string, state: string) =>
    widget(rect, `/FT /Btn /T (${name}) /V /${state} /AS /${state} /AP << /N << /Yes 5 0 R /Off 5 0 R >> >>`);
  const given = await read(
    [
      [70, 700, 'Send the letter'],
      [70, 680, 'Keep a copy'],
    ],
    [box('50 698 60 708', 'a', 'Yes'), box('50 678 60 688', 'b', 'Off')],
  );
  expect(given).toBe('- [x] Send the letter\n- [ ] Keep a copy');
});

test('notes and comments on the page are read, and a password, a hidden field and a hidden comment are not', async () => {
  const given = await read(
    [[50, 700, 'The minutes of the meeting']],
    [
      '/Subtype /FreeText /Rect [50 600 300 620] /F 4 /DA (/Helv 10 Tf) /Contents (Approved by the board)',
      text('50 500 300 520', 'a', 'swordfish', '/Ff 8192'),
      '/Subtype /Widget /Rect [50 450 300 470] /F 2 /FT /Tx /T (b) /V (unseen)',
      '/Subtype /Text /Rect [50 400 70 420] /F 4 /T (Kim) /Contents (Which year?\\rAnd why?)',
      '/Subtype /Highlight /Rect [50 700 90 712] /F 4 /QuadPoints [50 712 90 712 50 700 90 700] /Contents (Good.)',
      '/Subtype /Text /Rect [50 380 70 400] /F 2 /Contents (unseen)',
    ],
  );
  expect(given).toBe(
    'The minutes of the meeting\n\nApproved by the board\n\nComment by Kim: Which year? And why?\n\nComment: Good.',
  );
});

test('values side by side are read as cells of a row', async () => {
  const heads = ['Item', 'Pieces', 'Price'];
  const rows = [
    ['Nails', '100', '4.20'],
    ['Screws', '50', '6.10'],
    ['Hooks', '10', '2.00'],
  ];
  const given = await read(
    [
      ...heads.map((head, at) => [50 + at * 150, 700, head] as const),
      ...rows.map(([item = ''], at) => [50, 670 - at * 30, item] as const),
    ],
    rows.flatMap(([, pieces = '', price = ''], at) => [
      text(`198 ${666 - at * 30} 290 ${682 - at * 30}`, `p${at}`, pieces),
      text(`348 ${666 - at * 30} 440 ${682 - at * 30}`, `c${at}`, price),
    ]),
  );
  expect(given).toBe(
    '| Item | Pieces | Price |\n| --- | --- | --- |\n| Nails | 100 | 4.20 |\n| Screws | 50 | 6.10 |\n| Hooks | 10 | 2.00 |',
  );
});

test('a label with its value is no heading, whatever size the value has', async () => {
  const given = await read(
    [
      [50, 700, 'Name:'],
      [50, 670, 'Member since:'],
    ],
    [
      '/Subtype /Widget /Rect [150 695 300 712] /FT /Tx /T (a) /V (Kim Larsen)',
      text('150 665 300 682', 'b', '1998', '/DA (/Helv 20 Tf)'),
    ],
  );
  expect(given).toBe('Name: Kim Larsen\n\nMember since: 1998');
});
