import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withSpanWords } from '../../../src/browse/readers/pdf/hidden/worded-spans.ts';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { mergeRightToLeftRuns } from '../../../src/browse/readers/pdf/runs/pdf-rtl.ts';
import { drawnPdf, ownFont } from '../../helpers/drawn-pdf.ts';

const MIRRORED: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[' };
const SIZE = 10;

/** Runs of a line as they stand on the page, from its right edge; `isDrawn`: brackets as they look. */
function runsOf(words: readonly string[], isDrawn: boolean, y = 700) {
  let x = 500;
  return words.flatMap((word) => {
    const width = word === ' ' ? 3 : word.length * 5;
    x -= width;
    return [{ text: isDrawn ? (MIRRORED[word] ?? word) : word, x, y, width, size: SIZE }];
  });
}

const right = fc.constantFrom('הטופס', 'של', 'עותקים', 'الاستمارة', 'ثلاث');
const number = fc.constantFrom('3', '2026', '10:30', '1,250.5', '40%', '₪40', '3/4/2026');
const left = fc.constantFrom('A12', 'Google', 'x');
const inside = fc.oneof(
  fc.tuple(right),
  fc.tuple(left),
  fc.tuple(number, right),
  fc.tuple(right, number),
  fc.tuple(number, number),
  fc.tuple(right, left),
);
const bracketed = fc
  .tuple(fc.constantFrom('()', '[]'), inside)
  .map(([pair, all]) => [pair[0] ?? '', ...all.flatMap((one) => [' ', one]).slice(1), pair[1] ?? '']);
const part = fc.oneof(
  number.map((one) => [one]),
  left.map((one) => [one]),
  bracketed,
);
/** Words of a line in their logical order, with a word from right to left between all others. */
const line = fc
  .tuple(right, fc.array(fc.tuple(part, fc.constantFrom('', ',', ':'), right), { maxLength: 4 }), part)
  .map(([first, all, last]) => {
    const parts = all.flatMap(([one, mark, word]) => [' ', ...one, ...(mark ? [mark] : []), ' ', word]);
    return [first, ' ', first, ' ', first, ' ', first, ...parts, ' ', ...last, '.'];
  });

test('a line from right to left is read in its logical order, however its brackets are written', () => {
  fc.assert(
    fc.property(line, fc.boolean(), fc.boolean(), fc.boolean(), (words, isDrawn, isVisual, hasBlanks) => {
      const runs = runsOf(words, isDrawn).filter(({ text }) => hasBlanks || text !== ' ');
      const [merged, ...others] = mergeRightToLeftRuns(isVisual ? runs.reverse() : runs);
      expect(others).toEqual([]);
      expect(merged?.text).toBe(words.join(''));
    }),
  );
});

test.each([
  [
    'a text from left to right with brackets',
    ['זה', ' ', 'קובץ', ' ', 'README', ' ', '(', 'v2', ')', ' ', 'כאן'],
  ],
  ['an address', ['ראו', ' ', 'את', ' ', 'https', ':', '/', '/', 'x.example', '/', 'a?b=1', ' ', 'כאן']],
])('%s stays as it is', (_name, words) => {
  const at = words.findIndex((word) => /[a-z]/i.test(word));
  const end = words.findLastIndex((word) => /[a-z)]/i.test(word)) + 1;
  const visual = [...words.slice(0, at), ...words.slice(at, end).reverse(), ...words.slice(end)];
  const [merged] = mergeRightToLeftRuns(runsOf(visual, false));
  expect(merged?.text).toBe(words.join(''));
});

const latin = fc
  .tuple(
    fc.constantFrom('A', 'IL62', 'Java', 'x'),
    fc.array(
      fc.tuple(
        fc.constantFrom(' ', ', ', ' = ', ' + ', ' - ', ' / ', '-', ': '),
        fc.constantFrom('8', '0108', '2015', '1,250.5', '12ab', 'SE', 'b3'),
      ),
      { maxLength: 8 },
    ),
  )
  .map(([first, more]) => first + more.flat().join(''));
const SAMPLES = ['IL62 0108 0000 0009 9999 999', 'Java 8, 17, 21', 'x = 3 + 4', 'ISO 9001 2015'];

test('a run that starts with a Latin letter keeps its order in a line from right to left', () => {
  const keepsOrder = (run: string, word: string) => {
    const words = [...Array(12).fill([word, ' ']).flat(), run, ' ', word];
    expect(mergeRightToLeftRuns(runsOf(words, false))[0]?.text).toBe(words.join(''));
  };
  for (const run of SAMPLES) keepsOrder(run, 'הטופס');
  fc.assert(fc.property(latin, fc.constantFrom('הטופס', 'الاستمارة'), keepsOrder));
});

test('the sign of a percentage in Arabic stands on the left of its number', () => {
  const [merged] = mergeRightToLeftRuns(runsOf(['الخصم', ' ', '5', '%', ' ', 'حتى'], true));
  expect(merged?.text).toBe('الخصم 5% حتى');
});

test('a line with one bracket follows the other lines of its page', () => {
  const open = ['שלום', ' ', '(', 'הטופס'];
  const closed = ['עותקים', ')', ' ', 'מוכן', ' ', '(', '3', ')'];
  for (const isDrawn of [true, false]) {
    const runs = [open, closed].flatMap((words, at) => runsOf(words, isDrawn, 700 - 15 * at));
    expect(mergeRightToLeftRuns(runs).map(({ text }) => text)).toEqual([open.join(''), closed.join('')]);
  }
});

test('narrow letters have each their own replacement text', () => {
  const letters = [...'(تثان)'];
  const texts = ['', ...letters].map((str, at) => {
    const x = 3 * Math.max(0, at - 1);
    return {
      str: str && '?',
      fontName: 'f',
      width: str ? 3 : 0,
      height: SIZE,
      transform: [SIZE, 0, 0, SIZE, x, 0],
      spans: [at],
    };
  });
  const spans = letters.map((text, at) => ({
    text,
    box: [3 * at, 0, 3 * at + 3, SIZE] as const,
    transform: [SIZE, 0, 0, SIZE, 3 * at, 0] as const,
  }));
  const found = withSpanWords(texts, spans);
  expect(found.map(({ str, width }) => [str, width])).toEqual(letters.map((letter) => [letter, 3]));
});

test('paragraphs from right to left stay apart, and their lines together', async () => {
  const paragraphs = [
    ['הטופס של החדר מוכן כאן.'],
    ['ראו את העמוד של החדר בבית.'],
    ['שורה ארוכה מאוד שנמשכת עד לסוף', 'ועוד שורה ארוכה מאוד עד לסוף הדף', 'ומלה.'],
    ['כן, זה עובד.'],
  ];
  const font = ownFont(paragraphs.flat(2).join(''));
  let y = 700;
  const drawn = paragraphs.flatMap((lines) => {
    y -= 14;
    return lines.map((words) => {
      y -= 14;
      return font.draw(550 - 6 * words.length, y, [...words].reverse().join(''));
    });
  });
  const { markdown } = await readPdf(drawnPdf(drawn.join(''), font.options), 'a.pdf');
  expect(markdown).toBe(paragraphs.map((lines) => lines.join(' ')).join('\n\n'));
});
