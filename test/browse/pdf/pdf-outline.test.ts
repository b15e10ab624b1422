import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/browse/readers/document.ts';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { replaceGlyphs } from '../../../src/browse/readers/pdf/pdf-glyphs.ts';
import { drawnPdf, lines, pdfStream, text } from '../../helpers/drawn-pdf.ts';

const read = async (file: Uint8Array) => readPdf(file, 'https://x.example/a.pdf');
const PROSE = [
  'The crane stands at berth four and lifts twelve tons. It was built',
  'in 1998 and has been repaired twice since then.',
];

/** Objects 4 to 8 are the outline: one entry with an entry below it, and a second one. The page is object 9. */
const outlined = (drawing: string, titles: readonly [string, string, string], catalog = '') =>
  drawnPdf(drawing, {
    catalog: `/Outlines 4 0 R ${catalog}`,
    objects: [
      '<< /First 5 0 R /Last 7 0 R /Count 3 >>',
      `<< /Title (${titles[0]}) /Parent 4 0 R /Next 7 0 R /First 6 0 R /Last 6 0 R /Count 1 /Dest [9 0 R /XYZ 60 720 0] >>`,
      `<< /Title (${titles[1]}) /Parent 5 0 R /Dest (below) >>`,
      `<< /Title (${titles[2]}) /Parent 4 0 R /Prev 5 0 R /A << /S /GoTo /D [9 0 R /Fit] >> >>`,
      '<< /Names [(below) [9 0 R /Fit]] >>',
    ],
  });
const body =
  text(60, 700, 'Crane', 11) +
  lines(60, 680, PROSE, 11) +
  text(60, 640, '1.2  Inspection of', 11) +
  text(60, 627, 'the hook', 11) +
  lines(60, 600, PROSE, 11) +
  text(60, 560, 'Lock', 11) +
  lines(60, 540, PROSE, 11);

test('lines that the outline names are headings of its levels, as in docling-project/docling#3676', async () => {
  const file = outlined(body, ['Crane', 'Inspection of the hook', 'Lock'], '/Names << /Dests 8 0 R >>');
  const { title, markdown } = await read(file);
  expect(title).toBe('Crane');
  expect(markdown.match(/^#.*/gm)).toEqual(['# Crane', '## 1.2 Inspection of the hook', '# Lock']);
  const titled = outlined(text(60, 760, 'Handbook of the quay', 20) + body, ['Crane', 'x', 'Lock']);
  expect((await read(titled)).markdown.match(/^#.*/gm)).toEqual([
    '# Handbook of the quay',
    '## Crane',
    '## Lock',
  ]);
});

test('an entry of the outline that no line has changes nothing', async () => {
  expect((await read(outlined(body, ['Cranes', 'Other', '']))).markdown).not.toContain('#');
});

test('labels and values far apart stay together, as in yfedoseev/pdf_oxide#1416', async () => {
  const rows = [
    ['Pump 3', 'Service Building 1010A'],
    ['Pump 4', 'Lock keeper, ground floor'],
    ['Valve 9', 'Eastern basin, shaft 2'],
  ];
  const drawing = rows.map(
    ([label = '', value = ''], at) =>
      text(60, 700 - 16 * at, label, 11) + text(400, 700 - 16 * at, value, 11),
  );
  const { markdown } = await read(
    drawnPdf(`${drawing.join('')}${text(60, 640, 'All of them were checked in the month of March.', 11)}`),
  );
  expect(markdown.replace(/[|\s-]+/g, ' ')).toContain(
    'Pump 3 Service Building 1010A Pump 4 Lock keeper, ground floor Valve 9 Eastern basin, shaft 2 All of them',
  );
});

describe('a soft hyphen joins a word at a line end and is nothing within a line, as in yfedoseev/pdf_oxide#1412', () => {
  const codes = new Map([...'Poli\u00adtkwsen, d'].map((sign, at) => [sign, at + 1]));
  const hex = (value: number) => value.toString(16).padStart(4, '0');
  const words = ['nie in Poli\u00ad', 'tik, wissen\u00ad', 'diente'];
  const draw = (hexOf: (sign: string) => string) =>
    words
      .map(
        (line, at) =>
          `BT /F9 10 Tf 1 0 0 1 60 ${700 - 12 * at} Tm <${[...line].map(hexOf).join('')}> Tj ET\n`,
      )
      .join('');
  const map = (entries: string) =>
    `/CIDInit /ProcSet findresource begin begincmap\n1 begincodespacerange <0000> <ffff> endcodespacerange\n${entries}\nendcmap end end`;
  const each = [...codes].map(([sign, code]) => [hex(code), hex(sign.charCodeAt(0))]);
  const chars = map(
    `${each.length} beginbfchar\n${each.map(([code, sign]) => `<${code}> <${sign}>`).join('\n')}\nendbfchar`,
  );
  const ranges = map(
    `${each.length} beginbfrange\n${each.map(([code, sign]) => `<${code}> <${code}> <${sign}>`).join('\n')}\nendbfrange`,
  );
  const list = map(
    `1 beginbfrange\n<0001> <${hex(each.length)}> [${each.map(([, sign]) => `<${sign}>`).join(' ')}]\nendbfrange`,
  );
  const latin = map('1 beginbfrange\n<0000> <00ff> <0000>\nendbfrange');
  const identity = (sign: string) => hex(codes.get(sign) ?? 0);
  const unicode = (sign: string) => hex(sign.charCodeAt(0));
  const packed = (text: string) => pdfStream(deflateSync(text).toString('latin1'), '/Filter /FlateDecode');
  test.each([
    ['of a packed map, code by code', packed(chars), identity],
    ['of a packed map of short ranges', packed(ranges), identity],
    ['of a map that is not packed', pdfStream(chars), identity],
    ['in a list', packed(list), identity],
    ['in a list of a map that is not packed', pdfStream(list), identity],
    ['within a long range', packed(latin), unicode],
    ['within a long range of a map that is not packed', pdfStream(latin), unicode],
  ])('%s', async (_name, stream, hexOf) => {
    const file = drawnPdf(draw(hexOf), {
      fonts:
        '/F9 << /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 6 0 R >>',
      objects: [
        '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 5 0 R /DW 500 >>',
        '<< /Type /FontDescriptor /FontName /Own /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
        stream,
      ],
    });
    expect((await read(file)).markdown).toBe('nie in Politik, wissendiente');
  });

  test.each(['uni00AD', 'softhyphen', 'sfthyphen'])('that a glyph is named after: %s', async (name) => {
    const file = drawnPdf(
      draw((sign) => (sign === '\u00ad' ? '01' : sign.charCodeAt(0).toString(16))),
      {
        fonts: `/F9 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /${name}] >> >>`,
      },
    );
    expect((await read(file)).markdown).toBe('nie in Politik, wissendiente');
  });
});

test('glyph names of several characters are decoded, as in pymupdf/PyMuPDF#2785, and controls never shown', async () => {
  const file = drawnPdf('BT /F9 11 Tf 1 0 0 1 60 700 Tm (near the \\001ord \\002\\003) Tj ET\n', {
    fonts:
      '/F9 << /Type /Font /Subtype /Type1 /BaseFont /Own /FirstChar 0 /LastChar 3 /Widths [500 500 500 500] /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 /uni0066006A /u1F600 /unknown] >> >>',
  });
  expect((await read(file)).markdown).toBe('near the fjord 😀');
  const short = drawnPdf('BT /F9 11 Tf 1 0 0 1 60 700 Tm (se\\001ing \\002nd \\003sh fir\\004) Tj ET\n', {
    fonts:
      '/F9 << /Type /Font /Subtype /Type1 /BaseFont /Own /FirstChar 0 /LastChar 4 /Widths [500 500 500 500 500] /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /t_t/a.sc /f_i.liga/s_t] >> >>',
  });
  expect((await read(short)).markdown).toBe('setting and fish first');
});

test('the texts of files within a PDF are read, as those of a mail', async () => {
  const file = drawnPdf(text(60, 700, 'For the survey.'), {
    catalog: '/Names << /EmbeddedFiles << /Names [(depths.csv) 4 0 R] >> >>',
    objects: [
      '<< /Type /Filespec /F (depths.csv) /UF (depths.csv) /EF << /F 5 0 R >> >>',
      pdfStream('Buoy,Depth\n12,7.5\n', '/Type /EmbeddedFile'),
    ],
  });
  const raw = { url: 'https://x.example/a.pdf', contentType: 'application/pdf', body: file };
  const { markdown } = await readDocument('pdf', raw);
  expect(markdown).toMatch(
    /^For the survey\.\n\nAttachment: depths\.csv\n\n## Attachments\n\n### depths\.csv\n/,
  );
  expect(markdown).toContain('| 12 | 7.5 |');
});

test('bytes without glyphs to replace are not changed, whatever they are', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '/Differences',
      '[',
      ']',
      '1 0 obj << /FlateDecode >>\n',
      'stream\n',
      'endstream',
      '/a.sc',
      '/f_f',
      'begincmap',
    ),
    fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    fc.string({ maxLength: 30 }).map((words) => deflateSync(`/CIDInit ${words}`).toString('latin1')),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const body = Buffer.from(parts.join(''), 'latin1');
      const copy = Uint8Array.from(body);
      const isChanged = replaceGlyphs(copy).size > 0 || parts.includes('/a.sc');
      expect(copy.length).toBe(body.length);
      if (!isChanged) expect(Buffer.from(copy).equals(body)).toBe(true);
    }),
    { seed: 11 },
  );
});

test.each(['<ae> <ff> <00ae>', '<20> <7e> <0020>', '<ad> <00ae>'])(
  'a map without a soft hyphen is not changed: %s',
  (entry) => {
    const map = deflateSync(
      `/CIDInit begincmap\n1 begincodespacerange\n<00> <ff>\nendcodespacerange\n1 beginbfrange\n${entry}\nendbfrange\n`,
    ).toString('latin1');
    const file = drawnPdf('', { fonts: '', objects: [pdfStream(map, '/Filter /FlateDecode')] });
    const bytes = Uint8Array.from(file);
    replaceGlyphs(bytes);
    expect(bytes).toEqual(Uint8Array.from(file));
  },
);

test('names of fonts and words of a content stream are no glyph names', () => {
  const named = drawnPdf('(/Differences [ 1 /a.sc /f_f_i ]) Tj', {
    fonts: '/F1.0 << /Encoding << /Differences 12 0 R >> >> /F2 << /Widths [1] >>',
  });
  const bytes = Uint8Array.from(named);
  replaceGlyphs(bytes);
  expect(bytes).toEqual(Uint8Array.from(named));
});
