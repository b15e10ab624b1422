import { expect, test } from 'vitest';
import { indexRules } from '../../../src/security/scanners/source/compiled.ts';
import {
  areConditionsMet,
  collectSinkValues,
  type EvaluatedArgument,
  findArgument,
  isConditionMet,
  reportIfHarmful,
} from '../../../src/security/scanners/source/flow/report.ts';
import type { AnalysisRun, Weakness } from '../../../src/security/scanners/source/flow/run.ts';
import type {
  AbstractValue,
  Taint,
  TaintOrigin,
} from '../../../src/security/scanners/source/flow/values/value.ts';
import {
  bitOf,
  NO_FURTHER_QUOTE_BIT,
  STARTS_WITH_QUOTE_BIT,
} from '../../../src/security/scanners/source/harm.ts';
import type { CallCondition, CallSink, ValueCondition } from '../../../src/security/scanners/source/rule.ts';
import { loadRules } from '../../../src/security/scanners/source/rules/load.ts';

/** Whether a call is what a rule asks for, and whether what reaches it does harm. */

const text = (constant: string | number | boolean | null): AbstractValue => ({ constant });
const given = (...values: readonly AbstractValue[]): EvaluatedArgument[] =>
  values.map((value) => ({ value }));
const named = (name: string, value: AbstractValue): EvaluatedArgument => ({ name, value });
const spread = (value: AbstractValue): EvaluatedArgument => ({ value, spread: true });
const [a, b] = [text('a'), text('b')];

test.each<[string, AbstractValue, ValueCondition, boolean]>([
  ['a text that a pattern finds', text('http://a'), /^http:/, true],
  ['a text that it does not find', text('https://a'), /^http:/, false],
  ['a number that reads like it', text(80), /80/, false],
  [
    'what a pattern would find behind its first thousand characters',
    text(`${'x'.repeat(1000)}http:`),
    /http:/,
    false,
  ],
  ['the end of the first thousand', text(`${'x'.repeat(995)}http:`), /http:/, true],
  ['the constant', text(false), false, true],
  ['another one', text(true), false, false],
  ['one of several', text('b'), ['a', 'b'], true],
  ['none of several', text('c'), ['a', 'b'], false],
  ['what is not constant', {}, /./, false],
  ['what is not constant, against several', {}, ['a'], false],
  ['null', text(null), null, true],
])('a test of a constant: %s', (_name, value, asked, passed) => {
  expect(isConditionMet(value, asked)).toBe(passed);
});

test('arguments are found by name, or by position without the named ones and up to a spread argument', () => {
  const args = [...given(a), named('x', text('x')), ...given(b), spread({}), ...given(text('c'))];
  expect([0, 1, 2, 3].map((place) => findArgument(args, place))).toEqual([a, b, undefined, undefined]);
  expect(findArgument(args, 'x')).toEqual(text('x'));
  expect(findArgument(args, 'y')).toBeUndefined();
  expect(findArgument([], 0)).toBeUndefined();
});

const options: AbstractValue = { fields: new Map([['tls', text(false)]]) };
test.each<[string, CallCondition, readonly EvaluatedArgument[], boolean]>([
  ['a place with the constant', { arg: 0, is: 'a' }, given(a), true],
  ['a place with another', { arg: 0, is: 'a' }, given(b), false],
  ['a place that is not there', { arg: 1, is: 'a' }, given(a), false],
  ['any argument at a place', { arg: 0 }, given(b), true],
  ['no argument at a place', { arg: 1 }, given(b), false],
  ['a name with the constant', { name: 'x', is: 'a' }, [named('x', a)], true],
  ['a name with another', { name: 'x', is: 'a' }, [named('x', b)], false],
  ['a name before a place', { name: 'x', arg: 0, is: 'a' }, [...given(b), named('x', a)], true],
  ['a place where the name is not given', { name: 'x', arg: 0, is: 'a' }, given(a), true],
  ['an argument that is left out', { name: 'x', absent: true }, given(a), true],
  ['an argument that is not', { name: 'x', absent: true }, [named('x', a)], false],
  ['a place that is left out', { arg: 1, absent: true }, given(a), true],
  ['one that a spread argument may hold', { name: 'x', absent: true }, [spread({})], false],
  ['one that is left out or has the constant', { name: 'x', is: 'a', absent: true }, [named('x', a)], true],
  ['one that is neither', { name: 'x', is: 'a', absent: true }, [named('x', b)], false],
  ['a key with the constant', { arg: 0, key: 'tls', is: false }, given(options), true],
  ['a key with another', { arg: 0, key: 'tls', is: true }, given(options), false],
  ['a key that is left out', { arg: 0, key: 'port', absent: true }, given(options), true],
  ['a key that is there', { arg: 0, key: 'tls', absent: true }, given(options), false],
  [
    'a key of an object that is not written out',
    { arg: 0, key: 'port', absent: true },
    given({ path: 'o' }),
    false,
  ],
  ['a key of an argument that is left out', { arg: 0, key: 'port', absent: true }, [], true],
  ['what it was made by', { arg: 0, path: /^ssl\./ }, given({ path: 'ssl.create()' }), true],
  ['what something else was made by', { arg: 0, path: /^ssl\./ }, given({ path: 'tls.create()' }), false],
  ['what has no name', { arg: 0, path: /^ssl\./ }, given(a), false],
  ['an argument with a mark', { arg: 0, mark: 'safe' }, given({ marks: ['other', 'safe'] }), true],
  ['an argument with another mark', { arg: 0, mark: 'safe' }, given({ marks: ['other'] }), false],
  ['an argument without marks', { arg: 0, mark: 'safe' }, given(a), false],
])('a condition on %s', (_name, when, args, held) => {
  expect(areConditionsMet([when], args, undefined)).toBe(held);
});

test('a mark without a position belongs to the receiver, and all conditions have to hold', () => {
  const when: CallCondition = { mark: 'safe' };
  expect(areConditionsMet([when], [], { marks: ['safe'] })).toBe(true);
  expect(areConditionsMet([when], given({ marks: ['safe'] }), {})).toBe(false);
  expect(areConditionsMet([when], [], undefined)).toBe(false);
  expect(
    areConditionsMet(
      [
        { arg: 0, is: 'a' },
        { arg: 1, is: 'b' },
      ],
      given(a, b),
      undefined,
    ),
  ).toBe(true);
  expect(
    areConditionsMet(
      [
        { arg: 0, is: 'a' },
        { arg: 1, is: 'b' },
      ],
      given(a, a),
      undefined,
    ),
  ).toBe(false);
  expect(areConditionsMet(undefined, [], undefined)).toBe(true);
});

const sink = (more: Partial<CallSink>): CallSink => ({
  rule: 'source/command-injection',
  harm: 'command',
  call: [],
  args: [0],
  ...more,
});

test('a sink takes the receiver, all arguments or some of them', () => {
  const args = [...given(a), named('x', b)];
  const receiver = text('r');
  expect(collectSinkValues(sink({ args: 'receiver' }), args, receiver)).toEqual([receiver]);
  expect(collectSinkValues(sink({ args: 'receiver' }), args, undefined)).toEqual([]);
  expect(collectSinkValues(sink({ args: 'all' }), args, receiver)).toEqual([a, b]);
  expect(collectSinkValues(sink({ args: ['x', 0, 5] }), args, receiver)).toEqual([b, a]);
});

test('the first named key of an object literal reaches a sink; an object without these keys reaches it whole, but no statement of SQL', () => {
  const keys = ['text', 'sql'];
  const both: AbstractValue = {
    fields: new Map([
      ['sql', a],
      ['text', b],
    ]),
  };
  expect(collectSinkValues(sink({ keys }), given(both), undefined)).toEqual([b]);
  expect(collectSinkValues(sink({ keys }), given({ fields: new Map([['sql', a]]) }), undefined)).toEqual([a]);
  const other: AbstractValue = { fields: new Map([['values', a]]) };
  expect(collectSinkValues(sink({ keys, harm: 'ssrf' }), given(other), undefined)).toEqual([other]);
  expect(collectSinkValues(sink({ keys, harm: 'sql' }), given(other), undefined)).toEqual([]);
  expect(collectSinkValues(sink({ keys }), given(a), undefined)).toEqual([a]);
});

test('a sink with a text condition takes only the matching text', () => {
  const asked = sink({ text: { is: /^select/, written: /select/ }, args: 'all' });
  const args = given({ text: 'select \0' }, { text: 'delete \0' }, {});
  expect(collectSinkValues(asked, args, undefined)).toEqual([{ text: 'select \0' }]);
});

const taint = (origin: TaintOrigin, clean = 0): Taint => ({
  origin,
  clean,
  flow: { path: 'a', line: 3, note: 'in', length: 1 },
});
const flow = taint('request').flow;

/** What is reported of a value that reaches the sink in line 9. */
function judged(one: CallSink, value: AbstractValue): Partial<Weakness> | undefined {
  const found: Weakness[] = [];
  const rules = indexRules(loadRules('python'));
  const run: Pick<AnalysisRun, 'report' | 'rules'> = {
    rules,
    report: (weakness) => void found.push(weakness),
  };
  reportIfHarmful(run as AnalysisRun, one, value, 9);
  expect(found.length).toBeLessThan(2);
  for (const weakness of found) expect(weakness).toMatchObject({ rule: one.rule, line: 9 });
  const [first] = found;
  return first && { severity: first.severity, flow: first.flow };
}

const command = bitOf('command');
test.each<[string, Partial<CallSink>, AbstractValue, Partial<Weakness> | undefined]>([
  ['the request', {}, { taint: taint('request') }, { severity: undefined, flow }],
  [
    'the request within a list',
    {},
    { items: [a, { taint: taint('request') }] },
    { severity: undefined, flow },
  ],
  ['the request, escaped', {}, { taint: taint('request', command) }, undefined],
  [
    'the request, escaped for something else',
    {},
    { taint: taint('request', bitOf('sql')) },
    { severity: undefined, flow },
  ],
  ['a constant', {}, a, undefined],
  ['a parameter', {}, { taint: taint('param') }, undefined],
  ['a parameter, where built text counts', { built: 'low' }, { taint: taint('param') }, undefined],
  ["the user's own", {}, { taint: taint('input') }, undefined],
  [
    "the user's own, where built text counts",
    { built: 'low' },
    { taint: taint('input') },
    { severity: 'medium', flow },
  ],
  ["the user's own, escaped", { built: 'low' }, { taint: taint('input', command) }, undefined],
  ['built text', {}, { built: true }, undefined],
  ['built text, where it counts', { built: 'low' }, { built: true }, { severity: 'low', flow: undefined }],
  [
    'text built of a parameter',
    { built: 'low' },
    { built: true, taint: taint('param') },
    { severity: 'low', flow },
  ],
  [
    'text built of an escaped parameter',
    { built: 'low' },
    { built: true, taint: taint('param', command) },
    undefined,
  ],
  [
    'code between quotes',
    { harm: 'code' },
    { taint: taint('request', STARTS_WITH_QUOTE_BIT | NO_FURTHER_QUOTE_BIT) },
    undefined,
  ],
  [
    'code behind a quote',
    { harm: 'code' },
    { taint: taint('request', STARTS_WITH_QUOTE_BIT) },
    { severity: undefined, flow },
  ],
  [
    'code without a quote',
    { harm: 'code' },
    { taint: taint('request', NO_FURTHER_QUOTE_BIT) },
    { severity: undefined, flow },
  ],
  [
    'a command between quotes',
    {},
    { taint: taint('request', STARTS_WITH_QUOTE_BIT | NO_FURTHER_QUOTE_BIT) },
    { severity: undefined, flow },
  ],
])('%s at a sink %j', (_name, more, value, found) => {
  expect(judged(sink(more), value)).toEqual(found);
});

test('user input is less severe, relative to the severity of the rule', () => {
  const input: AbstractValue = { taint: taint('input') };
  const severityOf = (rule: string) => judged(sink({ rule, built: 'info' }), input)?.severity;
  expect(severityOf('source/command-injection')).toBe('medium');
  expect(severityOf('source/path-traversal')).toBe('low');
});

const tainted: AbstractValue = { taint: taint('request') };
const built: AbstractValue = { built: true };
test.each<[string, AbstractValue, boolean]>([
  ['a program that the request chooses', { items: [tainted, a] }, true],
  ['an argument of a program', { items: [text('ls'), tainted] }, false],
  ['what a shell runs', { items: [text('sh'), text('-c'), tainted] }, true],
  ['what a shell runs, behind constants', { items: [text('bash'), text('-lc'), a, tainted] }, true],
  ['what a shell by its path runs', { items: [text('/bin/bash'), text('-c'), tainted] }, true],
  ['what a shell of Windows runs', { items: [text('C:\\windows\\cmd.exe'), text('/c'), tainted] }, true],
  ['what a shell runs, built', { items: [text('sh'), text('-c'), built] }, true],
  ['constants that a shell runs', { items: [text('sh'), text('-c'), a] }, false],
  ['a file of a shell', { items: [text('sh'), text('-x'), tainted] }, false],
  ['a script of a shell by its name', { items: [text('sh'), tainted] }, true],
  ['what an unknown program is given behind -c', { items: [{}, text('-c'), tainted] }, true],
  ['what another program is given behind -c', { items: [text('fish.txt'), text('-c'), tainted] }, false],
  [
    'what a program whose name ends like a shell is given',
    { items: [text('refresh'), text('-c'), tainted] },
    false,
  ],
  [
    'what a program that begins like a shell is given',
    { items: [text('shred'), text('-c'), tainted] },
    false,
  ],
  ['an option that begins like -c', { items: [text('sh'), text('-cx'), tainted] }, false],
  ['an option that ends like -c', { items: [text('sh'), text('--c'), tainted] }, false],
  ['an option that is no text', { items: [text('sh'), text(1), tainted] }, false],
  ['no list, from outside', tainted, true],
  ['no list, built', built, true],
  ['no list, unknown', {}, false],
  ['an empty list', { items: [] }, false],
])('an argument list of a program is dangerous by its contents: %s', (_name, value, isFound) => {
  expect(judged(sink({ argv: true, built: 'low' }), value) !== undefined).toBe(isFound);
});
