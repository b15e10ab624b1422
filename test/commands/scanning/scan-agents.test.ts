import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, symlinkSync, truncateSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nineAssistants, putFiles } from '../../helpers/assistants-home.ts';
import { environment, runMagpie, spawnMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { runStdio } from '../../helpers/stdio-run.ts';

/** `magpie scan --agents`: the assistants of this machine, in homes of tests. */

let folder: ReturnType<typeof temporaryFolder>;
let home: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = temporaryFolder();
  home = join(folder.path, 'home');
  putFiles(home, { 'letters/a.txt': 'private' });
  env = { ...environment(join(folder.path, 'data')), HOME: home, PATH: '', NO_COLOR: '1' };
});
afterEach(() => folder.remove());

const scan = (...args: string[]) => runMagpie(['scan', '--agents', ...args], env);
const TITLES = [
  'Claude Desktop',
  'Claude Code',
  'VS Code',
  'Cursor',
  'Codex',
  'Gemini CLI',
  'Windsurf',
  'Zed',
  'LM Studio',
];

interface Part {
  readonly name: string;
  readonly kind: string;
  readonly paths: readonly string[];
  readonly start?: string;
  readonly version?: string;
  readonly missing?: string;
}
interface Data {
  readonly scan_id: string;
  readonly repository: string;
  readonly vulnerabilities: readonly {
    readonly id: string;
    readonly location: string;
    readonly also?: readonly { readonly location: string }[];
  }[];
  readonly gaps: readonly { readonly kind: string; readonly what: string; readonly fix: string }[];
  readonly assistants: readonly { readonly title: string; readonly parts: readonly Part[] }[];
}

async function scanned(...args: string[]): Promise<Data> {
  const { stdout, stderr } = await scan('--json', ...args);
  expect(stderr).not.toContain('error');
  return (JSON.parse(stdout) as { data: Data }).data;
}
const partOf = ({ assistants }: Data, name: string) =>
  assistants.flatMap(({ parts }) => parts).find((part) => part.name === name);
const whats = ({ gaps }: Data) => gaps.map(({ kind, what }) => `${kind}: ${what}`);

test('in a home without assistants it says so kindly, passes --fail-on and leaves no trace', async () => {
  const { code, stdout } = await scan('--fail-on', 'info');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^No assistants found: there are no settings of Claude Desktop, .* and LM Studio on this machine/,
  );
  expect(stdout).toContain('there is nothing to mend');
  expect(readdirSync(home)).toEqual(['letters']);
  expect(await scanned()).toMatchObject({ assistants: [], vulnerabilities: [], gaps: [] });
});

describe('with nine assistants', () => {
  let watcher: Server;
  let connections = 0;
  let token: string;
  const marker = () => join(folder.path, 'marker');
  beforeEach(async () => {
    connections = 0;
    token = `ghp_${randomBytes(18).toString('hex')}`;
    watcher = createServer((_, answer) => answer.end('{}')).on('connection', () => connections++);
    await new Promise<void>((done) => watcher.listen(0, '127.0.0.1', done));
    const address = `http://127.0.0.1:${(watcher.address() as AddressInfo).port}/mcp`;
    putFiles(home, nineAssistants(home, { marker: marker(), address, token }));
    env = {
      ...env,
      MAGPIE_OSV_URL: address,
      MAGPIE_ADVISORIES: 'osv',
      MAGPIE_ALLOW_HOSTS: new URL(address).host,
      HTTP_PROXY: address,
      HTTPS_PROXY: address,
    };
  });
  afterEach(() => new Promise((done) => watcher.close(done)));

  test('the page names each assistant with its servers and skills, and shows findings where they belong', async () => {
    const { code, stdout } = await scan();
    expect(code).toBe(0);
    const heads = TITLES.map((title) => stdout.search(new RegExp(`^${title}: `, 'm')));
    expect(heads).toEqual([...heads].sort((a, b) => a - b));
    expect(heads).not.toContain(-1);
    const cursor = stdout.slice(stdout.indexOf('Cursor: 2 servers'), stdout.indexOf('Codex: '));
    expect(cursor).toContain(
      'server github\n    starts    npx -y @modelcontextprotocol/server-github@0.6.2\n',
    );
    expect(cursor).toContain('code      @modelcontextprotocol/server-github 0.6.2, in ~/.npm/_npx/ab12/');
    expect(cursor).toContain('~/.npm/_npx/ab12/node_modules/@modelcontextprotocol/server-github/index.js:2');
    expect(cursor).toContain('GitHub token');
    expect(cursor).toContain('it runs elsewhere, and nothing of it is on this disk');
    expect(stdout).toContain('starts    docker run -e API_TOKEN=… example/box');
    expect(stdout).toContain('Nothing was started and nothing was sent.');
    expect(stdout).not.toContain('letters');
  });

  test('nothing is started and nothing is sent, whatever programs and scanners there are', async () => {
    const programs = ['node', 'npx', 'sh', 'uvx', 'docker', 'git', 'semgrep', 'claude'];
    putFiles(
      folder.path,
      Object.fromEntries(programs.map((name) => [`bin/${name}`, `#!/bin/sh\n: > ${marker()}\n`])),
    );
    execFileSync('/bin/chmod', ['-R', '+x', join(folder.path, 'bin')]);
    const bin = join(folder.path, 'bin');
    const ended = await spawnMagpie(['scan', '--agents', '--json'], {
      ...env,
      PATH: bin,
      MAGPIE_SCANNERS: 'semgrep',
      MAGPIE_SCANNER_PATH: bin,
    });
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout).data.assistants).toHaveLength(9);
    expect(existsSync(marker())).toBe(false);
    expect(connections).toBe(0);
  });

  test('packages, projects and scripts of servers and hooks are found on the disk', async () => {
    const data = await scanned();
    expect(data.repository).toBe("this machine's assistants");
    expect(partOf(data, 'weather')).toMatchObject({ kind: 'server', paths: ['~/code/weather'] });
    expect(partOf(data, 'sql')).toMatchObject({ version: 'sql_mcp 2.0.1' });
    expect(partOf(data, 'here')).toMatchObject({ paths: ['~/code/tool'] });
    expect(partOf(data, 'pdf')).toMatchObject({ kind: 'skill', paths: ['~/.claude/skills/pdf'] });
    expect(partOf(data, 'notes')).toMatchObject({ kind: 'extension' });
    expect(partOf(data, 'db')?.missing).toContain('fetches the package postgres-mcp');
    expect(partOf(data, 'own')?.missing).toBe('it is Magpie itself, which is not scanned');
    const places = data.vulnerabilities.flatMap(({ location, also = [] }) => [
      location,
      ...also.map((one) => one.location),
    ]);
    for (const place of [
      '~/code/weather/server.js:2',
      '~/bin/hook.py:2',
      '~/.config/Claude/Claude Extensions/notes/index.js:2',
    ])
      expect(places).toContain(place);
    // A skill cannot excuse itself.
    expect(places).toContain('~/.claude/skills/pdf/run.py:3');
    expect(whats(data)).toContain(
      'servers: the server files of Claude Desktop fetches the package @modelcontextprotocol/server-filesystem, which is not on this disk yet',
    );
    expect(whats(data).join()).not.toMatch(/server (?:own|far|cloud) /);
  });

  test('--fail-on fails on findings, then on code that was not read, which --accept servers takes', async () => {
    expect((await scan('--fail-on', 'low')).code).toBe(1);
    const baseline = (await scanned()).scan_id;
    const missed = await scan('--fail-on', 'low', '--baseline', baseline);
    expect([missed.code, missed.stderr]).toEqual([3, expect.stringContaining('add --accept servers')]);
    const passed = await scan(
      '--fail-on',
      'low',
      '--baseline',
      baseline,
      '--accept',
      'servers',
      '--accept',
      'unread-code',
    );
    expect(passed).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was found') });
  });

  test('every format has the findings, and none has a secret', async () => {
    const id = (await scanned()).scan_id;
    for (const format of ['table', 'html', 'json', 'sarif', 'cyclonedx', 'patch', 'gitlab']) {
      const { code, stdout } = await runMagpie(['scans', id, '--format', format], env);
      expect(code).toBe(0);
      expect(stdout).not.toContain(token);
      expect(stdout).not.toContain('hunter2');
      if (!['cyclonedx', 'patch'].includes(format)) expect(stdout).toContain('~/.cursor/mcp.json');
    }
    const { stdout } = await runMagpie(['scans'], env);
    expect(stdout).toContain("this machine's assistants");
    expect((await runMagpie(['scans', id], env)).stdout).toContain('Cursor: 2 servers');
  });
});

test('settings of a folder count where it is the current one', async () => {
  const project = join(folder.path, 'shop');
  putFiles(project, {
    '.mcp.json': JSON.stringify({ mcpServers: { local: { command: 'node', args: ['tools/run.js'] } } }),
    'tools/run.js':
      "import { exec } from 'node:child_process';\nserver.tool('a', async ({ q }) => exec('x ' + q));\n",
    'AGENTS.md': 'Be kind.\n',
  });
  const { stdout } = await spawnMagpie(['scan', '--agents'], env, project);
  expect(stdout).toMatch(/^Claude Code: 1 server$/m);
  expect(stdout).toContain(`code      in ${project}/tools/run.js`);
  expect(stdout).toContain('Shared by assistants: no servers, skills or plug-ins');
});

test('a hostile home is read within bounds, and what is not read is named', async () => {
  const deep = Array.from({ length: 300 }, () => 'd').join('/');
  putFiles(home, {
    [`.claude/skills/deep/${deep}/SKILL.md`]: '---\nname: deep\n---\n',
    '.cursor/mcp.json': '{ "mcpServers": { "cut": { "command": "npx", ',
    '.gemini/settings.json': '['.repeat(200_000),
    '.codex/config.toml': 'mcp_servers = [',
    '.config/Claude/claude_desktop_config.json': JSON.stringify({
      mcpServers: {
        'evil\n\u001b[2Jname': { command: 'npx', args: ['../../../../letters'] },
        up: { command: 'npx', args: ['@../../letters'] },
        device: { command: 'python', args: ['/dev/zero.py', '-m', '../letters'] },
        root: { command: 'uv', args: ['--directory', '/', 'run', 'x'] },
        own: { command: 'uv', args: ['--directory', '~', 'run', 'x'] },
        none: {},
        list: [],
      },
    }),
    '.lmstudio/mcp.json': '{}',
    'package.json': '{}',
  });
  truncateSync(join(home, '.lmstudio/mcp.json'), 50 * 2 ** 20);
  symlinkSync('.', join(home, '.claude/skills/loop'));
  symlinkSync(home, join(home, '.claude/skills/all'));
  symlinkSync('/etc', join(home, '.claude/skills/out'));
  symlinkSync('/etc/hosts', join(home, '.claude/CLAUDE.md'));
  execFileSync('mkfifo', [join(home, '.cursor/hooks.json')]);
  putFiles(home, { 'dotfiles/skill/SKILL.md': '---\nname: linked\n---\n' });
  symlinkSync(join(home, 'dotfiles/skill'), join(home, '.claude/skills/linked'));

  const data = await scanned();
  const gaps = whats(data).join('\n');
  expect(gaps).toContain('links: ~/.claude/skills/out, which is your home folder or leads out of it');
  expect(gaps).toContain('links: ~/.claude/skills/all, which is your home folder or leads out of it');
  expect(gaps).toContain('links: ~/.claude/CLAUDE.md, which is your home folder or leads out of it');
  expect(gaps).toMatch(/large-files: ~\/\.lmstudio\/mcp\.json: 1 file over 10 MB/);
  for (const file of ['~/.gemini/settings.json', '~/.codex/config.toml'])
    expect(gaps).toContain(`unreadable: servers in ${file}`);
  expect(partOf(data, 'cut')).toMatchObject({ kind: 'server' });
  expect(partOf(data, 'linked')).toMatchObject({ paths: ['~/.claude/skills/linked'] });
  expect(JSON.stringify(data)).not.toContain('letters/a');
  const { stdout } = await scan();
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toContain('server evil \\u001b[2Jname');
});

test('what is for repositories is refused in the words of a package', async () => {
  for (const [args, said] of [
    [['.'], 'magpie scan takes one of a repository, --package and --agents: repository and agents are given'],
    [['--package', 'lodash'], 'package and agents are given'],
    [['--diff', 'main'], '--diff is for a repository, and --agents is given: leave it out'],
    [
      ['--dependencies', '--verify'],
      '--dependencies and --verify are for a repository, and --agents is given: leave them out',
    ],
    [['--branch', 'main'], '--branch is for a repository, and --agents is given'],
  ] as const) {
    const { code, stderr } = await scan(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  }
});

test('doctor and setup offer it', async () => {
  const offer = 'magpie scan --agents checks what';
  expect((await runMagpie(['doctor', '--offline'], env)).stdout).toContain(offer);
  expect((await runMagpie(['setup', '--print'], env)).stdout).toContain(offer);
});

test('an assistant over stdio can ask for it; no caller over HTTP can', async () => {
  putFiles(
    home,
    nineAssistants(home, { marker: join(folder.path, 'marker'), address: 'http://127.0.0.1:9', token: 'x' }),
  );
  const local = new Client({ name: 'test', version: '1' });
  await local.connect(runStdio(env).transport);
  const answer = await local.callTool({ name: 'scan', arguments: { agents: true } });
  expect(answer.isError).not.toBe(true);
  const [text] = answer.content as { text: string }[];
  expect(text?.text).toContain("of this machine's assistants: completed");
  expect(text?.text).toContain(
    '- Cursor: server github (@modelcontextprotocol/server-github 0.6.2), server far\n',
  );
  expect(JSON.stringify(answer)).toContain('~/code/weather/server.js:2');
  await local.close();

  const running = await startMagpie(env);
  try {
    // What the assistant asked for is kept as its owner's: the console shows it, and offers no way to start it.
    const list = await (await fetch(`${running.url}/app/scans`)).text();
    const [, link = ''] = /href="([^"]*)"><bdi>this machine&#39;s assistants</.exec(list) ?? [];
    const page = await (await fetch(`${running.url}${link.replaceAll('&amp;', '&')}`)).text();
    expect(page).toContain('~/code/weather/server.js');
    expect(page).toContain('Again: <code>magpie scan --agents</code>');
    expect(list).not.toContain('<option value="this machine');
    const response = await fetch(`${running.url}/v1/scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ agents: true, background: true }),
    });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('run `magpie scan --agents`');
    const far = new Client({ name: 'test', version: '1' });
    await far.connect(new StreamableHTTPClientTransport(new URL(`${running.url}/mcp`)));
    const refused = await far.callTool({ name: 'scan', arguments: { agents: true } });
    expect([refused.isError, JSON.stringify(refused)]).toEqual([
      true,
      expect.not.stringContaining('weather'),
    ]);
    await far.close();
  } finally {
    await running.stop();
  }
});
