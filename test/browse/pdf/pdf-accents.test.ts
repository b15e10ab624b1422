import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { withAccents } from '../../../src/browse/readers/pdf/runs/pdf-accents.ts';
import { drawnPdf } from '../../helpers/drawn-pdf.ts';
import { layPdf } from '../../helpers/pdf.ts';

/** Marks that fonts draw apart from their letters. Courier's letters are 0.6 of their size wide. */

const SIZE = 10;
const WIDTH = 6;
/** Runs one after the other, each over the last letter of the one before it where `over` says so. */
async function read(...parts: readonly (readonly [text: string, over?: 'over'])[]): Promise<string> {
  let x = 50;
  const pieces = parts.map(([text, over]) => {
    if (over) x -= WIDTH;
    const piece = { x, y: 700, size: SIZE, text };
    x += text.length * WIDTH;
    return piece;
  });
  return (await readPdf(layPdf([pieces]), 'https://site.example/a.pdf')).markdown;
}

test('an accent before its letter, as TeX draws it, is joined to the letter', async () => {
  expect(await read(['Luiz Andr\u00b4'], ['e Barroso', 'over'])).toBe('Luiz André Barroso');
  expect(await read(['Emin G\u00a8'], ['un Sirer and Urs H\u00a8', 'over'], ['olzle', 'over'])).toBe(
    'Emin Gün Sirer and Urs Hölzle',
  );
  expect(await read(['un \u00b4'], ['etat', 'over'])).toBe('un état');
});

test('an accent after its letter is joined to the letter', async () => {
  expect(await read(['Pierre-Franc'], ['\u00b8ois Dutot', 'over'])).toBe('Pierre-François Dutot');
  expect(await read(['cafe'], ['\u00b4', 'over'], [' noir'])).toBe('café noir');
});

const run = (text: string, x: number, width: number) => ({ text, x, y: 0, width, size: SIZE });
const texts = (...runs: ReturnType<typeof run>[]) => withAccents(runs).map(({ text }) => text);

test('a dotless i with an accent is joined, and a blank that the library inserted before an accent is removed', () => {
  expect(texts(run('a na¨', 0, 25), run('ıve way', 21.5, 30))).toEqual(['a na', 'ïve way']);
  expect(texts(run('Gr ´', 0, 16), run('egory', 11.5, 25))).toEqual(['Gr', 'égory']);
  expect(texts(run('une fois ´', 0, 46), run('etait', 41.5, 25))).toEqual(['une fois ', 'était']);
});

test('accents within one run are drawn before their letter', () => {
  expect(texts(run('Andr´e and H¨olzle', 0, 90))).toEqual(['André and Hölzle']);
});

test('an accent that overlaps two letters belongs to the later letter', () => {
  expect(texts(run('Andr', 0, 20), run('´', 18, 4), run('e', 17.5, 5))).toEqual(['Andr', 'é']);
  expect(texts(run('Andr', 0, 20), run('´e Barroso', 18, 50))).toEqual(['Andr', 'é Barroso']);
});

test('formula signs stay, and so do accents that overlap no letter', () => {
  expect(texts(run('˜', 0, 5), run('x', 0.5, 5))).toEqual(['˜', 'x']);
  expect(texts(run('ˆ', 0, 5), run('T', 0.5, 5))).toEqual(['ˆ', 'T']);
  expect(texts(run('a ´', 0, 15), run('e', 20, 5))).toEqual(['a ´', 'e']);
  expect(texts(run('a `', 0, 15), run('quoted', 15, 30))).toEqual(['a `', 'quoted']);
});

test('the address of a home page keeps its tilde', () => {
  expect(texts(run('http://a.example/˜quill', 0, 90))).toEqual(['http://a.example/~quill']);
});

/** Widths of the letters of TeX's font CMR10, in thousandths of its size. Its accents are 500 wide. */
const CAPITALS = [
  750, 708, 722, 764, 681, 653, 785, 750, 361, 514, 778, 625, 917, 750, 778, 681, 778, 736, 556, 722, 750,
  750, 1028, 750, 750, 611,
];
const SMALL = [
  500, 556, 444, 556, 444, 306, 500, 556, 278, 306, 528, 278, 833, 556, 500, 556, 528, 392, 394, 389, 556,
  528, 722, 528, 528, 444,
];
const CODES: Readonly<Record<string, string>> = {
  '\u0301': '\\023',
  '\u0300': '\\022',
  '\u0302': '^',
  '\u0308': '\\177',
};

/** A page in CMR10 as pdfTeX writes it: no blanks, accents before their letters, no map of characters. */
function texPdf(line: string): Uint8Array {
  const parts = [...line.normalize('NFD')].map((letter, at, all) => {
    const accent = CODES[all[at + 1] ?? ''];
    if (letter === ' ') return '-333';
    if (CODES[letter] || accent === undefined) return CODES[letter] ? '' : `(${letter})`;
    const width =
      (/[a-z]/.test(letter) ? SMALL[letter.charCodeAt(0) - 97] : CAPITALS[letter.charCodeAt(0) - 65]) ?? 0;
    const before = Math.round((width - 500) / 2);
    return `${-before} (${accent}) ${500 + before} (${letter})`;
  });
  const accents = [
    500,
    500,
    ...Array(45).fill(0),
    ...CAPITALS,
    0,
    0,
    0,
    500,
    0,
    0,
    ...SMALL,
    0,
    0,
    0,
    0,
    500,
  ];
  const font = `<< /Type /Font /Subtype /Type1 /BaseFont /XKQJWM+CMR10 /FirstChar 18 /LastChar 127 /Widths [${accents.join(' ')}]
/Encoding << /Type /Encoding /Differences [18 /grave /acute 65 ${names(65)} 94 /circumflex 97 ${names(97)} 127 /dieresis] >> >>`;
  return drawnPdf(`BT /F6 10 Tf 1 0 0 1 50 700 Tm [${parts.join(' ')}] TJ ET`, {
    fonts: '/F6 4 0 R',
    objects: [font],
  });
}

function names(from: number): string {
  return Array.from({ length: 26 }, (_, at) => `/${String.fromCharCode(from + at)}`).join(' ');
}

test('the blank before a word that begins with an accent stays in fonts of TeX', async () => {
  const word = (unit: string) => fc.string({ minLength: 2, maxLength: 8, unit: fc.constantFrom(...unit) });
  const capital = fc.tuple(fc.constantFrom(...'CLMGÉ'), word('aeonmrtsuéèêàü')).map((both) => both.join(''));
  const words = fc.array(fc.oneof(word('aeonmrtlsuéèêàü'), capital), { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(words, async (all) => {
      const line = ['Théorème', ...all].join(' ');
      expect((await readPdf(texPdf(line), 'https://site.example/a.pdf')).markdown).toBe(line);
    }),
    { numRuns: 40 },
  );
  const { markdown } = await readPdf(texPdf('Mme Émile dit: Gamme étendue'), 'https://site.example/a.pdf');
  expect(markdown).toContain('Mme Émile');
});
