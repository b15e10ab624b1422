import { expect, test } from 'vitest';
import { createUniqueNames, safeFileName } from '../../../src/knowledge/syncing/file-names.ts';

/** Names of exported files: each is to be one on every system. */

test.each([
  ['Garden', 'Garden'],
  ['../../etc/passwd', 'etc passwd'],
  ['C:\\Windows\\win.ini', 'C Windows win.ini'],
  ['.hidden', 'hidden'],
  ['. . .', 'entry'],
  ['a name.  . ', 'a name'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['com¹', '_com¹'],
  ['console', 'console'],
  ['node_modules', 'node_modules_'],
  [`Plans ${'0123456789abcdef'.repeat(2)}`, `Plans ${'0123456789abcdef'.repeat(2)}_`],
  ['a\u0000b\u001b[31m\u202etxt\u2028c', 'a b 31m txt c'],
  ['what? "this": <a|b> *#^', 'what this a b'],
  ['👩‍👩‍👧 family', '👩‍👩‍👧 family'],
  ['e\u0301te\u0301', 'été'],
  ['', 'entry'],
])('the title %j gives the file name %j', (text, name) => {
  expect(safeFileName(text, 'entry')).toBe(name);
});

test.each(['x', 'ä', '語', '👩‍👩‍👧', 'e\u0301\u0302'])(
  'of 5,000 times %j the part that fits the file system is used',
  (one) => {
    const name = safeFileName(one.repeat(5000), 'entry');
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
    expect(name.length).toBeGreaterThan(6);
    expect(name.isWellFormed()).toBe(true);
    expect(one.normalize('NFC').repeat(5000).startsWith(name)).toBe(true);
  },
);

test('each name is used once, regardless of case and accents', () => {
  const unique = createUniqueNames();
  const names = ['Note', 'note', 'NOTE', 'note 2', 'Straße', 'STRASSE', 'e\u0301', 'é', 'note'].map((name) =>
    unique(name),
  );
  expect(names).toEqual([
    'Note',
    'note 2',
    'NOTE 3',
    'note 2 2',
    'Straße',
    'STRASSE 2',
    'e\u0301',
    'é 2',
    'note 4',
  ]);
  for (let n = 0; n < 20_000; n++) names.push(unique('same'));
  expect(new Set(names.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(names.length);
});
