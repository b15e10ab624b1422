import { describe, expect, test } from 'vitest';
import { findAnswerPattern } from '../../../src/browse/reducing/answer-patterns.ts';
import { HOSTILE, HOSTILE_SECONDS } from '../../helpers/hostile-markdown.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const KINDS = [
  [
    'money',
    ['How much did it cost?', 'What was the price?', 'Wie teuer war es?', '多少钱？', 'сколько стоит'],
    ['$4,000', '12 euros', '３ ¥', '5 million'],
    ['in May 1871', 'Ada Coe'],
  ],
  [
    'a span',
    ['How long did it last?', 'How old is she?', 'Wie lange dauerte es?', 'сколько лет модели', 'どのくらい'],
    ['for forty years', '12 minutes', 'a 21-day week', '53 года', '3時間'],
    ['very long', 'Ada Coe'],
  ],
  [
    'a date',
    ['When was it built?', 'Wann war das?', 'Когда это было?', 'いつ建てられたか', 'متى بنيت'],
    ['in May', 'on Tuesday', '1871', '3. Oktober', '2026年', '3 мая'],
    ['a while', 'route 66'],
  ],
  [
    'a number',
    ['How many came?', 'Wie viele waren es?', 'Quantas pessoas?', '多少人'],
    ['106 people', 'twelve men', '٣'],
    ['some of them'],
  ],
  [
    'a name',
    ['Who built it?', 'Wer war das?', 'Quién lo hizo?', 'кто построил'],
    ['it was Ada Coe', 'said “Ada', 'Dr. coe'],
    ['They went home.', 'it was he'],
  ],
  ['a place', ['Where is it?', 'Wo liegt das?', 'Где это?'], ['it lies in Kent', 'at Doha'], ['in the end']],
  [
    'a reason',
    ['Why did it close?', 'Warum?', 'Почему?', '为什么'],
    ['because it silted', 'weil es brannte', 'потому что', '因为'],
    ['and it rained'],
  ],
] as const;

describe.each(KINDS)('%s', (_kind, questions, shown, other) => {
  test.each(questions)('%s', (question) => {
    const cue = findAnswerPattern(question);
    expect(shown.filter((text) => !cue?.test(text))).toEqual([]);
    expect(other.filter((text) => cue?.test(text))).toEqual([]);
  });

  test.each(Object.entries(HOSTILE))('on %s', (_name, text) => {
    const work = () => {
      findAnswerPattern(questions[0])?.test(text);
      findAnswerPattern(text);
    };
    expect(processorSeconds(work)).toBeLessThan(HOSTILE_SECONDS);
  });
});

test('a question without a cue has no answer pattern', () => {
  for (const question of ['', 'tide mills', 'Is it true?', 'Ist das wahr?'])
    expect(findAnswerPattern(question)).toBeUndefined();
});
