import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flagOf, getSettingOrigins, loadConfig, secretsOf } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

const folder = temporaryFolder();
const data = join(folder.path, 'data');
beforeAll(() => {
  mkdirSync(data);
  writeFileSync(
    join(data, 'settings.json'),
    JSON.stringify({ port: 1111, engines: ['wikipedia'], user: 'filed' }),
  );
});
afterAll(() => folder.remove());

test('a flag wins over the environment, the environment over the file, the file over the default', () => {
  const env = { MAGPIE_DATA: data, MAGPIE_PORT: '2222' };
  expect(loadConfig({ port: '3333' }, env).port).toBe(3333);
  expect(loadConfig({}, env).port).toBe(2222);
  expect(loadConfig({}, { MAGPIE_DATA: data }).port).toBe(1111);
  expect(loadConfig({}, { MAGPIE_DATA: folder.path }).port).toBe(8787);
  expect(loadConfig({}, { MAGPIE_DATA: data })).toMatchObject({
    engines: ['wikipedia'],
    user: 'filed',
    data,
  });
});

test('an empty variable counts as not set, lists are split at commas, booleans read', () => {
  const config = loadConfig(
    {},
    {
      HOME: folder.path,
      MAGPIE_PORT: '',
      MAGPIE_ALLOW_HOSTS: ' a.example, 10.0.0.0/8 ,',
      MAGPIE_READ_ONLY: 'false',
    },
  );
  expect(config).toMatchObject({ port: 8787, allowHosts: ['a.example', '10.0.0.0/8'], readOnly: false });
});

const unfilled = (name: string) => ['$', `{${name}}`].join('');

test('`~` at the beginning of a path is the home folder, which no shell puts there in settings of a client', () => {
  const env = {
    HOME: folder.path,
    MAGPIE_DATA: '~/data',
    MAGPIE_SCAN_ROOTS: '~/a, ~, /b~',
    MAGPIE_EMBEDDER: 'file:~/model',
  };
  expect(loadConfig({}, env)).toMatchObject({
    data,
    port: 1111,
    scanRoots: [join(folder.path, 'a'), folder.path, '/b~'],
    embedder: `file:${join(folder.path, 'model')}`,
  });
  expect(loadConfig({ config: '~/data/settings.json', data: '~' }, { HOME: folder.path })).toMatchObject({
    data: folder.path,
    port: 1111,
  });
  expect(loadConfig({}, { HOME: folder.path, MAGPIE_DATA: '~other/data' }).data).toBe(resolve('~other/data'));
});

test('a place holder that a client did not fill in counts as not set', () => {
  const config = loadConfig(
    { port: unfilled('input:port') },
    {
      HOME: folder.path,
      MAGPIE_SEARXNG_URL: unfilled('user_config.searxng_url'),
      MAGPIE_SCAN_ROOTS: unfilled('user_config.scan_roots'),
      MAGPIE_READ_ONLY: ` ${unfilled('env:READ_ONLY')} `,
      TAVILY_API_KEY: unfilled('TAVILY_API_KEY'),
    },
  );
  expect(config).toMatchObject({ port: 8787, readOnly: false });
  expect([config.searxngUrl, config.tavilyKey, getSettingOrigins(config)]).toEqual([
    undefined,
    undefined,
    {},
  ]);
});

test.each([
  [{ MAGPIE_PORT: 'abc' }, 'MAGPIE_PORT is "abc": it takes a whole number from 0 to 65535'],
  [{ MAGPIE_PORT: '70000' }, 'MAGPIE_PORT is "70000": it takes a whole number from 0 to 65535'],
  [{ MAGPIE_READ_ONLY: 'perhaps' }, 'MAGPIE_READ_ONLY is "perhaps": it takes true or false'],
  [{ MAGPIE_TOOLSETS: 'web,all' }, 'MAGPIE_TOOLSETS is "web,all": it takes names out of web'],
  [{ MAGPIE_SEARXNG_URL: 'ftp://x' }, 'MAGPIE_SEARXNG_URL is "ftp://x": it takes an http or https URL'],
  [{ MAGPIE_CONFIG: '/nowhere/settings.json' }, 'the settings file /nowhere/settings.json cannot be read'],
])('%o stops the start', (env, message) => {
  expect(() => loadConfig({}, { HOME: folder.path, ...env })).toThrow(message);
});

test('a settings file that is broken or has an unknown key is refused by name', () => {
  const path = join(folder.path, 'other.json');
  writeFileSync(path, '{"prot": 1}');
  expect(() => loadConfig({ config: path }, {})).toThrow(
    `${path} has an unknown setting "prot" (did you mean port?); magpie help settings lists all`,
  );
  writeFileSync(path, '{');
  expect(() => loadConfig({ config: path }, {})).toThrow(`the settings file ${path} is not usable`);
  writeFileSync(path, '[1]');
  expect(() => loadConfig({ config: path }, {})).toThrow('something other than a JSON object');
  writeFileSync(path, '{"port": "no"}');
  expect(() => loadConfig({ config: path }, {})).toThrow(`port in ${path} is "no"`);
});

test('every setting has its own variable, flag and line', () => {
  const variables = Object.values(SETTINGS).map(({ env }) => env);
  expect(new Set(variables).size).toBe(variables.length);
  for (const [name, { env, about, ...rest }] of Object.entries(SETTINGS)) {
    // Keys, and what goes with them, keep the names that their services give them.
    if (!('secret' in rest) && !/^(?:OPENAI|AWS)_/.test(env) && env !== 'DATABASE_URL')
      expect(env).toBe(`MAGPIE_${flagOf(name).replaceAll('-', '_').toUpperCase()}`);
    expect(about).toMatch(/\.$|`\.?$/);
  }
});

test('a key is never shown, neither by a wrong value nor by a broken settings file', () => {
  const marked = 'tvly-marked-secret';
  const path = join(folder.path, 'secret.json');
  for (const text of [
    `{"tavilyKey": ${marked}}`,
    `{"tavilyKey": "${marked}"`,
    `{"tavilyKey": ["${marked}"]}`,
  ]) {
    writeFileSync(path, text);
    const message = messageOf(() => loadConfig({ config: path }, {}));
    expect(message).toContain(path);
    expect(message).not.toContain(marked);
  }
  expect(messageOf(() => loadConfig({}, { TAVILY_API_KEY: marked.repeat(100) }))).not.toContain(marked);
});

test.each([
  'postgres://ada:12/marked-secret@db.example/magpie',
  'postgres://ada:12#marked-secret@db.example/magpie',
  'postgres://ada:12?marked-secret@db.example/magpie',
  'postgres://ada:12?secret=marked@db.example/magpie',
  'postgres://ada:x#marked-secret@db.example/magpie',
  'postgres://ada:12@/marked-secret@db.example/magpie',
  'postgres://ada:marked-secret@one:5432,two:5432/magpie',
  'mysql://ada:x/marked-secret@db.example/magpie',
])('an address of a database that cannot be used is refused, and not shown: %s', (address) => {
  const message = messageOf(() => loadConfig({}, { DATABASE_URL: address }));
  expect(message).toContain('DATABASE_URL is not usable: it takes sqlite: or postgres://');
  expect(message).not.toContain('secret');
});

test('an address without a host is taken where a parameter names one', () => {
  const at = (address: string) => loadConfig({}, { DATABASE_URL: address }).database;
  expect(at('postgresql:///kb?host=/var/run/postgresql')).toBe(
    'postgresql://localhost/kb?host=/var/run/postgresql',
  );
  expect(at('postgres://ada:x@/kb?host=/cloudsql/p:r:i')).toBe(
    'postgres://ada:x@localhost/kb?host=/cloudsql/p:r:i',
  );
  expect(() => at('postgres:///kb')).toThrow('DATABASE_URL is not usable');
});

test('the password of the database is masked in logs', () => {
  const usable = 'postgres://ada:marked%2Fsecret@db.example:5432/magpie?sslmode=require';
  const config = loadConfig({}, { DATABASE_URL: usable });
  expect(config.database).toBe(usable);
  expect(secretsOf(config)).toContain('marked/secret');
  expect(secretsOf(loadConfig({}, {})).join()).not.toContain('sqlite');
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
}
