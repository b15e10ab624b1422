import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { grammarOf, grammars, loadParser } from '../../../src/security/scanners/source/grammars.ts';

/** The parser and its grammars, as far as they are installed. */

const folder = mkdtempSync(join(tmpdir(), 'magpie-grammars-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const python = grammarOf('a.py') ?? grammars[0];

test('every grammar is in the package and can parse', async () => {
  const { missing, load, parse } = await loadParser();
  expect([...missing]).toEqual([]);
  for (const grammar of grammars) {
    expect(() => parse(grammar, 'x')).toThrow('cannot be parsed');
    await load(grammar);
    const tree = parse(grammar, 'x');
    expect(tree.root.text(), grammar.parser).toBe('x');
    tree.free();
  }
});

test('positions are offsets in JavaScript string units', async () => {
  const { load, parse } = await loadParser();
  await load(python);
  const text = '# é 🐦\ncall("🐦", x)\n';
  const { root, free } = parse(python, text);
  const [, statement] = root.children();
  const { start, end } = statement?.range() ?? root.range();
  expect([start.line, text.slice(start.index, end.index)]).toEqual([1, 'call("🐦", x)']);
  free();
});

test('without the package every language is missing, and a parse error says what to install', async () => {
  const { missing, parse } = await loadParser(pathToFileURL(join(folder, 'a.js')).href);
  expect(missing.get('Ruby')).toBe(
    'Ruby is not scanned: the optional package @vscode/tree-sitter-wasm is not installed',
  );
  expect(missing.size).toBe(new Set(grammars.map(({ name }) => name)).size);
  expect(() => parse(python, 'x')).toThrow('install the optional package');
});

test('a package that lacks a grammar lacks only that language', async () => {
  const installed = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/package.json'));
  const copy = join(folder, 'node_modules/@vscode/tree-sitter-wasm');
  mkdirSync(copy, { recursive: true });
  cpSync(installed, copy, { recursive: true, filter: (path) => !path.endsWith('-ruby.wasm') });
  const { missing } = await loadParser(pathToFileURL(join(folder, 'a.js')).href);
  expect([...missing]).toEqual([
    ['Ruby', 'Ruby is not scanned: @vscode/tree-sitter-wasm has no grammar of it'],
  ]);
});
