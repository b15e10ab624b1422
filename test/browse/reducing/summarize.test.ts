import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdownToPlainText } from '../../../src/browse/reducing/plain-text.ts';
import { summarize } from '../../../src/browse/reducing/summarize.ts';
import { countWords } from '../../../src/lib/text/text.ts';
import { HOSTILE, HOSTILE_SECONDS } from '../../helpers/hostile-markdown.ts';
import { anyText } from '../../helpers/markdown.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const filler = (count: number) =>
  Array.from({ length: count }, (_, i) => `Filler sentence number ${i} says nothing of note here.`).join(' ');

test('a summary has whole sentences that answer the query, in order, without headings, tables or code', () => {
  const page = [
    '# Swifts',
    filler(20),
    'At dusk swifts climb high and sleep in the air.',
    '```\nsleep()\n```',
    '| swifts | sleep |\n| --- | --- |\n| 1 | 2 |',
    '[Swifts](https://x.example/) come **down** to sleep only when they breed.',
  ].join('\n\n');
  expect(summarize(page, 'where do swifts sleep', 25)).toBe(
    'At dusk swifts climb high and sleep in the air. Swifts come down to sleep only when they breed.',
  );
  expect(countWords(summarize(page, 'swifts', 12))).toBeLessThanOrEqual(12);
});

test('nested quotes are summarized without their quote marks', () => {
  expect(summarize('> Ada asks.\n>\n> > The mill of the tide turns at night.', 'tide mill')).toBe(
    'The mill of the tide turns at night.',
  );
  expect(markdownToPlainText('> > - The mill turns.')).toBe('- The mill turns.');
});

test('the first sentences are used where no sentence matches', () => {
  const page = `The mill stands by the sea. ${filler(30)}`;
  expect(summarize(page, 'zeppelin', 20)).toMatch(/^The mill stands by the sea\./);
  expect(summarize(page, '', 20)).not.toBe('');
});

test('repeated text is used once', () => {
  const page = [
    'The tide mill was built in 1871 by Ada Coe.',
    'In 1871 the tide mill was built by Ada Coe.',
    'The tide mill burnt down long after that, on a night in May.',
  ].join('\n\n');
  const summary = summarize(page, 'When was the tide mill built?');
  expect(summary.match(/1871/g)).toHaveLength(1);
  expect(summary).toContain('burnt down');
});

describe('boilerplate around a text is left out', () => {
  const news = [
    'The council of Kent said on Monday that the tide mill will open again in May.',
    'Repairs to the wheel and to the sluice took four years and cost 2 million pounds.',
  ];
  test.each([
    'By Ada Coe and Tom Hill, Kent News | May 3',
    'We use cookies so that you get the best of the tide mill on this site.',
    'Sign up for our newsletter on the tide mill and get it every morning.',
    'Read more: the tide mill that was lost to the sea for ever.',
    'Photo: the tide mill of Kent, seen from the sea in winter.',
    'The tide mill in 1990. (Photo by Tom Hill/Getty Images)',
    '© 2026 Kent News. All rights reserved by the tide mill.',
    'Published: May 3, 2026 at the tide mill in Kent, England.',
    'Lesen Sie auch: Die Mühle am Meer und wie sie heute läuft.',
    'Читайте также: новая мельница у моря открылась в мае.',
    'اقرأ أيضا: الطاحونة القديمة تفتح أبوابها من جديد.',
    '版权所有：未经许可不得转载本网站关于潮汐磨坊的文章。',
  ])('%s', (notice) => {
    const summary = summarize([notice, ...news, notice].join('\n\n'), 'tide mill kent');
    expect(summary).toBe(news.join(' '));
  });

  test('a page of boilerplate alone is summarized all the same', () => {
    expect(summarize('We use cookies so that the site works well.', 'cookies')).toContain('cookies');
    expect(summarize('- Opening hours\n- Prices\n- Contact', 'prices')).toContain('Prices');
  });

  test('a long paragraph about cookies is not a notice', () => {
    const law = `The court ruled that ${'sites must ask before they set anything at all, '.repeat(8)}and cookies are no exception to that rule.`;
    expect(summarize(law, 'cookies', 120)).toBe(law);
  });
});

test.each([
  [
    'German',
    'Wann brannte die Mühle?',
    'Die Mühle brannte am 3. Oktober 1871 nieder.',
    'Das Wetter war an der Küste meist schlecht.',
  ],
  [
    'French',
    'Qui a construit le moulin ?',
    'Le moulin fut construit par Ada Coe en 1871.',
    'La mer était haute ce jour-là, dit-on encore.',
  ],
  [
    'Russian',
    'Когда сгорела мельница?',
    'Мельница сгорела 3 мая 1871 года.',
    'Погода на берегу была плохая всю осень.',
  ],
  ['Chinese', '磨坊什么时候建成？', '磨坊建于1871年，由当地居民出资。', '海边的天气通常很不好，风很大。'],
  ['Japanese', '水車はいつ建てられたか', '水車は1871年に建てられた。', '海辺の天気はいつも悪かった。'],
  [
    'Arabic',
    'متى بنيت الطاحونة؟',
    'بنيت الطاحونة في عام 1871 قرب البحر.',
    'كان الطقس سيئا على الساحل طوال العام.',
  ],
])('%s', (_name, query, answer, other) => {
  expect(summarize(`${other}\n\n${answer}\n\n${other}`, query, countWords(answer))).toBe(answer);
});

test('an unpaired quotation mark is removed', () => {
  expect(
    summarize('"The mill is ours now. We will never sell the mill to anyone."', 'sell the mill', 12),
  ).toBe('We will never sell the mill to anyone.');
});

test('a summary never exceeds its words and contains only text of the page', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.integer({ min: 1, max: 80 }), (text, query, words) => {
      const summary = summarize(text, query, words);
      expect(countWords(summary)).toBeLessThanOrEqual(words);
      const said = new Set(markdownToPlainText(text).split(''));
      expect(summary.split('').filter((character) => !/\s/.test(character) && !said.has(character))).toEqual(
        [],
      );
    }),
  );
});

test.each(Object.entries(HOSTILE))('%s', (_name, text) => {
  expect(processorSeconds(() => summarize(text, 'who built the tide mill, and when?'))).toBeLessThan(
    HOSTILE_SECONDS,
  );
});
