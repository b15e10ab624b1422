import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';
import { COMMAND, linesFound } from './handlers.ts';

/** Functions of the file that are followed: how far, with which arguments, and what their parameters hold. */

const scanner = createSourceScanner();

/** Commands that a file runs, as `line severity`. */
async function commandsIn(path: string, text: string): Promise<string[]> {
  const found = await scanner.scan({ path, text }, { deep: true });
  return found.filter(({ id }) => id === COMMAND).map((one) => `${one.line} ${one.severity}`);
}

const inJavaScript = (...lines: string[]) => linesFound(COMMAND, 'javascript', lines);
const inPython = (...lines: string[]) => linesFound(COMMAND, 'python', lines);

/** Whether the last of some lines runs what came with the request. */
const rows = (cases: readonly (readonly [boolean, ...string[]])[]) =>
  cases.map(([isFound, ...lines]) => [isFound, lines] as const);

test('five calls within calls are followed; what a sixth gives carries what went in', async () => {
  const nested = (depth: number) => {
    const through = Array.from({ length: depth - 1 }, (_, at) => `const f${at + 1} = (a) => f${at}(a);`);
    return inJavaScript(`const f0 = () => 'a'; ${through.join(' ')} exec(f${depth - 1}(p));`);
  };
  expect(await nested(4)).toEqual([]);
  expect(await nested(5)).toEqual([1]);
});

test('a function is followed for twelve kinds of arguments', async () => {
  const called = (times: number) => {
    const calls = Array.from({ length: times }, (_, at) => `f(${at});`);
    return inJavaScript(`const f = () => 'a'; ${calls.join(' ')} exec(f(p));`);
  };
  expect(await called(11)).toEqual([]);
  expect(await called(12)).toEqual([1]);
  // The same arguments are one kind, and so are texts that begin with the same sixty characters.
  const same = ["f('b');".repeat(20), "f(`c`, 'd');".repeat(20)].join('');
  expect(await inJavaScript(`const f = () => 'a'; ${same} exec(f(p));`)).toEqual([]);
  const long = Array.from({ length: 20 }, (_, at) => `f('${'b'.repeat(60)}${at}');`).join('');
  expect(await inJavaScript(`const f = () => 'a'; ${long} exec(f(p));`)).toEqual([]);
  const lists = Array.from({ length: 20 }, (_, at) => `f(['${'b'.repeat(100)}', ${at}]);`).join('');
  expect(await inJavaScript(`const f = () => 'a'; ${lists} exec(f(p));`)).toEqual([]);
});

test.each([
  ["const f = (a, b) => (b ? a : 'a');", 'f(p, false);', 'exec(f(p, true));'],
  ["const f = (a) => (a === 1 ? p : 'a');", "f('1');", 'exec(f(1));'],
  ['const f = (a) => a;', "f('a');", 'exec(f(p));'],
  ["const f = (a) => (a[0] === 'b' ? p : 'a');", "f(['a']);", "exec(f(['b']));"],
  ['const f = (a) => a[0];', 'f([other]);', 'exec(f([p]));'],
  ['const f = (a) => a.b;', 'f(other);', 'exec(f(req.query));'],
])('what a function gave for other arguments says nothing: %j', async (...lines) => {
  expect(await inJavaScript(...lines)).toEqual([lines.length]);
});

test('data that was made harmless is another kind of argument', async () => {
  const shell = ['import shlex', 'def f(a):', '    return a'];
  expect(await inPython(...shell, 'f(shlex.quote(p))', 'os.system(f(p))')).toEqual([5]);
  expect(await inPython(...shell, 'f(p)', 'os.system(f(shlex.quote(p)))')).toEqual([]);
});

test('a function that calls itself is not followed again: what it gives carries what went in', async () => {
  const f = "const f = (a, n) => (n === 1 ? f(a, 2) : 'b');";
  expect(await inJavaScript(f, 'exec(f(p, 1));')).toEqual([2]);
  expect(await inJavaScript(f, 'exec(f(p, 2));')).toEqual([]);
  expect(await inPython('def f(a):', '    return "b"', 'os.system(f(f(p)))')).toEqual([]);
});

test.each(
  rows([
    // What follows the first statement counts too.
    [true, "exec(req.query.list.map((one) => { return 'a'; log(one); }).join());"],
    [true, "exec(req.query.list.map((one) => { log('a'); }).join());"],
    [true, 'exec(req.query.list.map((one) => { return; }).join());'],
    [false, "exec(req.query.list.map((one) => { return 'a'; }).join());"],
    // It may call itself, by way of others too.
    [true, 'const f = (one) => req.query.list.map(f).join();', "exec(f('a'));"],
    [true, 'const f = (one) => req.query.list.map(g).join();', 'const g = (one) => f(one);', "exec(f('a'));"],
    // Each is over before the next one.
    [
      false,
      ...Array.from({ length: 6 }, () => "req.query.list.map((one) => 'a');"),
      "const f = (a) => 'a';",
      'exec(f(p));',
    ],
  ]),
)('a function of an element: %j %j', async (isFound, lines) => {
  expect(await inJavaScript(...lines)).toEqual(isFound ? [lines.length] : []);
});

test.each(
  rows([
    [true, 'const f = ({ a }) => a;', 'exec(f({ a: p }));'],
    [false, 'const f = ({ a }) => a;', "exec(f({ a: 'a', b: p }));"],
    [false, 'const f = ({ a }) => a;', "if (f({ a: 'b' }) !== 'b') exec(p);"],
    [true, 'const f = ([a, b]) => b;', "exec(f(['a', p]));"],
    [false, 'const f = ([a, b]) => a;', "exec(f(['a', p]));"],
    [true, 'const f = (a, b = p) => b;', "exec(f('a'));"],
    [false, 'const f = (a, b = p) => b;', "exec(f('a', 'b'));"],
    [false, "const f = (a) => { if (other) return 'a'; return 'b'; };", 'exec(f(p));'],
    [true, "const f = (a) => { if (other) return 'a'; return a; };", 'exec(f(p));'],
    [false, 'const f = (a) => { log(a); };', 'exec(f(p));'],
    [true, 'const o = { q: p, f() { return this.q; } };', 'exec(o.f());'],
    [false, "const o = { q: 'a', r: p, f() { return this.q; } };", 'exec(o.f());'],
    // A loop around the call ends as before it.
    [
      true,
      'const f = () => { for (const one of other) log(one); };',
      "let c = 'a';",
      'for (const one of other) { f(); c = p; if (one) break; c = "b"; }',
      'exec(c);',
    ],
  ]),
)('parameters, results and the object of a call: %j %j', async (isFound, lines) => {
  expect(await inJavaScript(...lines)).toEqual(isFound ? [lines.length] : []);
});

test('an argument by its name, whatever its place; a method takes its object beside them', async () => {
  const method = ['class A:', '    def f(self, a, b="x"):', '        return a', '    @classmethod'];
  const more = ['    def g(cls, a):', '        return a', 'o = A()'];
  expect(await inPython(...method, ...more, 'os.system(o.f(p))')).toEqual([8]);
  expect(await inPython(...method, ...more, 'os.system(o.f("a", p))')).toEqual([]);
  expect(await inPython(...method, ...more, 'os.system(o.f(b=p, a="a"))')).toEqual([]);
  expect(await inPython(...method, ...more, 'os.system(A.g(p))')).toEqual([8]);
});

const ROUTE = 'import os\nfrom flask import Flask\napp = Flask("a")\n';
const route = (parameters: string, body = 'os.system(q)') =>
  commandsIn('a.py', `${ROUTE}@app.route("/<q>")\ndef f(${parameters}):\n    ${body}\n`);

test('parameters of a route come from a request, but for numbers', async () => {
  expect(await route('q')).toEqual(['6 critical']);
  for (const type of [
    'str',
    'myint',
    'ints',
    'uintab',
    'intab',
    'floatab',
    'myUUID',
    'int1a',
    'print',
    'bytes',
  ]) {
    expect([type, await route(`q: ${type}`)]).toEqual([type, ['6 critical']]);
  }
  for (const type of [
    ...['int', 'float', 'bool', 'number', 'boolean', 'long', 'double', 'Integer', 'Long', 'Boolean', 'uint'],
    ...['uint16', 'int64', 'float32', 'decimal', 'Guid', 'UUID', 'uuid.UUID', 'byte', 'short', 'char'],
  ]) {
    expect([type, await route(`q: ${type}`)]).toEqual([type, []]);
  }
});

test.each([
  ['@RequestParam String q', ['6 critical']],
  ['String q', []],
  ['@RequestParam Point q', ['6 critical']],
  ['@RequestParam int q', []],
])('a parameter of a Java route: %s', async (parameter, found) => {
  const head = 'import org.springframework.web.bind.annotation.*;\n@RestController\npublic class A {\n';
  const text = `${head}  @GetMapping("/a")\n  public void f(${parameter}) throws Exception {\n    Runtime.getRuntime().exec(q);\n  }\n}\n`;
  expect(await commandsIn('A.java', text)).toEqual(found);
});

test('what a route shows is a page, unless it is an object or no route at all', async () => {
  const shown = async (decorator: string, value: string, imported = 'flask') => {
    const text = `from ${imported} import Flask, request\napp = Flask("a")\n@${decorator}\n@other\ndef f():\n    q = request.args["q"]\n    return ${value}\n`;
    const found = await scanner.scan({ path: 'a.py', text }, { deep: true });
    return found.filter(({ id }) => id === 'source/cross-site-scripting').length;
  };
  expect(await shown('app.route("/")', '"<b>" + q')).toBe(1);
  expect(await shown('app.route("/")', '("<b>" + q, 404)')).toBe(1);
  expect(await shown('app.route("/")', '{"a": "<b>" + q}')).toBe(0);
  expect(await shown('app.task("/")', '"<b>" + q')).toBe(0);
});
