import { expect, test } from 'vitest';
import { createSourceScanner } from '../../../src/security/scanners/source.ts';

/** Scripts without an ending are read in the language that their first line names. */

const scanner = createSourceScanner();

async function found(path: string, text: string): Promise<string[]> {
  return (await scanner.scan({ path, text }, { deep: true })).map(({ id, line }) => `${id}:${line}`);
}

const PYTHON =
  'import flask, os\napp = flask.Flask("a")\n@app.route("/")\ndef run():\n    os.system(flask.request.args["c"])\n';

test.each([
  ['python3', PYTHON, 'source/command-injection:6'],
  [
    'node',
    "require('express')().get('/', (req, res) => require('child_process').exec(req.query.c));\n",
    'source/command-injection:2',
  ],
  ['ruby', "require 'sinatra'\nget('/') { system(params[:c]) }\n", 'source/command-injection:3'],
  ['php', '<?php\nsystem($_GET["c"]);\n', 'source/command-injection:3'],
])('a script of %s', async (program, text, finding) => {
  expect(scanner.wants('bin/serve')).toBe(false);
  expect(scanner.mayWant?.('bin/serve')).toBe(true);
  expect(await found('bin/serve', `#!/usr/bin/env ${program}\n${text}`)).toContain(finding);
});

test('a file without a known first line, or with another file extension, is not read as a script', async () => {
  expect(await found('bin/serve', PYTHON)).toEqual([]);
  expect(await found('bin/serve', `#!/bin/sh\n${PYTHON}`)).toEqual([]);
  expect(await found('serve.txt', `#!/usr/bin/env python3\n${PYTHON}`)).toEqual([]);
  expect(scanner.mayWant?.('serve.txt')).toBe(false);
});
