import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findUnsetLocalSearxng } from '../../src/commands/doctor/searxng.ts';
import { searxngStartCommand } from '../../src/commands/parts/searxng.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** `magpie add searxng`, and how `magpie doctor` finds one. */

let folder: ReturnType<typeof temporaryFolder>;
let servers: Server[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
  servers = [];
  folder.remove();
});

const run = (args: readonly string[], more: Record<string, string> = {}) =>
  runMagpie([...args], { ...environment(folder.path), ...more });
const file = () => join(folder.path, 'searxng', 'settings.yml');
const signal = () => new AbortController().signal;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A SearXNG as its source answers: a search without a question is 400 in a format that is on, and 403 in one that is not. */
function searxng(hasJson: boolean, asked: string[] = []): RequestListener {
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s.example');
    asked.push(request.url ?? '');
    if (pathname === '/config') response.end(JSON.stringify({ instance_name: 'SearXNG', engines: [] }));
    else if (searchParams.get('format') !== 'json') response.end('<html></html>');
    else response.writeHead(hasJson ? 400 : 403).end(hasJson ? '{"error":"No query"}' : 'Forbidden');
  };
}

test('the settings are written once, with JSON enabled and a secret, and the start command is shown', async () => {
  const { code, stdout } = await run(['add', 'searxng']);
  expect(code).toBe(0);
  expect(stdout).toContain(`The settings are written: ${file()}`);
  expect(stdout).toContain(
    `docker run -d --name magpie-searxng --restart unless-stopped -p 127.0.0.1:8888:8080 -v '${folder.path}/searxng:/etc/searxng:ro,Z' docker.io/searxng/searxng:latest`,
  );
  expect(stdout).toContain('MAGPIE_SEARXNG_URL=http://127.0.0.1:8888');
  const text = readFileSync(file(), 'utf8');
  const settings = parse(text);
  expect(settings).toMatchObject({
    use_default_settings: true,
    server: {
      secret_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      bind_address: '127.0.0.1',
      limiter: false,
    },
    search: { formats: ['html', 'json'] },
  });
  // The same as the file of deploy/, which takes its secret from the environment.
  expect(settings).toMatchObject(parse(readFileSync('deploy/compose/searxng/settings.yml', 'utf8')));
  expect(statSync(file()).mode & 0o777).toBe(0o644);

  const again = JSON.parse((await run(['add', 'searxng', '--json'])).stdout);
  expect(again).toEqual({
    ...{ part: 'searxng', file: file(), state: 'unchanged', hasJson: true },
    command: expect.stringContaining('docker run'),
    setting: 'MAGPIE_SEARXNG_URL=http://127.0.0.1:8888',
  });
  expect(readFileSync(file(), 'utf8')).toBe(text);
  const listed = JSON.parse((await run(['add', '--json'])).stdout);
  expect(listed).toContainEqual(expect.objectContaining({ part: 'searxng', installed: true }));
});

test('changed settings are kept, and replaced on request with a copy of the old ones', async () => {
  await run(['add', 'searxng']);
  const changed = 'use_default_settings: true\nsearch:\n  formats: [html]\n';
  writeFileSync(file(), changed);
  chmodSync(file(), 0o640);
  const kept = await run(['add', 'searxng']);
  expect(kept.code).toBe(3);
  expect(kept.stdout).toContain('You have changed the settings, and they are left as they are');
  expect(kept.stdout).toContain('add json under search: formats:');
  expect(readFileSync(file(), 'utf8')).toBe(changed);
  expect((await run(['add', 'searxng', '--remove'])).code).toBe(3);
  expect(readFileSync(file(), 'utf8')).toBe(changed);

  const { state, backup } = JSON.parse((await run(['add', 'searxng', '--replace', '--json'])).stdout);
  expect(state).toBe('replaced');
  expect(readFileSync(backup, 'utf8')).toBe(changed);
  expect(parse(readFileSync(file(), 'utf8')).search.formats).toEqual(['html', 'json']);

  writeFileSync(file(), 'search:\n  formats: [html, json]\nengines: []\n');
  const own = await run(['add', 'searxng']);
  expect([own.code, own.stdout]).toEqual([0, expect.not.stringContaining('JSON is off')]);
  writeFileSync(file(), ': no yaml: [');
  expect((await run(['add', 'searxng', '--json'])).code).toBe(3);
});

test('the settings can be written to another folder, and removed', async () => {
  const to = join(folder.path, "Ada's folder");
  const { stdout } = await run(['add', 'searxng', '--to', to]);
  expect(stdout).toContain(`-v '${folder.path}/Ada'\\''s folder:/etc/searxng:ro,Z'`);
  expect(readdirSync(to)).toEqual(['settings.yml']);
  const gone = await run(['add', 'searxng', '--to', to, '--remove']);
  expect([gone.code, gone.stdout]).toEqual([0, expect.stringContaining('docker rm --force magpie-searxng')]);
  expect(existsSync(to)).toBe(false);

  expect((await run(['add', 'searxng', '--to', join(folder.path, 'a:b')])).stderr).toContain(
    'a colon in its path',
  );
  expect((await run(['add', 'native', '--to', to])).stderr).toContain(
    '--to and --replace are for searxng alone',
  );
  expect(searxngStartCommand('C:\\Data\\searxng', 'win32')).toContain(
    '-v "C:\\Data\\searxng:/etc/searxng:ro,Z"',
  );
});

test('a running SearXNG is found without a search, with JSON enabled or disabled', async () => {
  const asked: string[] = [];
  const other = await serve((_, response) => response.end('{"engines": "none"}'));
  const on = await serve(searxng(true, asked));
  const off = await serve(searxng(false));
  const closed = 'http://127.0.0.1:1';
  expect(await findUnsetLocalSearxng([closed, other, on], signal())).toEqual({
    ...{ state: 'note', says: `a SearXNG runs at ${on} and is not asked` },
    mend: `set MAGPIE_SEARXNG_URL=${on}`,
  });
  expect(asked).toEqual(['/config', '/search?format=json']);
  expect(await findUnsetLocalSearxng([off], signal())).toMatchObject({
    says: `a SearXNG runs at ${off} and is not asked: it refuses answers in JSON`,
    mend: expect.stringMatching(/^add json under search: formats: .*; then set MAGPIE_SEARXNG_URL=/),
  });
  expect(await findUnsetLocalSearxng([other, closed], signal())).toMatchObject({
    ...{ state: 'left', mend: 'magpie add searxng' },
  });
});

test('doctor reports how the configured SearXNG answers', async () => {
  const finding = async (url: string) => {
    const { stdout } = await run(['doctor', '--json'], {
      MAGPIE_SEARXNG_URL: url,
      MAGPIE_ENGINES: 'searxng,local',
    });
    return JSON.parse(stdout).findings.find(({ what }: { what: string }) => what === 'searxng');
  };
  const on = await serve(searxng(true));
  expect(await finding(on)).toMatchObject({ state: 'good', says: `the SearXNG at ${on} answers` });
  const off = await serve(searxng(false));
  expect(await finding(off)).toMatchObject({
    state: 'problem',
    says: `the SearXNG at ${off} refuses answers in JSON, which Magpie reads`,
  });
  expect(await finding('http://127.0.0.1:1')).toMatchObject({
    ...{
      state: 'problem',
      says: 'no SearXNG answers at http://127.0.0.1:1, the address in MAGPIE_SEARXNG_URL',
    },
  });
});
