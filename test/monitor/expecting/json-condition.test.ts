import { expect, test } from 'vitest';
import { findUnmetConditions, parseJsonCondition } from '../../../src/monitor/expecting/json-condition.ts';

/** Conditions of JSON answers: what they take, and which value meets them. */

const BODY = JSON.stringify({
  state: 'ok',
  'a name': { 'in.side': 7 },
  list: [{ name: 'first', on: true }, { name: 'last' }],
  load: 0.75,
  none: null,
  text: 'five',
});

const faults = (condition: string, body = BODY) =>
  findUnmetConditions({ body, conditions: [condition] }).map(({ what }) => what);

test.each([
  '$.state == "ok"',
  "$.state == 'ok'",
  '$.state == ok',
  '$.state != "down"',
  '$.state',
  '$["a name"]["in.side"] == 7',
  "$['a name']['in.side'] >= 7",
  '$.list[0].name == first',
  '$.list[-1].name == last',
  '$.list.length() == 2',
  '$.text.length() > 3',
  '$.list[0].on == true',
  '$.none == null',
  '$.load < 1',
  '$.load<=0.75',
  '$.missing != "ok"',
])('%s is met', (condition) => {
  expect(faults(condition)).toEqual([]);
});

test.each([
  ['$.state == "down"', 'does not meet $.state == "down": there is "ok"'],
  ['$.load > 1', 'does not meet $.load > 1: there is 0.75'],
  ['$.state < 5', 'does not meet $.state < 5: there is "ok"'],
  ['$.load == "0.75"', 'does not meet $.load == "0.75": there is 0.75'],
  ['$.missing', 'does not meet $.missing: there is nothing'],
  ['$.none', 'does not meet $.none: there is null'],
  ['$.list[9].name == last', 'does not meet $.list[9].name == last: there is nothing'],
  ['$.state.length() == 3', 'does not meet $.state.length() == 3: there is 2'],
  ['$.load.length() > 0', 'does not meet $.load.length() > 0: there is nothing'],
  ['$.constructor', 'does not meet $.constructor: there is nothing'],
  ['$.list.map', 'does not meet $.list.map: there is nothing'],
  ['$.__proto__', 'does not meet $.__proto__: there is nothing'],
])('%s is not met, and the value is named', (condition, what) => {
  expect(faults(condition)).toEqual([what]);
});

test('a body that is not JSON is named once, however many conditions there are', () => {
  expect(findUnmetConditions({ body: '<html>', conditions: ['$.a', '$.b'] })).toEqual([
    { subject: 'json', what: 'answers with no JSON' },
  ]);
});

test('a long value is truncated in the message', () => {
  expect(faults('$.a == 1', JSON.stringify({ a: 'x'.repeat(5000) }))[0]).toMatch(/: there is "x{99}…$/);
});

test.each([
  ['state == ok', '"state == ok"'],
  ['$..state', '"..state"'],
  ['$.a[*]', '"[*]"'],
  ['$.a[1', '"[1"'],
  ['$.a["b', '"[\\"b"'],
  ['$.a = 1', '" = 1"'],
  ['$.a == two words', '" == two words"'],
  ['$.a == ', '" == "'],
  ['$.a == {}', '" == {}"'],
  ['$.a.length().b', '".b"'],
  [`$${'.a'.repeat(51)}`, '".a"'],
])('%s cannot be parsed, and the error names the position', (condition, where) => {
  expect(() => parseJsonCondition(condition)).toThrow(`cannot be read from ${where} on`);
});
