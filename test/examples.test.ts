import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from './helpers/magpie.ts';

/** The examples for CI: npx runs a program that the folder it is started in has, so they start it beside what they scan. */

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly 'working-directory'?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const folder = temporaryFolder();
const [checkout, temp, bin] = ['checkout', 'temp', 'bin'].map((name) => join(folder.path, name)) as [
  string,
  string,
  string,
];
const said = join(folder.path, 'said');
beforeAll(() => {
  for (const path of [checkout, temp, bin]) mkdirSync(path);
  // Says where it is started, and with what.
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\n{ pwd; for word; do echo "$word"; done; } > '${said}'\n`, {
    mode: 0o755,
  });
  writeFileSync(join(bin, 'git'), '#!/bin/sh\n', { mode: 0o755 });
});
afterAll(() => folder.remove());

const example = (path: string) =>
  parse(readFileSync(join(import.meta.dirname, '..', 'examples', path), 'utf8'));

/** The folder and the words that npx was started with. */
function started(script: string, cwd: string, env: Readonly<Record<string, string>>): string[] {
  execFileSync('sh', ['-c', script], { cwd, env: { PATH: `${bin}:/usr/bin:/bin`, ...env } });
  return readFileSync(said, 'utf8').trim().split('\n');
}

test.each(['github-scan.yml', 'github-action/action.yml'])('%s starts npx beside the checkout', (path) => {
  const { jobs, runs } = example(path);
  const steps: readonly Step[] = (jobs?.scan ?? runs).steps;
  const step = steps.find(({ name }) => name === 'Scan');
  expect(step?.['working-directory']).toMatch(/^\$\{\{ runner\.temp \}\}$/);
  const env = { GITHUB_WORKSPACE: checkout, BASE: 'main', FAIL_ON: 'high' };
  const [where, ...words] = started(step?.run ?? '', temp, env);
  expect(where).toBe(temp);
  expect(words).toEqual(
    expect.arrayContaining(['scan', checkout, '--diff', 'origin/main', '--fail-on', 'high']),
  );
});

test('gitlab-scan.yml starts npx beside the checkout', () => {
  const script = (example('gitlab-scan.yml').magpie.script as string[]).join('\n');
  const env = { CI_PROJECT_DIR: checkout, CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' };
  const [where, ...words] = started(script, checkout, env);
  expect(where).toBe('/tmp');
  expect(words).toEqual(expect.arrayContaining(['scan', checkout, '--diff', 'origin/main']));
});
