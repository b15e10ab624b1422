import { expect, test } from 'vitest';
import { hasNoExtension, scriptExtension } from '../../src/lib/script-language.ts';

/** Scripts are known by the program that their first line names. */

test.each([
  ['#!/usr/bin/python3\n', 'py'],
  ['#!/usr/bin/env python3.12\r\nimport os', 'py'],
  ['#! /usr/bin/env -S LANG=C node --no-warnings\n', 'js'],
  ['#!/usr/bin/env bun', 'js'],
  ['#!/usr/bin/env -S deno run\n', 'ts'],
  ['#!/usr/bin/env ruby\n', 'rb'],
  ['#!/usr/bin/php8.3 -q\n', 'php'],
  ['#!/bin/sh\n', 'sh'],
  ['#!/usr/bin/env bash\n', 'sh'],
  ['#!/usr/bin/perl -w\n', 'pl'],
  ['#!/usr/bin/env Rscript\n', 'r'],
  ['#!/opt/acme/run\n', undefined],
  ['#!/usr/bin/env\n', undefined],
  ['#!\n/bin/sh\n', undefined],
  ['text\n#!/bin/sh\n', undefined],
  ['', undefined],
])('the first line %j names a script of type %j', (text, ending) => {
  expect(scriptExtension(text)).toBe(ending);
});

test('a file name without a dot has no extension', () => {
  expect(['bin/tool', 'Makefile', 'a.d/tool'].every(hasNoExtension)).toBe(true);
  expect(['tool.py', 'bin/.profile', 'a/tool.'].some(hasNoExtension)).toBe(false);
});
