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

/** Lists within each other, of which the innermost elements are harmless. */
const within = (depth: number): string =>
  depth === 0 ? "'a'" : `req.query.list.map((a${depth}) => ${within(depth - 1)})`;

test('five nested calls are followed; the result of a sixth carries its arguments', async () => {
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
  const paths = Array.from({ length: 20 }, (_, at) => `f(b.${'c'.repeat(40)}${at});`).join('');
  expect(await inJavaScript(`const f = () => 'a'; ${paths} exec(f(p));`)).toEqual([]);
  const texts = Array.from({ length: 20 }, (_, at) => `f('${'b'.repeat(8)}${at}' + other);`).join('');
  expect(await inJavaScript(`const f = () => 'a'; ${texts} exec(f(p));`)).toEqual([]);
});

test.each([
  ["const f = (a, b) => (b ? a : 'a');", 'f(p, false);', 'exec(f(p, true));'],
  ["const f = (a) => (a === 1 ? p : 'a');", "f('1');", 'exec(f(1));'],
  ['const f = (a) => a;', "f('a');", 'exec(f(p));'],
  ["const f = (a) => (a[0] === 'b' ? p : 'a');", "f(['a']);", "exec(f(['b']));"],
  ['const f = (a) => a[0];', 'f([other]);', 'exec(f([p]));'],
  ['const f = (a) => a.b;', 'f(other);', 'exec(f(req.query));'],
  ['const f = (a) => a[0];', 'f([other, p]);', 'exec(f([p, other]));'],
  ['const f = (a) => a;', 'f(p * 2);', 'exec(f(p % other));'],
])('the result of a function for other arguments is not reused: %j', async (...lines) => {
  expect(await inJavaScript(...lines)).toEqual([lines.length]);
});

test('sanitized data is a different kind of argument', async () => {
  const shell = ['import shlex', 'def f(a):', '    return a'];
  expect(await inPython(...shell, 'f(shlex.quote(p))', 'os.system(f(p))')).toEqual([5]);
  expect(await inPython(...shell, 'f(p)', 'os.system(f(shlex.quote(p)))')).toEqual([]);
});

test('a recursive call is not followed again, and its result carries its arguments', async () => {
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
    [true, 'exec(req.query.list.map((one) => {}).join());'],
    [false, "exec(req.query.list.map((one) => { return 'a'; }).join());"],
    // Within each other they are followed as deep as calls are.
    [false, `exec(${within(4)});`],
    [true, `exec(${within(5)});`],
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
)('a function is applied to each element: %j %j', async (isFound, lines) => {
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
    [true, "const o = { q: 'a', f(a, self) { return self; } };", "exec(o.f('a', p));"],
    [false, "const o = { q: (a) => 'a', f(b) { return self.q(b); } };", 'exec(o.f(p));'],
    [true, "const o = { q: (a) => 'a', f(b) { return other.q(b); } };", 'exec(o.f(p));'],
    // A loop around the call ends as before it.
    [
      true,
      'const f = () => { for (const one of other) log(one); };',
      "let c = 'a';",
      'for (const one of other) { f(); c = p; if (one) break; c = "b"; }',
      'exec(c);',
    ],
    [
      true,
      'const f = (a) => { for (const one of other) log(one); };',
      "let c = 'a';",
      'for (const one of other) { f(c); c = p; if (one) break; c = "b"; }',
      'exec(c);',
    ],
  ]),
)('parameters, results and the receiver of a call are followed: %j %j', async (isFound, lines) => {
  expect(await inJavaScript(...lines)).toEqual(isFound ? [lines.length] : []);
});

test('a named argument is found in any position, and a method takes its receiver besides its arguments', async () => {
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

test('route parameters come from a request, except numbers', async () => {
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
  ['String q', ['6 critical']],
  ['Model q', ['6 low']],
  ['HttpSession q', ['6 low']],
  ['@RequestParam Point q', ['6 critical']],
  ['@RequestParam int q', []],
])('a parameter of a Java route is judged: %s', async (parameter, found) => {
  const head = 'import org.springframework.web.bind.annotation.*;\n@RestController\npublic class A {\n';
  const text = `${head}  @GetMapping("/a")\n  public void f(${parameter}) throws Exception {\n    Runtime.getRuntime().exec(q);\n  }\n}\n`;
  expect(await commandsIn('A.java', text)).toEqual(found);
});

test('the return value of a route is a page, unless it is an object or the function is not a route', async () => {
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

/** Weaknesses that a file has, as `line severity` with the notes of the data flow. */
async function flowsIn(rule: string, path: string, ...lines: string[]): Promise<string[][]> {
  const found = await scanner.scan({ path, text: lines.join('\n') }, { deep: true });
  return found
    .filter(({ id }) => id === rule)
    .map((one) => [`${one.line} ${one.severity}`, ...(one.trace ?? []).map((step) => step.note)]);
}

const CP = "const { exec } = require('child_process');";

test('a data flow names the origin of the data and the functions on its path', async () => {
  const flask = ['import os, sys', 'from flask import Flask', 'app = Flask("a")', '@app.route("/<q>")'];
  const routed = (line: string) => flowsIn(COMMAND, 'a.py', ...flask, 'def f(q):', `    ${line}`);
  const notes = ['q comes from a request', 'Command injection'];
  expect(await routed('os.system(q)')).toEqual([['6 critical', ...notes]]);
  expect(await routed('os.system(sys.argv[1] + q)')).toEqual([['6 critical', ...notes]]);
  expect(await flowsIn(COMMAND, 'a.js', CP, "const f = (a) => { exec('a' + a); };")).toEqual([
    ['2 low', 'parameter a', 'Command injection'],
  ]);
  const handler = (line: string) =>
    flowsIn(COMMAND, 'a.js', CP, "require('express')().get('/', (req, res) => {", line, '});');
  expect(await handler('exec(((a) => a)(req.query.q));')).toEqual([
    ['3 critical', 'data from the request', 'to a of a function()', 'Command injection'],
  ]);
  expect(await handler('function f(a) { return a; } exec(f(req.query.q));')).toEqual([
    ['3 critical', 'data from the request', 'to a of f()', 'Command injection'],
  ]);
  expect(await handler('exec(table[0](req.query.q));')).toEqual([
    ['3 critical', 'data from the request', 'through a call()', 'Command injection'],
  ]);
});

test('the receiver parameter of a method is not data from outside', async () => {
  const method = (parameter: string, line: string) =>
    flowsIn(COMMAND, 'a.py', 'import os', 'class A:', `    def f(${parameter}):`, `        ${line}`);
  expect(await method('self', 'os.system("a" + self.b)')).toEqual([['4 low']]);
  expect(await method('cls', 'os.system("a" + cls.b)')).toEqual([['4 low']]);
  expect(await method('other', 'os.system("a" + other.b)')).toEqual([
    ['4 low', 'parameter other', 'Command injection'],
  ]);
  // What a method of its framework gives comes from a request.
  expect(await method('self', 'os.system(self.get_argument("b"))')).toHaveLength(1);
  expect(await method('that', 'os.system(that.get_argument("b"))')).toEqual([
    ['4 low', 'parameter that', 'through get_argument()', 'Command injection'],
  ]);
  expect(await method('cls', 'os.system(cls.get_argument("b"))')).toEqual([]);
});

test.each<[number, string, ...string[]]>([
  // By its name, and the name of another.
  [1, 'a.js', CP, 'function f(req, res) { exec(req.query.a); }'],
  [0, 'a.js', CP, 'function f(req, other) { exec(req.query.a); }'],
  [0, 'a.js', CP, 'function f(req) { exec(req.query.a); }'],
  [0, 'a.js', CP, 'function f(other, res) { exec(other.query.a); }'],
  // By what the file imports.
  [1, 'a.js', CP, "const Koa = require('koa');", 'function f(ctx) { exec(ctx.query.a); }'],
  [0, 'a.js', CP, 'function f(ctx) { exec(ctx.query.a); }'],
  // By its type.
  [1, 'a.ts', CP, "import { Request } from 'express';", 'function f(req: Request) { exec(req.query.a); }'],
  [0, 'a.ts', CP, "import { Request } from 'express';", 'function f(req: Other) { exec(req.query.a); }'],
  // By one of its marks.
  [1, 'a.ts', CP, "import { Body } from 'b';", 'class A { f(@Other() @Body() a) { exec(a); } }'],
  [0, 'a.ts', CP, "import { Body } from 'b';", 'class A { f(@Other() a) { exec(a); } }'],
])('%i parameters are request objects in %s: %j %j %j', async (count, path, ...lines) => {
  const flows = await flowsIn(COMMAND, path, ...lines);
  expect(flows.filter(([found]) => !found?.endsWith(' low'))).toHaveLength(count);
});

test.each([
  [1, 'Statement b'],
  [1, 'Statement<Object> b'],
  [0, 'Other b'],
  [0, 'Other<Statement> b'],
  [0, 'int b'],
])('%i: the type of a parameter identifies its object: %s', async (count, parameter) => {
  const text = `  void f(${parameter}, String a) throws Exception { b.execute("a" + a); }`;
  const found = await flowsIn('source/sql-injection', 'A.java', 'import java.sql.*;', 'class A {', text, '}');
  expect(found).toHaveLength(count);
});

test.each([
  [1, 'cp: child_process'],
  [1, 'cp: child_process | undefined'],
  [1, 'cp?: child_process'],
  [1, 'cp: child_process<string>'],
  [0, 'cp: other | child_process'],
  [0, 'cp: other<child_process>'],
])('%i: the type of a parameter identifies its module: %s', async (count, parameter) => {
  const text = `function f(${parameter}, b: string) { cp.exec('a' + b); }`;
  expect(await flowsIn(COMMAND, 'a.ts', CP, text)).toHaveLength(count);
});

test.each([
  [1, 'e exec'],
  [1, 'e *exec'],
  [1, 'e **exec'],
  [0, 'e *other'],
])('%i: the target type of a pointer identifies its object: %s', async (count, parameter) => {
  const text = `func f(${parameter}, b string) { e.Command("sh", "-c", "a" + b) }`;
  expect(await flowsIn(COMMAND, 'a.go', 'package a', 'import "os/exec"', text)).toHaveLength(count);
});

test('methods of a class resolve calls of each other', async () => {
  const called = (line: string) =>
    flowsIn(COMMAND, 'a.js', CP, "class A { q(a) { return 'a'; }", `  get(req, res) { ${line} } }`);
  expect(await called('exec(this.q(req.query.b));')).toEqual([]);
  expect(await called('exec(this.r(req.query.b));')).toHaveLength(1);
  const python = (line: string) =>
    flowsIn(
      COMMAND,
      'a.py',
      ...['import os', 'from flask import request', 'class A:', '    def q(self, a):', '        return "a"'],
      ...['    def f(self, a):', `        return ${line}`, 'os.system(A().f(request.args["a"]))'],
    );
  const php = (line: string) =>
    flowsIn(
      COMMAND,
      'a.php',
      ...['<?php', 'class A {', 'function q($a) { return "a"; }', `function f($a) { return ${line}; } }`],
      ...['$o = new A();', 'system($o->f($_GET["p"]));'],
    );
  expect(await php('$this->q($a)')).toEqual([]);
  expect(await php('$this->r($a)')).toHaveLength(1);
  expect(await python('self.q(a)')).toEqual([]);
  expect(await python('self.r(a)')).toHaveLength(1);
});
