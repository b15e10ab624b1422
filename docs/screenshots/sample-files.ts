import PDFDocument from 'pdfkit';

/** Files of the pictures. */

interface SampleFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const INK = '#1d2429';
const TEAL = '#0a6a72';

/** A leaf of a small field guide: heading, paragraphs, and a drawing of the nest. */
const LEAVES: readonly (readonly [heading: string, ...text: string[]])[] = [
  [
    'Corvids of the parish',
    'What we saw in ten years between the church and the river, written down by the members of the society. Seven species breed here; the magpie is the one that everyone knows.',
    'Counts are pairs with a nest. Where a nest was not found, two birds that were seen together in April and May are counted as one pair.',
  ],
  [
    'The nest of the magpie',
    'The dome is made of thorny twigs, mostly hawthorn and blackthorn, with one entrance at the side. Inside lies a bowl of mud, lined with fine roots and hair.',
    'A pair builds for five to seven weeks, begins in February in mild winters, and uses the nest once. Old nests are taken by kestrels and long-eared owls.',
    'Height above the ground: 6 to 14 m in the parish, lower where cats are few.',
  ],
  [
    'Counts, 2016 to 2025',
    'Magpie: 14, 15, 13, 17, 18, 18, 21, 19, 22, 22 pairs.',
    'Jackdaw: 31, 30, 34, 33, 38, 41, 40, 44, 43, 46 pairs. Rook: one colony of 58 nests, felled in 2021, and 37 nests by the mill since.',
  ],
];

export async function sampleFiles(): Promise<readonly SampleFile[]> {
  const text = (name: string, words: string): SampleFile => ({ name, bytes: Buffer.from(words) });
  return [
    text(
      'feeder-manual.md',
      '# Feeder manual\n\nClean the tray once a week. Thistle seed goes into the fine mesh only.\n\n## Filter\n\nTurn the ring to the left and rinse it with warm water.\n',
    ),
    text('counts-2025.csv', 'species,pairs\nmagpie,22\njackdaw,46\nrook,37\ncarrion crow,9\njay,5\n'),
    { name: 'Corvids of the parish.pdf', bytes: await guide() },
  ];
}

function guide(): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A5',
    margin: 48,
    info: { Title: 'Corvids of the parish', Author: 'Parish bird society' },
  });
  const pieces: Buffer[] = [];
  pdf.on('data', (piece: Buffer) => pieces.push(piece));
  const done = new Promise<Buffer>((resolve) => pdf.on('end', () => resolve(Buffer.concat(pieces))));
  LEAVES.forEach(([heading, ...paragraphs], at) => {
    if (at > 0) pdf.addPage();
    pdf.fillColor(TEAL).font('Times-Bold').fontSize(22).text(heading).moveDown(0.6);
    pdf.fillColor(INK).font('Times-Roman').fontSize(12.5);
    for (const paragraph of paragraphs) pdf.text(paragraph, { lineGap: 3 }).moveDown(0.7);
    if (at === 1) drawNest(pdf, pdf.y + 70);
    pdf
      .fillColor('#6b757c')
      .fontSize(9)
      .text(String(at + 1), 48, 530, { align: 'center' });
  });
  pdf.end();
  return done;
}

/** Twigs around a bowl, at the same places each time. */
function drawNest(pdf: PDFKit.PDFDocument, y: number): void {
  pdf.lineWidth(1.2).strokeColor('#4a3a2c');
  for (let twig = 0; twig < 46; twig++) {
    const angle = Math.PI + (twig / 45) * Math.PI;
    const radius = 52 + ((twig * 37) % 17);
    const [x, at] = [210 + Math.cos(angle) * radius * 1.25, y + 34 + Math.sin(angle) * radius];
    const lean = ((twig * 53) % 40) - 20;
    pdf
      .moveTo(x - 16, at + lean * 0.4)
      .lineTo(x + 16, at - lean * 0.4)
      .stroke();
  }
  pdf
    .lineWidth(7)
    .strokeColor('#8a6a4a')
    .moveTo(150, y + 36)
    .quadraticCurveTo(210, y + 74, 270, y + 36)
    .stroke();
  pdf.fillColor('#9fc0ad');
  for (const x of [192, 210, 228]) pdf.ellipse(x, y + 40, 8, 11).fill();
}
