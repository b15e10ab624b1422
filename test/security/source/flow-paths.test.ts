import { expect, test } from 'vitest';
import type { AnalysisRun } from '../../../src/security/scanners/source/flow/run.ts';
import {
  elementOf,
  readValueMember,
  valueAtPath,
} from '../../../src/security/scanners/source/flow/values/paths.ts';
import {
  type AbstractValue,
  type FlowStep,
  type TaintOrigin,
  UNKNOWN_VALUE,
} from '../../../src/security/scanners/source/flow/values/value.ts';
import { bitsOf } from '../../../src/security/scanners/source/harm.ts';
import { indexPatterns } from '../../../src/security/scanners/source/patterns.ts';
import type { TaintSource } from '../../../src/security/scanners/source/rule.ts';

/** What a dotted path, a member and an element are, by the sources of a language's rules. */

const LINE = 7;
const word = (text: string) => ({ test: (given: string) => given.includes(text) }) as TaintSource['imports'];
const SOURCES: readonly TaintSource[] = [
  { path: ['req.query.*'], origin: 'request', note: 'a query', harmless: ['nosql', 'ldap'] },
  { path: ['*.body'], origin: 'request', note: 'a body' },
  { path: ['*.both'], origin: 'input', note: 'of both', imports: word('express'), on: word('ctx') },
  { path: ['*.either'], origin: 'input', note: 'of another module', imports: word('other') },
  { path: ['*.either'], origin: 'input', note: 'of another object', on: word('ctx') },
  { path: ['*.either'], origin: 'input', note: 'of any object' },
  { path: ['args[]', 'all[]'], origin: 'input', note: 'an argument' },
];

/** A run of the file `a.js` that imports these modules. */
const runOf = (imports: string): AnalysisRun =>
  ({
    path: 'a.js',
    imports,
    rules: {
      sources: indexPatterns(SOURCES, (one) => one.path),
      harmless: indexPatterns(['req.query.token', 'req.safe'], (one) => [one]),
    },
  }) as unknown as AnalysisRun;
const run = runOf('express');

const step = (note: string, line = LINE): FlowStep => ({ path: 'a.js', line, note, length: 1 });
const from = (origin: TaintOrigin, note: string, clean = 0, line = LINE): AbstractValue => ({
  taint: { origin, clean, flow: step(note, line) },
});
const request = from('request', 'before', bitsOf(['sql']), 3);
const param = from('param', 'before', bitsOf(['sql']), 3);
const CLEAN = bitsOf(['nosql', 'ldap']);

test.each<[path: string, parent: AbstractValue, value: AbstractValue]>([
  // What no rule names has the data of its object.
  ['a.b', UNKNOWN_VALUE, { path: 'a.b' }],
  ['a.b', param, { path: 'a.b', ...param }],
  // What a rule calls harmless has none, whatever its object has.
  ['req.query.token', request, { path: 'req.query.token' }],
  ['req.safe', param, { path: 'req.safe' }],
  // A source's data begins at the line, without the harms that the source rules out.
  ['req.query.a', UNKNOWN_VALUE, { path: 'req.query.a', ...from('request', 'a query', CLEAN) }],
  ['a.body', UNKNOWN_VALUE, { path: 'a.body', ...from('request', 'a body') }],
  ['a.body', param, { path: 'a.body', ...from('request', 'a body') }],
  // Data of the same origin keeps its way, and what was ruled out before.
  ['req.query.a', request, { path: 'req.query.a', ...from('request', 'before', CLEAN | bitsOf(['sql']), 3) }],
  ['a.body', request, { path: 'a.body', ...request }],
  // A source is one of a module and of an object.
  ['ctx.both', UNKNOWN_VALUE, { path: 'ctx.both', ...from('input', 'of both') }],
  ['a.both', UNKNOWN_VALUE, { path: 'a.both' }],
  ['ctx.either', UNKNOWN_VALUE, { path: 'ctx.either', ...from('input', 'of another object') }],
  ['a.either', UNKNOWN_VALUE, { path: 'a.either', ...from('input', 'of any object') }],
])('the value at %s, of an object with %j, is %j', (path, parent, value) => {
  expect(valueAtPath(run, path, parent, LINE)).toEqual(value);
});

test('a source of a module gives nothing where the file does not import it', () => {
  expect(valueAtPath(runOf('koa'), 'ctx.both', UNKNOWN_VALUE, LINE)).toEqual({ path: 'ctx.both' });
  expect(valueAtPath(runOf('other'), 'ctx.either', UNKNOWN_VALUE, LINE)).toEqual({
    path: 'ctx.either',
    ...from('input', 'of another module'),
  });
});

test('a path of more than 160 characters is forgotten, and its data is kept', () => {
  const path = (length: number) => `a.${'b'.repeat(length - 2)}`;
  expect(valueAtPath(run, path(160), UNKNOWN_VALUE, LINE)).toEqual({ path: path(160) });
  expect(valueAtPath(run, path(160), param, LINE)).toEqual({ path: path(160), ...param });
  expect(valueAtPath(run, path(161), UNKNOWN_VALUE, LINE)).toBe(UNKNOWN_VALUE);
  expect(valueAtPath(run, path(161), param, LINE)).toEqual(param);
});

const random = step('predictable', 2);
const b: AbstractValue = { constant: 'b' };

test.each<[name: string, object: AbstractValue, value: AbstractValue]>([
  ['b', { path: 'a', fields: new Map([['b', b]]) }, b],
  ['c', { path: 'a', fields: new Map([['b', b]]) }, { path: 'a.c' }],
  ['length', { ...request, fields: new Map([['length', b]]) }, b],
  ['length', request, { fixed: true }],
  ['lengths', { ...request, path: 'a' }, { path: 'a.lengths', ...request }],
  ['b', param, { path: '?.b', ...param }],
  ['body', {}, { path: '?.body', ...from('request', 'a body') }],
  ['b', { path: 'a', random }, { path: 'a.b', random }],
])('the member %s of %j is %j', (name, object, value) => {
  expect(readValueMember(run, object, name, LINE)).toEqual(value);
});

const eachOf = (value: AbstractValue): AbstractValue =>
  value.taint
    ? { taint: { ...value.taint, flow: { ...step('each of them'), before: value.taint.flow, length: 2 } } }
    : {};

test.each<[collection: AbstractValue, value: AbstractValue]>([
  // Of known elements, it is any.
  [{ path: 'args', items: [b] }, b],
  [{ items: [b, { constant: 'c' }] }, { fixed: true, choices: ['b', 'c'] }],
  [{ items: [b, request] }, request],
  // Of others, what the path and the data of the collection show.
  [{ path: 'a' }, { path: 'a[]' }],
  [{ path: 'a', items: [] }, { path: 'a[]' }],
  [
    { path: 'a', ...request },
    { path: 'a[]', ...eachOf(request) },
  ],
  [
    { path: 'a', fields: new Map([['b', request]]) },
    { path: 'a[]', ...eachOf(request) },
  ],
  [{ path: 'args' }, { path: 'args[]', ...from('input', 'an argument') }],
  [request, request],
  [{ fields: new Map([['b', param]]) }, param],
])('an element of %j is %j', (collection, value) => {
  expect(elementOf(run, collection, LINE)).toEqual(value);
});

test('an element of a collection of which nothing is known is unknown', () => {
  expect(elementOf(run, {}, LINE)).toBe(UNKNOWN_VALUE);
  expect(elementOf(run, { items: [] }, LINE)).toBe(UNKNOWN_VALUE);
});
