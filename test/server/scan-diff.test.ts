import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { git as runGit } from '../helpers/git.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** `magpie scan --diff`: what is new in a pull request counts, whatever happened to the branch that it goes into. */

const folder = temporaryFolder();
const shop = join(folder.path, 'shop');
const env = environment(join(folder.path, 'data'));
const UNSAFE = (name: string) => `import yaml\n${name} = yaml.load(open("${name}").read())\n`;

const git = (...args: string[]) => runGit(shop, args);
async function commit(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(shop, path), text);
  await git('add', '-A');
  await git('commit', '-qm', 'files');
}

beforeAll(async () => {
  mkdirSync(shop);
  await git('init', '-q');
  await commit({ 'old.py': UNSAFE('old'), 'mended.py': UNSAFE('mended') });
  await git('checkout', '-qb', 'feature');
  await commit({ 'new.py': UNSAFE('fresh') });
  await git('checkout', '-q', 'main');
  // Mended after the branch was made: it is no fault of the branch.
  await commit({ 'mended.py': 'import yaml\n' });
  await git('checkout', '-q', 'feature');
});
afterAll(() => folder.remove());

const scan = (...args: string[]) => runMagpie(['scan', shop, ...args], env);

test('the diff counts new findings of the branch, and marks the others as known', async () => {
  const { code, stdout } = await scan('--diff', 'main', '--fail-on', 'low', '--json');
  expect(code).toBe(1);
  const { vulnerabilities, summary } = (JSON.parse(stdout) as { data: Data }).data;
  expect(summary).toMatchObject({ low: 1, suppressed: 2 });
  const places = vulnerabilities.map(({ location, suppressed, also = [] }) => [
    suppressed?.reason,
    ...[location, ...also.map((one) => one.location)],
  ]);
  expect(places).toEqual([
    [undefined, 'new.py:2'],
    ['known at main', 'mended.py:2', 'old.py:2'],
  ]);
});

test('the diff includes uncommitted changes of the folder', async () => {
  expect((await scan('--diff', 'HEAD', '--fail-on', 'low')).code).toBe(0);
  writeFileSync(join(shop, 'draft.py'), UNSAFE('draft'));
  const { code, stdout } = await scan('--diff', 'HEAD', '--fail-on', 'low');
  expect(code).toBe(1);
  expect(stdout).toContain('draft.py:2');
});

test('the diff of a branch that is not checked out starts where the branch began', async () => {
  await git('checkout', '-q', 'main');
  const { stdout } = await scan('--branch', 'feature', '--diff', 'main', '--json').finally(() =>
    git('checkout', '-q', 'feature'),
  );
  expect((JSON.parse(stdout) as { data: Data }).data.summary).toMatchObject({ low: 1, suppressed: 2 });
});

test.each(['-x', 'a b', 'main..feature'])('a text that is not a branch name is refused: %s', async (name) => {
  const { code, stderr } = await scan('--diff', name);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`what is compared with is "${name}"`)]);
});

test('an unknown name is an error that lists the existing names', async () => {
  const { code, stderr } = await scan('--diff', 'mian');
  expect(code).not.toBe(0);
  expect(stderr).toContain('main');
});

test('the HTML report of a diff escapes everything from the repository', async () => {
  await commit({
    'bad.py': `${UNSAFE('bad')}# <script>alert(1)</script>\nyaml.load("<script>alert(1)</script>" + input())\n`,
  });
  const { code, stdout } = await scan('--format', 'html', '--diff', 'main');
  expect(code).toBe(0);
  const page = new JSDOM(stdout).window.document;
  expect(page.querySelectorAll('script')).toHaveLength(0);
  expect(page.querySelector('h1')?.textContent).toContain(shop);
  expect(page.body.textContent).toContain('bad.py:2');
  expect(page.body.textContent).toContain('known at main');
  expect(page.querySelectorAll('article').length).toBeGreaterThan(1);
});

interface Data {
  readonly summary: Readonly<Record<string, number>>;
  readonly vulnerabilities: readonly {
    location: string;
    suppressed?: { reason: string };
    also?: readonly { location: string }[];
  }[];
}
