import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

const folder = temporaryFolder();
let web: TestWeb;
let env: Record<string, string>;
beforeAll(async () => {
  web = await startWeb();
  env = { ...environment(folder.path, web), ...(await withoutModel()) };
});
afterAll(async () => {
  await web.close();
  folder.remove();
});

test('search accepts words and prints text for people', async () => {
  const { code, stdout, stderr } = await runMagpie(['search', 'magpie', 'nests'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^=== result 1 of \d+: Magpies and the mirror ===$/m);
  expect(stdout).toContain(`${web.url}/page/magpie-mirror`);
  expect(web.asked).toContain('/search?q=magpie+nests&format=json');
});

test('call and --json print the answer of REST', async () => {
  const args = [
    'call',
    'browse',
    '--q',
    `${web.url}/page/magpie-food`,
    '--percentile',
    '1',
    '--numofpages',
    '1',
    '--json',
  ];
  const { code, stdout } = await runMagpie(args, env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ results: [{ title: 'What magpies eat', part: 1 }] });
});

test('flags before and after the command are settings', async () => {
  const { code, stderr } = await runMagpie(
    ['--engines', 'searxng', 'search', 'x', '--searxng-url', 'http://127.0.0.1:9'],
    env,
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^magpie: failed to fetch search results: searxng: 127.0.0.1:9 refuses the connection/,
  );
});

test.each([
  [['nonsense'], 'there is no command "nonsense"; magpie --help lists what there is'],
  [['call'], 'call takes an operation'],
  [['call', 'nonsense'], 'there is no operation "nonsense"; this server has search'],
  [['search'], 'no query was provided'],
  [['search', 'x', '--percentile', '500'], 'percentile is "500": it takes a whole number from 1 to 100'],
  [['search', 'x', '--nonsense'], "unknown option '--nonsense'"],
  [['browse', 'https://a.example', 'b'], 'browse takes one address, and got 2 words'],
  [['serve', '--allow-hosts', 'http://a.example'], '--allow-hosts is "http://a.example": it takes hosts'],
  [['serve', '--port', 'x'], '--port is "x": it takes a whole number'],
  [['serve', '--host', '0.0.0.0'], 'MAGPIE_HOST is "0.0.0.0"'],
  [['serve', '--engines', 'altavista'], '(MAGPIE_ENGINES) names "altavista": it takes searxng, '],
])('%j', async (args, message) => {
  const { code, stdout, stderr } = await runMagpie(args, env);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('boolean flags accept their value in every form', async () => {
  for (const flag of [['--no-local-index'], ['--local-index', 'false'], ['--local-index=false']]) {
    const { code, stderr } = await runMagpie(['ultrafastsearch', 'x', '--engines', 'local', ...flag], env);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('needs MAGPIE_LOCAL_INDEX'),
    });
  }
});

test('help, help of a command, and the version are printed', async () => {
  expect((await runMagpie(['--version'], env)).stdout).toBe(`${VERSION}\n`);
  expect(await runMagpie(['version'], env)).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  expect(JSON.parse((await runMagpie(['version', '--json'], env)).stdout)).toEqual({ version: VERSION });
  const { stdout } = await runMagpie(['--help'], env);
  expect(stdout).toContain('magpie serve');
  expect(stdout).not.toContain('--allow-hosts');
  expect((await runMagpie(['help', 'settings'], env)).stdout).toContain('--allow-hosts');
  const own = (await runMagpie(['browse', '--help'], env)).stdout;
  expect(own).toContain('magpie browse <q> [flags]');
  expect(own).toContain('--percentile         a whole number from 1 to 100, 1 when left out. 1 keeps all');
});

test('--read-only and --toolsets leave operations out', async () => {
  const { stdout } = await runMagpie(['call', 'list', '--read-only'], env);
  expect(stdout).toContain('/search');
});
