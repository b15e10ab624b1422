import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../tools/index.ts';
import { environment, temporaryFolder } from '../helpers/magpie.ts';

/** The tarball that users install, packed, installed in an empty folder, and driven from there. */

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = temporaryFolder();
const home = join(folder.path, 'home');
const bin = join(folder.path, 'node_modules', '.bin');
// npm, found beside the Node.js that runs this or on the path; the packed program itself runs under this one.
const path = `${dirname(process.execPath)}:${process.env.PATH}`;

beforeAll(async () => {
  mkdirSync(home);
  const env = { ...process.env, PATH: path };
  await run('npm', ['pack', '--silent', '--pack-destination', folder.path], { cwd: ROOT, env });
  const [tarball = ''] = readdirSync(folder.path).filter((name) => name.endsWith('.tgz'));
  await run(
    'npm',
    ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder.path, join(folder.path, tarball)],
    {
      cwd: folder.path,
      env,
    },
  );
}, 240_000);
afterAll(() => folder.remove());

test('holds what a user needs and nothing of the workshop', () => {
  const inside = readdirSync(join(folder.path, 'node_modules', 'magpie-mcp')).sort();
  expect(inside).toEqual(['CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md', 'dist', 'package.json']);
  const cmaps = join(folder.path, 'node_modules/magpie-mcp/dist/src/browse/readers/cmaps');
  expect(readdirSync(cmaps)).toEqual(expect.arrayContaining(['LICENSE', 'UniGB-UCS2-H.bcmap']));
});

test('magpie-mcp with no command speaks MCP over stdio', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const env = { ...environment(home), PATH: path };
  await client.connect(new StdioClientTransport({ command: join(bin, 'magpie-mcp'), env, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
  const { structuredContent } = await client.callTool({ name: 'list', arguments: {} });
  expect(structuredContent).toMatchObject({ status: { status: expect.stringContaining('/search') } });
  await client.close();
});

test('the installed package has its model: a text is found by its meaning', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const env = { ...environment(home), PATH: path };
  await client.connect(new StdioClientTransport({ command: join(bin, 'magpie-mcp'), env, stderr: 'ignore' }));
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent as {
      matches: { metadata: { text: string; pending?: number; model?: string } }[];
    };
  await call('upsert', { q: 'How do I reset my password?' });
  await call('upsert', { q: 'The bakery opens at seven on weekdays.' });
  await expect
    .poll(async () => (await call('metadatakb', { q: '' })).matches[0]?.metadata.pending, { timeout: 60_000 })
    .toBe(0);
  const { matches } = await call('query', { q: 'Steps to recover account access' });
  expect(matches[0]?.metadata.text).toContain('reset my password');
  await client.close();
}, 90_000);

test('the multilingual model is added by one command, and finds a Chinese text', async () => {
  const env = { ...process.env, PATH: path };
  const packed = join(folder.path, 'multilingual');
  mkdirSync(packed);
  await run('npm', ['pack', '--silent', '-w', 'magpie-mcp-multilingual', '--pack-destination', packed], {
    cwd: ROOT,
    env,
  });
  const [tarball = ''] = readdirSync(packed);
  const install = [
    'install',
    '--silent',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder.path,
    join(packed, tarball),
  ];
  await run('npm', install, { cwd: folder.path, env });
  const inside = readdirSync(join(folder.path, 'node_modules', 'magpie-mcp-multilingual')).sort();
  expect(inside).toEqual(['LICENSE', 'README.md', 'model.onnx', 'package.json', 'pieces.bin']);
  const module = join(folder.path, 'node_modules/magpie-mcp/dist/src/knowledge/embedders/multilingual.js');
  const program = `const { createMultilingualEmbedder: create, multilingualInstalled } = await import(${JSON.stringify(pathToFileURL(module).href)});
    const [embedder, { signal }] = [create(), new AbortController()];
    const [question] = await embedder.embed(['How do I reset my password?'], 'query', signal);
    const [near, far] = await embedder.embed(['如何重置忘记的密码', '面包店工作日七点开门'], 'passage', signal);
    const dot = (a) => a.reduce((sum, value, i) => sum + value * question[i], 0);
    process.stdout.write(JSON.stringify([multilingualInstalled(), dot(near), dot(far)]));
    await embedder.close();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: home });
  const [installed, near, far] = JSON.parse(stdout);
  expect(installed).toBe(true);
  expect(near).toBeGreaterThan(far + 0.3);
}, 240_000);

test('without the native runtime a command embeds what it keeps before it ends', async () => {
  rmSync(join(folder.path, 'node_modules', 'onnxruntime-node'), { recursive: true, force: true });
  const env = { ...environment(join(folder.path, 'other-home')), PATH: path };
  const magpie = (...args: string[]) => run(join(bin, 'magpie'), args, { env });
  await magpie('upsert', 'How do I reset my password?');
  const { stdout } = await magpie('metadatakb', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ matches: [{ metadata: { pending: 0 } }] });
  const found = await magpie('query', 'Steps to recover account access', '--json');
  expect(JSON.parse(found.stdout)).toMatchObject({
    matches: [{ metadata: { text: 'How do I reset my password?' } }],
  });
}, 180_000);

test('magpie answers in a terminal', async () => {
  const env = { ...environment(home), PATH: path };
  const { stdout } = await run(join(bin, 'magpie'), ['call', 'help', '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject({
    status: { status: expect.stringContaining('searchAndBrowse') },
  });
  const { stdout: version } = await run(join(bin, 'magpie'), ['--version'], { env });
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("README's stdio snippet works in the MCP inspector's command line", async () => {
  const inspector = join(ROOT, 'node_modules', '.bin', 'mcp-inspector');
  const main = join(ROOT, 'dist', 'src', 'main.js');
  const { stdout, stderr } = await run(
    inspector,
    ['--cli', process.execPath, main, '--method', 'tools/list', '--strict'],
    {
      env: { ...environment(home), PATH: path },
    },
  );
  expect(stdout).toContain('"name": "searchgiant"');
  expect(stderr).not.toMatch(/warning|error/i);
}, 60_000);
