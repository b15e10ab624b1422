import { describe, expect, test } from 'vitest';
import { languageOf } from '../../../src/security/scanners/source/languages.ts';
import { suspectsIn } from '../../../src/security/scanners/source/prefilter.ts';

function suspects(path: string, text: string): readonly string[] | undefined {
  const language = languageOf(path);
  if (!language) return undefined;
  const found = suspectsIn(language.rules, text);
  return found && [...found.words].sort();
}

describe('a file is parsed only where a rule could find something', () => {
  test.each([
    ['no name of a rule', 'a.js', 'export const add = (a, b) => a + b;'],
    ['a sink without any source', 'a.js', "import fs from 'node:fs';\nfs.readFileSync(name);"],
    ['a source without any sink', 'a.js', 'export const f = (req, res) => res.json(req.query.name);'],
    [
      "a sink's name without its module",
      'a.js',
      'app.use((req, res) => { helper.execFile(req.query.name) });',
    ],
    ['names in comments alone', 'a.js', "// createHash('md5') of 'crypto'\n/*\n * createHash\n */\nf();"],
    ['names in comments alone', 'a.py', '# import hashlib\n  # hashlib.md5(a)\nf()'],
    ['chance that makes no secret', 'a.js', 'const roll = Math.random();'],
    ['a name of a credential without a literal', 'a.js', 'const password = read(name);'],
    ['a module without its imports', 'a.ts', "import { a } from 'react';\nconst rows = db.query(text + a);"],
    ['types alone', 'a.d.ts', "export const password = 'hunter2hunter2';"],
  ])('%s: %s', (_, path, text) => {
    expect(suspects(path, text)).toBeUndefined();
  });

  test.each([
    ['a check', 'a.js', "require('crypto').createHash('md5')", ['createHash']],
    ['a sink and a source', 'a.js', "import fs from 'fs';\n(req, res) => fs.rm(req.query.a)", ['rm']],
    ['text put together', 'a.js', "import pg from 'pg';\ndb.query(text + a);", ['query']],
    ['a parameter by its type', 'a.ts', "import 'next';\n(req: NextRequest) => eval(req.url)", ['eval']],
    ['a parameter by its mark', 'a.ts', 'run(@Body() body: string) { eval(body) }', ['eval']],
    ['chance that makes a secret', 'a.js', 'const token = Math.random();', ['random']],
    ['a key of an object', 'a.js', 'f({ rejectUnauthorized: false })', []],
    ['a credential', 'a.rb', "password = 'hunter2hunter2'", []],
    ['another spelling', 'a.php', '<?php require_once $_GET["a"];', ['include']],
    ['a shell by its quotes', 'a.rb', '`ls #{params[:a]}`', ['system']],
    ['a name after a comment', 'a.js', "/* a */ require('crypto').createHash('md5')", ['createHash']],
    [
      'what no comment ends',
      'a.js',
      "const a = `\n/* b\n`; require('crypto').createHash('md5')",
      ['createHash'],
    ],
  ])('%s', (_, path, text, words) => {
    expect(suspects(path, text)).toEqual(expect.arrayContaining(words));
  });

  test('a bundle is checked only for patterns without a data flow', () => {
    const line = `const a = '${'b'.repeat(2000)}';`;
    const flow = 'app.get((req, res) => eval(req.query.a));';
    expect(suspects('a.js', `${line}\n${flow}`)).toBeUndefined();
    expect(suspects('a.js', `${line}\n${flow} f({ rejectUnauthorized: false });`)).toEqual([
      'rejectUnauthorized',
    ]);
    expect(suspects('a.js', flow)).toEqual(['eval']);
  });
});

/** Bounded by the work that a megabyte takes, and not by how it is written: each of these once took many times longer. */
test.each([
  ['names of credentials', "pwd='"],
  ['parameters', 'req,'],
  ['comments', '/*\n'],
  ['brackets', ']  '],
])('a megabyte of %s is searched', { timeout: 60_000 }, (_, part) => {
  const text = `import 'express';\n${part.repeat(1_000_000 / part.length)}\nrequire('crypto').createHash('md5');`;
  expect(suspects('a.js', text)).toContain('createHash');
});
