import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../tools/index.ts';
import { environment, temporaryFolder } from '../helpers/magpie.ts';

/** The files of a release, made by the script that makes them; and the tarball of it, installed in an empty folder, and driven from there. */

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = temporaryFolder();
const clone = join(folder.path, 'clone');
const out = join(folder.path, 'out');
const home = join(folder.path, 'home');
const bin = join(folder.path, 'node_modules', '.bin');
// npm, found beside the Node.js that runs this or on the path; the packed program itself runs under this one.
const path = `${dirname(process.execPath)}:${process.env.PATH}`;
/** npm packs some 200 MB here, which nobody sends anywhere. */
const QUICK_GZIP = {
  ...process.env,
  PATH: path,
  NODE_OPTIONS: `--import=${new URL('../helpers/quick-gzip.mjs', import.meta.url).href}`,
};
const release = (...args: string[]) =>
  run(process.execPath, ['deploy/release/main.ts', '--out', out, ...args], { cwd: clone, env: QUICK_GZIP });
const fileOf = (ending: string) => join(out, readdirSync(out).find((name) => name.endsWith(ending)) ?? '');
/** What npm has said at the installation. */
let installed: { readonly stdout: string; readonly stderr: string };

beforeAll(async () => {
  mkdirSync(home);
  await cloneAsItStands();
  await release();
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: path };
  // npm hands on this project's own setting to what it runs, and warns of it as unknown; no user has it.
  delete env.npm_config_onnxruntime_node_install;
  const install = ['install', '--loglevel=warn', '--no-audit', '--no-fund', '--prefix', folder.path];
  installed = await run('npm', [...install, fileOf('.tgz')], { cwd: folder.path, env });
});
afterAll(() => folder.remove());

/** A release is made of a commit: what is not committed yet is, in the clone. */
async function cloneAsItStands(): Promise<void> {
  await run('git', ['clone', '--quiet', ROOT, clone]);
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  appendFileSync(join(clone, '.git/info/exclude'), '\nnode_modules\n');
  const differing = ['ls-files', '-z', '--modified', '--others', '--exclude-standard'];
  const { stdout } = await run('git', differing, { cwd: ROOT });
  const changed = stdout.split('\0').filter(Boolean);
  for (const name of changed) {
    if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(clone, name));
    else rmSync(join(clone, name), { force: true });
  }
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  await run('git', ['add', '--all'], { cwd: clone });
  await run('git', [...author, 'commit', '--quiet', '--allow-empty', '--message=as it stands'], {
    cwd: clone,
  });
}

test('the installation shows no npm warnings', () => {
  expect(installed.stderr).not.toMatch(/warn/i);
});

test('the package has the files that a user needs and no development files', () => {
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
    const data = readdirSync(join(ROOT, 'src', tables)).filter((name) => !name.endsWith('.ts'));
    expect(shipped).toEqual(data);
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

test('the package is smaller than 100 MB and includes the third-party files that it uses', () => {
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
    expect(defined, uri).toEqual(expect.arrayContaining([begin, draw, 'markup']));
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

test('the installed package includes its model: a text is found by its meaning', async () => {
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

test('without the multilingual model texts are stored, and answers say in plain words what to install', async () => {
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

test('one command adds the multilingual model, which is then used, and an English question finds a Chinese text', async () => {
  const env = { ...process.env, PATH: path };
  const packed = join(folder.path, 'multilingual');
  mkdirSync(packed);
  const pack = ['pack', '--silent', '-w', 'magpie-mcp-multilingual', '--pack-destination', packed];
  await run('npm', pack, { cwd: ROOT, env: QUICK_GZIP });
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

test('every bundled package is included with its license terms', () => {
  const dist = join(folder.path, 'node_modules/magpie-mcp/dist');
  const shipped = JSON.parse(readFileSync(join(dist, 'packages.json'), 'utf8')) as { name: string }[];
  expect(shipped.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['zod', 'undici', 'pdfkit', 'pino']),
  );
  const terms = readFileSync(join(dist, 'THIRD-PARTY.txt'), 'utf8');
  for (const { name } of shipped) expect(terms).toContain(`\n\n${name} `);
});

/** The Node.js of a version, from npm. */
async function nodeOf(version: string): Promise<string> {
  const place = join(folder.path, `node-${version}`);
  mkdirSync(place);
  const install = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', place, `node@${version}`];
  await run('npm', install, { cwd: place, env: { ...process.env, PATH: path } });
  return join(place, 'node_modules/node/bin/node');
}

// The one between them runs all else here, and test/real/tour.test.ts.
test.each(['22.19.0', '26'])('on Node.js %s the tour completes without warnings', async (version) => {
  const node = await nodeOf(version);
  const main = join(folder.path, 'node_modules/magpie-mcp/dist/src/main.js');
  const env = { PATH: path, HOME: join(folder.path, `home-${version}`), NO_COLOR: '1' };
  const { stdout, stderr } = await run(node, [main, 'tour'], { env, maxBuffer: 16e6 });
  expect(stdout).toContain('That was all of it');
  expect(stderr).not.toMatch(/warning/i);
});

test('one command adds the native runtime, and another removes it', async () => {
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

test('without the native runtime a command embeds its entries before it ends', async () => {
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

test('magpie answers commands in a terminal', async () => {
  const env = { ...environment(home), PATH: path };
  const { stdout, stderr } = await run(join(bin, 'magpie'), ['call', 'help', '--json'], { env });
  expect(stderr).not.toMatch(/warning/i);
  expect(JSON.parse(stdout)).toMatchObject({
    status: { status: expect.stringContaining('searchAndBrowse') },
  });
  const { stdout: version } = await run(join(bin, 'magpie'), ['--version'], { env });
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('the stdio snippet of the README works in the command line of the MCP inspector', async () => {
  const inspector = join(ROOT, 'node_modules', '.bin', 'mcp-inspector');
  const main = join(clone, 'dist', 'src', 'main.js');
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

describe('a release', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

  test('the checksums match the files', async () => {
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out });
    const summed = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    expect(summed).toHaveLength(readdirSync(out).length - 1);
  });

  test('the bill of materials names the packages that a user installs, and no development packages', () => {
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

  test('the bundle starts as its manifest says, with an empty form', async () => {
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
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: server.mcp_config.args.map(fill),
        env: { ...environment(join(folder.path, 'bundle-home')), MAGPIE_ENGINES: 'local', ...env },
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

  test('a second release does not overwrite the first, and uncommitted changes are not released', async () => {
    await expect(release()).rejects.toMatchObject({ stderr: expect.stringContaining('is not empty') });
    await expect(release('--tag')).rejects.toMatchObject({
      stderr: expect.stringContaining('CHANGELOG.md has no section'),
    });
    appendFileSync(join(clone, 'README.md'), 'more\n');
    await expect(release()).rejects.toMatchObject({ stderr: expect.stringContaining('not committed') });
  });
});
