import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PageVocabulary } from '../../../src/browse/extracting/vocabulary.ts';
import { splitBlocks } from '../../../src/browse/reducing/blocks.ts';
import { distinctWords, indexTerms } from '../../../src/browse/reducing/lexical.ts';
import { markdownToPlainText } from '../../../src/browse/reducing/plain-text.ts';
import { computeShingleSketch, sketchBlocks } from '../../../src/browse/reducing/sketch.ts';
import { sentences } from '../../../src/lib/text/sentences.ts';
import { countWords, splitTerms } from '../../../src/lib/text/text.ts';

/** A page is taken apart once; what comes of it is what each of its readers would find alone. */

const piece = fc.oneof(
  fc.constantFrom(
    'the mill',
    'Sluice-keeper',
    'ﬁne',
    'naïve',
    '日本語の本',
    'ภาษาไทย',
    '“oak”',
    '… –',
    '3.14',
    '*x*',
    '`y`',
  ),
  fc.constantFrom(
    '\n\n',
    '\n',
    ' ',
    '. ',
    '! ',
    '\u00a0',
    '\u3000',
    '\u2028',
    '# ',
    '- ',
    '> ',
    '| a | b |',
    '1) ',
    ': ',
  ),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const markdown = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('a vocabulary', () => {
  test('numbers the terms of texts, each word once', () => {
    fc.assert(
      fc.property(fc.array(markdown, { maxLength: 4 }), (texts) => {
        const vocabulary = new PageVocabulary();
        const told = texts.map((text) =>
          vocabulary.numbersOf(text).map((number) => vocabulary.words[number]),
        );
        expect(told).toEqual(texts.map(splitTerms));
        expect(new Set(vocabulary.words).size).toBe(vocabulary.words.length);
      }),
    );
  });

  test('shared between texts gives each the same result as a vocabulary of its own', () => {
    const vocabulary = new PageVocabulary();
    vocabulary.numbersOf('words of another text');
    const index = indexTerms(['the mill and the wheel', 'the wheel'], vocabulary);
    expect(distinctWords(index).map((ids) => ids.map((id) => vocabulary.words[id]))).toEqual([
      ['the', 'mill', 'and', 'wheel'],
      ['the', 'wheel'],
    ]);
  });
});

test('the sketch of blocks equals the sketch of their text', () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 1, max: 40 }), (text, times) => {
      const whole = Array.from({ length: times }, (_, at) => `${text}\n\nline ${at} of ${text}`).join('\n\n');
      const blocks = splitBlocks(whole);
      const joined = blocks.map((block) => block.text + block.gap).join('');
      expect(sketchBlocks(blocks, joined, new PageVocabulary())).toEqual(computeShingleSketch(joined));
    }),
    { numRuns: 60 },
  );
});

test('a sketch holds the smallest hashes, each once, however many hashes there are', () => {
  const words = Array.from({ length: 5000 }, (_, at) => `w${at}`).join(' ');
  const sketch = computeShingleSketch(`${words} ${words}`);
  expect(sketch).toHaveLength(256);
  expect([...sketch]).toEqual([...new Set(sketch)].sort((a, b) => a - b));
  expect(computeShingleSketch(`${words} ${words.slice(0, 400)}`)[255]).toBeLessThan(2 ** 32 * 0.06);
});

test('words are counted by white space', () => {
  const spaced = fc.array(
    fc.constantFrom(
      'a',
      'é',
      '“',
      '…',
      '→',
      '字',
      '😀',
      ' ',
      '\t',
      '\u00a0',
      '\u1680',
      '\u2003',
      '\u3000',
      '\ufeff',
    ),
    {
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(spaced, (parts) => {
      const text = parts.join('');
      const alone = (text.match(/\S+/g) ?? []).reduce((sum, word) => sum + countWords(word), 0);
      expect(countWords(text)).toBe(alone);
    }),
  );
  expect(['mill', '“mill”', 'a字b字', '字', '→'].map(countWords)).toEqual([1, 1, 3, 1, 1]);
});

test('plain ASCII text splits into the same sentences as by the Unicode rules', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  const line = fc
    .array(fc.constantFrom('A mill', ' stood', '.', '?', '!', '"', ')', ' ', ',', ' it', '3', ':'), {
      maxLength: 14,
    })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(line, (text) => {
      const segments = [...segmenter.segment(text)];
      if (segments.length === 1) expect(sentences(text)).toEqual([text.trim()].filter(Boolean));
      if (/^[^.!?]*[.!?]*$/.test(text)) expect(segments.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 2000 },
  );
});

test('the plain text of a line without markup is the line itself', () => {
  expect(markdownToPlainText('The mill: 3 wheels,  of oak.\nBuilt in 1742')).toBe(
    'The mill: 3 wheels, of oak. Built in 1742',
  );
  expect(markdownToPlainText('- 3 wheels')).toBe('3 wheels');
  expect(markdownToPlainText('> 3 *wheels*')).toBe('3 wheels');
});
