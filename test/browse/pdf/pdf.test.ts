import { expect, test } from 'vitest';
import { createPageReader } from '../../../src/browse/reading/page-reader.ts';
import { layPdf, makePdf, type Piece, picturedPdf } from '../../helpers/pdf.ts';
import { sharedReaders } from '../../helpers/shared-readers.ts';
import { countTurns } from '../../helpers/turns.ts';

const desk = sharedReaders();
const reader = createPageReader(desk);

const read = (body: Uint8Array, signal = new AbortController().signal, onBegin = () => {}) =>
  reader
    .readPage({ url: 'https://site.example/dir/page', contentType: 'text/html', body }, signal, { onBegin })
    .then(({ page }) => page);
const markdown = async (...pages: (readonly Piece[])[]) => (await read(layPdf(pages))).markdown;

/** Lines one under the other. */
const column = (x: number, y: number, lines: readonly string[], size = 10): Piece[] =>
  lines.map((text, i) => ({ x, y: y - i * size * 1.3, size, text }));
/** Ten full lines about something. */
const prose = (subject: string) =>
  Array.from({ length: 10 }, (_, i) => `line ${i + 1} tells of ${subject} with words`);

test('a PDF is recognized by its bytes and read in paragraphs, with its facts', async () => {
  const pdf = makePdf(
    ['First line of page one\nand its second line.', 'Words of page two.'],
    '<< /Title (A report) /Author (Ada L.) /CreationDate (D:20260304120000Z) >>',
  );
  expect(await read(pdf)).toEqual({
    url: 'https://site.example/dir/page',
    kind: 'pdf',
    title: 'A report',
    author: 'Ada L.',
    published: '2026-03-04',
    markdown: 'First line of page one and its second line.\n\nWords of page two.',
  });
});

test('a title that a program generated is replaced by the first heading', async () => {
  const [piece] = column(50, 700, ['Mills'], 24);
  expect(await read(layPdf([[...(piece ? [piece] : []), ...column(50, 650, prose('mills'))]]))).toMatchObject(
    {
      title: 'Mills',
      markdown: expect.stringMatching(/^# Mills\n\nline 1 tells/),
    },
  );
  expect((await read(makePdf(['Words.'], '<< /Title (Microsoft Word - report.doc) >>'))).title).toBe('page');
});

test('letters drawn as pictures have their displayed size, and kerning between them is not a blank', async () => {
  const pdf = picturedPdf([
    ['The', 14, 'do', 1, 'cumen', -1, 't', 14, 'w', 1, 'as', 14, 'b', 1, 'etter', 14, 'than', 14, 'the'],
    ['one', 14, 'b', 1, 'efore', 14, 'it.'],
  ]);
  expect((await read(pdf)).markdown).toBe('The document was better than the one before it.');
});

test('a reference list entry is one paragraph, and a line of text that begins with a citation is not an entry', async () => {
  const hanging = (x: number, y: number, first: string, ...rest: string[]): Piece[] => [
    { x, y, size: 10, text: first },
    ...column(x + 18, y - 12, rest).map((piece, at) => ({ ...piece, y: y - 12 * (at + 1) })),
  ];
  const pieces = [
    ...column(50, 780, [
      'Tides were measured at forty mills on the coast, as',
      '[12] says of those that still turn.',
    ]),
    ...hanging(50, 700, '[1] BIRMAN, K. P. Exploiting the tides.', 'In 11th SOSP (1987), pp. 123-138.'),
    ...hanging(
      50,
      676,
      '[Knu84] KNUTH, D. A sim-',
      'ple and efficient mill. Short.',
      'In 12th SOSP, pp. 1-2.',
    ),
  ];
  expect(await markdown(pieces)).toBe(
    [
      'Tides were measured at forty mills on the coast, as [12] says of those that still turn.',
      '[1] BIRMAN, K. P. Exploiting the tides. In 11th SOSP (1987), pp. 123-138.',
      '[Knu84] KNUTH, D. A simple and efficient mill. Short. In 12th SOSP, pp. 1-2.',
    ].join('\n\n'),
  );
});

test('headings are recognized by size, lists and paragraphs by gaps, and words split at a line end are joined', async () => {
  expect(
    await markdown([
      ...column(50, 750, ['Mills'], 24),
      ...column(50, 700, ['Kinds'], 16),
      ...column(50, 670, [
        'Some turn by the sea, and some by the water of a mill-',
        'race that runs down a hill.',
      ]),
      ...column(50, 620, ['Others turn by wind.']),
      ...column(50, 590, ['\x95 tide', '\x95 wind and all that', 'blows', '1. steam']),
    ]),
  ).toBe(
    '# Mills\n\n## Kinds\n\nSome turn by the sea, and some by the water of a millrace that runs down a hill.\n\nOthers turn by wind.\n\n- tide\n- wind and all that blows\n\n1. steam',
  );
});

test.each<[string, (left: Piece[], right: Piece[]) => Piece[]]>([
  ['one after the other', (left, right) => [...left, ...right]],
  [
    'line by line across the page',
    (left, right) => left.flatMap((piece, i) => [piece, ...right.slice(i, i + 1)]),
  ],
])('two columns drawn %s are read one after the other', async (_name, order) => {
  const text = await markdown([
    ...column(50, 780, ['A title over both columns, as papers have them'], 16),
    ...order(column(50, 700, prose('tide')), column(320, 700, prose('wind'))),
  ]);
  expect(text).toBe(
    `# A title over both columns, as papers have them\n\n${prose('tide').join(' ')} ${prose('wind').join(' ')}`,
  );
});

test('a table is read as one table, and the cells of a row stay together', async () => {
  const rows = [
    'Kind Power Year',
    'Tide Sea 1200',
    'Wind Air 1300',
    'Steam Coal 1800',
    'Hand Arm 1',
    'Horse Leg 2',
  ];
  const cells = rows.flatMap((row, i) =>
    row.split(' ').map((text, n) => ({ x: 50 + n * 180, y: 500 - i * 15, size: 10, text })),
  );
  expect(await markdown([...column(50, 700, prose('mills')), ...cells])).toContain(
    '\n\n| Kind | Power | Year |\n| --- | --- | --- |\n| Tide | Sea | 1200 |\n| Wind | Air | 1300 |',
  );
});

test('headers and footers that repeat on every page are dropped, and a sentence continues across pages', async () => {
  const page = (number: number, ...lines: string[]): Piece[] => [
    ...column(50, 815, ['The Journal of Mills']),
    ...column(50, 500, lines),
    ...column(280, 20, [`Page ${number} of 3`]),
  ];
  expect(
    await markdown(
      page(1, 'The wheel of the mill turns by the', 'water that the tide has'),
      page(2, 'brought. It stands still twice a day.', 'Then the miller sleeps.'),
      page(3, 'The Journal of Mills is named here as well.'),
    ),
  ).toBe(
    'The wheel of the mill turns by the water that the tide has brought. It stands still twice a day. Then the miller sleeps.\n\nThe Journal of Mills is named here as well.',
  );
});

test('mail addresses of links keep their place and are not listed, as those of HTML', async () => {
  const page = await read(
    layPdf([
      [
        { x: 50, y: 700, size: 10, text: 'Write to ' },
        { x: 104, y: 700, size: 10, text: 'the office', url: 'mailto:office@quay.example' },
        { x: 164, y: 700, size: 10, text: ' or to ' },
        { x: 206, y: 700, size: 10, text: 'ada@quay.example', url: 'mailto:ada@quay.example' },
      ],
    ]),
  );
  expect(page.markdown).toBe('Write to [the office](mailto:office@quay.example) or to ada@quay.example');
  expect(page.links).toBeUndefined();
});

test('links keep their place and are listed, and the table of contents loses its dots', async () => {
  const url = 'https://x.example/source';
  const page = await read(
    layPdf([
      [
        { x: 50, y: 700, size: 10, text: 'See ' },
        { x: 74, y: 700, size: 10, text: 'the source', url },
        { x: 134, y: 700, size: 10, text: ' for more.' },
        ...column(50, 650, ['1 Kinds of mills . . . . . . . . . . . 3', '2 Wheels.......... 14']),
      ],
    ]),
  );
  expect(page.markdown).toBe(`See [the source](${url}) for more.\n\n- 1 Kinds of mills … 3\n- 2 Wheels … 14`);
  expect(page.links).toEqual([{ url, text: 'the source' }]);
});

test.each([
  [
    'a PDF without text',
    makePdf(['']),
    'is a PDF without text, such as a scan; upload it with pdfload, which reads scans by OCR where MAGPIE_OCR=eng is set',
  ],
  [
    'a broken PDF',
    Buffer.from('%PDF-1.7\nnothing more'),
    'is a broken PDF: it is damaged or cut short; try another copy',
  ],
  [
    'an encrypted PDF',
    makePdf(
      ['x'],
      '',
      `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >> /ID [<01> <01>]`,
    ),
    'is an encrypted PDF and needs a password',
  ],
])('%s is refused by name', async (_name, body, message) => {
  await expect(read(body)).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining(message),
  });
});

test('a book of 60 pages is read off the event loop, and a cancelled read frees its place', async () => {
  const book = makePdf(
    Array.from({ length: 60 }, (_, i) => `${'and so on\n'.repeat(20)}${i + 1} pages so far`),
  );
  const turns = countTurns();
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  const given = [1, 2, 3].map(() => read(book, stop.signal, begun.resolve));
  await begun.promise;
  stop.abort(new Error('enough'));
  const ends = await Promise.allSettled(given);
  expect(ends.map((one) => one.status === 'rejected' && one.reason.message)).toEqual([
    'enough',
    'enough',
    'enough',
  ]);
  const { markdown } = await read(book);
  expect(markdown.includes('60 pages so far')).toBe(true);
  // On the event loop itself there would be a few turns for each read.
  expect(turns()).toBeGreaterThan(1000);
});
