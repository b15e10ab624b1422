import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';
import { COMMAND, type Language, linesFound } from './handlers.ts';

/** What is known of an expression by its operator and its parts. */

const PATH = 'source/path-traversal';
const RANDOM = 'source/weak-random';
const SQL = 'source/sql-injection';
const TLS = 'source/tls-verification-off';
const DEBUG = 'source/debug-on';
const SECRET = 'source/hard-coded-credentials';
const XSS = 'source/cross-site-scripting';

/** An object of so many fields, of which the last is the text of a request. */
const fields = (count: number) =>
  `{ ${Array.from({ length: count }, (_, at) => `k${at}: ${at === count - 1 ? 'p' : '1'}`).join()} }`;

test.each<[string, Language, readonly string[], readonly number[]]>([
  // Places of a text and of what is predictable.
  [COMMAND, 'javascript', ["if ('abc'[1] !== 'b') exec(p);"], []],
  [COMMAND, 'javascript', ["if ('abc'[7] !== 'b') exec(p);"], [1]],
  [RANDOM, 'javascript', ['const token = Math.random()[other];'], [1]],
  [RANDOM, 'javascript', ['const token = other.random()[other];'], []],
  // Objects that are written out: up to 64 fields are known each by itself.
  [COMMAND, 'javascript', [`exec(${fields(65)}.other);`], [1]],
  [COMMAND, 'javascript', [`exec(${fields(64)}.other);`], []],
  [COMMAND, 'javascript', ["exec({ ...{ a: p, b: 'b' } }.b);"], []],
  [COMMAND, 'javascript', ["exec({ ...{ a: p, b: 'b' } }.a);"], [1]],
  [COMMAND, 'javascript', [`exec({ ...${fields(63)} }.other);`], []],
  [COMMAND, 'javascript', [`exec({ ...${fields(64)} }.other);`], [1]],
  [COMMAND, 'javascript', [`exec({ a: 1, b: 1, ...${fields(61)} }.other);`], []],
  [COMMAND, 'javascript', [`exec({ a: 1, b: 1, ...${fields(62)} }.other);`], [1]],
  [COMMAND, 'javascript', ["const o = { a: 'a' };", 'o[other] = p;', 'exec({ ...o }.b);'], [3]],
  [COMMAND, 'javascript', ["const o = { a: 'a' };", 'o[other] = q;', 'exec({ ...o }.b);'], []],
  [COMMAND, 'javascript', ['const o = {};', 'o[other].a = p;', 'exec(o.z.a);'], [3]],
  [COMMAND, 'javascript', ["const o = { b: { a: 'a' } };", 'o[other].a = p;', 'exec(o.b.a);'], []],
  [COMMAND, 'javascript', ['const o = {};', 'o[other].a = q;', 'exec(o.z.a);'], []],
  // One of two.
  [COMMAND, 'javascript', ["exec(p === 'x' ? 'y' : p);"], [1]],
  [COMMAND, 'javascript', ["exec(p !== 'x' ? 'y' : p);"], []],
  [COMMAND, 'javascript', ["exec((other ?? { a: p, b: 'b' }).b);"], []],
  [COMMAND, 'javascript', ["exec((other ?? { a: p, b: 'b' }).a);"], [1]],
  [COMMAND, 'javascript', ["exec('a' + (other && q));"], [1]],
  [COMMAND, 'javascript', ["exec('a' + (other && 'b'));"], []],
  [COMMAND, 'javascript', ["if ((other && 'b') === 'b') return;", 'exec(p);'], [2]],
  // Operators.
  [COMMAND, 'python', ['os.system((["a"] + other(p))[0])'], [1]],
  [COMMAND, 'python', ['os.system((other(p) + ["a"])[0])'], [1]],
  [COMMAND, 'python', ['os.system((["a"] + [p])[0])'], []],
  [COMMAND, 'python', ['os.system((["a"] + [p])[1])'], [1]],
  [COMMAND, 'python', ['os.system("a %s" % other)'], [1]],
  [COMMAND, 'python', ['os.system(5 % other)'], []],
  [COMMAND, 'python', ['os.system(other % p)'], [1]],
  [PATH, 'python', ['import pathlib', 'q = pathlib.Path("/srv") / p', 'q.read_text()'], [3]],
  [PATH, 'python', ['import pathlib', 'q = pathlib.Path("/srv") % p', 'q.read_text()'], []],
  // Places that are written to.
  [COMMAND, 'javascript', ["const { a: b = 'x' } = { a: p };", 'exec(b);'], [2]],
  [COMMAND, 'javascript', ["const l = ['a'];", 'l[1] = p;', 'exec(l[1]);'], [3]],
  [COMMAND, 'javascript', ["const l = ['a'];", 'l[1] = p;', 'exec(l[0]);'], []],
  [COMMAND, 'javascript', ["const l = ['a'];", 'l[2] = p;', 'exec(l[2]);'], [3]],
  [COMMAND, 'python', ['l = ["a", "b"]', 'l[-1] = p', 'os.system(l[1])'], [3]],
  [COMMAND, 'python', ['l = ["a", "b"]', 'l[-1] = p', 'os.system(l[0])'], []],
  [COMMAND, 'python', ['l = [p]', 'l[0] = "a"', 'os.system(l[0])'], []],
  [COMMAND, 'javascript', ['const o = {};', 'o[1] = p;', 'exec(o[1]);'], [3]],
  [COMMAND, 'javascript', ['const o = {};', 'o[1] = p;', 'exec(o[2]);'], []],
  [COMMAND, 'javascript', [`const o = ${fields(64)};`, "o.k63 = 'a';", 'exec(o.other);'], []],
  [COMMAND, 'javascript', [`const o = ${fields(64)};`, 'o.more = p;', 'exec(o.other);'], [3]],
  [COMMAND, 'javascript', [`const o = ${fields(63)};`, 'o.more = p;', 'exec(o.other);'], []],
  [COMMAND, 'javascript', ['const o = {};', 'o.a.b.c.d = p;', 'exec(o.a.b.c.d);'], [3]],
  [COMMAND, 'javascript', ['const o = {};', 'o.a.b.c.d.e = p;', 'exec(o.a.b.c.d.e);'], []],
  [COMMAND, 'php', ['$l = [];', '$l[]["a"] = $p;', 'pcntl_exec($l["b"]);'], []],
  [COMMAND, 'python', ['l = ["a"]', 'l += other', 'os.system(l[0])'], []],
  [COMMAND, 'python', [`l = [${'"a", '.repeat(64)}]`, 'l += [p]', 'os.system(l[0])'], [3]],
  [COMMAND, 'python', [`l = [${'"a", '.repeat(63)}]`, 'l += [p]', 'os.system(l[0])'], []],
  [COMMAND, 'javascript', ['let a = 1;', 'a += other;', 'if (a === 5) exec(p);'], [3]],
  [COMMAND, 'javascript', ['let a = other;', 'a += 1;', 'if (a === 5) exec(p);'], [3]],
  [COMMAND, 'javascript', ['let a = 1;', 'a += 1;', 'if (a === 5) exec(p);'], []],
  [PATH, 'python', ['import pathlib', 'q = pathlib.Path("/srv")', 'q += p', 'q.read_text()'], [4]],
  [TLS, 'javascript', ['const o = {};', 'o.rejectUnauthorized = false;'], [2]],
  [TLS, 'javascript', ['const o = {};', 'o.rejectUnauthorized = other;'], []],
  [TLS, 'javascript', ['const o = {};', "o.NODE_TLS_REJECT_UNAUTHORIZED = '0';"], [2]],
  [COMMAND, 'javascript', ["const { b = 'x' } = { b: p };", 'exec(b);'], [2]],
  [COMMAND, 'javascript', ["const [b = 'x'] = [p];", 'exec(b);'], [2]],
  [COMMAND, 'javascript', ["const f = ({ b = 'x' }) => b;", 'exec(f({ b: p }));'], [2]],
  [COMMAND, 'javascript', ['let b;', "({ a: b = 'x' } = { a: p });", 'exec(b);'], [3]],
  [DEBUG, 'python', ['app.debug = True'], [1]],
  [DEBUG, 'python', ['app.debug = other'], []],
  // What a variable was made of is checked with it.
  [COMMAND, 'javascript', ['const r = p.trim();', 'const q = r;', "if (q === 'x') exec(p);"], []],
  [COMMAND, 'javascript', ['const r = p.trim();', 'const q = other ? r : r;', "if (q === 'x') exec(p);"], []],
  // Members and elements.
  [COMMAND, 'javascript', [`exec(p${'.bcd()'.repeat(60)});`], [1]],
  [COMMAND, 'javascript', ['exec(p.length);'], []],
  [COMMAND, 'javascript', ['exec(p.lengths + p.okay);'], [1]],
  [COMMAND, 'javascript', ['exec(p.byteslength + p.mystatus);'], [1]],
  [COMMAND, 'javascript', ['exec(req.headers.other);'], [1]],
  [COMMAND, 'javascript', ["exec(req.headers['content-length']);"], []],
  [COMMAND, 'javascript', [`exec(req.query${'.bcd'.repeat(60)});`], [1]],
  [COMMAND, 'javascript', [`exec(other${'.bcd'.repeat(60)});`], []],
  [RANDOM, 'javascript', ['const token = Math.random().other;'], [1]],
  [RANDOM, 'javascript', ['sessions[other] = Math.random();'], [1]],
  [RANDOM, 'javascript', ['others[other] = Math.random();'], []],
  [RANDOM, 'javascript', ['req.session[other] = Math.random();'], [1]],
  [RANDOM, 'javascript', ['req.app[other] = Math.random();'], []],
  [RANDOM, 'javascript', ['const o = {};', 'o.token = Math.random();'], [2]],
  [SECRET, 'javascript', ['const o = {};', "o.password = 'hunter2horse';"], [2]],
  [XSS, 'javascript', ['const o = other();', 'o.innerHTML = p;'], [2]],
  [COMMAND, 'javascript', ['for (const a of []) exec(a + p);', 'exec(p);'], [1, 2]],
  [COMMAND, 'python', ['for a in (p + "b"):', '    os.system(a)'], [2]],
  [SQL, 'javascript', ["require('sqlite3');", 'for (const one of dbs) one.all(p);'], [2]],
  [SQL, 'javascript', ["require('sqlite3');", 'for (const one of other) one.all(p);'], []],
])('%s in %s: %j: %j', async (rule, language, lines, found) => {
  expect(await linesFound(rule, language, lines)).toEqual(found);
});

test('an assignment pattern applies only where its module is imported', async () => {
  const found = async (imported: string) => {
    const text = `# flask\nimport ${imported}\napp = other()\napp.debug = True\n`;
    return (await createSourceScanner().scan({ path: 'a.py', text }, { deep: true })).map(({ id }) => id);
  };
  expect(await found('flask')).toEqual([DEBUG]);
  expect(await found('other')).toEqual([]);
});

test('each element of a list from outside is a step of the data flow', async () => {
  const text =
    "const { exec } = require('child_process');\nfunction f(req, res) {\n  for (const a of req.query.list) exec(a);\n}\n";
  const [found] = await createSourceScanner().scan({ path: 'a.js', text }, { deep: true });
  expect(found?.trace?.map(({ note }) => note)).toEqual([
    'data from the request',
    'each of them',
    'into a',
    'Command injection',
  ]);
});
