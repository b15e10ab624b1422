import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ASSISTANTS } from '../../src/commands/assistants/list.ts';
import { buildServerEntry, editJson, editToml } from '../../src/commands/assistants/plan.ts';
import { ABOUT_ESSENTIAL } from '../../src/lib/assistants.ts';
import { operations } from '../../tools/index.ts';
import { runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** `magpie setup` in an own home folder. */

let home: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => home.remove());

const at = (...parts: string[]) => join(home.path, ...parts);
const setup = (...args: string[]) =>
  runMagpie(['setup', ...args], { HOME: home.path, MAGPIE_DATA: at('data'), NO_COLOR: '1' });
const read = (file: string) => readFileSync(at(file), 'utf8');
function put(file: string, text: string): void {
  mkdirSync(dirname(at(file)), { recursive: true });
  writeFileSync(at(file), text);
}

const CURSOR = '.cursor/mcp.json';

test('on a machine without assistants, setup shows the configuration for an assistant and writes nothing', async () => {
  const { code, stdout } = await setup('--yes');
  expect(code).toBe(0);
  expect(stdout).toContain('None of these is on this machine: claude-desktop, claude-code, vscode, cursor');
  expect(stdout).toContain('"mcpServers"');
  const told = stdout.replace(/\s+/g, ' ');
  expect(told).toMatch(/Who gets a question: .*DuckDuckGo.* Without a key all of it costs nothing/);
  expect(readdirSync(home.path)).toEqual([]);
});

test('Open WebUI needs an address: the steps and the variable are shown, and nothing is written', async () => {
  put(CURSOR, '{}');
  const shown = await setup('open-webui');
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  expect(shown.stdout).toContain('type MCP (Streamable HTTP), URL http://127.0.0.1:8787/mcp');
  const variable = /^TOOL_SERVER_CONNECTIONS='(.*)'$/m.exec(shown.stdout)?.[1] ?? '';
  expect(JSON.parse(variable)).toEqual([
    expect.objectContaining({ type: 'mcp', url: 'http://127.0.0.1:8787/mcp', auth_type: 'none' }),
  ]);
  expect(shown.stdout).not.toContain('Cursor');
  const { assistants } = JSON.parse((await setup('open-webui', '--json')).stdout);
  expect(assistants).toEqual([
    expect.objectContaining({ name: 'open-webui', url: 'http://127.0.0.1:8787/mcp' }),
  ]);
  expect((await setup('open-webui', '--remove')).stdout).toContain('delete Magpie under Admin Settings');
  expect(read(CURSOR)).toBe('{}');

  // Beside one that has a file.
  const both = await setup('open-webui', 'cursor', '--yes');
  expect(both.stdout).toContain('MCP (Streamable HTTP)');
  expect(both.stdout).toContain(`Cursor: ${at(CURSOR)} is written`);
});

test('existing content of a file is kept, and the original file is backed up', async () => {
  const old = '{\n  "mcpServers": {\n    "other": { "command": "x" } // mine\n  },\n  "theme": "dark"\n}\n';
  put(CURSOR, old);
  chmodSync(at(CURSOR), 0o640);
  const { code, stdout } = await setup('--yes');
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`Cursor: ${at(CURSOR)} is written; restart it.`),
  ]);
  const text = read(CURSOR);
  expect(text).toMatch(/"other": \{\s+"command": "x"\s+\} \/\/ mine/);
  const { mcpServers, theme } = JSON.parse(text.replace('// mine', ''));
  expect(theme).toBe('dark');
  expect(mcpServers.magpie).toEqual({
    command: process.execPath,
    args: [join(import.meta.dirname, '../../src/main.ts'), 'stdio'],
  });
  expect(statSync(at(CURSOR)).mode & 0o777).toBe(0o640);
  const kept = readdirSync(at('.cursor')).filter((name) => name.startsWith('mcp.json.before-magpie-'));
  expect(kept).toHaveLength(1);
  expect(read(join('.cursor', kept[0] ?? ''))).toBe(old);

  const again = await setup('--yes');
  expect(again.stdout).toContain('Cursor has it already');
  expect(readdirSync(at('.cursor'))).toHaveLength(2);

  expect((await setup('--remove', '--yes')).code).toBe(0);
  expect(read(CURSOR)).toMatch(/"other": \{\s+"command": "x"\s+\} \/\/ mine/);
  expect(read(CURSOR)).not.toContain('magpie');
  expect((await setup('--remove', '--yes')).stdout).toContain('Cursor has no Magpie');
});

test('setup says what the essential tools leave out, and --essential writes the flags for them', async () => {
  put(CURSOR, '{}');
  const { stdout } = await setup('cursor', '--yes');
  const told = stdout.replace(/\s+/g, ' ');
  expect(told).toMatch(
    /toolset essential .* leaves out second names of a tool .* magpie setup --essential chooses it/,
  );
  const chosen = await setup('cursor', '--essential', '--yes');
  expect(chosen.stdout).not.toContain('chooses it');
  expect(JSON.parse(read(CURSOR)).mcpServers.magpie.args).toEqual([
    join(import.meta.dirname, '../../src/main.ts'),
    ...['stdio', '--toolsets', 'essential'],
  ]);
});

test('the sentence about the essential tools names what they leave out', () => {
  expect(ABOUT_ESSENTIAL).toMatch(
    /second names .*hybrid, counts of the knowledge base, and resending of notif/,
  );
  const left = operations.filter(({ essential, family }) => !essential && family === undefined);
  expect(left.map(({ name }) => name)).toEqual(['hybrid', 'metadatakb', 'resendNotices']);
});

test('the configured server answers the assistant', async () => {
  await setup('cursor', '--yes');
  const { command, args } = JSON.parse(read(CURSOR)).mcpServers.magpie;
  const server = spawn(command, args, { env: { HOME: home.path, MAGPIE_DATA: at('data') }, stdio: 'pipe' });
  const answer = new Promise<string>((resolve) =>
    server.stdout.once('data', (data) => resolve(String(data))),
  );
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  expect(JSON.parse(await answer)).toMatchObject({ id: 1, result: { serverInfo: { name: 'magpie' } } });
  server.kill();
});

test('every assistant that is found gets its own configuration format', async () => {
  const machine = { platform: process.platform, env: { HOME: home.path }, node: process.execPath };
  for (const one of ASSISTANTS) mkdirSync(one.folder(machine), { recursive: true });
  const { code, stdout } = await setup('--yes', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).assistants.map(({ change }: { change: string }) => change)).toEqual(
    ASSISTANTS.map(() => 'add'),
  );
  const entry = { command: process.execPath, args: expect.arrayContaining(['stdio']) };
  for (const { name, files, format, key } of ASSISTANTS) {
    const [file = ''] = files(machine);
    const text = readFileSync(file, 'utf8');
    const all = format === 'json' ? JSON.parse(text) : parseToml(text);
    expect(all, name).toEqual({ [key]: { magpie: expect.objectContaining(entry) } });
  }
});

test('--print writes nothing, and neither does a run without a confirmation', async () => {
  put(CURSOR, '{}');
  const shown = await setup('--print');
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('+ mcpServers.magpie: {"command"')]);
  const asked = await setup();
  expect([asked.code, asked.stderr]).toEqual([
    2,
    expect.stringContaining('there is no terminal to ask at: --yes confirms'),
  ]);
  expect(read(CURSOR)).toBe('{}');
  expect(existsSync(at('data'))).toBe(false);
});

test('an unreadable file is skipped, and the others are written', async () => {
  put(CURSOR, '{ "mcpServers": [');
  put('.gemini/settings.json', '');
  const { code, stdout } = await setup('--yes');
  expect(code).toBe(3);
  expect(stdout).toMatch(/Cursor: \S+ is left as it is: .+ in line 1/);
  expect(read(CURSOR)).toBe('{ "mcpServers": [');
  expect(JSON.parse(read('.gemini/settings.json')).mcpServers.magpie.args).toContain('stdio');
});

test('a link stays a link', async () => {
  put('dotfiles/mcp.json', '{}');
  mkdirSync(at('.cursor'));
  symlinkSync(at('dotfiles/mcp.json'), at(CURSOR));
  await setup('--yes');
  expect(lstatSync(at(CURSOR)).isSymbolicLink()).toBe(true);
  expect(read('dotfiles/mcp.json')).toContain('magpie');
});

test('shell settings are named, copied only on request, and never shown', async () => {
  put(CURSOR, '{}');
  const env = { HOME: home.path, MAGPIE_DATA: at('data'), BRAVE_API_KEY: 'brave-secret', NO_COLOR: '1' };
  const plain = await runMagpie(['setup', '--yes'], env);
  expect(plain.stdout).toMatch(
    /Set in this shell and not in the files: (?:MAGPIE_DATA, BRAVE_API_KEY|BRAVE_API_KEY, MAGPIE_DATA)\./,
  );
  expect(read(CURSOR)).not.toContain('brave-secret');
  const copied = await runMagpie(['setup', '--yes', '--env'], env);
  expect(copied.stdout + copied.stderr).not.toContain('brave-secret');
  expect(JSON.parse(read(CURSOR)).mcpServers.magpie.env).toMatchObject({ BRAVE_API_KEY: 'brave-secret' });
});

test('an unknown name is refused with the valid names', async () => {
  const { code, stderr } = await setup('emacs', '--yes');
  expect(code).toBe(2);
  expect(stderr).toMatch(/names takes claude-desktop, .*"emacs" is not one of them/);
});

describe('files', () => {
  const entry = { command: 'npx', args: ['-y', 'magpie-mcp', 'stdio'] };

  test('JSON keeps comments, tabs, line ends and trailing commas', () => {
    const old = '// mine\r\n{\r\n\t"servers": {\r\n\t\t"a": {},\r\n\t},\r\n}\r\n';
    const { text, before } = editJson(old, 'servers', entry, 'f');
    expect(before).toBeUndefined();
    expect(text).toContain('// mine\r\n');
    expect(text).toContain('\r\n\t\t"magpie": {');
    expect(editJson(text, 'servers', entry, 'f')).toEqual({ text, before: entry });
  });

  test.each(['[]', '"x"', '{ "servers": [] }', '{ "servers": 1 }'])(
    'JSON of an unexpected form is left unchanged: %s',
    (old) => {
      expect(() => editJson(old, 'servers', entry, 'f')).toThrow(/^f is left as it is/);
    },
  );

  test('TOML keeps all other content, and replaces the own table with its subtables', () => {
    const old =
      '# mine\nmodel = "o"\n\n[mcp_servers.magpie]\ncommand = "old"\n\n[mcp_servers.magpie.env]\nA = "1"\n\n[mcp_servers.other]\ncommand = "x" # stays\n';
    const { text, before } = editToml(old, 'mcp_servers', entry, 'f');
    expect(before).toEqual({ command: 'old', env: { A: '1' } });
    expect(text).toContain('# mine\nmodel = "o"');
    expect(text).toContain('command = "x" # stays');
    expect(parseToml(text)).toEqual({ model: 'o', mcp_servers: { magpie: entry, other: { command: 'x' } } });
    const gone = editToml(text, 'mcp_servers', undefined, 'f').text;
    expect(parseToml(gone)).toEqual({ model: 'o', mcp_servers: { other: { command: 'x' } } });
  });

  test.each([
    'mcp_servers = { magpie = { command = "x" } }\n',
    'mcp_servers.magpie.command = "x"\n',
    'mcp_servers = { other = { command = "x" } }\n',
    'a = [\n',
  ])('TOML that cannot be changed safely is left unchanged: %s', (old) => {
    expect(() => editToml(old, 'mcp_servers', entry, 'f')).toThrow(/^f is left as it is/);
  });
});

test('on Windows and macOS the files are in the folders that their programs read', () => {
  const node = 'node';
  const windows = { platform: 'win32', env: { APPDATA: 'C:\\R', USERPROFILE: 'C:\\U' }, node } as const;
  const mac = { platform: 'darwin', env: { HOME: '/Users/a' }, node } as const;
  const files = (machine: typeof windows | typeof mac) =>
    Object.fromEntries(ASSISTANTS.map((one) => [one.name, one.files(machine)[0]]));
  expect(files(windows)).toMatchObject({
    'claude-desktop': 'C:\\R\\Claude\\claude_desktop_config.json',
    vscode: 'C:\\R\\Code\\User\\mcp.json',
    codex: 'C:\\U\\.codex\\config.toml',
    zed: 'C:\\R\\Zed\\settings.json',
  });
  expect(files(mac)).toMatchObject({
    'claude-desktop': '/Users/a/Library/Application Support/Claude/claude_desktop_config.json',
    zed: '/Users/a/.config/zed/settings.json',
  });
  expect(buildServerEntry(mac, {}).command).toBe('node');
});
