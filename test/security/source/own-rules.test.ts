import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { USER_RULE_HARMS } from '../../../src/security/scanners/source/harm.ts';
import { readUserRules, type UserRules } from '../../../src/security/scanners/source/rules/own.ts';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Rules that a user brings. */

const scanner = createSourceScanner();
const HEAD =
  'title: Raw query\nseverity: high\ncwe: [CWE-89]\ndescription: A query is made of text from outside.\nfix: Use run().\n';
const rule = (id: string, rest: string, head = HEAD) => ({
  name: `${id}.yaml`,
  text: `id: ${id}\n${head}${rest}`,
});

function read(...files: { name: string; text: string }[]): UserRules {
  const found = readUserRules(files);
  if ('mistakes' in found) throw new Error(JSON.stringify(found.mistakes));
  return found.rules;
}
function mistakes(...files: { name: string; text: string }[]): string[] {
  const found = readUserRules(files);
  return 'mistakes' in found
    ? found.mistakes.map(({ file, line, rule: id, what }) => `${file}:${line} ${id ?? '-'}: ${what}`)
    : [];
}
async function linesOf(rules: UserRules, path: string, text: string): Promise<string[]> {
  const found = await scanner.scan({ path, text }, { deep: true, rules });
  return found.map(({ id, line }) => `${id}:${line}`);
}

const FLASK =
  'from flask import request, Flask\napp = Flask("x")\n@app.route("/")\ndef view():\n    p = request.args["p"]\n';

test('a custom sink is found with data from outside, not behind its sanitizer, and with its texts', async () => {
  const rules = read(
    rule(
      'raw-query',
      'languages:\n  python:\n    sinks:\n      - pattern: "shop.db.{raw,exec}"\n        args: [0]\n    sanitizers: [shop.db.clean]\n',
    ),
  );
  const text = `import shop.db\n${FLASK}    shop.db.raw(p)\n    shop.db.exec("x" + p)\n    shop.db.raw(shop.db.clean(p))\n    shop.db.raw("all")\n`;
  expect(await linesOf(rules, 'a.py', text)).toEqual(['own/raw-query:7', 'own/raw-query:8']);
  const [first] = await scanner.scan({ path: 'a.py', text }, { deep: true, rules });
  expect(first).toMatchObject({
    id: 'own/raw-query',
    title: 'Raw query',
    severity: 'high',
    cwe: ['CWE-89'],
    fix: 'Use run().',
  });
  expect(await scanner.scan({ path: 'a.py', text }, { deep: true })).toEqual([]);
});

test('a custom harm is not ruled out by a sanitizer of another harm, and a built-in harm is', async () => {
  const sink = (harm: string) =>
    read(
      rule(
        'page',
        `${harm}languages:\n  python:\n    sinks:\n      - pattern: shop.page.show\n        args: [0]\n`,
      ),
    );
  const text = `import html, shop.page\n${FLASK}    shop.page.show(html.escape(p))\n    shop.page.show(int(p))\n`;
  expect(await linesOf(sink(''), 'a.py', text)).toEqual(['own/page:7']);
  expect(await linesOf(sink('harm: xss\n'), 'a.py', text)).toEqual([]);
});

test('sources of a rule, and of a language file, apply to all rules', async () => {
  const shared = {
    name: 'python.yaml',
    text: 'language: python\nsources:\n  - pattern: shop.queue.next()\n    origin: request\n    note: a message\nsanitizers:\n  - pattern: shop.safe\n    harms: [command]\n',
  };
  const own = rule(
    'queue',
    'languages:\n  python:\n    sources: [shop.bus.take()]\n    sinks:\n      - pattern: shop.send\n',
  );
  const text =
    'import os, shop, shop.queue, shop.bus\nos.system(shop.queue.next())\nos.system(shop.bus.take())\nos.system(shop.safe(shop.queue.next()))\nshop.send(shop.queue.next())\n';
  expect(await linesOf(read(shared, own), 'a.py', text)).toEqual([
    'source/command-injection:2',
    'source/command-injection:3',
    'own/queue:5',
  ]);
});

test('patterns match insecure calls, assignments and keys under conditions', async () => {
  const rules = read(
    rule(
      'settings',
      `languages:
  javascript:
    patterns:
      - pattern: '*.setLevel'
        when: [{arg: 0, matches: '/^(?:debug|trace)$/i'}]
        imports: /shop-log/
      - assign: '*.unsafe'
        is: true
      - key: [allowAll, $all]
        is: [true, 'yes']
`,
    ),
  );
  const text =
    "const log = require('shop-log');\nlog.setLevel('DEBUG');\nlog.setLevel('info');\nlog.unsafe = true;\nrun({ allowAll: 'yes' });\nrun({ $all: true });\nrun({ allowAll: false });\n";
  expect(await linesOf(rules, 'a.ts', text)).toEqual([2, 4, 5, 6].map((line) => `own/settings:${line}`));
  expect(await linesOf(rules, 'a.ts', text.replace('shop-log', 'other'))).toEqual(
    [4, 5, 6].map((line) => `own/settings:${line}`),
  );
});

test.each([
  ['sinkz: []\n', 'a.yaml:7 a: the file has the unknown key sinkz: it takes id, title'],
  [
    'languages:\n  cobol: {}\n',
    /a\.yaml:8 a: languages has the unknown key cobol: it takes javascript, python/,
  ],
  [
    'languages:\n  python:\n    sinks:\n      - args: [0]\n',
    /a\.yaml:10 a: it takes one of pattern, assign, returned-by, and has none/,
  ],
  [
    'languages:\n  python:\n    patterns:\n      - pattern: x\n        is: 1\n',
    /a\.yaml:10 a: is is not taken here/,
  ],
  [
    'languages:\n  python:\n    patterns:\n      - key: x\n',
    /a\.yaml:10 a: it takes is, matches, has, lacks or gives/,
  ],
  [
    'languages:\n  python:\n    sinks:\n      - pattern: x y\n',
    /a\.yaml:10 a: languages\.python\.sinks\[0\]\.pattern is not usable: it takes a dotted path/,
  ],
  [
    'languages:\n  python:\n    sinks:\n      - pattern: x\n        on: /a(?=b)/\n',
    /a\.yaml:11 a: .*on is not usable \(\(\?= .*it takes a regular expression/,
  ],
  [
    'languages:\n  python:\n    sinks:\n      - pattern: x\n        on: abc\n',
    /a\.yaml:11 a: .*between slashes/,
  ],
  ['languages:\n  python:\n    sinks:\n      - pattern: *.x\n', /a\.yaml:10/],
  [`languages:\n  python:\n    sinks:\n      - pattern: '${'{a,b}'.repeat(30)}'\n`, /over 2000 patterns/],
])('a mistake is reported with file, line, rule and the accepted values: %j', (rest, said) => {
  expect(mistakes(rule('a', rest)).join('\n')).toMatch(said);
});

test('all mistakes of all files are reported at once, in order of file and line', () => {
  const broken = { name: 'c.yaml', text: 'id: c\ntitle: "a\n' };
  const wrong = rule(
    'b',
    'sinkz: []\nlanguages:\n  python:\n    sinks:\n      - pattern: x y\n      - pattern: x\n        on: /a(?=b)/\n',
    HEAD.replace('severity: high', 'severity: grave'),
  );
  const odd = rule(
    'a',
    'languages:\n  python:\n    sinks:\n      - args: [0]\n      - pattern: fine\n      - args: [1]\n    patterns:\n      - key: x\n',
  );
  expect(mistakes(broken, wrong, odd).map((one) => one.replace(/^(\S+ \S+).*/s, '$1'))).toEqual([
    'a.yaml:10 a:',
    'a.yaml:12 a:',
    'a.yaml:14 a:',
    'b.yaml:3 b:',
    'b.yaml:7 b:',
    'b.yaml:11 b:',
    'b.yaml:13 b:',
    'c.yaml:3 -:',
  ]);
});

test('a file that is not a rule is refused', () => {
  expect(mistakes({ name: 'a.yaml', text: '- 1\n' })[0]).toMatch(/^a\.yaml:1 -: the file is not usable/);
  expect(mistakes({ name: 'a.yaml', text: '' })[0]).toMatch(/^a\.yaml:1 -: /);
  expect(mistakes({ name: 'a.yaml', text: 'id: [' })[0]).toMatch(/^a\.yaml:1 -: /);
  expect(mistakes(rule('a', '', HEAD.replace('severity: high\n', '')))[0]).toMatch(
    /severity is missing: it takes critical/,
  );
  const bomb = `a: &a [${'x,'.repeat(50)}x]\nb: &b [${'*a,'.repeat(50)}*a]\nid: [${'*b,'.repeat(50)}*b]\n`;
  expect(mistakes({ name: 'a.yaml', text: bomb })[0]).toMatch(/references .* are not taken/);
});

test('an id in two files, and more custom harms than allowed, are refused', () => {
  const one = 'languages:\n  python:\n    sinks: [{pattern: x}]\n';
  expect(mistakes({ ...rule('a', one), name: 'b.yaml' }, rule('a', one))).toEqual([
    'a.yaml:1 a: the id is also that of b.yaml',
  ]);
  const many = Array.from({ length: USER_RULE_HARMS.length + 1 }, (_, at) =>
    rule(`r${'a'.repeat(at + 1)}`, one),
  );
  expect(mistakes(...many)[0]).toMatch(/over 6 harms of their own \(ra, raa/);
  expect(
    mistakes(...many.map(({ name, text }) => ({ name, text: text.replace('title', 'harm: sql\ntitle') }))),
  ).toEqual([]);
});

test('the hash changes with the text and with the name of a file', () => {
  const one = rule('a', 'languages: {}\n');
  const hashes = [[one], [{ ...one, text: `${one.text}# x\n` }], [{ ...one, name: 'b.yaml' }]].map(
    (files) => read(...files).hash,
  );
  expect(new Set(hashes).size).toBe(3);
});

test('the example in the documentation works as described', async () => {
  const page = readFileSync(new URL('../../../docs/scanning.md', import.meta.url), 'utf8');
  const [, text = ''] = /## Own rules[\s\S]*?```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const found = readUserRules([{ name: 'raw-query.yaml', text }]);
  if ('mistakes' in found) throw new Error(JSON.stringify(found.mistakes));
  expect(found.samples.map(({ matches }) => matches)).toEqual([true, false]);
  for (const { code, matches } of found.samples)
    expect((await linesOf(found.rules, 'a.py', code)).includes('own/raw-query:2')).toBe(matches);
});
