import { expect, test } from 'vitest';
import { COUNT_MEMBERS, typedPath } from '../../../src/security/scanners/source/flow/values/paths.ts';
import {
  type AbstractValue,
  addStep,
  type FlowStep,
  findPredictableRandomness,
  findRootVariables,
  joinValues,
  MAX_TRACKED_ELEMENTS,
  mergeTaints,
  strongerTaint,
  type Taint,
  type TaintOrigin,
  taintOf,
  withoutHarms,
} from '../../../src/security/scanners/source/flow/values/value.ts';
import type { Expr } from '../../../src/security/scanners/source/ir.ts';

/** What is known of values: the pure half of the data flow, case by case. */

const taint = (origin: TaintOrigin, clean = 0, line = 1): Taint => ({
  origin,
  clean,
  flow: { path: 'a', line, note: `at ${line}`, length: 1 },
});
const request = taint('request');
const input = taint('input');
const param = taint('param');
const text = (constant: string): AbstractValue => ({ constant });
const fields = (entries: Readonly<Record<string, AbstractValue>>): AbstractValue => ({
  fields: new Map(Object.entries(entries)),
});
const random: FlowStep = { path: 'a', line: 7, note: 'predictable', length: 1 };
/** What is known, without what is known to be undefined. */
const known = (value: AbstractValue) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));

test('the stronger of two taints wins, and two equal taints keep only the harms that both rule out', () => {
  expect(strongerTaint(undefined, undefined)).toBeUndefined();
  expect(strongerTaint(request, undefined)).toBe(request);
  expect(strongerTaint(undefined, request)).toBe(request);
  for (const [more, less] of [
    [request, input],
    [request, param],
    [input, param],
  ] as const) {
    expect(strongerTaint(more, less)).toBe(more);
    expect(strongerTaint(less, more)).toBe(more);
  }
  // Where it came from does not depend on what was ruled out.
  expect(strongerTaint(taint('request', 7), input)?.clean).toBe(7);
  const [some, others, both] = [taint('request', 0b011), taint('request', 0b110), taint('request', 0b111)];
  expect(strongerTaint(some, both)).toBe(some);
  expect(strongerTaint(both, some)).toBe(some);
  expect(strongerTaint(some, others)).toEqual({ ...some, clean: 0b010 });
});

test('data from outside is found three levels deep in a value', () => {
  const inner: AbstractValue = { taint: request };
  const list = (value: AbstractValue): AbstractValue => ({ items: [text('a'), value] });
  const object = (value: AbstractValue): AbstractValue => fields({ a: text('a'), b: value });
  for (const around of [list, object]) {
    expect(taintOf(around(inner))).toBe(request);
    expect(taintOf(around(around(around(inner))))).toBe(request);
    expect(taintOf(around(around(around(around(inner)))))).toBeUndefined();
  }
  expect(taintOf({ taint: param, items: [{ taint: input }], fields: new Map([['a', inner]]) })).toBe(request);
  expect(taintOf({ taint: request, items: [{ taint: param }] })).toBe(request);
  expect(taintOf(list(text('b')))).toBeUndefined();
});

test('predictable randomness is found in a value or in one of its items', () => {
  expect(findPredictableRandomness({ random })).toBe(random);
  expect(findPredictableRandomness({ items: [text('a'), { random }] })).toBe(random);
  expect(findPredictableRandomness({ items: [text('a')] })).toBeUndefined();
  expect(findPredictableRandomness(text('a'))).toBeUndefined();
});

test('a merged value keeps only the strongest taint and the first randomness', () => {
  const later: FlowStep = { ...random, line: 9 };
  const all: AbstractValue[] = [
    { taint: param, path: 'a' },
    { random },
    { items: [{ taint: request }] },
    { random: later },
  ];
  expect(known(mergeTaints(all))).toEqual({ taint: request, random });
  expect(known(mergeTaints([text('a'), { path: 'b' }]))).toEqual({});
  expect(known(mergeTaints([]))).toEqual({});
});

test.each<[string, AbstractValue, AbstractValue, AbstractValue]>([
  // Constants.
  ['the same constant', text('a'), text('a'), text('a')],
  ['two constants', text('a'), text('b'), { fixed: true, choices: ['a', 'b'] }],
  [
    'one of two constants, and a third',
    { fixed: true, choices: ['a', 'b'] },
    text('c'),
    { fixed: true, choices: ['a', 'b', 'c'] },
  ],
  [
    'more constants than are kept',
    { fixed: true, choices: [1, 2, 3, 4, 5, 6, 7, 8] },
    text('c'),
    { fixed: true },
  ],
  ['one of several constants, and a constant', { fixed: true }, text('a'), { fixed: true }],
  ['a constant, and one of several', text('a'), { fixed: true }, { fixed: true }],
  ['a constant and the unknown', text('a'), {}, {}],
  ['the unknown and a constant', {}, text('a'), {}],
  ['one of several constants, and the unknown', { fixed: true }, {}, {}],
  ['a constant and null', text('a'), { constant: null }, { fixed: true, choices: ['a', null] }],
  // Paths.
  ['the same path', { path: 'a.b' }, { path: 'a.b' }, { path: 'a.b' }],
  ['two paths', { path: 'a' }, { path: 'b' }, {}],
  ['a path and none', { path: 'a' }, { constant: null }, { path: 'a' }],
  ['none and a path', { constant: null }, { path: 'a' }, { path: 'a' }],
  // Data from outside and randomness.
  ['a taint and none', { taint: param }, {}, { taint: param }],
  ['none and a taint', {}, { taint: param }, { taint: param }],
  ['two taints', { taint: param }, { taint: request }, { taint: request }],
  ['randomness and none', { random }, {}, { random }],
  ['none and randomness', {}, { random }, { random }],
  // Texts.
  ['a built text and another', { built: true }, {}, { built: true }],
  ['another and a built text', {}, { built: true }, { built: true }],
  ['a text and none', { text: 'a\0' }, {}, { text: 'a\0' }],
  ['none and a text', {}, { text: 'a\0' }, { text: 'a\0' }],
  ['two texts', { text: 'a\0' }, { text: 'b\0' }, { text: 'b\0' }],
  [
    'a text from outside and another',
    { text: 'a\0', taint: param },
    { text: 'b\0' },
    { text: 'a\0', taint: param },
  ],
  // Marks and what it was made of.
  ['marks', { marks: ['a', 'b'] }, { marks: ['b', 'c'] }, { marks: ['a', 'b', 'c'] }],
  ['marks and none', { marks: ['a'] }, {}, { marks: ['a'] }],
  ['none and marks', {}, { marks: ['a'] }, { marks: ['a'] }],
  ['what both were made of', { from: ['a'] }, { from: ['b', 'a'] }, { from: ['a', 'b'] }],
  ['what one was made of', { from: ['a'] }, {}, { from: ['a'] }],
  ['what the other was made of', {}, { from: ['a'] }, { from: ['a'] }],
  [
    'what both were made of, to a bound',
    { from: ['a', 'b', 'c', 'd', 'e'] },
    { from: ['f', 'g', 'h', 'i', 'j'] },
    { from: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] },
  ],
  // Lists.
  [
    'lists of one length, place by place',
    { items: [text('a'), text('b')] },
    { items: [text('a'), { taint: request }] },
    { items: [text('a'), { taint: request }] },
  ],
  [
    'lists of two lengths',
    { items: [text('a')] },
    { items: [text('a'), { taint: input }] },
    { taint: input },
  ],
  [
    'lists of two lengths, turned',
    { items: [text('a'), { taint: input }] },
    { items: [text('a')] },
    { taint: input },
  ],
  ['lists of two lengths', { items: [text('a')] }, { items: [text('a'), {}] }, {}],
  [
    'lists of constants of two lengths',
    { items: [text('a')] },
    { items: [text('a'), text('b')] },
    { fixed: true },
  ],
  ['an empty list and one that is not', { items: [] }, { items: [text('a')] }, { items: [text('a')] }],
  ['a list and an empty one', { items: [text('a')] }, { items: [] }, { items: [text('a')] }],
  ['no collection and a list', {}, { items: [text('a')] }, { items: [text('a')] }],
  ['a list and no collection', { items: [text('a')] }, {}, { items: [text('a')] }],
  ['a list and an object without fields', { items: [text('a')] }, fields({}), { items: [text('a')] }],
  ['two empty lists', { items: [] }, { items: [] }, { items: [] }],
  // Objects.
  [
    'objects, field by field',
    fields({ a: text('a'), b: text('b') }),
    fields({ b: text('c'), c: text('c') }),
    fields({ a: text('a'), b: { fixed: true, choices: ['b', 'c'] }, c: text('c') }),
  ],
  ['no object and one', { constant: null }, fields({ a: text('a') }), fields({ a: text('a') })],
  ['an object and none', fields({ a: text('a') }), { constant: null }, fields({ a: text('a') })],
  ['an object and a list', fields({ a: { taint: input } }), { items: [text('a')] }, { taint: input }],
  ['a list and an object', { items: [text('a')] }, fields({ a: { taint: input } }), { taint: input }],
  [
    'data beside what is held',
    { taint: param, items: [text('a')] },
    { items: [text('a'), { taint: request }] },
    { taint: request },
  ],
])('two alternative values are joined: %s', (_name, a, b, joined) => {
  expect(known(joinValues(a, b))).toEqual(joined);
});

test('two equal alternatives are joined into the value itself, with all its properties', () => {
  const one: AbstractValue = { constant: 'a', path: 'a', taint: request };
  expect(joinValues(one, one)).toBe(one);
});

test('a function on either side of a join is kept', () => {
  const fn = {
    home: { path: 'a' },
    fn: { name: 'go', params: [], marks: [], body: [], line: 1 },
    scope: { values: new Map(), parent: undefined, ended: false },
  };
  expect(known(joinValues({ fn }, {}))).toEqual({ fn });
  expect(known(joinValues({}, { fn }))).toEqual({ fn });
});

test('a join of objects with many fields, or of deeply nested ones, keeps only the data from outside', () => {
  const many = (count: number, last: AbstractValue) =>
    fields(
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at === 0 ? last : text('a')])),
    );
  const half = MAX_TRACKED_ELEMENTS / 2;
  expect(joinValues(many(half, { taint: input }), many(half, text('a'))).fields?.size).toBe(half);
  expect(known(joinValues(many(half, { taint: input }), many(half + 1, text('a'))))).toEqual({
    taint: input,
  });
  const within = (depth: number, leaf: AbstractValue): AbstractValue =>
    depth === 0 ? leaf : { items: [within(depth - 1, leaf), text('z')] };
  const leafOf = (value: AbstractValue, depth: number): AbstractValue | undefined =>
    depth === 0 ? value : leafOf(value.items?.[0] ?? {}, depth - 1);
  expect(leafOf(joinValues(within(3, text('a')), within(3, text('b'))), 3)).toEqual({
    fixed: true,
    choices: ['a', 'b'],
  });
  expect(leafOf(joinValues(within(4, text('a')), within(4, text('b'))), 3)).toEqual({ fixed: true });
  const deep = (leaf: AbstractValue): AbstractValue =>
    fields({ a: fields({ a: fields({ a: fields({ a: leaf }) }) }) });
  const third = joinValues(deep(text('a')), deep({ taint: input }))
    .fields?.get('a')
    ?.fields?.get('a')
    ?.fields?.get('a');
  expect(known(third ?? {})).toEqual({ taint: input });
});

test('a step is added to a flow unless it repeats the last one, up to forty steps', () => {
  const home = { path: 'b' };
  const first = taint('request', 5, 3);
  const next = addStep(first, home, 4, 'into q');
  expect(next).toEqual({
    origin: 'request',
    clean: 5,
    flow: { path: 'b', line: 4, note: 'into q', before: first.flow, length: 2 },
  });
  expect(addStep(next, home, 4, 'into q')).toBe(next);
  expect(addStep(next, home, 5, 'into q').flow.length).toBe(3);
  expect(addStep(next, home, 4, 'into r').flow.length).toBe(3);
  let long = first;
  for (let at = 0; at < 60; at++) long = addStep(long, home, at, 'on');
  expect([long.flow.length, long.flow.line]).toEqual([40, 38]);
});

test('newly ruled-out harms are added to those already ruled out', () => {
  expect(withoutHarms({ taint: taint('request', 0b001), path: 'a' }, 0b100)).toEqual({
    taint: taint('request', 0b101),
    path: 'a',
  });
  const same: AbstractValue = { taint: request };
  expect(withoutHarms(same, 0)).toBe(same);
  const clean = text('a');
  expect(withoutHarms(clean, 1)).toBe(clean);
});

const line = 1;
const name = (of: string): Expr => ({ op: 'name', name: of, line });
const member = (object: Expr, of: string): Expr => ({ op: 'member', object, name: of, line });
const constant = (value: string): Expr => ({ op: 'constant', value, line });
const call = (callee: Expr, ...args: Expr[]): Expr => ({
  op: 'call',
  callee,
  args: args.map((value) => ({ value })),
  line,
});
const assign = (target: Expr, value: Expr): Expr => ({ op: 'assign', target, value, adds: false, line });

test.each<[string, Expr, string[]]>([
  ['a', name('a'), ['a']],
  ['a.b', member(name('a'), 'b'), ['a']],
  ['this.b', member(name('this'), 'b'), ['this.b']],
  ['self.b', member(name('self'), 'b'), ['self.b']],
  ['selfish.b', member(name('selfish'), 'b'), ['selfish']],
  ['myself.b', member(name('myself'), 'b'), ['myself']],
  ['self.b.c', member(member(name('self'), 'b'), 'c'), ['self.b']],
  ['self', name('self'), ['self']],
  ['a[0]', { op: 'index', object: name('a'), line }, ['a']],
  ['a = b', assign(name('a'), name('b')), ['a']],
  ['a.trim()', call(member(name('a'), 'trim')), ['a']],
  ['a.slice("x")', call(member(name('a'), 'slice'), constant('x')), ['a']],
  ['path.join(b)', call(member(name('path'), 'join'), name('b')), ['b']],
  ['trim(a)', call(name('trim'), name('a')), ['a']],
  ['trim("x")', call(name('trim'), constant('x')), []],
  ['trim()', call(name('trim')), []],
  ['"x"', constant('x'), []],
  ['f(g(a.b))', call(name('f'), call(name('g'), member(name('a'), 'b'))), ['a']],
])('the root variable of %s is %j', (_written, expr, roots) => {
  expect(findRootVariables(expr)).toEqual(roots);
});

test('the root variable of an expression is found up to twenty operations deep', () => {
  const deep = (depth: number): Expr => (depth === 0 ? name('a') : member(deep(depth - 1), 'b'));
  expect(findRootVariables(deep(19))).toEqual(['a']);
  expect(findRootVariables(deep(20))).toEqual([]);
});

test.each([
  ['a declared type', { type: 'Statement' }, 'stmt.execute', 'Statement.execute'],
  ['a type with its package', { type: 'java.sql.Statement' }, 'stmt.execute', 'Statement.execute'],
  ['a generic type', { type: 'DbSet<Shop.Order>' }, 'orders.execute', 'DbSet.execute'],
  ['a type that may be null', { type: 'HttpClient?' }, 'client.execute', 'HttpClient.execute'],
  ['a type with words behind it', { type: 'Statement\n| null' }, 'stmt.execute', 'Statement.execute'],
  [
    'a constructed object',
    { path: 'ProcessBuilder()' },
    'ProcessBuilder().execute',
    'ProcessBuilder.execute',
  ],
  ['a constructed object of a module', { path: 'a.b2.Engine()' }, 'x.execute', 'Engine.execute'],
  ['a declared type before a constructed one', { type: 'A', path: 'B()' }, 'b.execute', 'A.execute'],
  ['a type that is the path already', { type: 'Statement' }, 'Statement.execute', undefined],
  ['a function with a small letter', { path: 'engine()' }, 'engine().execute', undefined],
  ['a call within a path', { path: 'Engine().next' }, 'x.execute', undefined],
  ['a call with words before it', { path: 'await Engine()' }, 'x.execute', undefined],
  ['a path without a call', { path: 'Engine' }, 'Engine.execute', undefined],
  ['an empty type', { type: '' }, 'x.execute', undefined],
  ['neither type nor path', {}, 'x.execute', undefined],
])("a member is named by its object's type: %s", (_, receiver, path, typed) => {
  expect(typedPath(receiver, 'execute', path)).toBe(typed);
});

test('a member of an unknown object has no type', () => {
  expect(typedPath(undefined, 'execute', 'x.execute')).toBeUndefined();
});

test('counts and status numbers are no text from outside, and members whose names only hold such a word may be', () => {
  for (const name of [
    'length',
    'size',
    'count',
    'byteLength',
    'Length',
    'Count',
    'status',
    'statusCode',
    'ok',
  ])
    expect(COUNT_MEMBERS.test(name)).toBe(true);
  for (const name of ['lengths', 'mysize', 'status_text', 'token', 'okay'])
    expect(COUNT_MEMBERS.test(name)).toBe(false);
});
