import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../tools/index.ts';
import { environment, temporaryFolder } from '../helpers/magpie.ts';

/** The files of a release, made of a clone by the script that makes them. */

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = temporaryFolder();
const clone = join(folder.path, 'clone');
const out = join(folder.path, 'out');
const release = (...args: string[]) =>
  run(process.execPath, ['deploy/release/main.ts', '--out', out, ...args], { cwd: clone });
const fileOf = (ending: string) => join(out, readdirSync(out).find((name) => name.endsWith(ending)) ?? '');
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

beforeAll(async () => {
  await run('git', ['clone', '--quiet', ROOT, clone]);
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  appendFileSync(join(clone, '.git/info/exclude'), '\nnode_modules\n');
  await release();
}, 600_000);
afterAll(() => folder.remove());

test('the checksums are those of the files', async () => {
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out });
  const summed = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  expect(summed).toHaveLength(readdirSync(out).length - 1);
});

test('the bill of materials names what a user installs, and none of the workshop', () => {
  const { components } = read(fileOf('.cdx.json')) as { components: { name: string; version: string }[] };
  const named = (list: readonly { name: string; version: string }[]) =>
    new Set(list.map(({ name, version }) => `${name}@${version}`));
  expect(named(components)).toEqual(named(read(join(clone, 'dist/packages.json'))));
  expect(components.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['zod', 'hono', 'undici', 'pdfkit']),
  );
  expect(components.map(({ name }) => name)).not.toContain('vitest');
});

test('the provenance names the commit and the files', async () => {
  const { subject, predicate } = read(join(out, 'provenance.json'));
  const { stdout } = await run('git', ['rev-parse', 'HEAD'], { cwd: clone });
  expect(predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit).toBe(stdout.trim());
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8');
  expect(subject.length).toBeGreaterThan(2);
  for (const { name, digest } of subject) expect(sums).toContain(`${digest.sha256}  ${name}\n`);
});

test('the bundle starts as its manifest says, with a form that was left empty', async () => {
  const bundle = join(folder.path, 'bundle');
  for (const [path, bytes] of Object.entries(unzipSync(readFileSync(fileOf('.mcpb'))))) {
    mkdirSync(dirname(join(bundle, path)), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(join(bundle, path), bytes);
  }
  const { server, tools, user_config: form } = read(join(bundle, 'manifest.json'));
  const fill = (text: string) =>
    text
      .replaceAll('${' + '__dirname}', bundle)
      .replace(/\$\{user_config\.(\w+)\}/g, (_, name) => String(form[name].default));
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries<string>(server.mcp_config.env)) env[name] = fill(value);
  const home = join(folder.path, 'home');
  mkdirSync(home);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: server.mcp_config.args.map(fill),
      env: { ...environment(home), MAGPIE_ENGINES: 'local', ...env },
      stderr: 'ignore',
    }),
  );
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  await client.close();
  expect(listed).toEqual(operations.map(({ name }) => name));
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(listed);
});

test('secrets of the form are hidden, and the icon is a picture', () => {
  const { user_config: form, icon } = read(join(folder.path, 'bundle/manifest.json'));
  for (const [name, { sensitive }] of Object.entries<{ sensitive?: boolean }>(form))
    expect(sensitive ?? false).toBe(name.endsWith('Key'));
  expect(
    readFileSync(join(folder.path, 'bundle', icon))
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
});

test('a second release is not made over the first, nor of changes that are not committed', async () => {
  await expect(release()).rejects.toMatchObject({ stderr: expect.stringContaining('is not empty') });
  await expect(release('--tag')).rejects.toMatchObject({
    stderr: expect.stringContaining('CHANGELOG.md has no section'),
  });
  appendFileSync(join(clone, 'README.md'), 'more\n');
  await expect(release()).rejects.toMatchObject({ stderr: expect.stringContaining('not committed') });
});
