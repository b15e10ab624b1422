import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MachineEnvironment } from '../../../src/lib/assistants/machine.ts';
import type { AssistantFilesOptions } from '../../../src/security/trees/assistants/assistant-files.ts';
import { openAssistantsTree } from '../../../src/security/trees/assistants/assistants-tree.ts';
import { putFiles } from '../../helpers/assistants-home.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const open = (
  machine: Partial<MachineEnvironment> = {},
  { folders = [], signal = AbortSignal.timeout(60_000) }: Partial<AssistantFilesOptions> = {},
) =>
  openAssistantsTree({
    machine: {
      platform: 'linux',
      node: '/nowhere/node',
      ...machine,
      env: { HOME: folder.path, ...machine.env },
    },
    folders,
    signal,
    progress() {},
  });
const servers = (all: object) => JSON.stringify({ mcpServers: all });
const pack = (version: string) => JSON.stringify({ name: 'tool-mcp', version });

async function partOf(command: string, args: readonly string[], more: Partial<MachineEnvironment> = {}) {
  putFiles(folder.path, { '.cursor/mcp.json': servers({ one: { command, args } }) });
  const { assistants, files } = await open(more);
  return { ...assistants?.[0]?.parts[0], files: files.map(({ path }) => path) };
}

test('on macOS the settings stand in the Library, and are read as they were when they change', async () => {
  const at = 'Library/Application Support/Claude/claude_desktop_config.json';
  putFiles(folder.path, { [at]: servers({ a: { command: 'npx', args: ['none-such'] } }) });
  const tree = await open({ platform: 'darwin' });
  expect(tree.assistants?.map(({ title, parts }) => [title, parts.length])).toEqual([['Claude Desktop', 1]]);
  const [file] = tree.files;
  expect(file?.path).toBe(`~/${at}`);
  if (!file) return;
  expect(Buffer.from(await tree.read(file)).toString()).toContain('none-such');
  putFiles(folder.path, { [at]: '{}' });
  await expect(tree.read(file)).rejects.toThrow('was changed while it was scanned');
});

test('of several copies of a package the named version counts, or else the newest', async () => {
  putFiles(folder.path, {
    '.npm/_npx/1/node_modules/tool-mcp/package.json': pack('1.0.0'),
    '.npm/_npx/2/node_modules/tool-mcp/package.json': pack('2.0.0'),
    '.npm/_npx/2/node_modules/tool-mcp/index.js': '',
  });
  utimesSync(join(folder.path, '.npm/_npx/1/node_modules'), 1000, 1000);
  expect(await partOf('npx', ['-y', 'tool-mcp@1.0.0'])).toMatchObject({ version: 'tool-mcp 1.0.0' });
  const newest = await partOf('npx', ['-y', 'tool-mcp']);
  expect(newest).toMatchObject({ version: 'tool-mcp 2.0.0', paths: ['~/.npm/_npx/2/node_modules/tool-mcp'] });
  expect(newest.files).toContain('~/.npm/_npx/2/node_modules/tool-mcp/index.js');
});

test('programs of the search path lead to their package, project or script', async () => {
  const bin = join(folder.path, 'bin');
  mkdirSync(bin);
  putFiles(folder.path, {
    'lib/node_modules/@a/tool/package.json': pack('3.0.0'),
    'lib/node_modules/@a/tool/cli.js': '#!/usr/bin/env node\n',
    '.local/share/uv/tools/py-tool/bin/py-tool': '#!python\n',
    '.local/share/uv/tools/py-tool/lib/python3.12/site-packages/py_tool/main.py': '',
    '.local/share/uv/tools/py-tool/lib/python3.12/site-packages/py_tool-0.4.dist-info/RECORD':
      'py_tool/main.py,,\n',
    'bin/script': '#!/bin/sh\n',
    'bin/compiled': '\u007fELF',
  });
  symlinkSync('../lib/node_modules/@a/tool/cli.js', join(bin, 'js-tool'));
  symlinkSync('../.local/share/uv/tools/py-tool/bin/py-tool', join(bin, 'py-tool'));
  const env = { PATH: bin };
  expect(await partOf('js-tool', [], { env })).toMatchObject({ paths: ['~/lib/node_modules/@a/tool'] });
  expect(await partOf('py-tool', [], { env })).toMatchObject({ version: 'py-tool 0.4' });
  expect(await partOf(join(bin, 'script'), [], { env })).toMatchObject({ paths: ['~/bin/script'] });
  expect((await partOf('compiled', [], { env })).missing).toContain(
    'starts compiled, whose code is not found',
  );
  expect((await partOf('none-such', [], { env })).missing).toContain('starts none-such');
});

test('uvx finds a package in the cache of uv, and variables of assistants are filled in', async () => {
  putFiles(folder.path, {
    '.cache/uv/archive-v0/x1/web_mcp/__init__.py': '',
    '.cache/uv/archive-v0/x1/web_mcp-1.2.dist-info/RECORD': 'web_mcp/__init__.py,,\n../../bin/web,,\n',
    'work/pyproject.toml': '',
    'work/src/server.py': '',
  });
  expect(await partOf('uvx', ['web-mcp@1.2'])).toMatchObject({
    version: 'web-mcp 1.2',
    paths: ['~/.cache/uv/archive-v0/x1/web_mcp'],
  });
  for (const home of ['~', '$HOME', '$\u007bHOME}', '$\u007buserHome}'])
    expect(await partOf('python3', [`${home}/work/src/server.py`])).toMatchObject({ paths: ['~/work'] });
});

test('a scan looks for the copies of packages once, and an abort ends the search', async () => {
  putFiles(folder.path, {
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `.cache/uv/archive-v0/x${at}/pkg_${at}-1.${at}.dist-info/RECORD`,
        `pkg_${at}.py,,\n`,
      ]),
    ),
    '.cursor/mcp.json': servers(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [`s${at}`, { command: 'uvx', args: [`pkg-${at}`] }]),
      ),
    ),
  });
  const read = vi.spyOn(fs, 'readdir');
  syncBuiltinESMExports();
  const { assistants } = await open();
  expect(assistants?.[0]?.parts.map(({ version }) => version)).toEqual(
    Array.from({ length: 60 }, (_, at) => `pkg-${at} 1.${at}`),
  );
  expect(read.mock.calls.length).toBeGreaterThan(60);
  expect(read.mock.calls.length).toBeLessThan(1000);
  read.mockClear();
  const stop = new AbortController();
  read.mockImplementationOnce(async () => {
    stop.abort();
    return [];
  });
  await expect(open({}, { signal: stop.signal })).rejects.toThrow('abort');
  expect(read.mock.calls.length).toBeLessThan(50);
  read.mockRestore();
  syncBuiltinESMExports();
});

test('servers, hooks and scripts past a limit are gaps, and words that are no scripts do not count', async () => {
  const many = Array.from({ length: 103 }, (_, at) => [`s${at}`, { url: 'https://a.example' }]);
  const command = (text: string) => ({ hooks: [{ type: 'command', command: text }] });
  putFiles(folder.path, {
    '.cursor/mcp.json': servers(Object.fromEntries(many)),
    '.claude/settings.json': JSON.stringify({
      hooks: {
        Stop: [
          command(`${'x '.repeat(600)} ~/late/run.py`),
          command('x'.repeat(3000)),
          ...Array.from({ length: 60 }, () => command('y')),
        ],
      },
    }),
    'late/run.py': '',
    'server.py': '',
    '.gemini/settings.json': servers({
      a: { command: 'python', args: [...Array.from({ length: 450 }, () => 'x'), '~/server.py'] },
      b: { command: 'python', args: Array.from({ length: 450 }, (_, at) => `${at}.py`) },
    }),
  });
  const { gaps, files } = await open();
  const told = gaps.filter(({ kind }) => kind === 'limits').map(({ what }) => what);
  expect(told).toContainEqual('3 servers in ~/.cursor/mcp.json past the first 100');
  expect(told).toContainEqual(expect.stringMatching(/^\d+ texts of hooks in ~\/\.claude\/settings\.json$/));
  expect(told).toContainEqual('1 hook over 2000 characters in ~/.claude/settings.json');
  expect(told).toContainEqual(expect.stringMatching(/^50 scripts that commands in .*\.gemini/));
  const paths = files.map(({ path }) => path);
  expect(paths).toContain('~/late/run.py');
  expect(paths).toContain('~/server.py');
});

test('a link below a folder of a project leads only inside of it, and one below the home folder anywhere in that', async () => {
  putFiles(folder.path, {
    'own/key.md': 'own',
    'other/rules.md': 'other',
    'work/docs/inside.md': 'inside',
    '.claude/settings.json': '{}',
  });
  mkdirSync(join(folder.path, 'work/.claude/skills'), { recursive: true });
  mkdirSync(join(folder.path, '.claude/skills'));
  symlinkSync(join(folder.path, 'own/key.md'), join(folder.path, 'work/CLAUDE.md'));
  symlinkSync(join(folder.path, 'work/docs/inside.md'), join(folder.path, 'work/AGENTS.md'));
  symlinkSync(join(folder.path, 'own'), join(folder.path, 'work/.claude/skills/own'));
  symlinkSync(join(folder.path, 'other'), join(folder.path, '.claude/skills/other'));
  const { files, gaps } = await open({}, { folders: [join(folder.path, 'work')] });
  const texts = files.map(({ path }) => path);
  expect(texts).toContain('~/work/AGENTS.md');
  expect(texts).toContain('~/.claude/skills/other/rules.md');
  expect(texts.filter((path) => path.includes('key.md') || path.includes('CLAUDE.md'))).toEqual([]);
  const links = gaps.filter(({ kind }) => kind === 'links').map(({ what }) => what);
  expect(links).toContain('~/work/CLAUDE.md, which leads out of ~/work');
});

test('secrets in commands are masked', async () => {
  const shown = await partOf('npx', [
    'x',
    '--api-key',
    'abc123',
    '--token=abc123',
    '-e',
    'MY_SECRET=abc123',
    'Auth: abc123',
  ]);
  expect(shown.start).toBe('npx x --api-key … --token=… -e MY_SECRET=… "Auth: …"');
  const pat = `PAT=abc123`;
  for (const args of [
    ['run', '-e', `GITHUB_${pat}`, 'image'],
    ['run', '-e', pat],
    ['--password', 'abc123 abc123 abc123'],
    ['--password "x abc123 abc123"'],
    ['-c', `tool --db-pwd='x abc123'`],
    ['--passphrase', 'abc123'],
    ['--header', 'Authorization: Bearer abc123'],
    ['-e', 'SENTRY_DSN=abc123'],
    ['bearer', 'abc123'],
    [`--token=${'x'.repeat(600)}abc123`],
  ]) {
    const { start } = await partOf('docker', args);
    expect(start).toContain('…');
    expect(start).not.toContain('abc123');
  }
  const plain = 'docker -v $PWD:/work -e PATH=/bin --pattern a*';
  expect((await partOf('docker', plain.split(' ').slice(1))).start).toBe(plain);
  const address = await partOf('npx', ['mcp-remote', 'https://ann:abc123@example.com/x?key=abc123']);
  expect(address.start).not.toContain('abc123');
});
