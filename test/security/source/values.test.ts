import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';
import { COMMAND, type Language, linesFound } from './handlers.ts';

/** What is known of a variable after branches, loops and in collections. */

const XSS = 'source/cross-site-scripting';
const SQL = 'source/sql-injection';
const RANDOM = 'source/weak-random';

test.each<[string, Language, readonly string[], readonly number[]]>([
  // After a branch a variable is what it was in either.
  [COMMAND, 'javascript', ["let q = 'a';", 'if (other) q = p;', 'exec(q);'], [3]],
  [COMMAND, 'javascript', ["let q = 'a';", "if (other) q = 'b';", 'exec(q);'], []],
  [COMMAND, 'javascript', ['let q = p;', "if (other) q = 'b';", 'exec(q);'], [3]],
  [COMMAND, 'javascript', ['let q = p;', "if (other) q = 'b'; else q = 'c';", 'exec(q);'], []],
  [COMMAND, 'javascript', ['let q;', "if (other) q = 'b'; else q = p;", 'exec(q);'], [3]],
  [COMMAND, 'javascript', ["let q = 'a';", 'if (other) { q = p; return; }', 'exec(q);'], []],
  [COMMAND, 'javascript', ['if (other) { return; } else { throw p; }', 'exec(p);'], []],
  [COMMAND, 'javascript', ["const q = other ? p : 'a';", 'exec(q);'], [2]],
  [COMMAND, 'javascript', ["const q = other ? 'b' : 'a';", 'exec(q);'], []],
  [COMMAND, 'javascript', ['const q = other || p;', 'exec(q);'], [2]],
  [COMMAND, 'javascript', ["const q = p ?? 'a';", 'exec(q);'], [2]],
  // One that is harmless in both branches is harmless, and one that is so in one is not.
  [COMMAND, 'javascript', ["let q = 'x';", "if (other) q = 'a'; else q = 'b';", "exec(q + 'c');"], []],
  [
    COMMAND,
    'php',
    ['if ($other) $q = escapeshellarg($p); else $q = escapeshellarg("x");', 'system($q);'],
    [],
  ],
  [COMMAND, 'php', ['if ($other) $q = escapeshellarg($p); else $q = $p;', 'system($q);'], [2]],
  [COMMAND, 'php', ['if ($other) $q = $p; else $q = escapeshellarg($p);', 'system($q);'], [2]],
  [COMMAND, 'php', ['if ($other) $q = basename($p); else $q = escapeshellarg($p);', 'system($q);'], [2]],
  [COMMAND, 'php', ['if ($other) $q = escapeshellarg($p); else $q = escapeshellarg($p);', 'system($q);'], []],
  // Replacing all other characters leaves nothing that breaks out; one place, some characters or what is computed do.
  [COMMAND, 'javascript', ["exec(p.replace(/[^a-z]/g, ''));"], []],
  [COMMAND, 'javascript', ["exec(p.replaceAll(/[^A-Za-z0-9_-]+/gi, '_'));"], []],
  [COMMAND, 'javascript', ['const other = /[^\\w-]/g;', "exec(p.replace(other, ''));"], []],
  [COMMAND, 'javascript', ["exec(p.replace(/[^a-z]/, ''));"], [1]],
  [COMMAND, 'javascript', ["exec(p.replace(/[^a-z;]/g, ''));"], [1]],
  [COMMAND, 'javascript', ["exec(p.replace(/[^A-z]/g, ''));"], [1]],
  [COMMAND, 'javascript', ["exec(p.replace(/[a-z]/g, ''));"], [1]],
  [COMMAND, 'javascript', ["exec(p.replace(/a[^a-z]/g, ''));"], [1]],
  [COMMAND, 'javascript', ['exec(p.replace(/[^a-z]/g, other));'], [1]],
  [COMMAND, 'javascript', ["exec(p.replace(/[^a-z]/g, ';'));"], [1]],
  [COMMAND, 'ruby', ["system(p.gsub(/[^a-z]/, ''))"], []],
  [COMMAND, 'ruby', ["system(p.sub(/[^a-z]/, ''))"], [1]],
  // A check in one branch says nothing of the other.
  [COMMAND, 'javascript', ["if (p === 'a') log(p);", 'exec(p);'], [2]],
  [COMMAND, 'javascript', ["if (p === 'a') log(p); else p = 'c';", 'exec(p);'], []],
  // Loops.
  [COMMAND, 'javascript', ["let q = 'a';", 'for (const one of list) { exec(q); q = p; }'], [2]],
  [COMMAND, 'javascript', ["let q = 'a';", 'while (other) { q = p; }', 'exec(q);'], [3]],
  [COMMAND, 'javascript', ["let q = 'a';", 'while (false) { q = p; }', 'exec(q);'], []],
  [COMMAND, 'javascript', ['for (const one of [p]) exec(one);'], [1]],
  [COMMAND, 'javascript', ["for (const one of ['a', 'b']) exec(one);"], []],
  [COMMAND, 'javascript', ["for (const one of ['a', p]) exec(one);"], [1]],
  [COMMAND, 'javascript', ['for (const [k, v] of [[p, 1]]) exec(k);'], [1]],
  [COMMAND, 'javascript', ['for (const [k, v] of [[1, p]]) exec(k);'], []],
  [COMMAND, 'javascript', ['for (const [k, v] of Object.entries(req.query)) exec(k);'], [1]],
  // Errors.
  [COMMAND, 'javascript', ["let q = 'a';", 'try { q = p; go(); } catch (e) { exec(q); }'], [2]],
  [COMMAND, 'javascript', ["let q = 'a';", 'try { q = p; } finally { exec(q); }'], [2]],
  [COMMAND, 'javascript', ['let q = p;', "try { q = 'a'; } catch (e) { q = 'b'; }", 'exec(q);'], []],
  [COMMAND, 'javascript', ['try { return; } finally { exec(p); }'], [1]],
  [COMMAND, 'javascript', ['try { return; } finally { log(); }', 'exec(p);'], []],
  // Places of lists and fields of objects.
  [COMMAND, 'javascript', ["const l = ['a', p];", 'exec(l[0]);'], []],
  [COMMAND, 'javascript', ["const l = ['a', p];", 'exec(l[1]);'], [2]],
  [COMMAND, 'javascript', ["const l = ['a', p];", 'exec(l[other]);'], [2]],
  [COMMAND, 'javascript', ["const l = ['a', p];", "l[1] = 'b';", 'exec(l[1]);'], []],
  [COMMAND, 'javascript', ["const l = ['a', 'b'];", 'l[1] = p;', 'exec(l[0]);'], []],
  [COMMAND, 'javascript', ["const l = ['a', 'b'];", 'l[1] = p;', 'exec(l[1]);'], [3]],
  [COMMAND, 'javascript', ["const [q, r] = ['a', p];", 'exec(q);'], []],
  [COMMAND, 'javascript', ["const [q, r] = ['a', p];", 'exec(r);'], [2]],
  [COMMAND, 'javascript', ["const o = { a: 'a', b: p };", 'exec(o.a);'], []],
  [COMMAND, 'javascript', ["const o = { a: 'a', b: p };", 'exec(o.b);'], [2]],
  [COMMAND, 'javascript', ["const o = { a: 'a', b: p };", "exec(o['b']);"], [2]],
  [COMMAND, 'javascript', ["const o = { a: 'a', b: p };", "exec(o['a']);"], []],
  [COMMAND, 'javascript', ["const o = { a: 'a', b: p };", 'exec(o[other]);'], [2]],
  [COMMAND, 'javascript', ["const o = { a: 'a' };", 'o.b = p;', 'exec(o.b);'], [3]],
  [COMMAND, 'javascript', ["const o = { a: 'a' };", 'o.b = p;', 'exec(o.a);'], []],
  [COMMAND, 'javascript', ['const o = { a: p };', "o.a = 'a';", 'exec(o.a);'], []],
  [COMMAND, 'javascript', ["const o = { a: { b: 'a' } };", 'o.a.b = p;', 'exec(o.a.b);'], [3]],
  [COMMAND, 'javascript', ["const o = { a: { b: 'a' } };", 'o.a.c = p;', 'exec(o.a.b);'], []],
  [COMMAND, 'javascript', ['const o = {};', 'o[other] = p;', 'exec(o.a);'], [3]],
  [COMMAND, 'javascript', ['const o = { ...req.query };', 'exec(o.a);'], [2]],
  [COMMAND, 'javascript', ["const o = { ...{ a: p }, b: 'b' };", 'exec(o.a);'], [2]],
  [COMMAND, 'javascript', ["const o = { ...{ a: p }, b: 'b' };", 'exec(o.b);'], []],
  [COMMAND, 'javascript', ["const { a, b } = { a: 'a', b: p };", 'exec(a);'], []],
  [COMMAND, 'javascript', ["const { a, b } = { a: 'a', b: p };", 'exec(b);'], [2]],
  [COMMAND, 'javascript', ["const { a: q = 'x' } = req.query;", 'exec(q);'], [2]],
  // Collections after a branch.
  [COMMAND, 'javascript', ["let l = ['a', 'b'];", "if (other) l = ['c', p];", 'exec(l[0]);'], []],
  [COMMAND, 'javascript', ["let l = ['a', 'b'];", "if (other) l = ['c', p];", 'exec(l[1]);'], [3]],
  [COMMAND, 'javascript', ['let l = [];', 'if (other) l = [p];', 'exec(l[0]);'], [3]],
  [COMMAND, 'javascript', ['let l = [p];', 'if (other) l = [];', 'exec(l[0]);'], [3]],
  [COMMAND, 'javascript', ["let l = ['a'];", "if (other) l = ['b', p];", 'exec(l[1]);'], [3]],
  [COMMAND, 'javascript', ["let o = { a: 'a' };", 'if (other) o = { b: p };', 'exec(o.b);'], [3]],
  [COMMAND, 'javascript', ["let o = { a: 'a' };", 'if (other) o = { b: p };', 'exec(o.a);'], []],
  [COMMAND, 'javascript', ['let o = { a: p };', "if (other) o = { a: 'a' };", 'exec(o.a);'], [3]],
  [COMMAND, 'javascript', ["let o = { a: 'b' };", "if (other) o = { a: 'a' };", 'exec(o.a);'], []],
  [COMMAND, 'javascript', ['let o = null;', 'if (other) o = { a: p };', 'exec(o.a);'], [3]],
  [COMMAND, 'javascript', ['let o = {};', "if (other) o = ['a', p];", 'exec(o[1]);'], [3]],
  [COMMAND, 'javascript', ["let o = 'a';", 'if (other) o = [p];', 'exec(o);'], [3]],
  // Adding to a variable.
  [COMMAND, 'javascript', ["let q = 'a';", 'q += p;', 'exec(q);'], [3]],
  [COMMAND, 'javascript', ["let q = 'a';", "q += 'b';", 'exec(q);'], []],
  [COMMAND, 'javascript', ['let q = p;', "q += 'b';", 'exec(q);'], [3]],
  [COMMAND, 'javascript', ["const o = { a: 'a' };", 'o.a += p;', 'exec(o.a);'], [3]],
  [COMMAND, 'javascript', ['let n = 1;', 'n += 2;', 'if (n === 4) exec(p);'], []],
  [COMMAND, 'javascript', ['let n = 1;', 'n += 2;', 'if (n === 3) exec(p);'], [3]],
  [COMMAND, 'python', ['l = ["a"]', 'l += [p]', 'os.system(l[1])'], [3]],
  [COMMAND, 'python', ['l = ["a"]', 'l += [p]', 'os.system(l[0])'], []],
  [COMMAND, 'python', ['l = ["a"] + [p]', 'os.system(l[0])'], []],
  [COMMAND, 'python', ['l = ["a"] + [p]', 'os.system(l[1])'], [2]],
  [COMMAND, 'javascript', ['let q = p;', 'q -= 1;', 'exec(q);'], []],
  [COMMAND, 'javascript', ["exec('a' + p * 2);"], []],
  [COMMAND, 'javascript', ['exec(p.length);'], []],
  [COMMAND, 'javascript', ["exec(p > 'b');"], []],
  [COMMAND, 'php', ['$q = "a";', '$q .= $p;', 'system($q);'], [3]],
  [COMMAND, 'ruby', ['q = "a"', 'q += p', 'system(q)'], [3]],
  [COMMAND, 'java', ['String q = "a";', 'q += p;', 'Runtime.getRuntime().exec(q);'], [3]],
  // Members of the object itself.
  [
    COMMAND,
    'python',
    ['class A:', '    def go(self):', '        self.a = request.args["q"]', '        os.system(self.a)'],
    [4],
  ],
  [
    COMMAND,
    'python',
    [
      'class A:',
      '    def go(self):',
      '        self.a = request.args["q"]',
      '        if self.a == "x":',
      '            os.system(self.a)',
    ],
    [],
  ],
  [
    COMMAND,
    'python',
    [
      'class A:',
      '    def go(self):',
      '        self.a = request.args["q"]',
      '        self.b = request.args["q"]',
      '        if self.b == "x":',
      '            os.system(self.a)',
    ],
    [6],
  ],
  // Predictable randomness, in a variable, a list or a branch.
  [RANDOM, 'javascript', ['const token = Math.random();'], [1]],
  [RANDOM, 'javascript', ['const delay = Math.random();'], []],
  [RANDOM, 'javascript', ['const r = Math.random();', 'const token = r;'], [1]],
  [RANDOM, 'javascript', ["let r = 'a';", 'if (other) r = Math.random();', 'const token = r;'], [2]],
  [RANDOM, 'javascript', ['let r = Math.random();', "if (other) r = 'a';", 'const token = r;'], [1]],
  [RANDOM, 'javascript', ["const token = 'a' + Math.random();"], [1]],
  [RANDOM, 'javascript', ['const token = [1, Math.random()];'], [1]],
  [RANDOM, 'javascript', ['const token = [1, 2];'], []],
  [RANDOM, 'javascript', ['const token = String(Math.random());'], [1]],
  [RANDOM, 'javascript', ['const token = Math.random().toString(36);'], [1]],
  [RANDOM, 'javascript', ['const token = Math.random().toString(36).slice(2);'], [1]],
  [RANDOM, 'javascript', ['const token = Math.random() * 10;'], [1]],
  [RANDOM, 'javascript', ["res.cookie('a', Math.random());"], [1]],
  [RANDOM, 'javascript', ["res.header('a', Math.random());"], []],
  [RANDOM, 'javascript', ['req.session.id = Math.random();'], [1]],
  [RANDOM, 'javascript', ['other.id = Math.random();'], []],
  [RANDOM, 'javascript', ['const o = {};', 'o.token = Math.random();'], [2]],
  [RANDOM, 'javascript', ["o['token'] = Math.random();"], [1]],
  [RANDOM, 'javascript', ['connect(Math.random());'], []],
  [RANDOM, 'javascript', ['createToken(Math.random());'], [1]],
  [RANDOM, 'javascript', ["req.session.set('a', Math.random());"], [1]],
  [RANDOM, 'javascript', ["req.sessions.set('a', Math.random());"], []],
  // In a key of a literal, where `key` alone is a name of React's, and tokens are counted.
  [RANDOM, 'javascript', ['save({ token: Math.random() });'], [1]],
  [RANDOM, 'javascript', ['save({', '  a: 1,', "  'session-id': Math.random().toString(36),", '});'], [3]],
  [RANDOM, 'javascript', ['const make = () => ({ user: { password: "a" + Math.random() } });'], [1]],
  [RANDOM, 'javascript', ['const token = Math.random();', 'save({ token });', 'save({ token });'], [1]],
  [RANDOM, 'javascript', ['const r = Math.random();', 'save({ resetToken: r });'], [1]],
  [RANDOM, 'javascript', ['save({ key: Math.random(), keys: Math.random() });'], []],
  [RANDOM, 'javascript', ['const row = <Row key={Math.random()} />;', 'h(Row, { key: Math.random() });'], []],
  [RANDOM, 'javascript', ['save({ tokens: 9 * Math.random(), maxTokens: Math.random() });'], []],
  [RANDOM, 'javascript', ['save({ [token]: Math.random(), token: 1, bypass: Math.random() });'], []],
  [RANDOM, 'javascript', ["import { randomUUID } from 'node:crypto';", 'save({ token: randomUUID() });'], []],
  [RANDOM, 'python', ['import random', "save({'token': random.random()})"], [2]],
  [RANDOM, 'python', ['import random', "save({'delay': random.random()})"], []],
  [RANDOM, 'php', ['<?php', "save(['csrf_token' => mt_rand(), 'at' => mt_rand()]);"], [2]],
  [RANDOM, 'ruby', ['save({ password: rand(9), at: rand(9) })'], [1]],
  [RANDOM, 'python', ['import random', 'connect(password=random.random())'], [2]],
  [RANDOM, 'python', ['import random', 'connect(delay=random.random())'], []],
  [RANDOM, 'python', ['import random', 'token = hex(random.getrandbits(64))'], [2]],
  [RANDOM, 'python', ['import random', 'token = other(random.random())'], []],
  // What a page shows.
  [XSS, 'javascript', ["res.send('<b>' + p);"], [1]],
  [XSS, 'javascript', ["res.send('<b>' + escapeHtml(p));"], []],
  [XSS, 'javascript', ["res.send('<b>' + escapeHtml(p) + p);"], [1]],
  [SQL, 'javascript', ["const db = require('mysql').createConnection({});", "db.query('select ' + p);"], [2]],
  [SQL, 'javascript', ["const db = require('mysql').createConnection({});", "db.query('select ' + 1);"], []],
])('%s in %s: %j: %j', async (rule, language, lines, found) => {
  expect(await linesFound(rule, language, lines)).toEqual(found);
});

const scanner = createSourceScanner();

/** Weaknesses of a file as `line severity`. */
async function severities(path: string, text: string): Promise<string[]> {
  return (await scanner.scan({ path, text }, { deep: true })).map((one) => `${one.line} ${one.severity}`);
}

/** Of data that comes in by different ways the request's weighs most, then the user's own, then a parameter. */
test.each([
  ['a = sys.argv[1] + request.args["a"]', ['5 critical']],
  ['a = request.args["a"] + sys.argv[1]', ['5 critical']],
  ['a = name + sys.argv[1]', ['5 medium']],
  ['a = sys.argv[1] + name', ['5 medium']],
  ['a = name + request.args["a"]', ['5 critical']],
  ['a = "ls " + name', ['5 low']],
  ['a = name', ['5 low']],
  ['a = "ls " + "-l"', []],
  ['a = ["ls", name][1] + sys.argv[1]', ['5 medium']],
])('%s: %j', async (line, found) => {
  const head = 'import sys, os\nfrom flask import request\ndef go(name):\n';
  expect(await severities('a.py', `${head}    ${line}\n    os.system(a)\n`)).toEqual(found);
});

test('a text that may be one of several constants is not reported as built from a parameter', async () => {
  const text = (second: string) =>
    `import sqlite3\ndef f(cur, name):\n    t = "a"\n    if name:\n        t = ${second}\n    cur.execute("select * from " + t)\n`;
  expect(await severities('a.py', text('"b"'))).toEqual([]);
  expect(await severities('a.py', text('name'))).toEqual(['6 low']);
});

test('a very long data flow is shown by its first and last steps', async () => {
  const steps = Array.from({ length: 60 }, (_, at) => `  const v${at + 1} = v${at} + 'a';`).join('\n');
  const text = `const { exec } = require('child_process');\nrequire('express')().get('/', (req, res) => {\n  const v0 = req.query.a;\n${steps}\n  exec(v60);\n});\n`;
  const [finding] = await scanner.scan({ path: 'a.js', text }, { deep: true });
  const lines = finding?.trace?.map((step) => step.line) ?? [];
  expect(lines).toHaveLength(20);
  expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual([3, 41, 64]);
});

test('repeated equal steps on a line are shown once', async () => {
  const text = `const { exec } = require('child_process');\nrequire('express')().get('/', (req, res) => {\n  for (const a of list) { let q = req.query.a; q += 'a'; exec(q); }\n});\n`;
  const [finding] = await scanner.scan({ path: 'a.js', text }, { deep: true });
  expect(finding?.trace?.map((step) => step.note)).toEqual([
    'data from the request',
    'into q',
    'Command injection',
  ]);
});
