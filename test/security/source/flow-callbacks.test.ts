import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';
import { COMMAND, type Language, linesFound } from './handlers.ts';

/** What a call does besides giving a value: it fills its arguments, marks objects, and calls functions it is handed. */

const scanner = createSourceScanner();
const RANDOM = 'source/weak-random';
const CODE = 'source/code-injection';
const XSS = 'source/cross-site-scripting';

/** Lines of a rule's findings in a file. */
async function linesIn(rule: string, path: string, lines: readonly string[], deep = true): Promise<number[]> {
  const found = await scanner.scan({ path, text: `${lines.join('\n')}\n` }, { deep });
  return found.filter(({ id }) => id === rule).map(({ line }) => line ?? 0);
}

/** The last line has a weakness or none. */
const rows = (
  rule: string,
  language: Language,
  cases: readonly (readonly [isFound: boolean, ...lines: string[]])[],
) => cases.map(([isFound, ...lines]) => [rule, language, isFound, lines] as const);

const RUN_CS = 'System.Diagnostics.Process.Start(bar);';

test.each([
  // What follows `then` gets what the promise holds, and gives what its function returns.
  ...rows(COMMAND, 'javascript', [
    [false, "exec(other(p).then(() => 'a'));"],
    [true, 'exec(other(p).then((one) => one));'],
    [true, "exec(other(p).then((one) => 'a' + one));"],
    [false, 'exec(other.then((one) => one));'],
    [false, 'exec(then((one) => one));'],
    [true, 'exec(then((one) => p));'],
    [true, "exec(other(p).then('a'));"],
    [true, 'exec(other(p).then());'],
    [true, "exec(other(p).next(() => 'a'));"],
    [true, "exec(other(p).thenAll(() => 'a'));"],
    [true, "exec(other(p).then(other, () => 'a'));"],
  ]),
  // Arguments that a function assigns to.
  ...rows(COMMAND, 'csharp', [
    [true, 'string bar = "a";', 'Put(ref bar);', 'void Put(ref string s) { s = p; }', RUN_CS],
    [false, 'string bar = p;', 'Put(ref bar);', 'void Put(ref string s) { s = "a"; }', RUN_CS],
    [false, 'string bar = p;', 'Put(out bar);', 'void Put(out string s) { s = "a"; }', RUN_CS],
    [true, 'string bar = p;', 'Put(bar);', 'void Put(string s) { s = "a"; }', RUN_CS],
    [true, 'string bar = "a";', 'Other.Put(p, out bar);', RUN_CS],
    [false, 'string bar = "a";', 'Other.Put(p, ref bar);', RUN_CS],
    [true, 'string bar = p;', 'Other.Put("a", ref bar);', RUN_CS],
    [
      true,
      ...['string bar = "a";', 'string foo = "a";', 'Put(ref foo, ref bar);'],
      ...['void Put(ref string s, ref string t) { t = p; }', RUN_CS],
    ],
    [
      false,
      ...['string bar = "a";', 'string foo = "a";', 'Put(ref foo, ref bar);'],
      ...['void Put(ref string s, ref string t) { s = p; }', RUN_CS],
    ],
  ]),
  // Variables that are named to PHP's `compact`.
  ...rows(COMMAND, 'php', [
    [true, '$all = compact("p");', 'pcntl_exec($all["p"]);'],
    [false, '$q = "a";', '$all = compact("q", "p");', 'pcntl_exec($all["q"]);'],
    [true, '$q = "a";', '$all = compact("q", "p");', 'pcntl_exec($all["p"]);'],
    [false, '$all = compact("other");', 'pcntl_exec($all["other"]);'],
    [true, '$q = "a";', '$all = compact("q", $p);', 'pcntl_exec($all["other"]);'],
    [true, '$all = compact($p);', 'pcntl_exec($all["other"]);'],
    [true, '$all = compacted("p", $p);', 'pcntl_exec($all["other"]);'],
    [false, '$all = other("p");', 'pcntl_exec($all["p"]);'],
  ]),
  // A list that a predictable generator fills.
  ...rows(RANDOM, 'java', [
    [true, 'byte[] b = new byte[8];', 'new Random().nextBytes(b);'],
    [false, 'byte[] b = new byte[8];', 'new java.security.SecureRandom().nextBytes(b);'],
    [false, 'byte[] b = new byte[8];', 'new Random().nextBytes(other.b);'],
    [false, 'byte[] b = new byte[8];', 'new Random().nextBytes();'],
    [false, 'byte[] b = new byte[8];', 'new Random().nextInt(b);'],
  ]).map(([rule, language, isFound, lines]) => {
    return [rule, language, isFound, [...lines, 'byte[] token = b;']] as const;
  }),
  // A method that the sender of a request chooses.
  ...rows(CODE, 'javascript', [
    [true, 'table[p]();'],
    [true, 'table[p](1);'],
    [false, "table['a'](p);"],
    [false, 'table.a(p);'],
    [false, 'table[other](p);'],
    [false, 'other(table[p]);'],
    [false, 'p(1);'],
    [false, 'const $p = p;', '$p(1); other[0]();'],
    [false, "if (!['a'].includes(p)) return;", 'table[p]();'],
  ]),
  ...rows(CODE, 'python', [[false, 'table[p]()']]),
  ...rows(CODE, 'php', [
    [true, '$p(1);'],
    [false, '$other(1);'],
    [false, '$q = "a";', '$q(1);'],
    [false, 'other($p);'],
    [false, '$f = function ($a) { return $a; };', '$f($p);'],
    [true, '$all = ["a" => $p];', '$all["a"](1);'],
    [false, '$all = ["a" => $p, "b" => "b"];', '$all["b"](1);'],
    [false, '$o->run($p);'],
    [false, 'define("other", $p);', 'other(1);'],
    [false, 'if (!in_array($p, ["a"])) die();', '$p(1);'],
  ]),
])('%s in %s (%s): %j', async (rule, language, isFound, lines) => {
  const last = language === 'java' ? lines.findIndex((line) => line.includes('next')) + 1 : lines.length;
  expect(await linesFound(rule, language, lines)).toEqual(isFound ? [last] : []);
});

test('a call of a variable is one of a chosen function only in the languages that have such calls', async () => {
  const lines = ['<?php', '$p = $_GET["p"];', '$p(1);'];
  expect(await linesIn(CODE, 'a.php', lines)).toEqual([3]);
  expect(await linesIn(CODE, 'a.phtml', lines)).toEqual([3]);
  const handler = ["require('express')().get('/', (req, res) => {", 'table[req.query.p](1);', '});'];
  for (const path of ['a.js', 'a.mjs', 'a.cjs', 'a.ts', 'a.tsx', 'a.jsx', 'a.mts'])
    expect([path, await linesIn(CODE, path, handler)]).toEqual([path, [2]]);
  const [chosen] = await scanner.scan({ path: 'a.js', text: handler.join('\n') }, { deep: true });
  expect(chosen).toMatchObject({ id: CODE, severity: 'medium' });
  const python = ['import os', 'from flask import request', 'os.system(table[request.args["p"]](1))'];
  expect(await linesIn(CODE, 'a.js.py', python)).toEqual([]);
  const express = ["require('express')().get('/', (req, res) => {", 'let $p = req.query.p;'];
  const named = [...express, '$p(1); other[0]();', '});'];
  expect(await linesIn(CODE, 'a.php.js', named)).toEqual([]);
});

const SAX = ['import xml.sax', 'from flask import request', 'def harden(given, on):'];
const SET = '    given.setFeature(xml.sax.handler.feature_external_ges, on)';

test.each([
  [true, 'harden(parser, True)'],
  [false, 'harden(parser, False)'],
  [false, 'harden(other, True)'],
  [false, 'harden(other.parser, True)'],
  [false, 'harden(xml.sax.make_parser(), True)'],
])('a function that sets up its argument leaves the setting there (%s): %s', async (isFound, line) => {
  const before = [...SAX, SET, 'parser = xml.sax.make_parser()', line];
  const lines = [...before, 'other(parser)', 'parser.parse(request.args["p"])'];
  expect(await linesIn('source/xml-external-entities', 'a.py', lines)).toEqual(isFound ? [lines.length] : []);
});

test('a shallow scan follows no function and no class', async () => {
  const lines = ['import os, enum', 'from flask import request', 'class Kind(enum.Enum):', '    A = "a"'];
  const run = [...lines, 'os.system(Kind(request.args["p"]))'];
  expect(await linesIn(COMMAND, 'a.py', run, true)).toEqual([]);
  expect(await linesIn(COMMAND, 'a.py', run, false)).toEqual([5]);
});

/** Lines of a rule's findings whose data is more than the parameter of a function. */
async function outsideIn(rule: string, lines: readonly string[], deep = true): Promise<number[]> {
  const found = await scanner.scan({ path: 'a.js', text: `${lines.join('\n')}\n` }, { deep });
  const own = found.filter(({ id, trace }) => id === rule && !trace?.[0]?.note.startsWith('parameter '));
  return own.map(({ line }) => line ?? 0);
}

const PAGE = 'const page = document.getElementById("page");';

test.each([
  // A function gets what its call gives, or what the data holds that it is a method of.
  [true, '$.get("/a", (data) => { page.innerHTML = data; });'],
  [true, '$.ajax({ url: "/a", success: (data) => { page.innerHTML = data; } });'],
  [false, '$.ajax({ url: "/a", error: (data) => { page.innerHTML = data; } });'],
  [false, '$.ajax({ url: "/a", success: "a" });'],
  [false, '$.other("/a", (data) => { page.innerHTML = data; });'],
  [true, 'location.search.split("&").forEach((one) => { page.innerHTML = one; });'],
  [true, 'location.search.other("&", (one) => { page.innerHTML = one; });'],
  [false, 'other.forEach((one) => { page.innerHTML = one; });'],
  [false, 'const f = (given) => given.forEach((one) => { page.innerHTML = one; });'],
  [true, 'const f = (given) => { given.$ = $; $.get(given, (one) => { page.innerHTML = one; }); };'],
  [
    false,
    'import "react"; class A extends Component { a() { this.props.list.forEach((one) => { page.innerHTML = one; }); } }',
  ],
  [false, '$.get("/a", (data) => { page.innerHTML = "a"; });'],
  [false, '$.get("/a", (data, other) => { page.innerHTML = other; });'],
])('a callback shows what came from outside (%s): %s', async (isFound, line) => {
  expect(await outsideIn(XSS, [PAGE, line])).toEqual(isFound ? [2] : []);
});

test('a callback gets what a method of a parameter gives', async () => {
  const shown = async (call: string) => {
    const text = `<?php\nfunction show($db) { $db->${call}(function ($row) { echo $row; }); }\n`;
    const found = await scanner.scan({ path: 'a.php', text }, { deep: true });
    return found.filter(({ id, severity }) => id === XSS && severity === 'low').length;
  };
  expect(await shown('fetch_assoc')).toBe(1);
  expect(await shown('other')).toBe(0);
});

test('a shallow scan calls no callback', async () => {
  const line = 'location.search.split("&").forEach(function (one) { page.innerHTML = one; });';
  const severities = async (deep: boolean) => {
    const found = await scanner.scan({ path: 'a.js', text: `${PAGE}\n${line}\n` }, { deep });
    return found.map(({ severity }) => severity);
  };
  expect(await severities(true)).toEqual(['high']);
  expect(await severities(false)).toEqual(['low']);
});

const TOOLS = ["const { exec } = require('child_process');", "const { generateText, tool } = require('ai');"];
const GO = 'execute: async (given) => exec(given.name)';

test.each<readonly [isFound: boolean, line: string]>([
  // A function is a tool where a call is handed it, or an object that holds it.
  [true, 'tool(async (given) => exec(given.name));'],
  [true, `generateText({ description: 'a', ${GO} });`],
  ...['handler', 'func', 'fn', 'function', 'callback', 'run'].map(
    (key) => [true, `generateText({ ${key}: async (given) => exec(given.name) });`] as const,
  ),
  [false, 'generateText({ other: async (given) => exec(given.name) });'],
  [false, 'other(async (given) => exec(given.name));'],
  [false, `other({ ${GO} });`],
  // Tools in a list or an object of tools.
  [true, `generateText({ tools: { a: { ${GO} } } });`],
  [true, `generateText({ tools: [{ ${GO} }] });`],
  [true, `generateText({ prompt: 'a', tools: [{ description: 'a' }, { ${GO} }] });`],
  [false, `generateText({ others: { a: { ${GO} } } });`],
  [false, `generateText([{ ${GO} }]);`],
  [false, `generateText({ tools: { a: { b: { ${GO} } } } });`],
  [true, `generateText({ run: { tools: [{ ${GO} }] } });`],
  // Up to five objects within each other.
  [true, `tool({ run: { run: { run: { run: { ${GO} } } } } });`],
  [false, `tool({ run: { run: { run: { run: { run: { ${GO} } } } } } });`],
  [true, `generateText({ tools: { a: { run: { run: { ${GO} } } } } });`],
  [false, `generateText({ tools: { a: { run: { run: { run: { ${GO} } } } } } });`],
  [true, `generateText({ run: { run: { tools: { a: { ${GO} } } } } });`],
  [false, `generateText({ run: { run: { tools: { a: { run: { ${GO} } } } } } });`],
  // An object by the name of its call.
  [true, `tool({ other: { ${GO} } });`],
])('a tool takes what a model gives it (%s): %s', async (isFound, line) => {
  expect(await outsideIn(COMMAND, [...TOOLS, line])).toEqual(isFound ? [3] : []);
});

test('the functions of a list are tools in an argument that is named like one, in Python', async () => {
  const found = async (line: string) => {
    const text = `import os\nfrom agents import Agent\ndef go(q):\n    os.system(q)\n${line}\n`;
    const all = await scanner.scan({ path: 'a.py', text }, { deep: true });
    return all.filter(({ id, severity }) => id === COMMAND && severity !== 'low').length;
  };
  expect(await found('Agent(tools=[go])')).toBe(1);
  expect(await found('Agent(tool=[go])')).toBe(1);
  expect(await found('Agent(others=[go])')).toBe(0);
  expect(await found('Agent(tools_of=[go])')).toBe(0);
  expect(await found('Agent(go)')).toBe(1);
  expect(await found('other(tools=[go])')).toBe(0);
  expect(await found('bind_tools([go])')).toBe(1);
  expect(await found('ToolNode([go])')).toBe(1);
  expect(await found('MyToolNode([go])')).toBe(0);
  expect(await found('Agent([go])')).toBe(0);
  expect(await found('Agent(ToolNode=[go])')).toBe(1);
  expect(await found('Agent(ToolNodeOther=[go])')).toBe(0);
  expect(await found('Agent(MyToolNode=[go])')).toBe(0);
});
