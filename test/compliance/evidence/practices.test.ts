import { expect, test } from 'vitest';
import { readPractices } from '../../../src/compliance/evidence/practices.ts';
import { AT, PRACTICES } from '../../helpers/compliance.ts';

async function states(files: Readonly<Record<string, string>>, commits?: { seen: number; signed: number }) {
  const view = {
    files: Object.keys(files),
    read: async (path: string) => files[path],
    ...(commits && { commits }),
  };
  const found = await readPractices(view, 'shop', AT);
  return Object.fromEntries(found.map(({ name, state }) => [name, state]));
}

const PINNED = `      - uses: actions/checkout@${'a'.repeat(40)} # v5\n      - uses: ./local\n`;
const KEPT: Readonly<Record<string, string>> = {
  'SECURITY.md': '',
  LICENSE: '',
  '.github/CODEOWNERS': '* @ann',
  'CONTRIBUTING.md': '',
  '.github/dependabot.yml': '',
  '.github/workflows/ci.yml': `${PINNED}      - run: npx semgrep ci\n      - run: syft . -o cyclonedx-json\n      - run: npm publish --provenance\n`,
  'test/shop.test.js': '',
  'fuzz/parse.js': '',
  'package.json': '{}',
  'package-lock.json': '{}',
  'packages/till/package.json': '{}',
};

test('a repository that follows all practices shows each of them', async () => {
  const found = await states(KEPT, { seen: 3, signed: 3 });
  expect(Object.keys(found).sort()).toEqual([...PRACTICES].sort());
  expect(new Set(Object.values(found))).toEqual(new Set(['kept']));
});

test('an empty repository follows none of the applicable practices', async () => {
  expect(await states({ 'readme.txt': '' })).toEqual({
    ...Object.fromEntries(PRACTICES.map((name) => [name, 'missing'])),
    lockfiles: 'not_applicable',
    workflows: 'not_applicable',
    'pinned-actions': 'not_applicable',
    'no-binaries': 'kept',
    // Without git nothing is known of commits.
    'signed-commits': undefined,
  });
});

test.each([
  ['an action by a tag', { '.github/workflows/ci.yml': '- uses: actions/checkout@v5' }, 'pinned-actions'],
  ['a manifest without a lockfile', { 'till/Cargo.toml': '' }, 'lockfiles'],
  ['a program', { 'tools/run.exe': '' }, 'no-binaries'],
] as const)('%s is detected', async (_, files, name) => {
  expect((await states(files))[name]).toBe('missing');
});

test('files may have the names of object properties', async () => {
  expect((await states({ constructor: '', 'a/toString': '', __proto__: '' })).lockfiles).toBe(
    'not_applicable',
  );
});

test('manifests of tests need no lockfile; one unsigned commit among many is reported', async () => {
  expect((await states({ 'test/fixtures/package.json': '' })).lockfiles).toBe('not_applicable');
  expect((await states({}, { seen: 9, signed: 8 }))['signed-commits']).toBe('missing');
});

test('practices in comments do not count, and steps in one line are read', async () => {
  const found = await states({
    '.github/workflows/ci.yml':
      '# SPDX-License-Identifier: MIT\n# never run codeql\nsteps: [{ uses: acme/x@v1 }]\n  - run: make # cosign later\n',
  });
  expect(found).toMatchObject({
    'static-analysis': 'missing',
    'bill-of-materials': 'missing',
    provenance: 'missing',
    'pinned-actions': 'missing',
  });
});
