import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';
import { COMMAND, type Language, linesFound } from './handlers.ts';

/** What a call of something that the file does not have gives: by its name, its object and its arguments. */

const RANDOM = 'source/weak-random';
const SQL = 'source/sql-injection';

/** Whether a call of that name, with the text of a request, gives what may hold it. */
const carries = async (name: string) =>
  (await linesFound(COMMAND, 'javascript', [`exec(a.${name}(p));`])).length > 0;

test.each([
  ...[
    'find',
    'findOne',
    'find_all',
    'FindOne',
    'FIND',
    'query',
    'execSync',
    'fetchAll',
    'load',
    'lookup',
    'tryGet',
    'try_get',
  ],
  ...['lookUp', 'look_up', 'exist', 'exists', 'count', 'is_', 'is', 'isAdmin', 'has', 'set', 'checkAll'],
  ...['len', 'length', 'indexOf', 'startsWith', 'is_a', 'is_admin', 'compareTo', 'strlen', 'ord', 'typeof'],
])('%s returns a new value or a number', async (name) => {
  expect(await carries(name)).toBe(false);
});

test.each([
  ...[
    'refind',
    'finder',
    'FINDER',
    'checkout',
    'lookap',
    'lookdown',
    'existing',
    'isolate',
    'settle',
    'trylet',
    'hashed',
  ],
  ...[
    'mylen',
    'lens',
    'relength',
    'lengths',
    'this_is',
    'xis_a',
    'wordy',
    'ordinal',
    'other',
    'pick',
    'concat',
  ],
])('%s may return its argument', async (name) => {
  expect(await carries(name)).toBe(true);
});

/** Whether the last of some lines runs what came with the request. */
const rows = (language: Language, cases: readonly (readonly [boolean, ...string[]])[]) =>
  cases.map(([isFound, ...lines]) => [language, isFound, lines] as const);

test.each([
  ...rows('javascript', [
    // What a sink gives has nothing of what it took.
    [false, 'const r = other.query(p);', 'exec(r);'],
    [true, 'const r = other.pick(p);', 'exec(r);'],
    [true, "const r = other.pick('a', p);", 'exec(r);'],
    [true, 'const r = p.pick();', 'exec(r);'],
    [false, 'const r = p.find();', 'exec(r);'],
    [false, "const r = other.pick('a');", 'exec(r);'],
    [false, 'exec(eval(p));'],
    [true, 'exec(other.many(p));'],
    [false, 'exec(Object.freeze());'],
    // What a call takes out is taken once.
    [true, "const l = ['a', p, 'b'];", 'l.pop().trim();', 'exec(l[1]);'],
    // Collections by the class that makes them.
    [false, 'const l = new Array();', "l.push('a');", 'l.push(p);', 'exec(l[0]);'],
    [true, 'const l = new Array();', "l.push('a');", 'l.push(p);', 'exec(l[1]);'],
    [true, 'const l = new MyArray();', "l.push('a');", 'l.push(p);', 'exec(l[0]);'],
    [true, 'const l = new Arrays();', "l.push('a');", 'l.push(p);', 'exec(l[0]);'],
    [true, "const l = new Array('a');", 'l.push(p);', 'exec(l[0]);'],
    [true, 'const m = new MyMap();', "m.set(other, 'a');", 'm.add(p);', "exec(m.get('b'));"],
    // Texts that are known.
    [false, "if ('abc'.charAt(1) !== 'b') exec(p);"],
    [true, "if ('abc'.charAt(1) === 'b') exec(p);"],
    [true, "if ('abc'.charAt(other) !== 'b') exec(p);"],
    [true, "if (other.charAt(1) !== 'b') exec(p);"],
    [true, "exec('a'.concat(p));"],
    [true, "exec('a'.concat('b', p));"],
    [false, "exec('a'.concat('b'));"],
    [true, "exec(' '.join(['a', p]));"],
    [false, "exec(' '.join(['a']));"],
    [true, "exec(' '.join('a', p));"],
    [false, "exec(' '.join());"],
    [false, "if ('ABC'.toLowerCase() !== 'abc') exec(p);"],
    [true, "if (other.toLowerCase() !== 'abc') exec(p);"],
    [true, "if ('ABC'.toLowerCase(other) !== 'abc') exec(p);"],
    // A function that is handed to a method of the data.
    [true, 'req.query.list.each((one) => exec(one));'],
    [true, "req.query.list.each('a', (one) => exec(one));"],
    [false, 'other.list.each((one) => require("child_process").spawn(one));'],
    [false, "req.query.list.each(() => exec('a'));"],
    [true, 'const run = (one) => exec(one); req.query.list.each(run);'],
    [false, 'exec(load(req.query.a).a);'],
    [false, 'exec(load(request2).a);'],
    // Classes and objects of the file.
    [false, "class A { q(a) { return 'a'; } }", 'exec(new A().q(p));'],
    [true, 'class A { q(a) { return a; } }', 'exec(new A().q(p));'],
    [true, "class A { q(a) { return 'a'; } }", 'exec(new A().r(p));'],
    [false, "const o = { q: (a) => 'a' };", 'exec(o.q(p));'],
    [true, "const o = { q: (a) => 'a' };", 'exec(o.r(p));'],
    [false, "const cp = require('child_process');", 'other.exec(p);'],
    [true, "const cp = require('child_process');", 'cp.exec(p);'],
    [true, "const cp = require('node:child_process');", 'cp.exec(p);'],
    [false, 'const cp = require(other);', 'cp.exec(p);'],
    [true, "class A { q(a) { return 'a'; } }", 'const o = { a: new A() };', 'exec(o.a(p));'],
    [
      false,
      ...["class A { q(a) { return 'a'; } }", 'class B extends A { q(a) { return super.q(a); } }'],
      'exec(new B().q(p));',
    ],
    [
      true,
      ...["class A { q(a) { return 'a'; } }", 'class B extends A { q(a) { return other.q(a); } }'],
      'exec(new B().q(p));',
    ],
    [false, "const f = () => (a) => 'a';", 'exec(f()(p));'],
    [true, 'const f = () => (a) => a;', 'exec(f()(p));'],
    [true, 'exec((other ? f : g)(p));'],
    [true, "exec(other({ a: 'a', b: p }).a);"],
    [true, "exec(other(['a', p])[0]);"],
    // A method that stores the data gives none of it.
    ...['save', 'insert', 'delete', 'destroy', 'commit', 'flush', 'close', 'emit', 'subscribe'].map(
      (name) => [false, `exec(p.${name}());`] as const,
    ),
    ...['resave', 'saved', 'closed'].map((name) => [true, `exec(p.${name}().a);`] as const),
  ]),
  ...rows('python', [
    [false, 'if len("abc") != 3:', '    os.system(p)'],
    [true, 'if len("abc") == 3:', '    os.system(p)'],
    [true, 'if lens("abc") != 3:', '    os.system(p)'],
    [true, 'if len() != 3:', '    os.system(p)'],
    [false, 'if "".join(["a", "b"]) != "ab":', '    os.system(p)'],
    [false, 'if "a".format() != "a":', '    os.system(p)'],
    // The request as a whole gives what its sender wrote, whatever reads it.
    [true, 'os.system(load(request))'],
    [false, 'os.system(load(request.args))'],
    [true, 'os.system("a {}".format(p))'],
    [false, 'os.system("a {}".format("b"))'],
    [true, 'os.system(" ".join(["a", p]))'],
    // All that an expression matches is replaced in Python, and the first of it in Ruby.
    [false, 'os.system(re.sub("[^a-z]", "", p))'],
    [false, 'import regex', 'os.system(regex.sub("[^a-z]", "", p))'],
    [false, 'os.system(re.subn("[^a-z]", "", p)[0])'],
    [true, 'os.system(re.sub("[a-z]", "", p))'],
    [true, 'os.system(core.sub("[^a-z]", "", p))'],
    [true, 'os.system(re.sub.other("[^a-z]", "", p))'],
    [true, 'os.system(a.re.sub("[^a-z]", "", p))'],
    [true, 'l = list()', 'l.append(p)', 'os.system(l[0])'],
    [false, 'l = list()', 'l.append("a")', 'l.append(p)', 'os.system(l[0])'],
    [true, 'l = mylist()', 'l.append("a")', 'l.append(p)', 'os.system(l[0])'],
    [false, 'd = dict()', 'd["a"] = p', 'os.system(d["b"])'],
  ]),
  ...rows('ruby', [
    [true, 'system(p.sub("[^a-z]", ""))'],
    [false, 'system(p.gsub(/[^a-z]/, ""))'],
  ]),
  ...rows('go', [
    [true, 'o := box{"a": p}', 'exec.Command("sh", "-c", o["a"])'],
    [false, 'o := box{"a": p, "b": "b"}', 'exec.Command("sh", "-c", o["b"])'],
    [true, 'o := []string{"a", p}', 'exec.Command("sh", "-c", o[1])'],
    [false, 'o := []string{"a", p}', 'exec.Command("sh", "-c", o[0])'],
    [true, 'o := box{A: p}', 'exec.Command("sh", "-c", o.A)'],
    [false, 'o := box{A: p, B: "b"}', 'exec.Command("sh", "-c", o.B)'],
    [false, 'o := box{}', 'exec.Command("sh", "-c", o.B)'],
  ]),
  ...rows('java', [
    [
      false,
      'List<String> l = new java.util.ArrayList<>();',
      'l.add("a");',
      'l.add(p);',
      'Runtime.getRuntime().exec(l.get(0));',
    ],
    [
      false,
      'Map<String, String> m = new java.util.TreeMap<>();',
      'm.put("a", p);',
      'Runtime.getRuntime().exec(m.get("b"));',
    ],
    [
      true,
      'Map<String, String> m = new TreeMaps<>();',
      'm.put(other, p);',
      'Runtime.getRuntime().exec(m.get("b"));',
    ],
    [
      true,
      'StringBuilder s = new StringBuilder("a");',
      's.append(p);',
      'Runtime.getRuntime().exec(s.toString());',
    ],
    [
      false,
      'StringBuilder s = new StringBuilder("a");',
      's.append("b");',
      'Runtime.getRuntime().exec(s.toString());',
    ],
  ]),
])('in %s %j: %j', async (language, isFound, lines) => {
  expect(await linesFound(COMMAND, language, lines)).toEqual(isFound ? [lines.length] : []);
});

test.each([
  [true, "session.set('a', Math.random());"],
  [true, "req.session().put('a', Math.random());"],
  [true, 'req.session.setAll(Math.random());'],
  [true, "req.session.putIn('a', Math.random());"],
  [false, "req.session.reset('a', Math.random());"],
  [false, "req.session.get('a', Math.random());"],
  [false, "req.session.set.other('a', Math.random());"],
  [true, "SetCookie('a', Math.random());"],
  [true, 'a.newPassword(Math.random());'],
  [false, 'a.newWord(Math.random());'],
  [true, 'const token = str(Math.random());'],
  [true, 'const token = String(Math.random());'],
  [true, 'const token = format(Math.random());'],
  [false, 'const token = mystr(Math.random());'],
  [true, 'const f = (a) => a; f(other * 2); const token = f(Math.random() * 2);'],
  [false, 'const token = other(Math.random());'],
  [true, 'const token = Math.random().other();'],
  [false, 'const token = other.Math.random();'],
])('a predictable value is found (%s): %s', async (isFound, line) => {
  expect(await linesFound(RANDOM, 'javascript', [line])).toEqual(isFound ? [1] : []);
});

/** Names of calls, whether what they give is known by its text, and whether it is a builder's. */
const TEXTS: readonly (readonly [name: string, keeps: boolean, formats: boolean, builds: boolean])[] = [
  ...['toString', 'ToString', 'to_s', 'getvalue', 'String', 'encode', 'decode', 'trim', 'strip'].map(
    (name) => [name, true, false, true] as const,
  ),
  ...['to_string', 'string', 'str', 'strval', 'trimStart', 'lstrip', 'rstrip', 'squish', 'dedent'].map(
    (name) => [name, true, false, false] as const,
  ),
  ...['cleandoc', 'replace', 'replaceAll', 'gsub', 'stripIndent', 'stripMargin'].map(
    (name) => [name, true, false, false] as const,
  ),
  ...['sprintf', 'vsprintf', 'Formatted', 'concat', 'StringBuilder', 'StringBuffer', 'format'].map(
    (name) => [name, true, true, true] as const,
  ),
  ...[
    'retoString',
    'toStrings',
    'tostringed',
    'mystr',
    'strings',
    'retrim',
    'restrip',
    'strips',
    'other',
  ].map((name) => [name, false, false, false] as const),
  ...['resprintf', 'sprintfs', 'reformat', 'formats', 'myconcat', 'encoder', 'reencode', 'dedents'].map(
    (name) => [name, false, false, false] as const,
  ),
];

test.each(TEXTS)('%s keeps a text: %s, formats it: %s, builds one: %s', async (...row) => {
  const [name, keeps, formats, builds] = row;
  const statement = "'SELECT a FROM b WHERE c = '";
  const found = async (rule: string, ...lines: string[]) =>
    (await linesFound(rule, 'javascript', lines)).length > 0;
  expect(await found(SQL, `other.many((${statement} + p).${name}());`)).toBe(keeps);
  expect(await found(SQL, `other.many(other.${name}(${statement}, p));`)).toBe(formats);
  const builder = ['const s = new StringBuilder();', "s.append('a');", 's.append(q);'];
  expect(await found(COMMAND, ...builder, `exec(s.${name}());`)).toBe(builds);
});

const SQLITE = "require('sqlite3');";

test.each<[string, Language, readonly string[], readonly number[]]>([
  // What the file imports, and what the object is called.
  [SQL, 'javascript', ["require('mysql');", 'db.query(p);'], [2]],
  [SQL, 'javascript', ['db.query(p);'], []],
  [SQL, 'javascript', [SQLITE, 'db.all(p);'], [2]],
  [SQL, 'javascript', [SQLITE, 'other.all(p);'], []],
  [SQL, 'javascript', ['db.all(p);'], []],
  [SQL, 'javascript', [SQLITE, 'db[other].all(p);'], [2]],
  [SQL, 'javascript', [SQLITE, 'other[db].all(p);'], []],
  [SQL, 'javascript', [SQLITE, 'db.size().all(p);'], [2]],
  // A text that is visibly a statement, whatever it went through.
  [SQL, 'javascript', ["other.many('SELECT a FROM b WHERE c = ' + p);"], [1]],
  [SQL, 'javascript', ["other.many('a text ' + p);"], []],
  [SQL, 'javascript', ["other.many(('SELECT a FROM b WHERE c = ' + p).trim());"], [1]],
  [SQL, 'javascript', ["other.many(String('SELECT a FROM b WHERE c = ' + p));"], [1]],
  [SQL, 'javascript', ["other.many(('SELECT a FROM ' + q).concat(' WHERE c = ', p));"], [1]],
  [SQL, 'javascript', ["other.many(other.concat('SELECT a FROM b WHERE c = ', p));"], [1]],
  [SQL, 'javascript', ["other.many(q.concat('a select ', p, ' from b'));"], []],
  [SQL, 'java', ['String q = String.format("SELECT a FROM b WHERE c = ");', 'x.rawQuery(q + p);'], [2]],
  [SQL, 'java', ['x.rawQuery(String.format("SELECT a FROM %s WHERE c = ", t) + p);'], [1]],
  [SQL, 'java', ['x.rawQuery(String.format("SELECT a FROM b WHERE c = %s", p));'], [1]],
  [SQL, 'python', ["other.execute('SELECT a FROM b WHERE c = %s' % p)"], [1]],
  // Credentials that an argument's name shows.
  ['source/hard-coded-credentials', 'python', ['connect(password="hunter2horse")'], [1]],
  ['source/hard-coded-credentials', 'python', ['connect(passage="hunter2horse")'], []],
  // An object of a class of the file is called like the class.
  [RANDOM, 'python', ['class Session:', '    a = 1', 's = Session()', 's.b = random.random()'], [4]],
  [RANDOM, 'python', ['class Other:', '    a = 1', 's = Other()', 's.b = random.random()'], []],
])('%s in %s: %j: %j', async (rule, language, lines, found) => {
  expect(await linesFound(rule, language, lines)).toEqual(found);
});

test('a rule checks the receiver, the arguments and the imports of a call', async () => {
  const weak = (...lines: string[]) => linesFound('source/weak-hash', 'javascript', lines);
  const crypto = "const crypto = require('crypto');";
  expect(await weak(crypto, "crypto.createHash('md5');")).toEqual([2]);
  expect(await weak(crypto, "crypto.createHash('sha256');")).toEqual([]);
  expect(await weak(crypto, 'crypto.createHash(other);')).toEqual([]);
  expect(await weak(crypto, "other.createHash('md5');")).toEqual([]);
});

test('the scan of several files takes back what only a function in a variable passes on', async () => {
  const takenBack = async (line: string) => {
    const text = `const { exec } = require('child_process');\nconst f = require('./f');\nrequire('express')().get('/', (req, res) => {\n  ${line}\n});\n`;
    const files = [
      { path: 'a.js', text },
      { path: 'f.js', text: "module.exports = { a: (one) => 'a' };\n" },
    ];
    const all = await createSourceScanner().together?.scan(files, { deep: true }, () => undefined);
    return all?.refuted?.map(({ id }) => id);
  };
  expect(await takenBack('exec(f.a(req.query.a));')).toEqual([COMMAND]);
  expect(await takenBack('exec(f.b(req.query.a));')).toEqual([]);
  expect(await takenBack('exec(other(req.query.a));')).toEqual([]);
  expect(await takenBack('exec(table[0](req.query.a));')).toEqual([COMMAND]);
  expect(await takenBack('exec(table[0]()(req.query.a));')).toEqual([]);
  expect(await takenBack('exec(table[0].of(req.query.a));')).toEqual([]);
  expect(await takenBack('exec((one || two)(req.query.a));')).toEqual([COMMAND]);
});
