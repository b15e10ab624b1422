import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { environment, MAIN, temporaryFolder } from '../helpers/magpie.ts';

/** What a server loads before it has answered its first tools/list: nothing that this needs not. */

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Packages and parts that are for later, by a piece of their path. */
const LATER = [
  ...[
    'cheerio',
    'commander',
    'domutils',
    'htmlparser2',
    'jose',
    'jsdom',
    'keyv',
    'linkedom',
    'mammoth',
    'nodemailer',
  ],
  ...['onnxruntime', 'openai', 'pdfkit', 'pino', 'playwright', 'postal-mime', 'prom-client', 'tesseract'],
  ...['@opentelemetry', 'turndown', 'undici', 'unpdf', 'yaml', 'smol-toml', 'semver', '@ast-grep'],
].map((name) => `/node_modules/${name}`);
const ROOMS = ['browse', 'knowledge', 'documents', 'security', 'monitor', 'compliance', 'automation'];
const NEVER = [
  ...LATER,
  ...ROOMS.map((room) => `/src/${room}/`),
  '/src/commands/',
  '/src/lib/orders/find-orders.',
  '/src/server/http/openapi/',
];
const STDIO_ONLY = ['/node_modules/hono', '/node_modules/@hono', '/src/storage/sqlite.', '/src/access/'];

/** Writes the name of each file that is loaded on standard error. */
const told = join(folder.path, 'told.mjs');
writeFileSync(
  told,
  `import { registerHooks } from 'node:module';
import { writeSync } from 'node:fs';
registerHooks({ load(url, context, next) {
  writeSync(2, 'loaded ' + url + '\\n');
  return next(url, context);
} });`,
);

interface Started {
  /** Addresses of the files that were loaded; a server's until it said that it listens. */
  loaded(): string[];
  /** ... and those that a server loaded from then on. */
  loadedLater(): string[];
  readonly stdin: NodeJS.WritableStream;
  /** Resolves with the first piece of standard output, or error, that `pattern` fits. */
  said(pattern: RegExp): Promise<string>;
  end(): void;
}

function start(command: string): Started {
  // Read-only, so that a server that is late has not begun to watch meanwhile.
  const env = { ...environment(join(folder.path, command)), MAGPIE_READ_ONLY: 'true' };
  const child = spawn(process.execPath, ['--import', told, MAIN, command], { env });
  let [text, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const loadedIn = (part = '') =>
    [...part.matchAll(/^loaded (.*)$/gm)].map(([, url = '']) => url.replaceAll('\\', '/'));
  return {
    loaded: () => loadedIn(errors.split('magpie is listening')[0]),
    loadedLater: () => loadedIn(errors.split('magpie is listening')[1]),
    stdin: child.stdin,
    async said(pattern) {
      const found = () => pattern.exec(text)?.[1] ?? pattern.exec(errors)?.[1];
      return vi.waitUntil(found, { timeout: 60_000, interval: 20 });
    },
    end: () => void child.kill(),
  };
}

const CLIENT = { name: 'test', version: '1' };

test('over stdio only the needed modules are loaded', async () => {
  const magpie = start('stdio');
  const send = (message: object) => magpie.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT },
  });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list', params: {} });
  await magpie.said(/("tools":\[)/);
  const loaded = magpie.loaded();
  magpie.end();
  expect(loaded.some((url) => url.includes('/tools/index.'))).toBe(true);
  for (const part of [...NEVER, ...STDIO_ONLY]) {
    expect(loaded.filter((url) => url.includes(part))).toEqual([]);
  }
});

describe('over HTTP', () => {
  let magpie: Started;
  beforeAll(async () => {
    magpie = start('serve');
    await magpie.said(/listening on (http:\/\/[\d.:]+)/);
  });
  afterAll(() => magpie.end());

  test('only the needed modules are loaded until the server listens', () => {
    const loaded = magpie.loaded();
    expect(loaded.some((url) => url.includes('/src/access/keys/keys.'))).toBe(true);
    for (const part of NEVER) expect(loaded.filter((url) => url.includes(part))).toEqual([]);
  });

  test('a waiting server loads the other modules one by one, so that the first scan delays no other call', async () => {
    await magpie.said(/loaded (\S+\/src\/compliance\/compliance\.\S+)/);
    const loaded = magpie.loadedLater();
    for (const room of ROOMS.filter((one) => one !== 'automation')) {
      expect(loaded.filter((url) => url.includes(`/src/${room}/`))).not.toEqual([]);
    }
    // Each module comes after what it imports: it was loaded alone, and not with all that is below it.
    const at = (part: string) => loaded.findIndex((url) => url.includes(part));
    for (const [above, below] of [
      ['/src/security/security.', '/src/security/scans/run.'],
      ['/src/security/scans/run.', '/src/security/findings/merge.'],
      ['/src/wiring/open/open-security.', '/src/security/git/remote/repositories.'],
      ['/undici/index.', '/undici/lib/web/fetch/body.'],
    ] as const) {
      expect(at(below)).toBeGreaterThanOrEqual(0);
      expect(at(below)).toBeLessThan(at(above));
    }
    // What only workers run is loaded by them.
    for (const part of [
      '/tree-sitter-wasm/',
      '/dockerfile-ast/',
      '/source/rules/rules.json',
      '/infrastructure/kubernetes.',
    ])
      expect(loaded.filter((url) => url.includes(part))).toEqual([]);
  });
});
