import { describe, expect, test } from 'vitest';
import { findSection } from '../../../src/browse/sections/sections.ts';

/** Which section a caller gets: a heading that says what was asked for, or none; never one of another number. */

const page = (...headings: string[]) => headings.map((heading) => `# ${heading}\n\nText.`).join('\n\n');
const chapters = (count: number, name: (number: number) => string) =>
  page(...Array.from({ length: count }, (_, i) => name(i + 1)));

function refusal(markdown: string, wanted: string): string {
  try {
    return `found ${findSection(markdown, wanted).title}`;
  } catch (error) {
    expect(error).toMatchObject({ code: 'not_found' });
    return (error as Error).message;
  }
}

describe('section numbers must match as a whole', () => {
  test.each([
    ['Chapter 4', page('Chapter 28', 'Chapter 40', 'Chapter 14', 'Part 4')],
    ['Step 2', page('Step 1', 'Step 3', 'Step 22', 'Step 2.1', 'Step 2a')],
    ['2.1', page('2.10 More', '12.1 Other', '2 First', '3.2.1 Deep')],
    ['Section 2', page('2.1 Setting up', 'Section 20')],
    ['Chapter 4', page('Chapter 28: 4 men in a boat')],
    ['Chapter IV', page('Chapter IX', 'Chapter XIV', 'Chapter I', 'Chapter V')],
    ['chapter iv', page('CHAPTER VI', 'CHAPTER XIV')],
    ['第四章', page('第二十四章 旅', '第四十章 海')],
    ['الفصل ٤', page('الفصل ١٤', 'الفصل ٤٠')],
    ['Release 2024', page('Release 2023', 'Release 20240')],
    ['Python 3', page('Python 2 and 3.11', 'Python')],
    ['4 ways', page('Ways 1 to 4', '14 ways')],
    ['v2', page('v2.1', 'v20', 'Version 2')],
  ])('%s matches none of the other numbers', (wanted, markdown) => {
    expect(refusal(markdown, wanted)).toContain('the page has no such heading');
  });

  test.each([
    ['Chapter 4', page('Chapter 40', 'Chapter 4: Foxes', 'Chapter 44'), 'Chapter 4: Foxes'],
    ['Chapter 4', page('Chapter III. Hares', 'CHAPTER IV. Foxes', 'CHAPTER V. Owls'), 'CHAPTER IV. Foxes'],
    ['chapter iv', page('Chapter 3', 'Chapter 4'), 'Chapter 4'],
    ['Chapter 117', page('CHAPTER XVII', 'CHAPTER CXVII'), 'CHAPTER CXVII'],
    ['Chapter 49', page('Chapter XLIX'), 'Chapter XLIX'],
    ['Chapter 90', page('Chapter XC'), 'Chapter XC'],
    ['Part 1', page('Part I learned', 'Part I: Sea'), 'Part I: Sea'],
    ['Chapter 4', page('Chapter 04'), 'Chapter 04'],
    ['2.1', page('2.10 More', '2.1 The cache'), '2.1 The cache'],
    ['2.', page('12. Other', '2. Use'), '2. Use'],
    ['Step 2', page('Step 1', 'STEP　２： Build'), 'STEP ２： Build'],
    ['第4章', page('第二十四章 旅', '第四章 海'), '第四章 海'],
    ['第四十二章', page('第四章', '第四十二章 起源'), '第四十二章 起源'],
    ['第2026章', page('第二〇二六章 起源'), '第二〇二六章 起源'],
    ['الفصل 4', page('الفصل ١٤', 'الفصل ٤: البحر'), 'الفصل ٤: البحر'],
    ['step2', page('Step 1', 'Step 2'), 'Step 2'],
  ])('%s', (wanted, markdown, title) => {
    expect(findSection(markdown, wanted).title).toBe(title);
  });

  test('every one of forty chapters is found by its number', () => {
    const book = chapters(40, (number) => `Chapter ${number} of the mills`);
    for (let number = 1; number <= 40; number++) {
      expect(findSection(book, `chapter ${number}`).title).toBe(`Chapter ${number} of the mills`);
    }
    expect(refusal(book, 'chapter 41')).toContain('the nearest: 1 "Chapter 1 of the mills"');
  });
});

describe('the strictest match wins', () => {
  const all = page('How to install it all', 'Install on Linux', 'Installation', '2. Install', 'install');
  test.each([
    ['just this', all, 'Install', 'install', true],
    [
      'but for its number',
      page('How to install', 'Install on Linux', '2. Install'),
      'Install',
      '2. Install',
      true,
    ],
    ['but for its number in the outline', page('Use', 'Install'), '2 Install', 'Install', true],
    ['its beginning', page('How to install it', 'Install on Linux'), 'install', 'Install on Linux', false],
    [
      'all its words, the fewest others first',
      page('How to install it on a PC', 'We install'),
      'installing',
      'We install',
      false,
    ],
    [
      'as an outline cuts it',
      page('Of ships', `Of mills ${'and so on '.repeat(6)}`),
      'Of mills and so on and s…',
      `Of mills ${'and so on '.repeat(6)}`.trim(),
      true,
    ],
    ['signs that tell languages apart', page('C', 'C#', 'C++'), 'c++', 'C++', true],
    ['accents and case of any language', page('Straße', 'RÉSUMÉ'), 'resume', 'RÉSUMÉ', true],
    ['ß as SS', page('Weg', 'STRASSE'), 'straße', 'STRASSE', true],
    ['words of scripts without spaces', page('使用', '安装指南'), '安装', '安装指南', false],
  ])('%s', (_name, markdown, wanted, title, exact) => {
    const { title: found, choice } = findSection(markdown, wanted);
    expect({ found, exact: choice?.exact }).toEqual({ found: title, exact });
  });

  test.each([
    ['part of a word', 'Inst', page('Installation', 'Installer')],
    ['half of the words', 'cache of Windows', page('Cache', 'Windows')],
    ['its words in the wrong order, without spaces', '海史', page('史海')],
    ['another sign', 'C++', page('C#', 'C')],
    ['nothing but dots', '...', page('Use')],
  ])('%s is not a match', (_name, wanted, markdown) => {
    expect(refusal(markdown, wanted)).toContain('the page has no such heading');
  });
});

test('of several equal matches the first is returned, with the numbers of the others', () => {
  const notes = chapters(9, () => 'Notes');
  expect(findSection(notes, 'notes')).toMatchObject({
    first: 1,
    choice: { exact: true, fitting: 9, others: [2, 3, 4, 5, 6] },
  });
  expect(findSection(page('Use', 'Step 1', 'Step 2'), 'step')).toMatchObject({
    title: 'Step 1',
    choice: { exact: false, fitting: 2, others: [3] },
  });
  expect(findSection(notes, '7')).toMatchObject({
    first: 7,
    choice: { exact: true, fitting: 1, others: [] },
  });
});
