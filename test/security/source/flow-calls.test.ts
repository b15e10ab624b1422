// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is scanned
import { expect, test } from 'vitest';
import { COMMAND, type Language, linesFound } from './handlers.ts';

/** What a call puts into a collection, takes out of it, or carries through; functions of the file; loops, cases, errors. */

type Row = readonly [Language, readonly string[], readonly number[]];

/** The last line runs a text; it is found or not. */
const rows = (language: Language, cases: readonly (readonly [boolean, ...string[]])[]): Row[] =>
  cases.map(([isFound, ...lines]) => [language, lines, isFound ? [lines.length] : []] as const);

const COLLECTIONS: Row[] = [
  ...rows('python', [
    [true, 'l = ["a"]', 'l.append(p)', 'os.system(l[1])'],
    [false, 'l = ["a"]', 'l.append(p)', 'os.system(l[0])'],
    [false, 'l = [p]', 'l.pop()', 'l.append("b")', 'os.system(l[0])'],
    [true, 'l = ["a", p]', 'os.system(l.pop())'],
    [false, 'l = [p, "a"]', 'os.system(l.pop())'],
    [true, 'l = [p, "a"]', 'os.system(l.pop(0))'],
    [true, 'l = ["a", p]', 'l.pop(0)', 'os.system(l[0])'],
    [false, 'l = [p, "a"]', 'l.pop(0)', 'os.system(l[0])'],
    [false, 'l = [p, "a", "b"]', 'l.pop(-3)', 'os.system(l[0])'],
    [true, 'l = [p, "a", "b"]', 'os.system(l.pop(-3))'],
    [true, 'l = ["a", p]', 'l.pop(other)', 'os.system(l[0])'],
    [false, 'l = [p, "a"]', 'os.system(l[-1])'],
    [true, 'l = ["a", p]', 'os.system(l[-1])'],
    [false, 'l = ["a", "b"]', 'l.pop(other)', 'os.system(l[0])'],
    [true, 'l = ["a", p]', 'os.system(l.pop(other))'],
    [true, 'l = [p, "a"]', 'l.pop(other)', 'os.system(l[0])'],
    [true, 'l = []', 'l.extend([p])', 'os.system(l[0])'],
    [true, 'l = ["a"]', 'l.insert(0, p)', 'os.system(l[0])'],
    [true, 'd = {}', 'd.update({"a": p})', 'os.system(d["a"])'],
    [false, 'd = {"b": "b"}', 'd.update({"a": p})', 'os.system(d["b"])'],
    [true, 'd = {"a": p}', 'os.system(d.get("a"))'],
    [false, 'd = {"a": p}', 'os.system(d.get("b"))'],
    [true, 'd = {"a": "a"}', 'os.system(d.get("b", p))'],
    [true, 'd = {"a": p}', 'os.system(d.get("a", "b"))'],
    [true, 'd = {"a": "x"}', 'if d.get("b") != "b":', '    os.system(p)'],
    [false, 'd = {1: p, 2: "b"}', 'os.system(d[2])'],
    [true, 'd = {1: p, 2: "b"}', 'os.system(d[1])'],
    [false, 'if "abc"[1] != "b":', '    os.system(p)'],
    [true, 'def f(a="x", b="y"):', '    return a', 'f(b=p)', 'os.system(f(a=p))'],
    [false, 'def f(a="x", b="y"):', '    return a', 'f(a=p)', 'os.system(f(b=p))'],
    [false, 'd = {"a": "a"}', 'os.system(d.get("a", p))'],
    [false, 'd = {"a": p}', 'os.system(d.get("b", "b"))'],
    [true, 'd = {"a": p}', 'os.system(d.get(other, "b"))'],
    [true, 'd = {}', 'd.setdefault("a", p)', 'os.system(d["a"])'],
    [true, 'os.system(request.args.get("a", "b"))'],
    [true, 'import collections', 'l = collections.deque()', 'l.append(p)', 'os.system(l.popleft())'],
    [
      true,
      'import configparser',
      'c = configparser.ConfigParser()',
      'c.set("a", "b", p)',
      'os.system(c.get("a", "b"))',
    ],
    [false, 'c = dict()', 'c.set("a", "b", p)', 'os.system(c.get("a", "c"))'],
    [false, 'c = dict()', 'c.set("a", "b", p)', 'os.system(c.get("a"))'],
    [true, 'c = dict()', 'c.set("a", "b", p)', 'os.system(c.get("a", "b", "c"))'],
    [false, 'c = dict()', 'c.set("a", "bc", p)', 'os.system(c.get("ab", "c"))'],
    [true, 'c = {}', 'os.system(c.get("a", "b", p))'],
    [false, 'd = {"": p}', 'os.system(d.get("x"))'],
    [false, 'd = {}', 'd.update({"a": "x", "c": p})', 'os.system(d["a"])'],
    [false, 'l = ["a", p]', 'os.system(l.popleft())'],
    // A builder's text is what was put into it.
    [false, 'import io', 's = io.StringIO()', 's.write(q)', 'os.system(s.getvalue())'],
    [true, 'import io', 's = io.StringIO()', 's.write("a")', 's.write(q)', 'os.system(s.getvalue())'],
    [false, 'f = other()', 'f.write("a")', 'os.system(f)'],
  ]),
  ...rows('javascript', [
    [true, 'const l = [];', 'l.push(p);', 'exec(l[0]);'],
    [true, "const l = ['a', p];", 'exec(l.shift() + l.shift());'],
    [false, "const l = ['a', p];", 'exec(l.shift());'],
    [true, "const l = ['a', p];", 'exec(l.pop());'],
    [true, "const l = ['a'];", 'l.unshift(p);', 'exec(l[0]);'],
    [true, "const l = ['a'];", "l.push('b', p);", 'exec(l[2]);'],
    [true, 'const m = new Map();', "m.set('a', p);", "exec(m.get('a'));"],
    [false, 'const m = new Map();', "m.set('a', p);", "exec(m.get('b'));"],
    [true, 'const m = new Map();', 'm.set(other, p);', "exec(m.get('b'));"],
    [false, 'const m = new Map();', 'm.set(p);', "exec(m.get('a'));"],
    [false, 'const o = {};', 'o.show(p);', 'exec(o.a);'],
    [true, "exec(req['query'].p);"],
    [true, "exec(req.query.list.mapAll(() => 'a').join());"],
    [true, "exec(req.query.list.remap(() => 'a').join());"],
    [true, 'const o = { a: {} };', "o.a.list = ['a'];", 'o.a.list.push(p);', 'exec(o.a.list[1]);'],
    [false, 'const o = { a: {} };', "o.a.list = ['a'];", 'o.a.list.push(p);', 'exec(o.a.list[0]);'],
    [true, "const l = ['a', p];", 'for (const one of l) exec(one);'],
    [false, "const l = ['a'];", 'l.slice().push(p);', 'exec(l[0]);'],
    [true, "const l = ['a', p];", 'exec(l.other(0));'],
    [true, "const l = ['a', p];", 'exec(l.get(other));'],
    [false, "const l = ['a', 'a'];", "if (l.get(other) !== 'a') exec(p);"],
    [false, "const l = ['a', 'a'];", "if (l.first() !== 'a') exec(p);"],
    [false, "const l = ['a', 'a'];", "if (l.last() !== 'a') exec(p);"],
    [true, "const l = ['a', 'a'];", "if (l.second() !== 'a') exec(p);"],
    [true, `const l = [${"'a', ".repeat(64)}];`, 'l.push(p);', 'exec(l[3]);'],
    [false, `const l = [${"'a', ".repeat(63)}];`, 'l.push(p);', 'exec(l[3]);'],
    // Names that only resemble those of collections.
    ...['repush', 'pushed'].map(
      (name) => [false, "const l = ['a'];", `l.${name}(p);`, 'exec(l[1]);'] as const,
    ),
    ...['reinsert', 'inserted'].map(
      (name) => [false, "const l = ['a'];", `l.${name}('b', p);`, 'exec(l[0]);'] as const,
    ),
    [true, "const l = ['a'];", "l.insert('b', p);", 'exec(l[0]);'],
    ...['reset', 'sets'].map(
      (name) => [false, "const o = { a: 'a' };", `o.${name}('a', p);`, 'exec(o.a);'] as const,
    ),
    ...['forget', 'getting'].map(
      (name) => [true, "const o = { a: p, b: 'b' };", `exec(o.${name}('b'));`] as const,
    ),
    ...['repop', 'popped'].map((name) => [true, "const l = [p, 'a'];", `exec(l.${name}());`] as const),
    // Elements that are made anew hold what makes them.
    [false, "exec(req.query.list.map(() => 'a').join());"],
    [true, 'exec(req.query.list.map((one) => one).join());'],
    [true, "exec(req.query.list.map((one) => 'a' + one).join());"],
    [false, 'exec(req.query.list.map((one, at) => at).join());'],
    [false, 'exec(req.query.list.map(Number).join());'],
    [false, 'exec(req.query.list.map(parseInt).join());'],
    [false, 'exec(_.map(req.query.list, Number).join());'],
    [true, 'exec(other.map(() => p).join());'],
    [true, 'exec(req.query.list.map(other).join());'],
    [true, 'exec(req.query.list.map((one) => { log(one); return one; }).join());'],
    [true, "exec(req.query.list.flatMap(() => 'a').join());"],
    [true, 'exec(req.query.list.filter((one) => one).join());'],
  ]),
  ...rows('java', [
    [true, 'List<String> l = new ArrayList<>();', 'l.add(p);', 'Runtime.getRuntime().exec(l.get(0));'],
    [
      false,
      'List<String> l = new ArrayList<>();',
      'l.add("a");',
      'l.add(p);',
      'Runtime.getRuntime().exec(l.get(0));',
    ],
    [
      true,
      'List<String> l = new ArrayList<>();',
      'l.add("a");',
      'l.add(p);',
      'l.remove(0);',
      'Runtime.getRuntime().exec(l.get(0));',
    ],
    [false, 'List<String> l = new LinkedList<>();', 'l.add(p);', 'Runtime.getRuntime().exec(l.get(1));'],
    ...['removeFirst', 'poll'].map(
      (name) =>
        [
          false,
          ...['List<String> l = new LinkedList<>();', 'l.add("a");', 'l.add(p);'],
          `Runtime.getRuntime().exec(l.${name}());`,
        ] as const,
    ),
    [
      true,
      'Map<String, String> m = new HashMap<>();',
      'm.put("a", p);',
      'Runtime.getRuntime().exec(m.get("a"));',
    ],
    [
      false,
      'Map<String, String> m = new HashMap<>();',
      'm.put("a", p);',
      'Runtime.getRuntime().exec(m.get("b"));',
    ],
    [true, 'Map<String, String> m = new HashMap<>();', 'Runtime.getRuntime().exec(m.getOrDefault("b", p));'],
    [
      true,
      'StringBuilder sb = new StringBuilder();',
      'sb.append(p);',
      'Runtime.getRuntime().exec(sb.toString());',
    ],
    [
      false,
      'StringBuilder sb = new StringBuilder();',
      'sb.append("a");',
      'Runtime.getRuntime().exec(sb.toString());',
    ],
  ]),
  ...rows('ruby', [
    [true, 'l = ["a"]', 'l << p', 'system(l[1])'],
    [false, 'l = ["a"]', 'l << p', 'system(l[0])'],
    [true, 'l = ["a"]', 'l << "b" << p', 'system(l[2])'],
    [false, 'l = ["a"]', 'l << "b" << p', 'system(l[1])'],
    [true, 'q = "a"', 'q << p', 'system(q)'],
    [false, 'q = "a"', 'q << "b"', 'system(q)'],
    [false, 'q = "a"', 'q << "b"', 'system(p) if q == "a"'],
    [true, 'q = p', 'q << "b"', 'system(q)'],
    [true, 'q = "a"', 'q << "b" << p', 'system(q)'],
    [false, 'system(1 << p)'],
    [false, 'l = [p, "a"]', 'system(l[-1])'],
    [true, 'l = [p]', 'system(l.first)'],
    [true, 'l = ["a", p]', 'system(l.last)'],
    [true, 'h = { a: p }', 'system(h.fetch(:a))'],
    [false, 'h = { a: p }', 'system(h.fetch(:b, "b"))'],
    [true, 'h = {}', 'h.merge!({ a: p })', 'system(h[:a])'],
    [false, 'system(params[:l].map { |one| "a" }.join)'],
    [true, 'system(params[:l].map { |one| one }.join)'],
  ]),
  ...rows('php', [
    [true, '$l = ["a", $p];', 'system(array_pop($l));'],
    [false, 'system(implode(",", array_map("intval", $_GET["l"])));'],
    [true, 'system(implode(",", array_map("trim", $_GET["l"])));'],
    [true, 'system(implode(",", array_map("a" . $x, $_GET["l"])));'],
  ]),
  ...rows('csharp', [
    [true, 'var l = new List<string>();', 'l.Add(p);', 'System.Diagnostics.Process.Start(l.ElementAt(0));'],
    [
      false,
      'var d = new Dictionary<string, string>();',
      'd.Add("a", p);',
      'd["b"] = "b";',
      'System.Diagnostics.Process.Start(d["b"]);',
    ],
  ]),
];

const CALLS: Row[] = [
  ...rows('javascript', [
    // The result of what is not known carries what went in, unless its name says that it is new or a number.
    [true, 'exec(other(p));'],
    [true, 'exec(other(1, p));'],
    [true, 'exec(p.other());'],
    [true, 'exec(other.of(p));'],
    [true, 'exec(table[0](p));'],
    [false, 'exec(findOne(p));'],
    [false, 'exec(db.load(p));'],
    [false, 'exec(check(p));'],
    [false, 'exec(CheckAll(p));'],
    [false, 'exec(CHECK(p));'],
    [false, 'exec(look_up(p) + lookUp(p) + lookup(p));'],
    [true, 'exec(precheck(p));'],
    [false, 'exec(exist(p) + exists(p));'],
    [true, 'exec(checkout(p));'],
    [true, 'exec(settle(p));'],
    [false, 'exec(p.length());'],
    [false, 'exec(p.indexOf(p));'],
    [false, 'exec(other.includes(p));'],
    [true, 'exec(Object.freeze(p));'],
    [true, 'exec(Buffer.from([p]));'],
    [false, "exec(Object.freeze(['a', p]));"],
    [true, "const run = require('child_process').exec;", 'run(p);'],
    [true, "const cp = require('node:child_process');", 'cp.exec(p);'],
    [true, "const { promisify } = require('util');", 'promisify(exec)(p);'],
    // Functions of the file.
    [true, 'const same = (one) => one;', 'exec(same(p));'],
    [false, "const none = (one) => 'a';", 'exec(none(p));'],
    [false, 'const second = (one, two) => two;', "exec(second(p, 'a'));"],
    [true, 'const second = (one, two) => two;', "exec(second('a', p));"],
    [true, 'const byDefault = (one = p) => one;', 'exec(byDefault());'],
    [false, 'const byDefault = (one = p) => one;', "exec(byDefault('a'));"],
    [true, 'const taken = ({ a, b }) => b;', "exec(taken({ a: 'a', b: p }));"],
    [false, 'const taken = ({ a, b }) => a;', "exec(taken({ a: 'a', b: p }));"],
    [true, "const either = (one) => { if (other) return 'a'; return one; };", 'exec(either(p));'],
    [false, 'const nothing = (one) => { log(one); };', 'exec(nothing(p));'],
    [true, 'const same = (one) => one;', 'same(p);', 'exec(same(p));'],
    [true, 'const o = { a: p, own() { return this.a; } };', 'exec(o.own());'],
    [false, "const o = { a: 'a', own() { return this.a; } };", 'exec(o.own());'],
    [true, 'const twice = (one) => one + one;', "exec(twice('a') + twice(p));"],
    [false, 'const twice = (one) => one + one;', 'twice(p);', "exec(twice('a'));"],
    [true, 'const again = (one) => (other ? one : again(one));', 'exec(again(p));'],
    [true, 'const o = { go(one) { return one; } };', 'exec(o.go(p));'],
    [false, "const o = { go(one) { return 'a'; } };", 'exec(o.go(p));'],
    [true, 'class A { constructor() { this.b = 1; } same(one) { return one; } }', 'exec(new A().same(p));'],
    [true, 'let q;', 'const set = () => { q = p; };', 'set();', 'exec(p);'],
    // What is called for each of the data's elements gets it, and what is called for anything else does not.
    [true, 'req.query.list.forEach((one) => exec(one));'],
    [false, 'other.forEach((one) => require("child_process").spawn(one));'],
    [true, 'function go(one) { return one; }', 'exec(go(p));'],
  ]),
  ...rows('python', [
    [true, 'def same(a, b="x"):', '    return b', 'os.system(same("a", b=p))'],
    [false, 'def same(a, b="x"):', '    return b', 'os.system(same(p))'],
    [true, 'class A:', '    def same(self, one):', '        return one', 'os.system(A().same(p))'],
    [false, 'class A:', '    def none(self, one):', '        return self', 'os.system(A().none(p).x)'],
    [
      true,
      'class A:',
      '    @classmethod',
      '    def same(cls, one):',
      '        return one',
      'os.system(A.same(p))',
    ],
    [false, 'os.system(str(len(p)))'],
    [true, 'os.system(str(p))'],
    [false, 'os.system(str(int(p)))'],
  ]),
];

const STATEMENTS: Row[] = [
  ...rows('javascript', [
    // Cases.
    [false, "switch (p) { case 'a': exec(p); break; case 'b': exec(p); }"],
    [true, "switch (p) { case 'a': log(); break; default: exec(p); }"],
    [true, "switch (p) { case 'a': log(); default: exec(p); }"],
    [true, 'switch (p) { case other: exec(p); }'],
    [true, "switch (p) { case 'a': case other: exec(p); }"],
    [false, "switch (p) { case 'a': case 'b': exec(p); }"],
    [true, "switch (p) { case 'a': default: exec(p); }"],
    [false, "let q = 'a';", "switch ('x') { case 'y': q = p; }", 'exec(q);'],
    [true, "let q = 'a';", "switch ('x') { case 'x': q = p; }", 'exec(q);'],
    [true, "let q = 'a';", "switch ('x') { case 'y': break; default: q = p; }", 'exec(q);'],
    [false, 'let q = p;', "switch ('x') { case 'y': break; default: q = 'a'; }", 'exec(q);'],
    [true, "let q = 'a';", "switch (other) { case 'y': q = p; break; case 'z': q = 'b'; }", 'exec(q);'],
    [true, 'let q = p;', "switch (other) { case 'y': q = 'a'; }", 'exec(q);'],
    [false, 'let q = p;', "switch (other) { case 'y': q = 'a'; break; default: q = 'b'; }", 'exec(q);'],
    [true, "let q = 'a';", "switch ('x') { case other: q = p; }", 'exec(q);'],
    [true, "let q = 'a';", "switch ('x') { case other: q = p; break; case 'y': q = 'b'; }", 'exec(q);'],
    [false, "switch (p) { case 'a': break; default: return; }", 'exec(p);'],
    [true, 'while (other) { switch (other) { case 1: break; } exec(p); }'],
    // Loops.
    [true, "let q = 'a', r = 'a';", 'while (other) { q = r; r = p; }', 'exec(q);'],
    [true, "let q = 'a';", 'for (;;) { if (other) { q = p; break; } }', 'exec(q);'],
    [true, "let q = 'a';", 'for (const a of list) { q = p; continue; }', 'exec(q);'],
    [true, "let q = 'a';", 'do { q = p; } while (other);', 'exec(q);'],
    [false, 'let q = p;', "q = 'a';", 'while (other) { log(q); }', 'exec(q);'],
    [false, 'while (false) { exec(p); }'],
    [true, 'while (true) { exec(p); }'],
    [true, 'for (const [a, b] of other) { exec(p); }'],
    [true, 'for (const [a, b] of req.query.list) exec(b);'],
    [true, 'for (const a in req.query) exec(a);'],
    [true, 'for (const { a } of [{ a: p }]) exec(a);'],
    [false, "for (const { a, b } of [{ a: p, b: 'b' }]) exec(b);"],
    // Errors.
    [true, "let q = 'a';", 'try { q = p; } catch (e) { return; }', 'exec(q);'],
    [true, "let q = 'a';", 'try { go(); } catch (e) { q = p; }', 'exec(q);'],
    [false, "let q = 'a';", 'try { go(); } catch (e) { q = p; return; }', 'exec(q);'],
    [false, 'let q = p;', "try { go(); } finally { q = 'a'; }", 'exec(q);'],
    [false, 'try { return; } catch (e) { throw e; }', 'exec(p);'],
    [true, 'try { var q = p; go(); } catch (e) { exec(q); }'],
    // What is not reached.
    [false, 'return;', 'exec(p);'],
    [false, 'throw new Error();', 'exec(p);'],
    [true, 'throw exec(p);'],
    [true, 'return exec(p);'],
    [false, 'if (true) return;', 'exec(p);'],
    [true, 'if (false) return;', 'exec(p);'],
    [true, 'if (other) return; else log();', 'exec(p);'],
    [true, '{ exec(p); }'],
    [true, 'later();', 'function later() { exec(p); }'],
    // Places that are assigned to.
    [true, 'const { [other]: q } = { a: p };', 'exec(q);'],
    [true, 'const { a: { b } } = { a: { b: p } };', 'exec(b);'],
    [false, "const { a: { b } } = { a: { b: 'b' }, c: p };", 'exec(b);'],
    [true, "const { a, ...rest } = { a: 'a', b: p };", 'exec(rest.b);'],
    [true, "const [a, ...rest] = ['a', p];", 'exec(rest[0]);'],
    [true, "let a, b; [a, b] = ['a', p];", 'exec(b);'],
    [false, "let a, b; [a, b] = ['a', p];", 'exec(a);'],
    [true, 'const [a] = req.query.list;', 'exec(a);'],
    [true, 'const o = {}; o.a = {}; o.a.b = {}; o.a.b.c = p;', 'exec(o.a.b.c);'],
    [false, 'const o = {}; o.a = {}; o.a.b = {}; o.a.b.c = p;', 'exec(o.a.b.d);'],
    [true, 'const l = [{}]; l[0].a = p;', 'exec(l[0].a);'],
    [false, 'const l = [{}, {}]; l[0].a = p;', 'exec(l[1].a);'],
    [true, "const o = {}; o['a'].b = p;", 'exec(o.a.b);'],
    [true, 'const o = { a: 1 }; o.a += 1;', 'if (o.a === 2) exec(p);'],
    [false, 'const o = { a: 1 }; o.a += 1;', 'if (o.a === 3) exec(p);'],
    [true, 'const o = {}; o.a += p;', 'exec(o.a);'],
    [false, "const o = { a: p }; o.a = 'a';", 'exec(o.a);'],
    [true, "const o = { a: p }; o[other] = 'a';", 'exec(o.a);'],
    [true, 'let q, r; q = r = p;', 'exec(q);'],
    [true, 'let q;', 'exec(q = p);'],
    // Values of expressions.
    [true, 'exec(other && p);'],
    [false, "exec(other && 'a');"],
    [false, 'exec(false && p);'],
    [true, 'exec(true && p);'],
    [false, "exec('a' || p);"],
    [true, 'exec(false || p);'],
    [true, "exec('a' ?? p);"],
    [true, "exec(true ? p : 'a');"],
    [false, "exec(false ? p : 'a');"],
    [false, 'exec(!p);'],
    [false, 'exec(p === other);'],
    [true, "exec('abc'[other] + p);"],
    [false, "exec(['a', p][0]);"],
    [false, "exec(['a', p][5]);"],
    [true, "exec(['a', p].at(-1));"],
    [true, 'exec({ ...{ a: p } }.a);'],
    [false, "exec({ ...{ a: p }, a: 'a' }.a);"],
    [
      true,
      `exec({ ${Array.from({ length: 65 }, (_, at) => `k${at}: ${at === 64 ? 'p' : '1'}`).join()} }.k64);`,
    ],
    [
      false,
      `exec({ ${Array.from({ length: 64 }, (_, at) => `k${at}: ${at === 63 ? 'p' : '1'}`).join()} }.k3);`,
    ],
    [true, `exec([${'1, '.repeat(64)}p][3]);`],
    [false, `exec([${'1, '.repeat(63)}p][3]);`],
    [true, "exec((q = p, 'a') + q);"],
    [true, 'exec(`a ${p}`);'],
    [true, 'exec(await p);'],
    [false, 'exec(p / 2 | 0);'],
    [false, 'exec(p << 2);'],
    [false, 'exec(p instanceof Date);'],
  ]),
  ...rows('python', [
    [true, 'match p:', '    case "a":', '        pass', '    case _:', '        os.system(p)'],
    [false, 'match p:', '    case "a":', '        os.system(p)'],
    [true, 'import pathlib', 'os.system(pathlib.Path("/srv") / p)'],
    [true, 'q = "a"', 'with open("x") as f:', '    q = p', 'os.system(q)'],
    [true, 'os.system([one for one in [p]][0])'],
    [false, 'os.system("abc"[1])'],
    [false, 'q = "a" if True else p', 'os.system(q)'],
    [true, 'os.system(p[1:])'],
    [true, 'os.system(p[0])'],
    [true, 'os.system("%s" % (p,))'],
    [false, 'os.system("%s" % ("a",))'],
  ]),
];

test.each([...COLLECTIONS, ...CALLS, ...STATEMENTS])('in %s %j: %j', async (language, lines, found) => {
  expect(await linesFound(COMMAND, language, lines)).toEqual(found);
});

test('nested calls are followed a limited number of levels down, and a function for a limited number of argument kinds', async () => {
  const nested = (depth: number) => {
    const through = Array.from({ length: depth }, (_, at) => `const f${at + 1} = (a) => f${at}(a);`);
    return linesFound(COMMAND, 'javascript', [
      `const f0 = () => 'a'; ${through.join(' ')} exec(f${depth}(p));`,
    ]);
  };
  expect(await nested(1)).toEqual([]);
  expect(await nested(3)).toEqual([]);
  expect(await nested(12)).toEqual([1]);
  const called = (times: number) => {
    const calls = Array.from({ length: times }, (_, at) => `f(${at});`);
    return linesFound(COMMAND, 'javascript', [`const f = () => 'a'; ${calls.join(' ')} exec(f(p));`]);
  };
  expect(await called(11)).toEqual([]);
  expect(await called(30)).toEqual([1]);
});

test('the result of a function depends on its arguments', async () => {
  const found = (call: string) =>
    linesFound(COMMAND, 'javascript', [
      `const pick = (a, b) => (b === 1 ? a : 'a'); const held = (l) => l[0]; pick(p, 2); held(['a', p]); exec(${call});`,
    ]);
  expect(await found('pick(p, 1)')).toEqual([1]);
  expect(await found('pick(p, 3)')).toEqual([]);
  expect(await found("pick('b', 1)")).toEqual([]);
  expect(await found("held([p, 'a'])")).toEqual([1]);
  expect(await found("held(['b', p])")).toEqual([]);
});

test('a setting that a call makes on an object is remembered', async () => {
  const found = (...lines: string[]) =>
    linesFound('source/xml-external-entities', 'python', [
      'import xml.sax',
      'parser = xml.sax.make_parser()',
      ...lines,
      'parser.parse(p)',
    ]);
  expect(await found('parser.setFeature(xml.sax.handler.feature_external_ges, True)')).toEqual([4]);
  expect(await found('parser.setFeature(xml.sax.handler.feature_external_ges, False)')).toEqual([]);
  expect(await found('other.setFeature(xml.sax.handler.feature_external_ges, True)')).toEqual([]);
});

test.each<[Language, string, readonly string[]]>([
  ['python', 's.write', ['import io', 's = io.StringIO()']],
  ['java', 's.append', ['StringBuilder s = new StringBuilder();']],
])('a statement that is built in %s by several calls of %s is found', async (language, write, before) => {
  const end = language === 'java' ? ';' : '';
  const last = language === 'java' ? 'x.rawQuery(s.toString());' : 'other.execute(s.getvalue())';
  const found = (...parts: string[]) => {
    const lines = [...before, ...parts.map((part) => `${write}(${part})${end}`), last];
    return linesFound('source/sql-injection', language, lines);
  };
  const line = before.length + 4;
  expect(await found('"SELECT a "', '"FROM b WHERE c = "', 'p')).toEqual([line]);
  expect(await found('"a text "', '"from b where c = "', 'p')).toEqual([]);
  expect(await found('"SELECT a ", "FROM b WHERE c = ", p', 'q', 'r')).toEqual([line]);
});
