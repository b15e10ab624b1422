import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAsciiDoc } from '../../../src/browse/readers/asciidoc/asciidoc.ts';

/** AsciiDoc as its readers see it: the values of attributes stand in its sentences. */

test('references of attributes become their values, and all else stays as it is', () => {
  const name = fc.constantFrom('fassung', 'maker', 'Up-to', 'x2');
  const value = fc.constantFrom('2.4', 'Grünwald & Söhne', '$1', '潮');
  fc.assert(
    fc.property(
      fc.dictionary(name, value, { minKeys: 1 }),
      fc.array(name, { maxLength: 5 }),
      (values, used) => {
        const set = Object.entries(values).map(([key, one]) => `:${key}: ${one}`);
        const head = ['= The pump', ...set, ''].join('\n');
        const { title, markdown } = readAsciiDoc(`${head}\n${used.map((key) => `At {${key}}.`).join('\n')}`);
        expect(title).toBe('The pump');
        expect(markdown).toBe(`${head}\n${used.map((key) => `At ${values[key] ?? `{${key}}`}.`).join('\n')}`);
      },
    ),
    { seed: 5, numRuns: 100 },
  );
});

test.each([
  ['= A {v}\n:v: 2\n:w: v{v}\n\n{w}', 'A 2', '= A 2\n:v: 2\n:w: v2\n\nv2'],
  [
    '= A\nJo Öhler <jo@a.example>\nv2.4, 2026-03-04\n\n{author} {email} {revnumber} {revdate}',
    'A',
    /\nJo Öhler jo@a.example 2.4 2026-03-04$/,
  ],
  [
    ':v: 2\n\n----\n{v}\n----\n{v}\n\\{v} +{v}+ {none}',
    '',
    /\n----\n\{v\}\n----\n2\n\\\{v\} \+\{v\}\+ \{none\}$/,
  ],
  [':v: 2\n\n[source,subs="attributes"]\n----\n{v}\n----\n{v}', '', /\n----\n2\n----\n2$/],
  [':v: 2\n\n{v}\n:!v:\n{v}\n:v: 3\n{v} a{nbsp}b', '', /\n2\n:!v:\n\{v\}\n:v: 3\n3 a\u00a0b$/],
  [':v: 2\n\nThe pump\n--------\n\n{v}\n\n----\n{v}\n----', '', /\n--------\n\n2\n\n----\n\{v\}\n----$/],
  ['The pump\n========\n:v: 2\n\nOil\n----\n{v}{startsb}', '', /\n----\n2\[$/],
  [':v: 2\n\n.Oil\n----\n{v}\n----', '', /\n----\n\{v\}\n----$/],
  ['plain {text}', '', 'plain {text}'],
])('%j', (text, title, expected) => {
  const found = readAsciiDoc(text);
  expect(found.title).toBe(title);
  expect(found.markdown).toMatch(expected);
});

test('attributes that refer to each other many times end', () => {
  const lines = Array.from({ length: 60 }, (_, at) => `:a${at + 1}: {a${at}}{a${at}}`);
  expect(readAsciiDoc(`:a0: ${'x'.repeat(100)}\n${lines.join('\n')}\n{a60}`).markdown.length).toBeLessThan(
    5_000_000,
  );
});
