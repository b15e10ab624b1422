import { expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { withAccents } from '../../../src/browse/readers/pdf/runs/pdf-accents.ts';
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
