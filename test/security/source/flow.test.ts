import { expect, test } from 'vitest';
import type { RawFinding } from '../../../src/security/findings/finding.ts';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

const scanner = createSourceScanner();

async function scan(path: string, text: string, deep = true): Promise<readonly RawFinding[]> {
  return scanner.scan({ path, text }, { deep });
}

/** Lines of the rule's findings in a Flask view of these lines, counted from the view's first one. */
async function inView(rule: string, lines: readonly string[], deep = true): Promise<number[]> {
  const head = 'from flask import Flask, request\napp = Flask("x")\n@app.route("/")\ndef view():\n';
  const text = head + lines.map((line) => `    ${line}\n`).join('');
  const findings = await scan('view.py', text, deep);
  return findings.filter((one) => one.id === rule).map((one) => (one.line ?? 0) - 4);
}

const CODE = 'source/code-injection';

test.each([
  ['express', '(clientReq, clientRes) => eval(clientReq.query.x)', 1],
  ['express', '(q, s) => s.send(eval(q.query.x))', 1],
  ['http', '(r, w) => eval(r.headers.x)', 1],
  ['lodash', '(r, w) => eval(r.headers.x)', 0],
  ['express', '(r, list) => eval(r.headers.x)', 0],
])('a handler may name its request differently: %s %s', async (name, handler, count) => {
  const found = await scan('a.js', `const m = require('${name}');\nm.on('/', ${handler});\n`, false);
  expect(found.filter(({ id, severity }) => id === CODE && severity !== 'low')).toHaveLength(count);
});

test('a finding shows the data flow: from the source, through variables and functions, to the sink', async () => {
  const text = `const { exec } = require('child_process');
function run(command) {
  exec(command);
}
function handle(req, res) {
  const name = req.query.name;
  const line = 'ping ' + name;
  run(line);
}
`;
  const [finding, ...others] = await scan('src/a.js', text);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    id: 'source/command-injection',
    severity: 'critical',
    path: 'src/a.js',
    line: 3,
    cwe: ['CWE-78'],
  });
  expect(finding?.excerpt).toBe('exec(command);');
  expect(finding?.trace?.map((step) => [step.line, step.note])).toEqual([
    [6, 'data from the request'],
    [6, 'into name'],
    [7, 'into line'],
    [8, 'to command of run()'],
    [3, 'Command injection'],
  ]);
});

test('calls are followed only in a deep scan', async () => {
  const text =
    'import flask\nfrom flask import request\ndef go(x):\n    eval(x)\ndef view():\n    go(request.args["a"])\n';
  const severities = async (deep: boolean) =>
    (await scan('a.py', text, deep)).map(({ line, severity }) => `${line} ${severity}`);
  expect(await severities(true)).toEqual(['4 critical']);
  expect(await severities(false)).toEqual(['4 low']);
});

test('a function result carries the data of its arguments unless the function sanitizes it', async () => {
  expect(await inView(CODE, ['def same(v):', '    return v', 'eval(same(request.args["a"]))'])).toEqual([3]);
  expect(
    await inView(CODE, ['def number(v):', '    return int(v)', 'eval("f%d" % number(request.args["a"]))']),
  ).toEqual([]);
});

test('branches on constants are decided', async () => {
  expect(
    await inView(CODE, ['n = 106', 'x = "safe" if 7 * 18 + n > 200 else request.args["a"]', 'eval(x)']),
  ).toEqual([]);
  expect(
    await inView(CODE, ['n = 106', 'x = "safe" if 7 * 42 - n < 100 else request.args["a"]', 'eval(x)']),
  ).toEqual([3]);
  expect(
    await inView(CODE, [
      'k = "ABC"[1]',
      'match k:',
      '    case "A":',
      '        x = request.args["a"]',
      '    case _:',
      '        x = "1"',
      'eval(x)',
    ]),
  ).toEqual([]);
});

test('a branch that may run counts, and a branch that returns does not', async () => {
  expect(await inView(CODE, ['x = "1"', 'if other():', '    x = request.args["a"]', 'eval(x)'])).toEqual([4]);
  expect(
    await inView(CODE, ['x = "1"', 'if other():', '    x = request.args["a"]', '    return x', 'eval(x)']),
  ).toEqual([]);
});

test('a value that is assigned before a break stays after the loop', async () => {
  expect(
    await inView(CODE, [
      'x = "1"',
      'for k in request.form.keys():',
      '    if k:',
      '        x = k',
      '        break',
      'eval(x)',
    ]),
  ).toEqual([6]);
});

test('elements of collections are tracked by index and by key', async () => {
  const list = ['l = []', 'l.append("safe")', 'l.append(request.args["a"])', 'l.append("too")', 'l.pop(0)'];
  expect(await inView(CODE, [...list, 'eval(l[0])'])).toEqual([6]);
  expect(await inView(CODE, [...list, 'eval(l[1])'])).toEqual([]);
  const dict = ['d = {"a": "1"}', 'd["b"] = request.args["a"]'];
  expect(await inView(CODE, [...dict, 'eval(d["b"])'])).toEqual([3]);
  expect(await inView(CODE, [...dict, 'eval(d["a"])'])).toEqual([]);
});

test('a check against a fixed list makes data harmless only inside the check', async () => {
  const checked = ['x = request.args["a"]', 'if x in ("a", "b"):', '    eval(x)'];
  expect(await inView(CODE, checked)).toEqual([]);
  expect(await inView(CODE, [...checked, 'eval(x)'])).toEqual([4]);
  expect(await inView(CODE, ['if request.args["a"] in ("a", "b"):', '    eval(request.args["b"])'])).toEqual([
    2,
  ]);
});

test('a prefix check of a path counts only after the path is made absolute', async () => {
  const rule = 'source/path-traversal';
  const check = ['if not p.startswith("/srv/"):', '    return "no"', 'open(p)'];
  expect(await inView(rule, ['import os', 'p = "/srv/" + request.args["f"]', ...check])).toEqual([5]);
  expect(
    await inView(rule, ['import os', 'p = os.path.realpath("/srv/" + request.args["f"])', ...check]),
  ).toEqual([]);
});

test('escaping for HTML does not make data harmless for code execution', async () => {
  expect(
    await inView('source/cross-site-scripting', [
      'import html',
      'x = html.escape(request.args["a"])',
      'eval(x)',
      'return x',
    ]),
  ).toEqual([]);
  expect(await inView(CODE, ['import html', 'x = html.escape(request.args["a"])', 'eval(x)'])).toEqual([3]);
});

test('data from the command line is less severe than data from a request', async () => {
  const text = 'import sys, os\nos.system("ls " + sys.argv[1])\nopen(sys.argv[1])\n';
  const findings = await scan('cli.py', text);
  expect(findings.map((one) => [one.id, one.severity])).toEqual([['source/command-injection', 'medium']]);
});

test('a statement built from parameters is a low finding, and one built from constants is not a finding', async () => {
  const text =
    'import sqlite3\ndef f(cur, name):\n    cur.execute("select * from " + name)\n    cur.execute("select * from " + "t")\n';
  expect((await scan('db.py', text)).map((one) => [one.line, one.severity])).toEqual([[3, 'low']]);
});

test('a finding hides the secret of the code', async () => {
  const secret = ['tr0ub4dor', '3xyz'].join('&');
  const [finding] = await scan('a.ts', `const dbPassword: string = '${secret}';\n`);
  expect(finding?.id).toBe('source/hard-coded-credentials');
  expect(JSON.stringify({ ...finding, hides: [] })).not.toContain(secret);
  expect(finding?.excerpt).toContain("'tr0…'");
});

test('destructured parameters and callbacks carry data', async () => {
  const text = `const app = require('express')();
app.get('/', ({ query: { code } }, res) => res.send(code));
app.get('/', (req, res) => { req.query.list.forEach((one) => eval(one)); });
`;
  const findings = await scan('a.js', text);
  expect(findings.map((one) => [one.id, one.line])).toContainEqual(['source/code-injection', 3]);
});

test('a file in an unsupported language is not scanned, and a file without relevant names is not parsed', async () => {
  expect(scanner.wants('a/b.rs')).toBe(false);
  expect(scanner.wants('.py')).toBe(false);
  expect(
    ['a.py', 'a.tsx', 'a.mjs', 'A.java', 'a.go', 'a.php', 'a.rb', 'A.cs'].map((path) => scanner.wants(path)),
  ).not.toContain(false);
  expect(await scan('a.py', 'x = 1\n'.repeat(1000))).toEqual([]);
});

test('methods of a class in the same file are followed', async () => {
  const view = (body: string) => `import javax.servlet.http.*;
public class A extends HttpServlet {
  public void doGet(HttpServletRequest req, HttpServletResponse resp) throws Exception {
    String bar = new Helper().choose(req.getParameter("p"));
    resp.getWriter().println(bar);
  }
  private class Helper {
    public String choose(String p) { ${body} }
  }
}
`;
  expect((await scan('A.java', view('return p;'))).map((one) => [one.id, one.line])).toEqual([
    ['source/cross-site-scripting', 5],
  ]);
  expect(await scan('A.java', view('return 7 * 18 > 100 ? "safe" : p;'))).toEqual([]);
});

test('a weakness in test or example code is two severities lower, and the finding says why', async () => {
  const text = `const agent = { rejectUnauthorized: false };\ncrypto.createHash('md5');\nrequire('crypto');`;
  const severities = async (path: string) => (await scan(path, text)).map(({ severity }) => severity);
  expect(await severities('src/a.js')).toEqual(['high', 'low']);
  expect(await severities('test/a.js')).toEqual(['low', 'info']);
  expect((await scan('examples/a.js', text))[0]?.description).toMatch(/in test or example code/);
});

test('languages without their grammar package are reported where the tree has files of them', () => {
  const missing = new Map([
    ['Ruby', 'Ruby is not scanned'],
    ['Go', 'Go is not scanned'],
  ]);
  const left = createSourceScanner().left;
  expect(left?.(['a.rb', 'b/c.rake', 'a.py', 'go'], missing)).toEqual(['Ruby is not scanned (2 files)']);
  expect(left?.(['a.go'], missing)).toEqual(['Go is not scanned (1 file)']);
});

test('functions that may contain a weakness are analysed, by whatever name the weakness is reached', async () => {
  const shell = (lines: string) => `const cp = require('child_process');\n${lines}`;
  const found = async (lines: string) => (await scan('a.js', shell(lines))).map(({ line }) => line);
  const view = (call: string) => `app.get('/', (req, res) => { ${call} });`;
  // Through a function, an alias, a name taken apart, and a function in a function.
  expect(await found(`function run(x) { cp.exec(x) }\n${view('run(req.query.a)')}`)).toEqual([2]);
  expect(await found(`const run = cp.exec;\n${view('run(req.query.a)')}`)).toEqual([3]);
  expect(await found(`const { exec: go } = cp;\n${view('go(req.query.a)')}`)).toEqual([3]);
  expect(await found(view('const go = (x) => cp.exec(x); const on = (x) => go(x); on(req.query.a)'))).toEqual(
    [2],
  );
  // The result of a function without a weakness is still known.
  expect(await found(`function of(req) { return req.query.a }\n${view('cp.exec(of(req))')}`)).toEqual([3]);
});

test('the return value of a decorated nested function is a page', async () => {
  const text = `from flask import request\ndef init(app):\n    @app.route("/")\n    def view():\n        return request.args["a"]\n`;
  expect((await scan('a.py', text)).map(({ id }) => id)).toEqual(['source/cross-site-scripting']);
});
