import { expect, test } from 'vitest';
import { addNamedDays, isNamedDay, replaceNamedDays } from '../../../src/lib/time/named-days.ts';

test.each([
  ["what is on Valentine's day?", 'what is on February 14?'],
  ["New Year's Eve", 'December 31'],
  ['New Years Day', 'January 1'],
  ['Was mache ich an Silvester?', 'Was mache ich an 31. Dezember?'],
  ['que faire à Noël', 'que faire à 25 décembre'],
  ['Qué hago en Nochevieja', 'Qué hago en 31 de diciembre'],
  ['alla vigilia di Natale', 'alla 24 dicembre'],
  ['na véspera de ano novo', 'na 31 de dezembro'],
  ['met Kerst', 'met 25 december'],
  ['w Wigilię', 'w 24 grudnia'],
  ['в день святого Валентина', 'в 14 февраля'],
  ['バレンタインデーに何がある', '2月14日に何がある'],
  ['圣诞节', '12月25日'],
])('%s is %s, and both are searched for', (text, dated) => {
  expect(replaceNamedDays(text)).toBe(dated);
  expect(addNamedDays(text).startsWith(`${text} `)).toBe(true);
  expect(replaceNamedDays(dated)).toBe(dated);
});

test.each(['Where is the Christmas tree?', 'Silvestre is my neighbour', 'the new year'])(
  '%s names no day',
  (text) => expect([replaceNamedDays(text), addNamedDays(text)]).toEqual([text, text]),
);

test.each(['Christmas', 'Noël', 'Natale', 'Navidad', 'Weihnachten', 'Silvester', 'Рождество'])(
  '%s is no name but that of a day',
  (word) => expect(isNamedDay(word)).toBe(true),
);

test.each(['Anna', 'Maria', 'Paris', 'day', 'on', ''])('%s is not the name of a day', (word) =>
  expect(isNamedDay(word)).toBe(false),
);
