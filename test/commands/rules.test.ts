import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { scanRoom } from '../helpers/scan-room.ts';

/** `magpie rules test`, and `magpie scan --rules`. */

const folder = temporaryFolder();
afterEach(() => folder.remove());

const RULE = (matches: string) => `id: raw-query
title: Raw query
severity: high
cwe: [CWE-89]
description: A query is made of text from outside.
fix: Use run().
languages:
  python:
    sinks:
      - pattern: shop.raw
        args: [0]
    samples:
      must-match:
        - |
          import shop, flask
          shop.raw(flask.request.args["p"])
      must-not-match:
        - |
          import shop, flask
          shop.${matches}(flask.request.args["p"])
`;

function write(files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder.path, path, '..'), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  }
  return folder.path;
}
const magpie = (...args: string[]) => runMagpie(args, environment(join(folder.path, 'home')));

test('rules are tested on their samples, and their errors are named', async () => {
  const root = write({ 'rules/raw.yaml': RULE('run'), 'rules/more/not.md': 'no rule' });
  expect(await magpie('rules', 'test', join(root, 'rules'))).toMatchObject({
    code: 0,
    stdout: '1 rule: 2 of 2 samples as they should be.\n',
  });
  write({ 'rules/raw.yaml': RULE('raw') });
  const wrong = await magpie('rules', 'test', join(root, 'rules/raw.yaml'));
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain('raw.yaml:18: rule raw-query: the sample of python must not match and does');
  write({ 'rules/raw.yaml': RULE('run').replace('severity: high', 'severity: huge') });
  const refused = await magpie('rules', 'test', join(root, 'rules'));
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/raw\.yaml:3: rule raw-query: severity is not usable: it takes critical/);
});

const CODE = 'import shop, flask\nshop.raw(flask.request.args["p"])\nshop.run(flask.request.args["p"])\n';

test('a scan searches the files again when rules change, are added or removed', async () => {
  const root = write({ 'rules/raw.yaml': RULE('run'), 'tree/a.py': CODE, 'own/x': '' });
  const signal = new AbortController().signal;
  const { room, close } = await scanRoom({ folder: join(root, 'own'), real: true });
  const scan = async (withRules: boolean) => {
    const terms = withRules ? { rules: await room.readRules(join(root, 'rules'), signal) } : {};
    const request = { repository: join(root, 'tree'), deep: false, dependencies: false };
    const { id } = await room.scan('ann', request, terms, { signal, progress() {} });
    return (await room.listFindings('ann', id)).map((one) => `${one.id} ${one.path}:${one.line}`);
  };
  const inLine = (line: number) => `own/raw-query a.py:${line}`;
  try {
    expect(await scan(false)).not.toContain(inLine(2));
    expect(await scan(true)).toContain(inLine(2));
    expect(await scan(false)).not.toContain(inLine(2));
    write({ 'rules/raw.yaml': RULE('run').replace('pattern: shop.raw', 'pattern: shop.{raw,run}') });
    expect(await scan(true)).toEqual(expect.arrayContaining([inLine(2), inLine(3)]));
  } finally {
    await close();
  }
});

test('a scan uses the rules, and suppressions apply to their findings', async () => {
  const rule = RULE('run').replace('pattern: shop.raw', 'pattern: shop.{raw,run}');
  const root = write({ 'rules/raw.yaml': rule, 'tree/a.py': CODE });
  const scan = async (...args: string[]) => {
    const {
      code: exit,
      stdout,
      stderr,
    } = await magpie('scan', join(root, 'tree'), '--format', 'json', ...args);
    expect([exit, stderr]).toEqual([0, expect.any(String)]);
    return stdout;
  };
  const found = await scan('--rules', join(root, 'rules'));
  expect(found).toContain('own/raw-query');
  expect(found).toContain('a.py:3');
  write({ 'tree/.magpieignore': 'own/raw-query a.py it is a test\nown/raw-qery b.py a slip\n' });
  const suppressed = await scan('--rules', join(root, 'rules'), '--fail-on', 'high');
  expect(suppressed).toContain('Unknown rule own/raw-qery; the nearest is own/raw-query.');
  const without = await scan();
  expect(without).not.toContain('Unknown rule');
  expect(without).not.toContain('own/raw-query');
});

test('a symbolic link among the rules is refused by name', async () => {
  const root = write({ 'linked/raw.yaml': RULE('run'), 'elsewhere/raw.yaml': RULE('run') });
  symlinkSync(join(root, 'elsewhere'), join(root, 'linked/more'));
  const { code, stderr } = await magpie('rules', 'test', join(root, 'linked'));
  expect(code).toBe(2);
  expect(stderr).toContain('more is a symbolic link, which is not followed: put the file itself there');
});
