import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildOutline } from '../../../src/browse/reading/outline.ts';
import { listLinks } from '../../../src/browse/sections/links.ts';
import { cutParts } from '../../../src/browse/sections/parts.ts';
import { findSection, findSectionTitle } from '../../../src/browse/sections/sections.ts';
import { HOSTILE, HOSTILE_SECONDS } from '../../helpers/hostile-markdown.ts';
import { anyText, markdownDocument } from '../../helpers/markdown.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';
import { reduceToPercentile } from '../../helpers/reduce-to-percentile.ts';

const whole = (markdown: string) => ({ title: '', markdown, first: 1 });
const GUIDE = [
  '# Guide',
  'Intro.',
  '## Install',
  'How to.',
  '### On Linux',
  'Use apt.',
  '### On Windows',
  'Use winget.',
  '## Use',
  'Run it.',
  '### Overview',
  'In short.',
  '## 2.1 The *Cache* API',
  'Text with [a link](https://x.example/a).',
  '### Overview',
  'Of the cache.',
].join('\n\n');

describe('the outline', () => {
  test('names each heading with the part in which the heading begins', () => {
    const parts = cutParts(GUIDE, 12);
    const outline = buildOutline(parts, whole(GUIDE));
    expect(outline.map(({ number, level, title }) => [number, level, title])).toEqual([
      [1, 1, 'Guide'],
      [2, 2, 'Install'],
      [3, 3, 'On Linux'],
      [4, 3, 'On Windows'],
      [5, 2, 'Use'],
      [6, 3, 'Overview'],
      [7, 2, '2.1 The Cache API'],
      [8, 3, 'Overview'],
    ]);
    for (const { title, part } of outline.filter(
      ({ title }) => title !== 'Overview' && !title.startsWith('2'),
    )) {
      expect(parts[part - 1]).toContain(`# ${title}`);
    }
  });

  test('keeps its numbers when blocks are left out', () => {
    const kept = reduceToPercentile(GUIDE, { query: 'overview of the cache', title: '', percentile: 100 });
    const outline = buildOutline([kept], whole(GUIDE));
    expect(outline.map(({ number }) => number)).toEqual([1, 7, 8]);
    const last = outline.at(-1);
    expect(findSection(GUIDE, String(last?.number)).markdown).toBe('### Overview\n\nOf the cache.');
  });

  test('keeps its numbers inside a section', () => {
    const section = findSection(GUIDE, 'install');
    expect(buildOutline([section.markdown], section).map(({ number }) => number)).toEqual([2, 3, 4]);
  });

  test('leaves out lines of code, also where a part begins inside code', () => {
    const code = `\`\`\`sh\n${'# comment of four words\n'.repeat(20)}\`\`\``;
    const text = `# A\n\n${code}\n\n# B\n\nb`;
    const parts = cutParts(text, 30);
    expect(buildOutline(parts, whole(text))).toEqual([
      { number: 1, level: 1, title: 'A', part: 1 },
      { number: 2, level: 1, title: 'B', part: parts.length },
    ]);
  });

  test('names only the upper levels of a page with very many headings', () => {
    const text = Array.from({ length: 50 }, (_, i) => `# Chapter ${i}\n\n## Notes\n\nText.`).join('\n\n');
    const outline = buildOutline([text], whole(text));
    expect(outline).toHaveLength(50);
    expect(outline.at(-1)).toMatchObject({ number: 99, title: 'Chapter 49' });
    const flat = '# x\n\n'.repeat(1000);
    expect(buildOutline([flat], whole(flat))).toHaveLength(60);
  });

  test('places every entry in its part, whatever the page', () => {
    fc.assert(
      fc.property(markdownDocument, fc.integer({ min: 5, max: 80 }), (text, words) => {
        const parts = cutParts(text, words);
        const outline = buildOutline(parts, whole(text));
        const numbers = outline.map(({ number }) => number);
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        const order = outline.map(({ part }) => part);
        expect(order).toEqual([...order].sort((a, b) => a - b));
        for (const { part } of outline) expect(parts[part - 1]).toMatch(/#|=/);
      }),
    );
  });
});

describe('a section', () => {
  test.each([
    ['its heading', 'Install', '## Install'],
    ['other case and white space', '  on   LINUX ', '### On Linux'],
    ['its fragment', '#on-windows', '### On Windows'],
    ['its fragment with escapes', '2.1%20the-cache-api', '## 2.1'],
    ['its number in the outline', '5', '## Use'],
    ['the number that it begins with', '2.1', '## 2.1'],
    ['some of its words', 'cache', '## 2.1'],
    ['other forms of its words', 'installing', '## Install'],
  ])('is found by %s', (_name, wanted, start) => {
    expect(findSection(GUIDE, wanted).markdown.startsWith(start)).toBe(true);
  });

  test('is returned with its subsections only', () => {
    expect(findSection(GUIDE, 'install').markdown).toBe(
      '## Install\n\nHow to.\n\n### On Linux\n\nUse apt.\n\n### On Windows\n\nUse winget.',
    );
    expect(findSection(GUIDE, 'Guide').markdown).toBe(GUIDE);
    expect(findSection(GUIDE, '2.1 the cache api').title).toBe('2.1 The Cache API');
  });

  test('that does not exist gives an error with the nearest headings', () => {
    const refused = (markdown: string, wanted: string) => {
      try {
        findSection(markdown, wanted);
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(refused(GUIDE, 'cache settings of Windows')).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(
        /"cache settings of Windows".*the nearest: .*7 "2\.1 The Cache API".*; the others: 1 "Guide", /,
      ),
    });
    expect(refused(GUIDE, '99')).toMatchObject({
      message: expect.stringMatching(/; it has 1 "Guide", 2 "Install", .*, 8 "Overview"$/),
    });
    const many = Array.from({ length: 33 }, (_, i) => `# h${i + 1} ${'x'.repeat(i < 32 ? 1 : 90)}`).join(
      '\n',
    );
    expect(refused(many, 'none')).toMatchObject({
      message: expect.stringMatching(/; it has 1 "h1 x", .*, 20 "h20 x" and 13 more$/),
    });
    expect(refused(many, 'h33 of all these words and more')).toMatchObject({
      message: expect.stringMatching(/the nearest: 33 "h33 x{76}…"; the others: 1 "h1 x", .* and 13 more$/),
    });
    expect(refused('No headings here.', 'x')).toMatchObject({
      message: expect.stringContaining('leave section out'),
    });
  });

  test('that an address names is found by its exact fragment alone', () => {
    expect(findSectionTitle(GUIDE, 'on-linux')).toBe('On Linux');
    expect(findSectionTitle(GUIDE, 'linux')).toBeUndefined();
    expect(findSectionTitle(GUIDE, '%E0%A4%A')).toBeUndefined();
  });

  test('whose heading consists of signs is found by its exact text, and no other section is returned instead', () => {
    const signs = '# 🐦\n\nBirds.\n\n# 🎉\n\nFeasts.';
    expect(findSection(signs, '🎉').markdown).toBe('# 🎉\n\nFeasts.');
    expect(() => findSection(signs, '🌲')).toThrow('no such heading');
  });

  test('is a piece of the page, whatever the request', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, wanted) => {
        try {
          expect(text).toContain(findSection(text, wanted).markdown);
        } catch (error) {
          expect(error).toMatchObject({ code: 'not_found' });
        }
      }),
    );
  });
});

describe('a hostile text', () => {
  test('an endless heading is not used as a title in full and not repeated under its subheadings', () => {
    const text = `# ${'x'.repeat(1_000_000)}\n\n${Array.from({ length: 20_000 }, (_, i) => `## y${i}`).join('\n')}`;
    const outline = buildOutline(cutParts(text), whole(text));
    expect(outline[0]).toEqual({ number: 1, level: 1, title: 'x'.repeat(300), part: 1 });
  });

  test('headings beyond the twenty-thousandth are not numbered', () => {
    const text = Array.from({ length: 30_000 }, (_, i) => `# h${i + 1}`).join('\n');
    expect(findSection(text, '#20000').title).toBe('h20000');
    expect(() => findSection(text, '#20001')).toThrow(' and 19980 more');
    const late = buildOutline([text.slice(text.indexOf('# h15000'))], whole(text));
    expect(late[0]).toMatchObject({ number: 15_000, title: 'h15000' });
  });
});

describe('links', () => {
  test('are those of the text first, each address once, then those of the page', () => {
    const text =
      '[a](https://x.example/a) ![p](https://x.example/p.png) [**b** [1]](https://x.example/b) [\\[2\\]](https://x.example/2) [a2](https://x.example/a) ' +
      '[![alt](https://x.example/i.png)](https://x.example/c) [w](https://x.example/w_(x)) [m](mailto:a@x.example) [r](/r)';
    expect(
      listLinks(
        text,
        [
          { url: 'https://x.example/nav', text: 'Nav' },
          { url: 'https://x.example/a', text: 'A' },
        ],
        100,
      ).links,
    ).toEqual([
      { url: 'https://x.example/a', text: 'a' },
      { url: 'https://x.example/b', text: 'b [1]' },
      { url: 'https://x.example/2', text: '[2]' },
      { url: 'https://x.example/c', text: 'alt' },
      { url: 'https://x.example/w_(x)', text: 'w' },
      { url: 'https://x.example/nav', text: 'Nav' },
    ]);
  });

  test('are listed without an error for any page', () => {
    fc.assert(fc.property(anyText, (text) => void listLinks(text, [], 100)));
  });
});

test.each(Object.entries(HOSTILE))('%s', (_name, text) => {
  const work = () => {
    buildOutline(cutParts(text), whole(text));
    listLinks(text, [], 100);
    try {
      findSection(text, 'tide mill');
    } catch (error) {
      expect(error).toMatchObject({ code: 'not_found' });
    }
  };
  expect(processorSeconds(work)).toBeLessThan(HOSTILE_SECONDS);
});
