import { expect, test } from 'vitest';
import { UNREAD_ENDINGS, unreadLanguages } from '../../src/flows/unread-languages.ts';
import { createSourceScanner } from '../../src/security/scanners/source.ts';

/** Languages that nothing passes beside, since no scanner reads them. */

test('a language that the scanner learns to read is not in the list any more', () => {
  const scanner = createSourceScanner();
  expect(UNREAD_ENDINGS.filter((ending) => scanner.wants(`src/a.${ending}`))).toEqual([]);
  expect(scanner.wants('src/a.py')).toBe(true);
});

test('each language is told once, by what names end in', () => {
  const paths = [
    'src/Main.kt',
    'b.KT',
    'lib.rs',
    'a.js',
    'README.md',
    'Makefile',
    'sh',
    'c/.gitignore',
    'h.h/x',
  ];
  expect(unreadLanguages(paths)).toEqual(['Kotlin is not read', 'Rust is not read']);
  expect(unreadLanguages(['a.js', 'page.html', 'build.gradle.kts'])).toEqual([]);
});
