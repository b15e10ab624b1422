import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

const scanner = createSourceScanner();
/** A weakness at the end shows that the whole file was read; the name makes the parser start. */
const WEAKNESS = "\nprocess.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';\n";
const RULE = 'source/tls-verification-off';

async function rulesIn(path: string, text: string): Promise<string[]> {
  return (await scanner.scan({ path, text }, { deep: true })).map((finding) => finding.id);
}

const times = (text: string, count: number) => text.repeat(count);
const each = (count: number, write: (index: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, index) => write(index)).join(between);

/** Files that are long, deep or both; each still gives the weakness at its end. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ['nested parentheses', `x = ${times('(', 20_000)}1${times(')', 20_000)};`],
  ['nested arrays', `x = ${times('[', 50_000)}${times(']', 50_000)};`],
  ['nested blocks', times('if (a) {', 20_000) + times('}', 20_000)],
  ['nested loops', times('for (;;) { x = x + y;', 5000) + times('}', 5000)],
  ['nested functions', times('function f() {', 10_000) + times('}', 10_000)],
  ['a sum of 5,000 parts', `x = a${times(' + a', 5000)};`],
  ['a chain of 20,000 calls', `a${times('.b()', 20_000)};`],
  ['a line of a megabyte', `x = '${times('a', 1_000_000)}';`],
  ['3,000 else-ifs', each(3000, (index) => `if (a${index}) { b = ${index}; }`, ' else ')],
  ['a list of 10,000', `x = [${times('1,', 10_000)}];`],
  ['4,000 assignments to one object', each(4000, (index) => `x.y${index} = z;`)],
  ['10,000 short functions', each(10_000, (index) => `function f${index}(){}`)],
  [
    '3,000 functions that call each other',
    each(3000, (index) => `function g${index}(a) { g${(index * 7) % 3000}(a); g${(index + 1) % 3000}(a); }`),
  ],
];

test.each(HOSTILE)('%s', { timeout: 120_000 }, async (_, text) => {
  expect(await rulesIn('a.js', text + WEAKNESS)).toContain(RULE);
});

test.each([
  ['a.py', `import hashlib\nhashlib.md5(${times('(', 50_000)}`],
  [
    'a.py',
    `import hashlib\nif a:\n  hashlib.md5()\n${each(3000, (index) => `elif a${index}:\n  b = ${index}`)}\n`,
  ],
  ['A.java', `class A { void f() { MessageDigest.getInstance("MD5"); ${times('if (a) { ', 5000)}`],
  ['a.go', `package a\nfunc f() { md5.New(); ${times('func() { ', 5000)}`],
  ['a.php', `<?php md5($a); ${times('$a[', 5000)}`],
  ['a.rb', `Digest::MD5.hexdigest(x)\n${times('a.b do |x|\n', 2000)}`],
  ['A.cs', `class A { void F() { MD5.Create(); ${times('if (a) { ', 5000)}`],
  ['a.ts', `createHash('md5'); ${times('{)}<;="`', 5000)}`],
])('broken and deep code in %s ends without an error', { timeout: 120_000 }, async (path, text) => {
  expect(Array.isArray(await rulesIn(path, text))).toBe(true);
});

test('the findings of one file are limited in number', { timeout: 120_000 }, async () => {
  const rules = await rulesIn(
    'a.js',
    each(2500, () => 'const a = { rejectUnauthorized: false };'),
  );
  expect(rules.length).toBe(2000);
});

test('scanners in several threads read languages of every grammar', { timeout: 120_000 }, async () => {
  const file = new URL('../../../src/security/scanners/source.ts', import.meta.url).href;
  const code = `
    import { parentPort } from 'node:worker_threads';
    const { createSourceScanner } = await import(${JSON.stringify(file)});
    const scanner = createSourceScanner();
    const python = await scanner.scan({ path: 'a.py', text: 'import hashlib\\nhashlib.md5(a)' }, { deep: true });
    const ruby = await scanner.scan({ path: 'a.rb', text: 'Digest::MD5.hexdigest(a)' }, { deep: true });
    parentPort.postMessage([...python, ...ruby].map((one) => one.id));
  `;
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const answers = await Promise.all(
    [1, 2].map(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker(url);
          worker.once('message', (answer) => {
            void worker.terminate();
            resolve(answer);
          });
          worker.once('error', reject);
        }),
    ),
  );
  expect(answers).toEqual(Array(2).fill(['source/weak-hash', 'source/weak-hash']));
});
