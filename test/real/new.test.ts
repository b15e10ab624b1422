import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KINDS } from '../../docs/new/kinds.ts';

/** `npm run new`, tried on a copy of this checkout, without a package that is compiled when it is installed. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** By kind: a name, and the test that has to fail until the thing is written. */
const TRIED: Readonly<Record<string, readonly [name: string, failing: string]>> = {
  operation: ['my-thing', 'test/tools/my-thing.test.ts'],
  engine: ['my-engine', 'test/search/engines/my-engine.test.ts'],
  reader: ['my-format', 'test/browse/readers/my-format.test.ts'],
  'source-rule': ['python/my-rule', 'test/security/source/rules.test.ts'],
  'secret-rule': ['my-token', 'test/security/secrets/secrets.test.ts'],
  check: ['my-check', 'test/monitor/checks-contract.test.ts'],
  catalogue: ['my-standard', 'test/compliance/catalogues.test.ts'],
  store: ['knowledge/my-things', 'test/knowledge/stores/my-things.test.ts'],
  platform: ['my-platform', 'test/automation/platforms/platforms.test.ts'],
};
/** It compares the lists that `npm run new` writes an engine into, and does not wait for the engine. */
const LISTED = 'test/wiring/engines.test.ts';
/** Names of the tests that speak of what is new, and of lists: those of all that was there before are run elsewhere. */
const ABOUT_NEW = 'my-|MyThing|its example|its text|engine|is listed|platform of the list';
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'magpie-new-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const path of listed.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  const modules = join(copy, 'node_modules');
  mkdirSync(modules);
  const others = readdirSync(join(ROOT, 'node_modules')).filter((name) => name !== 'hnswlib-node');
  for (const name of others) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function run(program: string, ...args: string[]): { readonly code: number | null; readonly out: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}` },
  });
  return { code: status, out: stdout + stderr };
}
const make = (...args: string[]) => run(join(copy, 'docs', 'new', 'main.ts'), ...args, '--in', copy);

test('every kind is covered by this test', () => {
  expect(Object.keys(TRIED)).toEqual(Object.keys(KINDS));
});

test('every kind compiles at once, works without packages that compile at installation, and has a failing test until it is written', () => {
  const written = Object.entries(TRIED).flatMap(([kind, [name]]) => {
    const made = make(kind, name);
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining(KINDS[kind]?.next ?? '') });
    return made.out.split('\n').filter((line) => line.endsWith('.ts'));
  });
  expect(written.length).toBeGreaterThanOrEqual(2 * Object.keys(TRIED).length);
  const project = { extends: './tsconfig.json', include: ['src', 'tools', 'prompts', ...written] };
  writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify(project));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  expect(run(tsc, '--noEmit', '--checkers', '1', '--project', 'tsconfig.new.json').out).toBe('');
  const report = join(copy, 'report.json');
  run(
    join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...Object.values(TRIED).map(([, failing]) => failing),
    LISTED,
    `--testNamePattern=${ABOUT_NEW}`,
    '--reporter=json',
    `--outputFile=${report}`,
  );
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; status: string; assertionResults: { title: string; status: string }[] }[];
  };
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  for (const [, failing] of Object.values(TRIED)) {
    expect(failed, failing).toContainEqual(expect.stringMatching(new RegExp(`${failing}$`)));
  }
  expect(failed).not.toContainEqual(expect.stringMatching(new RegExp(`${LISTED}$`)));
  const listed = testResults.find(({ name }) => name.endsWith(LISTED))?.assertionResults ?? [];
  const passed = listed.filter(({ status }) => status === 'passed').map(({ title }) => title);
  expect(passed).toEqual(
    expect.arrayContaining([
      'every engine of the list has a contract test, and every contract test belongs to an engine',
      'the table of engines and the text of MAGPIE_ENGINES name every engine',
      'my-engine is listed by its own name, with a key only where the engine requires one',
    ]),
  );
});

test('an invalid kind or name is refused, and nothing is overwritten', () => {
  expect(make('nothing', 'x')).toMatchObject({
    code: 2,
    out: expect.stringContaining('the kinds are operation'),
  });
  expect(make('engine', 'My Engine')).toMatchObject({
    code: 2,
    out: expect.stringContaining('is not usable'),
  });
  // A slash has a room or a language before it, and other kinds have none.
  for (const [kind, name] of [
    ['store', 'bookmarks'],
    ['store', 'nowhere/bookmarks'],
    ['source-rule', 'mktemp'],
    ['source-rule', 'cobol/mktemp'],
    ['engine', 'web/quarry'],
  ] as const) {
    expect(make(kind, name), name).toMatchObject({ code: 2, out: expect.stringContaining('is not usable') });
  }
  expect(make('store', 'nowhere/bookmarks').out).toContain('before the slash: access, automation');
  expect(make('--help')).toMatchObject({ code: 0, out: expect.stringContaining('the kinds are operation') });
  expect(make('engine', 'startpage')).toMatchObject({
    code: 2,
    out: expect.stringContaining('is already there'),
  });
});
