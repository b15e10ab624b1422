import { expect, test } from 'vitest';
import { fileScanners } from '../../src/security/scanners/list.ts';
import { SECRET_RULES, TOKEN_RULES } from '../../src/security/scanners/secrets/token-rules.ts';
import { createSecretsScanner } from '../../src/security/scanners/secrets.ts';

/** A file in which something is found, and one of the same path in which nothing is. Both are made here, see token-samples.ts. */
interface Sample {
  readonly path: string;
  readonly found: string;
  readonly not: string;
}

const RANDOM = ['q7Zr2', 'LmX9v', 'Tb4Ks', '8wYpD', '3hNc'].join('');
const CHOSEN = ['blue', 'Ostrich', '77'].join('');
const HEX = `${'3f'.repeat(4)}a09c4b17d2e85f60b3d1c7e4`;

/** By the rule's id; rules of token forms have theirs in token-samples.ts. */
const SECRET_SAMPLES: Readonly<Record<string, Sample>> = {
  'secrets/password': { path: '.env', found: `DB_PASSWORD=${CHOSEN}`, not: 'DB_PASSWORD=$SHOP_DB_PASSWORD' },
  'secrets/random-password': { path: '.env', found: `DB_PASSWORD=${RANDOM}`, not: 'DB_PASSWORD=xxxxxxxx' },
  'secrets/assigned-secret': { path: '.env', found: `API_KEY=${RANDOM}`, not: 'API_KEY=your-api-key-here' },
  'secrets/url-login': {
    path: 'app.yml',
    found: `uri: "mongodb://ada:${CHOSEN}@data.acme.dev:27017/main"`,
    not: 'uri: "mongodb://data.acme.dev:27017/main"',
  },
  'secrets/connection-login': {
    path: 'appsettings.json',
    found: `"Shop": "Server=data.acme.dev;User Id=ada;Password=${CHOSEN};"`,
    not: '"Shop": "Server=data.acme.dev;User Id=ada;Password={0};"',
  },
  'secrets/service-key': {
    path: 'notes.txt',
    found: `ALGOLIA_ADMIN=${HEX}`,
    not: `ALGOLIA_ADMIN=${HEX.slice(4)}`,
  },
  'secrets/command-login': {
    path: 'run.sh',
    found: `curl -u ada:${CHOSEN} https://files.acme.dev`,
    not: 'curl -u "ada:$FILES" https://files.acme.dev',
  },
  'secrets/nuget-password': {
    path: 'nuget.config',
    found: `<add key="ClearTextPassword" value="${CHOSEN}" />`,
    not: '<add key="ClearTextPassword" value="%FEED_PASSWORD%" />',
  },
  'secrets/pgpass': {
    path: 'db/.pgpass',
    found: `localhost:5432:shop:ada:${CHOSEN}`,
    not: '# localhost:5432:shop:ada:word',
  },
  'secrets/master-key': { path: 'config/master.key', found: HEX, not: HEX.slice(1) },
};

/** By the scanner's name. */
const SCANNER_SAMPLES: Readonly<Record<string, Sample>> = {
  secrets: { path: '.env', found: `API_KEY=${RANDOM}`, not: 'API_KEY=' },
  infrastructure: { path: 'Dockerfile', found: 'FROM node:latest\n', not: 'FROM node:24\nUSER node\n' },
  agents: {
    path: '.claude/settings.json',
    found: '{"enableAllProjectMcpServers": true}',
    not: '{"enableAllProjectMcpServers": false}',
  },
  source: {
    path: 'app.js',
    found: 'app.get("/x", (req, res) => {\n  eval(req.query.code);\n});\n',
    not: 'app.get("/x", (req, res) => {\n  res.json(req.query.code);\n});\n',
  },
};

const ids = async (scan: ReturnType<(typeof fileScanners)[number]['scan']>) =>
  (await scan).map(({ id }) => id);

test('every secret rule that is not for a token format has a sample', () => {
  const tokens = new Set(TOKEN_RULES.map(({ id }) => id));
  const named = SECRET_RULES.map(({ id }) => id).filter((id) => !tokens.has(id));
  expect(Object.keys(SECRET_SAMPLES).sort()).toEqual(named.sort());
});

test.each(Object.entries(SECRET_SAMPLES))('%s', async (id, { path, found, not }) => {
  const scanner = createSecretsScanner();
  expect(await ids(scanner.scan({ path, text: found }, { deep: false }))).toEqual([id]);
  expect(await ids(scanner.scan({ path, text: not }, { deep: false }))).toEqual([]);
});

test('every file scanner has a sample', () => {
  expect(Object.keys(SCANNER_SAMPLES).sort()).toEqual(fileScanners.map(({ name }) => name).sort());
});

test.each(fileScanners)('the file scanner $name', async (scanner) => {
  const { path, found, not } = SCANNER_SAMPLES[scanner.name] ?? { path: '', found: '', not: '' };
  expect(scanner.wants(path)).toBe(true);
  expect(await ids(scanner.scan({ path, text: found }, { deep: false }))).not.toEqual([]);
  expect(await ids(scanner.scan({ path, text: not }, { deep: false }))).toEqual([]);
});
