import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectTextLanguage } from '../../../src/lib/language/detect-language.ts';
import { STEMMED_LANGUAGES, stemIn, stemsIn } from '../../../src/lib/language/stemmers.ts';
import { splitTerms } from '../../../src/lib/text/text.ts';
import { formPairs, WORD_FORMS } from '../../helpers/word-forms.ts';

describe.each(Object.entries(WORD_FORMS))('%s', (language, { frame, pairs }) => {
  test('is detected', () => {
    expect(detectTextLanguage(frame)).toBe(language);
  });

  test.each(formPairs(pairs))('%s and %s have the same stem', (one, other) => {
    const [first, second] = [one, other].map((word) => stemIn(language, splitTerms(word)[0] ?? ''));
    expect(first).toBe(second);
    expect(first?.endsWith(`_${language}_`)).toBe(true);
  });
});

test('every language has samples', () => {
  expect(Object.keys(WORD_FORMS).sort()).toEqual([...STEMMED_LANGUAGES].sort());
});

test.each([
  ['de', 'häuser', 'haus_de_'],
  ['de', 'repariertes', 'repari_de_'],
  ['de', 'größe', 'gross_de_'],
  ['ro', 'munții', 'munt_ro_'],
  ['tr', 'ışık', 'isik_tr_'],
  ['ru', 'москва', 'москв_ru_'],
  ['ru', 'docker', undefined],
  ['de', 'b2b', undefined],
  ['xx', 'word', undefined],
  ['constructor', 'word', undefined],
])('in %s, %s has the term %s', (language, word, term) => {
  expect(stemIn(language, word)).toBe(term);
});

test.each([
  ['es', 'ciudad', 'ciudades'],
  ['es', 'ciudades', 'ciudad'],
  ['de', 'system', 'systeme'],
  ['ru', 'причал', 'причалов'],
  ['hu', 'vitorla', 'vitorlák'],
])('in %s, the question %s finds a page with %s, although their stems differ', (language, asked, said) => {
  expect(stemIn(language, asked)).not.toBe(stemIn(language, said));
  expect(stemsIn(language, asked)).toContain(stemIn(language, said));
  expect(stemsIn(language, 'b2b')).toEqual([]);
});

test('the term of any word is one word with the mark of its language', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'abcdeißäöüéèñçşıœйцукенёлاتنيمαβγςकखनி'),
    maxLength: 60,
  });
  fc.assert(
    fc.property(letters, fc.constantFrom(...STEMMED_LANGUAGES), (word, language) => {
      const term = stemIn(language, word);
      if (term !== undefined) expect(term).toMatch(/^[\p{L}\p{M}]+_[a-z]{2}_$/u);
    }),
    { seed: 38, numRuns: 2000 },
  );
});

test('a long text is in the language of most of its parts', () => {
  const english = 'The meeting about the budget is on the second day of the week. ';
  const german = `${WORD_FORMS.de?.frame} `;
  expect(detectTextLanguage(english.repeat(20) + german.repeat(60))).toBe('de');
  expect(detectTextLanguage(german + english.repeat(80))).toBe(undefined);
});
