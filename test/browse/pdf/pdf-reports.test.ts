import { expect, test } from 'vitest';
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

/** Files of our own, each with a fault that was reported of some reader of PDF; the title names that report. */

const rev = (letters: string) => [...letters].reverse().join('');
const cases: [string, Uint8Array, string][] = [];
const add = (name: string, file: Uint8Array, expected: string) => cases.push([name, file, expected]);

add(
  'pymupdf4llm#224',
  drawnPdf(
    text(50, 700, 'Humidity', 10, 'F2') +
      runs(50, 686, [['\x95'], ['10% minimum (non-condensing)']]) +
      runs(50, 672, [['\x95 95% maximum (non-condensing)']]),
  ),
  'Humidity\n\n- 10% minimum (non-condensing)\n- 95% maximum (non-condensing)',
);
add(
  'pdf.js#17839',
  drawnPdf(
    runs(50, 700, [
      ['called to order by the Honorable P'],
      ['ETER', 7],
      [' W'],
      ['ELCH', 7],
      [', a Senator'],
    ]),
  ),
  'called to order by the Honorable PETER WELCH, a Senator',
);
{
  const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
  const fonts = ['F1', 'F2', 'F1', 'F5', 'F2', 'F2', 'F4'];
  const xs: number[] = [];
  let x = 50;
  words.forEach((w, i) => {
    xs.push(x);
    x += widthOf(w, 10, fonts[i]) + 2.8;
  });
  add(
    'OpenPDF#833',
    drawnPdf([1, 4, 5, 0, 2, 3, 6].map((i) => text(xs[i] ?? 0, 700, words[i] ?? '', 10, fonts[i])).join('')),
    'one two three four five six seven',
  );
}
add(
  'pdfminer.six#390',
  drawnPdf(
    ['A)', 'B)', 'C)'].map((t, i) => text(50, 700 - 14 * i, t)).join('') +
      ['first line of it', 'second line of it', 'third line of it']
        .map((t, i) => text(66, 700 - 14 * i, t))
        .join(''),
  ),
  'A) first line of it\n\nB) second line of it\n\nC) third line of it',
);
add(
  'unstructured#3619',
  drawnPdf(
    text(50, 700, '(1)') +
      lines(72, 700, [
        'The bank may change the terms at any time, and it tells the client',
        'of each change in writing.',
      ]) +
      text(50, 670, '(2)') +
      lines(72, 670, [
        'The client may end the contract within two months of the letter,',
        'without any cost.',
      ]),
  ),
  '(1) The bank may change the terms at any time, and it tells the client of each change in writing.\n\n(2) The client may end the contract within two months of the letter, without any cost.',
);
{
  const body = [
    'The spots of the head are seen where one is close to the',
    'cometary region that lies at the',
    'edge of the cloud, and there are many',
    'more of them in the outer parts.',
  ];
  add(
    'pdf_oxide#553',
    drawnPdf(
      body.map(
        (b, i) =>
          text(50, 815, 'A&A proofs: manuscript no. main') +
          text(50, 500, b) +
          text(250, 20, `Article number, page ${i + 1} of 4`),
      ),
    ),
    body.join(' '),
  );
}
{
  const body = [
    'The mills of the coast turn with the tide and',
    'they grind what the farmers bring to them in the',
    'autumn, when all of the corn is in and',
    'the roads are dry. Then the miller has',
    'much to do, and his wife and sons as',
    'well, for it is theirs.',
  ];
  add(
    'mdgate#102',
    drawnPdf(
      body.map(
        (b, i) =>
          (i % 2 ? text(300, 815, `2. The Lost Homeland ${314 + i}`) : text(50, 815, `${314 + i} YARROW`)) +
          text(50, 500, b),
      ),
    ),
    body.join(' '),
  );
}
{
  const l = 'טלפון 03-5051051 במשרד';
  const u = ownFont(l);
  add('anydoc#58', drawnPdf(u.draw(50, 700, rev(l).replace(rev('03-5051051'), '03-5051051')), u.options), l);
}
add(
  'pdfplumber#285',
  drawnPdf(
    rows([['Item', 'Note', '2019', '2018']], [50, 220, 300, 380], 700) +
      rows([['Cash', '4(1)', '10', '12']], [50, 220, 300, 380], 680) +
      text(50, 660, 'Assets at fair value') +
      rows([['through profit', '4(3)', '902', '871']], [50, 220, 300, 380], 648) +
      rows([['Loans', '4(4)', '55', '60']], [50, 220, 300, 380], 628),
  ),
  table([
    ['Item', 'Note', '2019', '2018'],
    ['Cash', '4(1)', '10', '12'],
    ['Assets at fair value through profit', '4(3)', '902', '871'],
    ['Loans', '4(4)', '55', '60'],
  ]),
);
add(
  'xberg#1301',
  drawnPdf(
    text(50, 700, 'The management board is authorised to exclude subscription rights:') +
      text(62, 688, '\x96 to exclude fractional amounts of the rights;') +
      text(62, 676, '\x96 where the new shares are issued against cash;') +
      lines(50, 664, [
        'However, the following clauses limit all of what the board may decide on in this',
        'matter.',
      ]),
  ),
  'The management board is authorised to exclude subscription rights:\n\n- to exclude fractional amounts of the rights;\n- where the new shares are issued against cash;\n\nHowever, the following clauses limit all of what the board may decide on in this matter.',
);
add(
  'mdgate#98',
  drawnPdf(
    runs(50, 700, [
      ['All of the mills of the coast stood in the place where they were built in the year 2019.'],
      ['1', 6, 'F1', 4],
    ]) +
      lines(50, 688, [
        'The next line goes on to tell of what was there before the mills came and what is left',
      ]) +
      runs(50, 100, [
        ['1', 5, 'F1', 3],
        [' Although Maclean wrote of the sport, the text of the book does not', 8],
      ]) +
      text(50, 90, 'contribute significantly to it.', 8) +
      runs(50, 80, [
        ['2', 5, 'F1', 3],
        [' Assuming average inflation.', 8],
      ]),
  ),
  'All of the mills of the coast stood in the place where they were built in the year 2019.^1 The next line goes on to tell of what was there before the mills came and what is left\n\n1 Although Maclean wrote of the sport, the text of the book does not contribute significantly to it.\n\n2 Assuming average inflation.',
);
add(
  'mdgate#78',
  drawnPdf(
    text(50, 678, 'T', 34) +
      runs(74, 700, [['HIS COLLECTION OF SIX', 8], [' stories was made in the field']]) +
      text(74, 688, 'work of the year, and it tells of the mills and') +
      lines(50, 676, ['of the people who lived in them for a very long time', 'until the sea came.']),
  ),
  'THIS COLLECTION OF SIX stories was made in the field work of the year, and it tells of the mills and of the people who lived in them for a very long time until the sea came.',
);
{
  const a = 'It was made by the ';
  const x = 50 + widthOf(a);
  const x2 = x + widthOf('Mozilla Corporation');
  add(
    'pdf_oxide#1453',
    drawnPdf(
      text(50, 700, a) +
        text(+x.toFixed(2), 700, 'Mozilla Corporation') +
        text(+x2.toFixed(2), 700, ' after 2011.'),
      {
        page: `/Annots [<< /Type /Annot /Subtype /Link /Rect [${x.toFixed(1)} 698 ${x2.toFixed(1)} 710] /A << /S /URI /URI (https://moz.example/) >> >>]`,
      },
    ),
    'It was made by the [Mozilla Corporation](https://moz.example/) after 2011.',
  );
}
{
  let x = 50;
  const ws = ['measured', 'words', 'of', 'the', 'scan', 'stand', 'here'];
  const dy = [0, -0.8, 0.5, -1, 0.2, -0.6, 0.9];
  const at = ws.map((w) => {
    const p = x;
    x += widthOf(w) + 3;
    return p;
  });
  add(
    'PyMuPDF#195',
    drawnPdf([0, 3, 1, 2, 6, 4, 5].map((i) => text(at[i] ?? 0, 700 + (dy[i] ?? 0), ws[i] ?? '')).join('')),
    ws.join(' '),
  );
}
{
  let x = 50;
  add(
    'coze#1788',
    drawnPdf(
      [...'ABC Company']
        .map((c) => {
          const s = c === ' ' ? '' : text(+x.toFixed(2), 800, c) + text(+x.toFixed(2), 800, c);
          x += widthOf(c);
          return s;
        })
        .join('') + lines(50, 700, fullLines('text', 3)),
    ),
    `ABC Company\n\n${fullLines('text', 3).join(' ')}`,
  );
}
{
  const a = [
    'You can go on with the next card of the deck and play it',
    'as you like, since all of the cards are of the same worth.',
    'We might even add some kind of ma-',
    'neuver card so you can get out of terrain.',
    'Each of the players then draws again and goes on to play',
    'the next of his cards until all of them are gone.',
  ];
  add(
    'pdf_oxide#1310',
    drawnPdf(lines(50, 700, a) + text(450, 676, 'ASTEROID', 9) + text(450, 664, 'FIELD', 9)),
    'You can go on with the next card of the deck and play it as you like, since all of the cards are of the same worth. We might even add some kind of maneuver card so you can get out of terrain.\n\nEach of the players then draws again and goes on to play the next of his cards until all of them are gone.\n\nASTEROID FIELD',
  );
}
add(
  'pdfplumber#71',
  drawnPdf(
    `BT /F1 10 Tf 50 700 Td [${[...'Statement of Accounts'].map((c) => (c === ' ' ? '( )' : `(${c}) ${Math.round(widthOf(c, 1000) - 30)} (${c}) 30`)).join(' ')}] TJ ET`,
  ),
  'Statement of Accounts',
);
{
  let x = 50;
  add(
    'pdfplumber#992',
    drawnPdf(
      ['How', 'are', 'you?']
        .map((w) => {
          const s = text(+x.toFixed(2), 700, w) + text(+(x + 0.2).toFixed(2), 700, w);
          x += widthOf(`${w} `);
          return s;
        })
        .join(''),
    ),
    'How are you?',
  );
}
{
  let x = 50;
  add(
    'pdf-reader#143',
    drawnPdf(
      [...'Name:']
        .map((c) => {
          const s = text(+x.toFixed(2), 700, c) + text(+(x + 0.5).toFixed(2), 700, c);
          x += widthOf(c);
          return s;
        })
        .join('') + text(50, 660, 'below it'),
    ),
    'Name:\n\nbelow it',
  );
}
{
  const t = [
    ['Tide', '3', '4'],
    ['Wind', '5', '6'],
    ['Steam', '7', '8'],
  ];
  add(
    'pdfplumber#848',
    drawnPdf(
      `BT /F1 10 Tf 0 1 -1 0 160 715 Tm (January) Tj 0 1 -1 0 240 715 Tm (February) Tj ET\n${rows(t, [50, 153, 233], 700)}`,
    ),
    `${table(t)}\n\nBeside the text: January; February`,
  );
}
add(
  'docling#887',
  drawnPdf(
    text(50, 700, 'Sec. 28-1. - Short title.', 10, 'F2') +
      lines(50, 688, ['This article shall be known as the clean air act of the town and of its', 'county.']) +
      text(50, 664, 'Sec. 28-2. - Purpose.', 10, 'F2') +
      lines(50, 652, [
        'The purpose of this article is to protect the people of the town from the',
        'smoke of the mills.',
      ]),
  ),
  'Sec. 28-1. - Short title.\n\nThis article shall be known as the clean air act of the town and of its county.\n\nSec. 28-2. - Purpose.\n\nThe purpose of this article is to protect the people of the town from the smoke of the mills.',
);
add(
  'docling#520',
  drawnPdf(
    runs(50, 700, [
      ['The icorr (A/cm'],
      ['2', 6, 'F1', 4],
      [') in 0.5 M H'],
      ['2', 6, 'F1', -2],
      ['SO'],
      ['4', 6, 'F1', -2],
      [' solution.'],
    ]),
  ),
  'The icorr (A/cm2) in 0.5 M H2SO4 solution.',
);
const box = (rect: string, state: string, more: string) =>
  `<< /Type /Annot /Subtype /Widget /Rect [${rect}] /F 4 /AS /${state} ${more} >>`;
const ap = (on: string) => `/AP << /N << /${on} 4 0 R /Off 4 0 R >> >>`;
const empty = pdfStream('', '/Type /XObject /Subtype /Form /BBox [0 0 10 10]');
add(
  'pdf.js#8095',
  drawnPdf(text(70, 700, 'I agree') + text(70, 680, 'I do not agree'), {
    objects: [
      empty,
      '<< /FT /Btn /T (choice) /V /No /Kids [6 0 R 7 0 R] >>',
      box('50 698 60 708', 'Off', `/Parent 5 0 R ${ap('Yes')}`),
      box('50 678 60 688', 'No', `/Parent 5 0 R ${ap('No')}`),
    ],
    catalog: '/AcroForm << /Fields [5 0 R] >>',
    page: '/Annots [6 0 R 7 0 R]',
  }),
  '- [ ] I agree\n- [x] I do not agree',
);
{
  const xs = [50, 180, 320];
  add(
    'camelot#143',
    drawnPdf(
      rows(
        [
          ['Header1', 'Multi-line', 'Header3'],
          ['', 'Header2', ''],
        ],
        xs,
        700,
        12,
      ) +
        rows(
          [
            ['V1', 'Multi-line', 'V3'],
            ['', 'V2', ''],
          ],
          xs,
          664,
          12,
        ) +
        rows(
          [
            ['W1', 'Single', 'W3'],
            ['X1', 'Y', 'Z'],
          ],
          xs,
          628,
          24,
        ),
    ),
    table([
      ['Header1', 'Multi-line Header2', 'Header3'],
      ['V1', 'Multi-line V2', 'V3'],
      ['W1', 'Single', 'W3'],
      ['X1', 'Y', 'Z'],
    ]),
  );
}
{
  const xs = [50, 180, 320];
  const t = [
    ['Ayr', '42', '3'],
    ['Ely', '38', '7'],
    ['Wem', '11', '31'],
    ['Tay', '9', '2'],
  ];
  add(
    'tabula-py#252',
    drawnPdf(
      rows(
        [
          ['', 'Sacks', ''],
          ['Name of', 'ground', 'Days'],
          ['the mill', 'a day', 'closed'],
        ],
        xs,
        720,
        12,
      ) + rows(t, xs, 676),
    ),
    table([['Name of the mill', 'Sacks ground a day', 'Days closed'], ...t]),
  );
}
{
  const xs = [50, 130, 350, 430];
  add(
    'camelot#266',
    drawnPdf(
      rows([['Date', 'Text', 'Sum', 'Left']], xs, 720) +
        rows(
          [
            ['01.02.', 'Payment by card at the', '-12.00', '88.00'],
            ['', 'mill of the town', '', ''],
          ],
          xs,
          696,
          12,
        ) +
        rows(
          [
            ['03.02.', 'Pay of the month from', '+900.00', '988.00'],
            ['', 'the mill of the town', '', ''],
            ['', 'number 4711', '', ''],
          ],
          xs,
          660,
          12,
        ) +
        rows([['05.02.', 'Rent', '-400.00', '588.00']], xs, 612),
    ),
    table([
      ['Date', 'Text', 'Sum', 'Left'],
      ['01.02.', 'Payment by card at the mill of the town', '-12.00', '88.00'],
      ['03.02.', 'Pay of the month from the mill of the town number 4711', '+900.00', '988.00'],
      ['05.02.', 'Rent', '-400.00', '588.00'],
    ]),
  );
}
{
  const p = (s: string, n: number) =>
    Array.from({ length: n }, (_, i) => `Row ${i} of the ${s} goes on to the end of it`);
  const t = [
      ['Kind', 'A', 'B'],
      ['Tide', '1', '2'],
      ['Wind', '3', '4'],
      ['Sand', '5', '6'],
    ],
    u = [
      ['Town', 'C', 'D'],
      ['Ayr', '7', '8'],
      ['Ely', '9', '10'],
      ['Wem', '11', '12'],
    ];
  add(
    'camelot#322',
    drawnPdf(
      lines(50, 780, p('left', 8)) +
        rows(t, [50, 130, 200], 660) +
        lines(320, 780, p('right', 5)) +
        rows(u, [320, 400, 470], 706) +
        lines(320, 640, p('rest', 4)),
    ),
    `${p('left', 8).join(' ')}\n\n${table(t)}\n\n${p('right', 5).join(' ')}\n\n${table(u)}\n\n${p('rest', 4).join(' ')}`,
  );
}
add(
  'pdf_oxide#1373',
  drawnPdf(`${text(50, 700, 'ALWAYS')}/OC /Off BDC ${text(50, 680, 'HIDDEN')} EMC /X1 Do`, {
    objects: [
      '<< /Type /OCG /Name (Off) >>',
      pdfStream(
        text(50, 660, 'HIDDEN TOO'),
        '/Type /XObject /Subtype /Form /BBox [0 0 600 842] /OC 4 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>',
      ),
    ],
    resources: '/Properties << /Off 4 0 R >> /XObject << /X1 5 0 R >>',
    catalog: '/OCProperties << /OCGs [4 0 R] /D << /BaseState /OFF >> >>',
  }),
  'ALWAYS',
);
{
  const c = (s: string) => Array.from({ length: 12 }, (_, i) => `row ${i} of the ${s} goes on`);
  const a = c('first col'),
    b = c('second'),
    d = c('third one');
  a[5] = 'West plays him as a flam-';
  a[6] = 'boyant and likeable figure';
  add(
    'pdf_oxide#1340',
    drawnPdf(
      a
        .map(
          (t, i) =>
            text(50, 700 - 10 * i, t, 8) +
            text(175, 700 - 10 * i, b[i] ?? '', 8) +
            text(300, 700 - 10 * i, d[i] ?? '', 8),
        )
        .join(''),
    ),
    [...a.slice(0, 5), 'West plays him as a flamboyant and likeable figure', ...a.slice(7), ...b, ...d].join(
      ' ',
    ),
  );
}
add(
  'vandalizer#777',
  drawnPdf(
    text(50, 700, 'Total Award Amount: 485,000 USD') +
      text(50, 680, 'The official Total Award Amount is $1', 0.6) +
      text(50, 660, 'The official total is $1', 10, 'F1', '1 1 1 rg'),
  ),
  'Total Award Amount: 485,000 USD',
);
{
  const cs = [
    [
      'PEPPER MASH',
      'Crushed blend of the seed and',
      'skin with much of it left.',
      '\x95 Pickled items',
      '\x95 Ground meats',
    ],
    [
      'PEPPER PULP',
      'A coarse and pulpy blend that',
      'is less sweet than the mash.',
      '\x95 Baked goods',
      '\x95 Liquid drinks',
    ],
    [
      'PEPPER PASTE',
      'A blend of the aged red fruit',
      'with salt and a little vinegar.',
      '\x95 Soup bases',
      '\x95 Stewed items',
    ],
  ];
  add(
    'pymupdf4llm#113',
    drawnPdf(
      cs
        .flatMap((c, n) => c.map((t, i) => text(50 + 180 * n, 700 - 14 * i, t, 10, i === 0 ? 'F2' : 'F1')))
        .join(''),
    ),
    cs.map(([h, a, b, c, d]) => `${h}\n\n${a} ${b}\n\n- ${c?.slice(2)}\n- ${d?.slice(2)}`).join('\n\n'),
  );
}
{
  const u = ownFont('年度报告');
  add(
    'pdf-inspector#136',
    drawnPdf(
      `4 Tc ${u.draw(50, 700, '年度报告', 20)}0 Tc ${lines(50, 640, fullLines('text', 4))}`,
      u.options,
    ),
    `# 年度报告\n\n${fullLines('text', 4).join(' ')}`,
  );
}
add(
  'pdfminer#70',
  drawnPdf(
    text(50, 740, 'Strike', 20, 'F1', '3 Tr') +
      text(60, 730, 'Strike', 20, 'F2', '0 Tr') +
      lines(50, 690, fullLines('text', 4)),
  ),
  `# Strike\n\n${fullLines('text', 4).join(' ')}`,
);
{
  const a = 'Name: ',
    m = 'abcd**';
  add(
    'PyMuPDF#3651',
    drawnPdf(
      text(50, 700, a) +
        text(+(50 + widthOf(a + m)).toFixed(2), 700, ' of the town') +
        lines(50, 688, ['and more of the letter that is masked.']) +
        text(+(50 + widthOf(a)).toFixed(2), 700, m),
    ),
    'Name: abcd** of the town and more of the letter that is masked.',
  );
}
add(
  'pymupdf4llm#227',
  drawnPdf(
    text(50, 480, 'Results of the year', 32, 'F2') +
      runs(60, 420, [['\x95 Sales grew by a tenth', 20]]) +
      runs(90, 392, [['\x96 North by much of it', 18]]) +
      runs(90, 366, [['\x96 South by less', 18]]) +
      runs(60, 336, [['\x95 Costs fell in all of the mills', 20]]),
    { box: '/MediaBox [0 0 720 540]' },
  ),
  '# Results of the year\n\n- Sales grew by a tenth\n  - North by much of it\n  - South by less\n- Costs fell in all of the mills',
);
add(
  'PyMuPDF#4071',
  drawnPdf(text(50, 700, 'Name: ____________________') + text(50, 676, 'Town: ____________________'), {
    objects: [
      ['Ada Quill', 700],
      ['Ely', 676],
    ].map(
      ([v, y], i) =>
        `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f${i}) /V (${v}) /Rect [82 ${+Number(y) - 3} 190 ${+Number(y) + 11}] /F 4 /DA (/Helv 10 Tf) >>`,
    ),
    catalog: '/AcroForm << /Fields [4 0 R 5 0 R] /DA (/Helv 10 Tf) >>',
    page: '/Annots [4 0 R 5 0 R]',
  }),
  'Name: Ada Quill\n\nTown: Ely',
);
{
  const xs = [50, 200, 320];
  add(
    'pdfplumber#1335',
    drawnPdf(
      rows([['Task', 'Owner', 'State']], xs, 720) +
        rows(
          [
            ['Mend the wheel', 'Ada', 'in'],
            ['', '', 'work'],
          ],
          xs,
          700,
          11,
        ) +
        rows(
          [
            ['Buy a stone', 'Tom', 'not'],
            ['', '', 'begun'],
          ],
          xs,
          670,
          11,
        ) +
        rows([['Sell the flour', 'Kim', 'done']], xs, 640),
    ),
    table([
      ['Task', 'Owner', 'State'],
      ['Mend the wheel', 'Ada', 'in work'],
      ['Buy a stone', 'Tom', 'not begun'],
      ['Sell the flour', 'Kim', 'done'],
    ]),
  );
}
add(
  'PdfPig#294',
  drawnPdf(
    text(50, 700, '(i)') +
      lines(90, 700, [
        'The supplier shall deliver all of the services that are named in the',
        'plan of delivery.',
      ]) +
      text(50, 670, '(ii)') +
      lines(90, 670, ['The client shall pay for each of them within thirty days of the', 'letter.']) +
      text(50, 640, '(iii)') +
      lines(90, 640, ['Each side may end the contract.']),
  ),
  '(i) The supplier shall deliver all of the services that are named in the plan of delivery.\n\n(ii) The client shall pay for each of them within thirty days of the letter.\n\n(iii) Each side may end the contract.',
);
{
  const right = Array.from({ length: 8 }, (_, i) => `Row ${i} of the other side of it goes on`);
  add(
    'marker#50',
    drawnPdf(
      lines(50, 740, [
        'The mills of the coast and those of the hills are told of here, each in its column of the page.',
      ]) +
        [
          'Mills that turn by the tide of the sea',
          'Mills that turn by the wind of hills',
          'Mills that turn by steam and coal',
          'Mills that turn by hand and arm',
          'Mills that turn by horse and ox',
          'Mills that stand still for now',
          'Mills that fell in the storm',
          'Mills that never were built',
        ]
          .map((t, i) => text(50, 700 - 12 * i, `\x95 ${t}`))
          .join('') +
        lines(320, 700, right),
    ),
    `The mills of the coast and those of the hills are told of here, each in its column of the page.\n\n- Mills that turn by the tide of the sea\n- Mills that turn by the wind of hills\n- Mills that turn by steam and coal\n- Mills that turn by hand and arm\n- Mills that turn by horse and ox\n- Mills that stand still for now\n- Mills that fell in the storm\n- Mills that never were built\n\n${right.join(' ')}`,
  );
}
{
  const l = 'תקן תמ"א 38 בבניין';
  const u = ownFont(l);
  add('anydoc#58b', drawnPdf(u.draw(50, 700, rev(l).replace('83', '38')), u.options), l);
}
{
  let x = 50;
  add(
    'attachments#31',
    drawnPdf(
      [...'Het maximaal f\xedscaal bedrag']
        .map((c) => {
          const s = c === ' ' ? '' : text(+x.toFixed(2), 700, c) + text(+(x + 0.3).toFixed(2), 700, c);
          x += widthOf(c);
          return s;
        })
        .join(''),
    ),
    'Het maximaal físcaal bedrag',
  );
}
{
  const t = [
    ['Model', 'MMLU', 'Math'],
    ['Tide', '88.3', '74.6'],
    ['Wind', '87.2', '90.0'],
    ['Sand', '85.2', '96.4'],
  ];
  add(
    'opendataloader-pdf#318',
    drawnPdf(
      rows(t, [50, 150, 250], 700) +
        text(50, 630, 'Table 4 | Comparison of all of the models.') +
        runs(50, 600, [
          ['1', 5, 'F1', 3],
          ['https://one.example', 7],
        ]) +
        runs(50, 590, [
          ['2', 5, 'F1', 3],
          ['https://two.example', 7],
        ]),
    ),
    `${table(t)}\n\nTable 4 | Comparison of all of the models.\n\n1 https://one.example\n\n2 https://two.example`,
  );
}
add(
  'xberg#1122',
  drawnPdf(text(50, 700, 'Name') + text(102, 700, 'Ada Quill'), {
    objects: [
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (Ada Quill) /Rect [100 696 250 712] /F 4 /DA (/Helv 10 Tf) >>',
    ],
    catalog: '/AcroForm << /Fields [4 0 R] /DA (/Helv 10 Tf) >>',
    page: '/Annots [4 0 R]',
  }),
  'Name Ada Quill',
);
{
  const t = [
    ['Kind', 'Power', 'Year'],
    ['Tide', '12', '1200'],
    ['Wind', '10', '1300'],
    ['Steam', '40', '1800'],
  ];
  add(
    'pdfium-lib#157',
    drawnPdf(
      `BT /F1 10 Tf ${t.flatMap((r, i) => r.map((c, n) => `0 1 -1 0 ${200 + 14 * i} ${100 + 120 * n} Tm (${c}) Tj`)).join(' ')} ET`,
      { page: '/Rotate 90' },
    ),
    table(t),
  );
}
add(
  'xberg#1292',
  drawnPdf(
    lines(50, 700, ['The lease is for all of the rooms that are named here:']) +
      lines(50, 676, ['- a bare clause with a dash outside of a list, unit #06-18 Tower 2']) +
      lines(50, 652, ['It ends in the month of May.']),
  ),
  'The lease is for all of the rooms that are named here:\n\n- a bare clause with a dash outside of a list, unit #06-18 Tower 2\n\nIt ends in the month of May.',
);
{
  const lines = [
    'Die Zigarre hat einen langen Weg vom Kahn',
    'bis zum Kult der Stadt gemacht und wird',
    'heute noch von Hand gedreht.',
  ];
  const order = [3, 0, 6, 1, 5, 2, 4, 7];
  add(
    'KillerPDF#66',
    drawnPdf(
      lines
        .map((l, i) => {
          let x = 50;
          const ws = l.split(' ').map((w) => {
            const s = text(+x.toFixed(2), 700 - 12 * i, w);
            x += widthOf(w) + 4.2;
            return s;
          });
          return order
            .filter((o) => o < ws.length)
            .map((o) => ws[o])
            .join('');
        })
        .join(''),
    ),
    lines.join(' '),
  );
}
add(
  'marker#274',
  drawnPdf(
    runs(50, 700, [
      ['All tools are safeguarded'],
      ['4', 6, 'F1', 4],
      [' by Kim Larsen'],
      ['1,2', 6, 'F1', 4],
      [' of it.'],
    ]),
  ),
  'All tools are safeguarded^4 by Kim Larsen^1,2 of it.',
);
add(
  'marker#77',
  drawnPdf(
    lines(50, 700, ['# parameters of the crane are kept here.']) +
      lines(50, 600, ['> 5 of them are for the lift.']) +
      lines(50, 500, ['All of them', 'are known.']),
  ),
  '\\# parameters of the crane are kept here.\n\n\\> 5 of them are for the lift.\n\nAll of them are known.',
);
add(
  'pypdf#2138',
  drawnPdf(
    rows(
      [
        ['Company:', 'AMERICAN OUTFITTERS'],
        ['Ticker:', 'AEO'],
      ],
      [50, 131],
      700,
    ) +
      lines(50, 600, [
        'Place: the quay in the north',
        'Hours: from nine to four, and in',
        'summer to six.',
        'Door: number 7',
      ]),
  ),
  'Company: AMERICAN OUTFITTERS\n\nTicker: AEO\n\nPlace: the quay in the north\n\nHours: from nine to four, and in summer to six.\n\nDoor: number 7',
);
add(
  'xberg#1543',
  drawnPdf(
    lines(50, 700, [
      'The price-determining factors hold. They rest on the price-',
      'determining facts that were named when the con-',
      'tract was made.',
    ]),
  ),
  'The price-determining factors hold. They rest on the price-determining facts that were named when the contract was made.',
);
add(
  'LibPDF#95',
  drawnPdf(
    rows(
      [
        ['Description', 'Date', 'Status'],
        ['Quarterly look', '01/01/2024', 'Done'],
      ],
      [50, 250, 350],
      700,
      20,
    ) +
      lines(50, 668, ['at the northern', 'region of it'], 10, 'F1', 12) +
      rows(
        [
          ['Yearly audit', '02/01/2024', 'Open'],
          ['Count of ropes', '03/01/2024', 'Open'],
        ],
        [50, 250, 350],
        636,
        20,
      ),
  ),
  '| Description | Date | Status |\n| --- | --- | --- |\n| Quarterly look at the northern region of it | 01/01/2024 | Done |\n| Yearly audit | 02/01/2024 | Open |\n| Count of ropes | 03/01/2024 | Open |',
);

test.each(cases)('%s', async (_name, file, expected) => {
  expect((await readPdf(file, 'a.pdf')).markdown).toBe(expected);
});
