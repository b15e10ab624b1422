import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import {
  drawnPdf,
  fullLines,
  lines,
  ownFont,
  pdfStream,
  rows,
  runs,
  table,
  text,
  widthOf,
} from '../../helpers/drawn-pdf.ts';

const read = async (...given: Parameters<typeof drawnPdf>) =>
  (await readPdf(drawnPdf(...given), 'a.pdf')).markdown;
const prose = (subject: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => `${at % 3 ? 'r' : 'R'}ow ${at} of ${subject} goes on to its end here`,
  );
const YEARS = [
  ['Year', 'Grain', 'Flour'],
  ['1785', '7', '12'],
  ['1786', '8', '13'],
  ['1787', '9', '45'],
];

describe('blocks', () => {
  test.each<[string, string, string]>([
    [
      'code among text keeps its indentation and blank lines',
      lines(50, 700, fullLines('text')) +
        lines(50, 640, ['def turn(mill):', '    grind(mill)', '', 'turn(all)'], 9, 'F3'),
      `${fullLines('text').join(' ')}\n\n\`\`\`\ndef turn(mill):\n    grind(mill)\n\nturn(all)\n\`\`\``,
    ],
    [
      'a drop cap is the first letter of its word',
      text(50, 676, 'T', 36) +
        lines(74, 700, ['he mill stands by', 'the sea, and turns'], 10) +
        lines(50, 676, ['with the tide.']),
      'The mill stands by the sea, and turns with the tide.',
    ],
    [
      'a drop cap that is drawn after its text',
      lines(74, 700, ['he mill stands by', 'the sea, and turns'], 10) +
        lines(50, 676, ['with the tide.']) +
        text(50, 676, 'T', 36),
      'The mill stands by the sea, and turns with the tide.',
    ],
    [
      'a numbered heading in the font of the text',
      lines(50, 700, fullLines('text')) +
        text(50, 628, '2.1 Tools of the yard') +
        lines(50, 612, fullLines('yard')),
      [fullLines('text').join(' '), '2.1 Tools of the yard', fullLines('yard').join(' ')].join('\n\n'),
    ],
    [
      'a list whose marks are asterisks far from their texts',
      ['the rope', 'the lamp', 'the tar']
        .map((words, at) => text(50, 700 - 14 * at, '*') + text(75, 700 - 14 * at, words))
        .join(''),
      ['the rope', 'the lamp', 'the tar'].map((words) => `* ${words}`).join('\n\n'),
    ],
    [
      'a raised letter of a note is no letter of its word, and one of an ordinal is',
      runs(50, 700, [
        ['by the master'],
        ['a', 6, 'F1', 4],
        [' in the XVIII'],
        ['e', 6, 'F1', 4],
        [' century'],
      ]),
      'by the master^a in the XVIIIe century',
    ],
    [
      'bullets of symbol fonts',
      text(50, 700, 'n', 8, 'F4') +
        text(65, 700, 'first') +
        text(50, 688, 'n', 8, 'F4') +
        text(65, 688, 'second') +
        text(80, 676, 'o', 10, 'F3') +
        text(95, 676, 'third') +
        text(80, 664, 'o', 10, 'F3') +
        text(95, 664, 'fourth'),
      '- first\n- second\n  - third\n  - fourth',
    ],
    ...[
      ['n', 'denotes the number'],
      ['u', 'is a vector'],
      ['n', '= 25 patients'],
    ].map(([letter = '', words = '']): [string, string, string] => [
      `a variable at the start of a line is no bullet: ${letter} ${words}`,
      lines(50, 700, fullLines('text')) +
        text(50, 640, letter, 10, 'F5') +
        text(58, 640, words, 10, 'F4') +
        lines(50, 616, fullLines('text')),
      [fullLines('text').join(' '), `${letter} ${words}`, fullLines('text').join(' ')].join('\n\n'),
    ]),
    [
      'variables at the start of lines whose font writes more are no bullets',
      ['n', 'u']
        .map(
          (letter, at) =>
            text(50, 700 - 30 * at, letter, 10, 'F5') + text(58, 700 - 30 * at, 'is here', 10, 'F4'),
        )
        .join(''),
      'n is here u is here',
    ],
    [
      'variables at the start of lines that lie as near as words are no bullets',
      [0, 12]
        .map((y) => text(50, 700 - y, 'n', 10, 'F5') + text(58.5, 700 - y, 'is here', 10, 'F4'))
        .join(''),
      'n is here n is here',
    ],
    [
      'a sign of a section is no bullet',
      [5, 6]
        .map(
          (one, at) =>
            text(50, 700 - 30 * at, '\xa7', 10, 'F5') + text(58, 700 - 30 * at, `${one} Liability`, 10, 'F4'),
        )
        .join(''),
      '§ 5 Liability § 6 Liability',
    ],
    [
      'a letter in a typewriter font is no code',
      lines(50, 700, fullLines('text')) +
        lines(
          50,
          640,
          [
            'We have the item(s) that you asked for in spring,',
            'and will send them to you in the next week;',
            'please write to us where they shall go.',
          ],
          9,
          'F3',
        ),
      `${fullLines('text').join(' ')}\n\nWe have the item(s) that you asked for in spring, and will send them to you in the next week; please write to us where they shall go.`,
    ],
    [
      'bullets and numbers far from their text are no table',
      rows(
        [
          ['\x95', 'first'],
          ['\x95', 'second'],
          ['\x95', 'third'],
        ],
        [50, 75],
        700,
      ) +
        rows(
          [
            ['1.', 'one'],
            ['2.', 'two'],
            ['3.', 'three'],
          ],
          [50, 75],
          640,
        ),
      '- first\n- second\n- third\n\n1. one\n\n2. two\n\n3. three',
    ],
    [
      'items by numbers, letters and parts of numbers',
      lines(50, 700, ['1.1 First', '1.2 Second', '1.3 Third']) +
        lines(50, 650, ['A. Stone', 'B. Wheel']) +
        lines(50, 610, ['1 One.', '1bis More.', '2 Two.']),
      '1.1 First\n\n1.2 Second\n\n1.3 Third\n\nA. Stone\n\nB. Wheel\n\n1 One.\n\n1bis More.\n\n2 Two.',
    ],
    [
      'a note in the margin follows its text',
      lines(50, 700, prose('text', 12)) +
        lines(450, 676, ['A note that', 'stands in the', 'margin'], 8, 'F1', 10),
      `${prose('text', 12).join(' ')}\n\nA note that stands in the margin`,
    ],
    [
      'numbers of lines are left out',
      lines(80, 700, prose('text', 12)) +
        Array.from({ length: 12 }, (_, at) => text(50, 700 - 12 * at, `${at + 1}`, 8)).join(''),
      prose('text', 12).join(' '),
    ],
    [
      'a heading in capital letters has the size of its text',
      lines(50, 700, ['Here it ends.', 'THE SECOND PART']) + lines(50, 676, fullLines('text')),
      `Here it ends.\n\nTHE SECOND PART\n\n${fullLines('text').join(' ')}`,
    ],
    [
      'slanted text is beside the text',
      `${lines(50, 700, fullLines('text', 6))}BT /F2 60 Tf 0.866 0.5 -0.5 0.866 150 655 Tm (DRAFT) Tj ET`,
      `${fullLines('text', 6).join(' ')}\n\nBeside the text: DRAFT`,
    ],
    [
      'dots that lead to a number are left out of a table',
      rows(
        [
          ['Revenue . . . . . . . .', '1,234', '1,100'],
          ['Costs . . . . . . . . .', '(800)', '(750)'],
          ['Profit . . . . . . . .', '434', '350'],
        ],
        [50, 200, 280],
        700,
      ),
      table([
        ['Revenue', '1,234', '1,100'],
        ['Costs', '(800)', '(750)'],
        ['Profit', '434', '350'],
      ]),
    ],
    [
      'cells of a row are centred',
      rows([['Name', 'Effect', 'Dose']], [50, 150, 400], 700) +
        ['Aspirin', 'Codeine', 'Quinine']
          .map(
            (name, at) =>
              text(50, 676 - 30 * at, name) +
              lines(150, 682 - 30 * at, ['Lowers the fever of the patient', 'and more'], 10, 'F1', 12) +
              text(400, 676 - 30 * at, `${at} mg`),
          )
          .join(''),
      table([
        ['Name', 'Effect', 'Dose'],
        ...['Aspirin', 'Codeine', 'Quinine'].map((name, at) => [
          name,
          'Lowers the fever of the patient and more',
          `${at} mg`,
        ]),
      ]),
    ],
    [
      'the first column of a row goes over several rows',
      rows(
        [
          ['Region', 'Town', 'Mills'],
          ['North', 'Ayr', '3'],
          ['', 'Tay', '4'],
          ['South', 'Ely', '5'],
          ['', 'Wem', '6'],
        ],
        [50, 150, 250],
        700,
      ),
      table([
        ['Region', 'Town', 'Mills'],
        ['North', 'Ayr', '3'],
        ['', 'Tay', '4'],
        ['South', 'Ely', '5'],
        ['', 'Wem', '6'],
      ]),
    ],
    [
      'units are the second line of a header',
      rows([['Year', 'Grain', 'Flour'], ['', 't', 'kg'], ...YEARS.slice(1)], [50, 150, 250], 700),
      table([['Year', 'Grain t', 'Flour kg'], ...YEARS.slice(1)]),
    ],
    [
      'an exponent and a note have their sign, a formula has none',
      runs(50, 700, [
        ['It is 10'],
        ['6', 6, 'F1', 4],
        [' of H'],
        ['2', 6, 'F1', -2],
        ['O there.'],
        ['12', 6, 'F1', 4],
      ]),
      'It is 10^6 of H2O there.^12',
    ],
    [
      'hyphens and dashes at the end of a line',
      lines(50, 700, [
        'All of the old Anglo-',
        'Saxon mills of 1990\x96',
        '1995 and all Vor-',
        'und Nachteile of https://mill.example/a/',
        'b-c.html are here',
      ]),
      'All of the old Anglo-Saxon mills of 1990–1995 and all Vor- und Nachteile of https://mill.example/a/b-c.html are here',
    ],
  ])('%s', async (_name, drawing, expected) => {
    expect(await read(drawing)).toBe(expected);
  });
});

test('letters of a heading that are printed apart are words, also short ones', async () => {
  const drawing = `BT /F2 12 Tf 3 Tc 50 700 Td (INTRODUCTION TO MILLS) Tj ET`;
  expect(await read(drawing)).toBe('INTRODUCTION TO MILLS');
});

test('a paragraph goes on after the footnote of its page', async () => {
  const first =
    lines(50, 150, ['The wheel turns by the', 'water that the tide has']) +
    text(50, 60, '1 See the book of mills.', 8);
  expect(await read([first, lines(50, 780, ['brought to it. It stands still.'])])).toBe(
    'The wheel turns by the water that the tide has brought to it. It stands still.\n\n1 See the book of mills.',
  );
});

test.each(['מחיר (כולל) 45', 'مرحبا'])('text from right to left: %s', async (logical) => {
  const visual = [...logical]
    .reverse()
    .join('')
    .replace('54', '45')
    .replace(/[()]/g, (mark) => (mark === '(' ? ')' : '('));
  const forms: Readonly<Record<string, string>> = { م: 'ﻣ', ر: 'ﺮ', ح: 'ﺣ', ب: 'ﺒ', ا: 'ﺎ' };
  const shown = [...visual].map((letter) => forms[letter] ?? letter).join('');
  const font = ownFont(shown);
  expect(await read(font.draw(50, 700, shown), font.options)).toBe(logical);
});

test('a link over two lines is one link, on its own words', async () => {
  const quads = '92 710 150 710 92 698 150 698 50 698 110 698 50 686 110 686';
  const page = `/Annots [<< /Type /Annot /Subtype /Link /Rect [50 686 160 710] /QuadPoints [${quads}] /A << /S /URI /URI (https://x.example/) >> >>]`;
  expect(await read(lines(50, 700, ['See here for the great', 'book of mills and more']), { page })).toBe(
    'See here [for the great book of mills](https://x.example/) and more',
  );
});

test('facts that only the XMP metadata have are read', async () => {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">The mills</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>Ada</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator><xmp:CreateDate>2021-03-04T10:00:00Z</xmp:CreateDate></rdf:Description></rdf:RDF></x:xmpmeta>`;
  const objects = [pdfStream(xmp, '/Type /Metadata /Subtype /XML')];
  const file = drawnPdf(text(50, 700, 'Words'), { objects, catalog: '/Metadata 4 0 R' });
  expect(await readPdf(file, 'a.pdf')).toMatchObject({
    title: 'The mills',
    author: 'Ada, Bob',
    published: '2021-03-04',
  });
});

describe('footers', () => {
  const pages = (footers: readonly string[]) =>
    footers.map(
      (footer, at) => lines(50, 500, [`Text ${'abcdefgh'[at]} of the page.`]) + text(280, 20, footer),
    );

  test('numbers that count the pages are dropped, whatever stands around them', async () => {
    const around = fc.constantFrom(['', ''], ['- ', ' -'], ['Mills | ', ''], ['', ' of 90'], ['[', ']']);
    await fc.assert(
      fc.asyncProperty(around, fc.nat(800), fc.constantFrom(1, 2), async ([before, after], from, step) => {
        const footers = [0, 1, 2, 3].map((at) => `${before}${from + step * at}${after}`);
        const expected = footers.map((_, at) => `Text ${'abcd'[at]} of the page.`).join('\n\n');
        expect(await read(pages(footers))).toBe(expected);
      }),
      { seed: 38, numRuns: 20 },
    );
  });

  test('Roman numbers of pages are dropped', async () => {
    expect(await read(pages(['iii', 'iv', 'v', 'vi']))).not.toMatch(/\b(?:iii|iv|v|vi)\b/);
  });

  test.each([
    [['12.50', '13.20', '9.99']],
    [['Total 310', 'Total 287', 'Total 401']],
    [['2019', '1987', '2001']],
  ])('figures that do not count the pages stay: %s', async (footers) => {
    const expected = footers.map((footer, at) => `Text ${'abc'[at]} of the page.\n\n${footer}`).join('\n\n');
    expect(await read(pages(footers))).toBe(expected);
  });
});

test('words of a line in any order of drawing and any fonts are read from left to right', async () => {
  const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
  const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      order,
      fc.array(fc.constantFrom('F1', 'F2', 'F5'), { minLength: 6, maxLength: 6 }),
      async (drawn, fonts) => {
        let left = 50;
        const placed = words.map((word, at) => {
          const one = text(left, 700, word, 10, fonts[at]);
          left += widthOf(word, 10, fonts[at]) + 2.8;
          return one;
        });
        const drawing = drawn.map((at) => placed[at]).join('');
        expect(await read(drawing + lines(50, 640, fullLines('text')))).toBe(
          `${words.join(' ')}\n\n${fullLines('text').join(' ')}`,
        );
      },
    ),
    { seed: 38, numRuns: 30 },
  );
});

test('a gap that is larger than the distance of the lines around it parts paragraphs without full stops', async () => {
  const letters = [...'株式会社山田商店下記請求申上金額'];
  const line = fc.string({ minLength: 20, maxLength: 20, unit: fc.constantFrom(...letters) });
  const paragraph = fc.array(line, { minLength: 2, maxLength: 4 });
  const font = ownFont(letters);
  await fc.assert(
    fc.asyncProperty(
      fc.array(paragraph, { minLength: 2, maxLength: 5 }),
      fc.double({ min: 1.2, max: 1.8, noNaN: true }),
      fc.double({ min: 1.6, max: 1.9, noNaN: true }),
      async (paragraphs, step, gap) => {
        let y = 780;
        const drawn = paragraphs.map((all) => {
          const top = y - 10 * step * gap;
          y = top - 10 * step * (all.length - 1);
          return all.map((words, at) => font.draw(50, top - 10 * step * at, words)).join('');
        });
        const expected = paragraphs.map((all) => all.join('')).join('\n\n');
        expect(await read(drawn.join(''), font.options)).toBe(expected);
      },
    ),
    { seed: 10, numRuns: 30 },
  );
});

test('items of a list keep their levels, however far each level is indented', async () => {
  const depths = fc.array(fc.nat(3), { minLength: 2, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(depths, fc.integer({ min: 8, max: 40 }), async (given, indent) => {
      let above = -1;
      const items = given.map((depth) => (above = Math.min(depth, above + 1)));
      const drawn = items.map((depth, at) =>
        text(60 + depth * indent, 700 - 14 * at, `\x95 item ${'abcdefghijkl'[at]}b`),
      );
      const expected = items.map((depth, at) => `${'  '.repeat(depth)}- item ${'abcdefghijkl'[at]}b`);
      expect(await read(drawn.join(''))).toBe(expected.join('\n'));
    }),
    { seed: 17, numRuns: 30 },
  );
});

test('the entries of a table of contents keep their levels', async () => {
  const entry = (x: number, y: number, words: string) => text(x, y, `${words} ${'.'.repeat(20)} 1`);
  const drawn = [entry(60, 700, '1 Mills'), entry(75, 686, '1.1 Wind'), entry(60, 672, '2 Grain')];
  expect(await read(drawn.join(''))).toBe('- 1 Mills … 1\n  - 1.1 Wind … 1\n- 2 Grain … 1');
});

describe('marks beside a link stay out of its text', () => {
  const link = (from: number, to: number) =>
    `/Annots [<< /Type /Annot /Subtype /Link /Rect [${from} 696 ${to} 710] /A << /S /URI /URI (https://x.example/) >> >>]`;

  test('among words', async () => {
    const word = fc.string({ minLength: 2, maxLength: 8, unit: fc.constantFrom(...'aeglmnrst') });
    const words = fc.array(word, { minLength: 1, maxLength: 3 });
    const mark = fc.constantFrom('', ',', '.', ';', ':', '!?', ')', '),', '»');
    await fc.assert(
      fc.asyncProperty(words, words, words, mark, async (before, linked, after, end) => {
        const [start, label] = [before.join(' '), linked.join(' ')];
        const [from, to] = [start.length + 1, start.length + 1 + label.length].map((at) => 50 + 6 * at);
        const shown = end === '»' ? '\xbb' : end;
        const drawn = text(50, 700, `${start} ${label}${shown} ${after.join(' ')}`, 10, 'F3');
        expect(await read(drawn, { page: link(from ?? 0, to ?? 0) })).toBe(
          `${start} [${label}](https://x.example/)${end} ${after.join(' ')}`,
        );
      }),
      { seed: 2, numRuns: 40 },
    );
  });

  test('at the end of a line, where they are beyond the link', async () => {
    const drawn =
      text(50, 700, 'Read the guide to mills,') +
      text(50, 688, 'which answers what most people ask about them');
    const width = widthOf('Read the guide to mills');
    expect(await read(drawn, { page: link(88, 50 + width) })).toBe(
      'Read the [guide to mills](https://x.example/), which answers what most people ask about them',
    );
  });

  test('unless they belong to it', async () => {
    const inside = text(50, 700, 'See Mill (town) or not', 10, 'F3');
    expect(await read(inside, { page: link(74, 140) })).toBe('See [Mill (town)](https://x.example/) or not');
    const all = text(50, 700, 'Who grinds here?', 10, 'F3');
    expect(await read(all, { page: link(50, 146) })).toBe('[Who grinds here?](https://x.example/)');
  });
});
