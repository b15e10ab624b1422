import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
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
/** What npm has said at the installation. */
let installed: { readonly stdout: string; readonly stderr: string };

beforeAll(async () => {
  mkdirSync(home);
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: path };
  // npm hands on this project's own setting to what it runs, and warns of it as unknown; no user has it.
  delete env.npm_config_onnxruntime_node_install;
  await run('npm', ['pack', '--silent', '--pack-destination', folder.path], { cwd: ROOT, env });
  const [tarball = ''] = readdirSync(folder.path).filter((name) => name.endsWith('.tgz'));
  const install = ['install', '--loglevel=warn', '--no-audit', '--no-fund', '--prefix', folder.path];
  installed = await run('npm', [...install, join(folder.path, tarball)], { cwd: folder.path, env });
}, 600_000);
afterAll(() => folder.remove());

test('npm warns of nothing when it is installed', () => {
  expect(installed.stderr).not.toMatch(/warn/i);
});

test('holds what a user needs and nothing of the workshop', () => {
  const inside = readdirSync(join(folder.path, 'node_modules', 'magpie-mcp')).sort();
  expect(inside).toEqual(['CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md', 'dist', 'man', 'package.json']);
  const cmaps = join(folder.path, 'node_modules/magpie-mcp/dist/src/browse/readers/cmaps');
  expect(readdirSync(cmaps)).toEqual(expect.arrayContaining(['LICENSE', 'UniGB-UCS2-H.bcmap']));
  const content = 'browse/readers/html/content/model.bin';
  expect(readFileSync(join(folder.path, 'node_modules/magpie-mcp/dist/src', content))).toEqual(
    readFileSync(join(ROOT, 'src', content)),
  );
  for (const tables of ['compliance/mappings', 'compliance/catalogues/controls']) {
    const shipped = readdirSync(join(folder.path, 'node_modules/magpie-mcp/dist/src', tables));
    expect(shipped).toEqual(readdirSync(join(ROOT, 'src', tables)));
  }
  // Written by hand, and what the scanner loads of them.
  const rules = readdirSync(
    join(folder.path, 'node_modules/magpie-mcp/dist/src/security/scanners/source/rules'),
  );
  expect(rules).toEqual(
    expect.arrayContaining(['sql-injection.yaml', 'languages', 'rules.json', 'catalogue.json']),
  );
  expect(rules.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
});

test('it is one package of less than 100 MB, with the files of others that are used', () => {
  const modules = join(folder.path, 'node_modules');
  expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['magpie-mcp']);
  const copied = join(modules, 'magpie-mcp/dist/src/knowledge/embedders/onnxruntime-web');
  expect(readdirSync(copied).sort()).toEqual([
    'ort-wasm-simd-threaded.mjs',
    'ort-wasm-simd-threaded.wasm',
    'ort.node.min.mjs',
  ]);
  const bytes = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  expect(bytes).toBeLessThan(100e6);
});

test('magpie-mcp with no command speaks MCP over stdio', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const env = { ...environment(home), PATH: path };
  await client.connect(new StdioClientTransport({ command: join(bin, 'magpie-mcp'), env, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
  const { structuredContent } = await client.callTool({ name: 'list', arguments: {} });
  expect(structuredContent).toMatchObject({ status: { status: expect.stringContaining('/search') } });
  // The script of a view is made of functions as they stand in the bundle.
  for (const uri of ['monitors', 'findings', 'compliance'].map((view) => `ui://magpie/${view}`)) {
    const { contents } = await client.readResource({ uri });
    const [content] = contents as { text?: string }[];
    const [, source = ''] = /<script type="module">([\s\S]*)<\/script>/.exec(content?.text ?? '') ?? [];
    const defined = [...source.matchAll(/function ([\w$]+)/g)].map(([, name]) => name);
    const [, begin = '', draw = ''] =
      /^([\w$]+)\(.*, ([\w$]+)\);$/m.exec(source.trim().split('\n').at(-1) ?? '') ?? [];
    expect(defined, uri).toEqual(expect.arrayContaining([begin, draw, 'make']));
    expect(() => new Script(source), uri).not.toThrow();
  }
  await client.close();
});

interface Body {
  readonly advice?: string;
  readonly matches: readonly {
    readonly metadata: { readonly text: string; readonly pending?: number; readonly advice?: string };
  }[];
}

/** Runs the installed program over stdio with data of its own. */
async function withMagpie(
  name: string,
  embedder: string,
  use: (call: (operation: string, args: Record<string, unknown>) => Promise<Body>) => Promise<void>,
): Promise<void> {
  const client = new Client({ name: 'test', version: '1' });
  const env = { ...environment(join(folder.path, name)), PATH: path, MAGPIE_EMBEDDER: embedder };
  await client.connect(new StdioClientTransport({ command: join(bin, 'magpie-mcp'), env, stderr: 'ignore' }));
  try {
    await use(async (operation, args) => {
      const { structuredContent } = await client.callTool({ name: operation, arguments: args });
      return structuredContent as unknown as Body;
    });
  } finally {
    await client.close();
  }
}

const waiting = (call: (operation: string, args: Record<string, unknown>) => Promise<Body>) => async () =>
  (await call('metadatakb', { q: '' })).matches[0]?.metadata.pending;

test('the installed package has its model: a text is found by its meaning', async () => {
  await withMagpie('english-home', 'auto', async (call) => {
    await call('upsert', { q: 'How do I reset my password?' });
    await call('upsert', { q: 'The bakery opens at seven on weekdays.' });
    await expect.poll(waiting(call), { timeout: 60_000 }).toBe(0);
    const { matches, advice } = await call('query', { q: 'Steps to recover account access' });
    expect(matches[0]?.metadata.text).toContain('reset my password');
    expect(advice).toBeUndefined();
  });
});

const PASSWORD = '如何重置忘记的密码';
const BAKERY = '面包店工作日七点开门';

test('without the multilingual model texts are kept, and answers say in plain words what to install', async () => {
  const command = '`magpie add multilingual`';
  for (const [embedder, what] of [
    ['auto', 'the model in use reads English only'],
    ['multilingual', 'The multilingual model was chosen (MAGPIE_EMBEDDER) and is not installed'],
  ] as const) {
    await withMagpie('chinese-home', embedder, async (call) => {
      await call('upsert', { q: PASSWORD });
      await call('upsert', { q: BAKERY });
      const { matches, advice } = await call('query', { q: '忘记的密码' });
      expect(matches[0]?.metadata.text).toBe(PASSWORD);
      expect(advice).toContain(what);
      expect(advice).toContain(command);
      const stats = await call('metadatakb', { q: '' });
      expect(stats.matches[0]?.metadata.advice).toContain(command);
    });
    const env = { ...environment(join(folder.path, 'chinese-home')), PATH: path, MAGPIE_EMBEDDER: embedder };
    const { stdout, stderr } = await run(join(bin, 'magpie'), ['kb', 'check'], { env });
    expect(`${stdout}${stderr}`).toContain(command);
  }
});

test('the multilingual model is added by one command, takes over, and an English question finds a Chinese text', async () => {
  const env = { ...process.env, PATH: path };
  const packed = join(folder.path, 'multilingual');
  mkdirSync(packed);
  const pack = ['pack', '--silent', '-w', 'magpie-mcp-multilingual', '--pack-destination', packed];
  await run('npm', pack, { cwd: ROOT, env });
  const [tarball = ''] = readdirSync(packed);
  const install = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder.path];
  await run('npm', [...install, join(packed, tarball)], { cwd: folder.path, env });
  const inside = readdirSync(join(folder.path, 'node_modules', 'magpie-mcp-multilingual')).sort();
  expect(inside).toEqual(['LICENSE', 'README.md', 'model.onnx', 'package.json', 'pieces.bin']);
  for (const embedder of ['auto', 'multilingual']) {
    await withMagpie('chinese-home', embedder, async (call) => {
      await expect.poll(waiting(call), { timeout: 60_000 }).toBe(0);
      const { matches, advice } = await call('query', { q: 'I cannot log in any more' });
      expect(matches.map(({ metadata }) => metadata.text)).toEqual([PASSWORD, BAKERY]);
      expect(advice).toBeUndefined();
    });
  }
});

test('every package that is shipped within it is there with its terms', () => {
  const dist = join(folder.path, 'node_modules/magpie-mcp/dist');
  const shipped = JSON.parse(readFileSync(join(dist, 'packages.json'), 'utf8')) as { name: string }[];
  expect(shipped.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['zod', 'undici', 'pdfkit', 'pino']),
  );
  const terms = readFileSync(join(dist, 'THIRD-PARTY.txt'), 'utf8');
  for (const { name } of shipped) expect(terms).toContain(`\n\n${name} `);
});

/** The Node.js of a version: this one, or from npm. */
async function nodeOf(version: string): Promise<string> {
  if (process.version.startsWith(`v${version}.`)) return process.execPath;
  const place = join(folder.path, `node-${version}`);
  mkdirSync(place);
  const install = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', place, `node@${version}`];
  await run('npm', install, { cwd: place, env: { ...process.env, PATH: path } });
  return join(place, 'node_modules/node/bin/node');
}

test.each(['22.19.0', '24', '26'])(
  'on Node.js %s the tour goes through, and nothing is warned of',
  async (version) => {
    const node = await nodeOf(version);
    const main = join(folder.path, 'node_modules/magpie-mcp/dist/src/main.js');
    const env = { PATH: path, HOME: join(folder.path, `home-${version}`), NO_COLOR: '1' };
    const { stdout, stderr } = await run(node, [main, 'tour'], { env, maxBuffer: 16e6 });
    expect(stdout).toContain('That was all of it');
    expect(stderr).not.toMatch(/warning/i);
  },
);

test('the native runtime is added by one command, and taken away by another', async () => {
  // npm's own settings say where packages come from.
  const { HOME, ...own } = environment(join(folder.path, 'native-home'));
  const env = { ...process.env, ...own, PATH: path };
  const magpie = async (...args: string[]) => (await run(join(bin, 'magpie'), args, { env })).stdout;
  const there = async () =>
    JSON.parse(await magpie('add', '--json')).find(({ part }: { part: string }) => part === 'native')
      .installed;
  expect(await there()).toBe(false);
  expect(await magpie('add', 'native')).toContain('the next start of Magpie uses it');
  expect(await there()).toBe(true);
  await magpie('upsert', 'How do I reset my password?');
  expect(await magpie('query', 'Steps to recover account access')).toContain('reset my password');
  await magpie('add', 'native', '--remove');
  expect(await there()).toBe(false);
});

test('without the native runtime a command embeds what it keeps before it ends', async () => {
  const env = { ...environment(join(folder.path, 'other-home')), PATH: path };
  const magpie = (...args: string[]) => run(join(bin, 'magpie'), args, { env });
  await magpie('upsert', 'How do I reset my password?');
  const { stdout } = await magpie('metadatakb', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ matches: [{ metadata: { pending: 0 } }] });
  const found = await magpie('query', 'Steps to recover account access', '--json');
  expect(JSON.parse(found.stdout)).toMatchObject({
    matches: [{ metadata: { text: 'How do I reset my password?' } }],
  });
});

test('a scanned page is read by OCR', async () => {
  const env = { ...environment(join(folder.path, 'scans-home')), PATH: path, MAGPIE_OCR: 'eng' };
  const magpie = (...args: string[]) => run(join(bin, 'magpie'), args, { env });
  await magpie('upload', join(ROOT, 'test/fixtures/scans/page-1.jpg'));
  const { stdout } = await magpie(
    'document',
    'when does the miller work',
    '--fileName',
    'page-1.jpg',
    '--partId',
    '1',
  );
  expect(stdout).toContain('The miller works by the moon');
});

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
});
