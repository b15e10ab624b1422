import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environment, type Running, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** What a platform sends back of a user's credentials, in every way that it may refuse, goes nowhere [automation.secret] */

const PLATFORMS = ['make', 'n8n', 'apify'] as const;
const STATUSES = [200, 302, 400, 401, 402, 403, 404, 409, 422, 429, 500, 503] as const;
const folder = temporaryFolder();
const secrets: string[] = [];
const asked: string[] = [];
const said: string[] = [];
let [status, json] = [500, true];
let echo: Server;
let magpie: Running;

beforeAll(async () => {
  echo = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const all = JSON.stringify({ url: request.url, headers: request.headers, body });
    asked.push(all);
    const keys = Object.values(request.headers).flat().join(' ');
    response
      .writeHead(status, {
        'content-type': json ? 'application/json' : 'text/html',
        'retry-after': '7',
        'x-echo': encodeURIComponent(keys),
        ...(status === 302 && { location: `/again?key=${encodeURIComponent(keys)}` }),
      })
      .end(
        json
          ? JSON.stringify({ message: `${keys} ${all}`, error: { message: all, type: keys }, detail: all })
          : all,
      );
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  magpie = await startMagpie({
    ...environment(folder.path),
    MAGPIE_AUTOMATION_URL: PLATFORMS.map((name) => `${name}=${url}`).join(','),
    MAGPIE_PUBLIC_URL: 'http://magpie.localhost',
    MAGPIE_LOG_LEVEL: 'debug',
    // Configured credentials of another user are not used over HTTP.
    MAGPIE_AUTOMATION_KEY: mark('configured-key'),
    MAGPIE_AUTOMATION_TEAM: mark('configured-team'),
  });
});
afterAll(async () => {
  await magpie.stop();
  echo.closeAllConnections();
  await new Promise((done) => echo.close(done));
  folder.remove();
});

let count = 0;
function mark(what: string): string {
  const secret = `zq${what}-${++count}-${Math.random().toString(36).slice(2, 12)}`;
  secrets.push(secret);
  return secret;
}
/** Make's teams are numbers. */
const credentials = (platform: string) => ({
  autoplatformapikey: mark('key'),
  autoplatformteamid: platform === 'make' ? String(7_000_000_000 + ++count) : mark('team'),
  magpiekey: mark('magpie'),
});
const task = (platform: string) =>
  platform === 'apify'
    ? 'Fetch https://93.184.215.14/ every time'
    : 'Save https://93.184.215.14/ to my knowledge base when it changes';

describe.each(PLATFORMS.map((platform, nth) => [platform, nth] as const))('%s', (platform, nth) => {
  const client = new Client({ name: 'marked', version: '1' });
  beforeAll(() => client.connect(new StreamableHTTPClientTransport(new URL('/mcp', magpie.url))));
  afterAll(() => client.close());

  test.each(STATUSES)('answers %i whose body repeats the request', async (answers) => {
    const progress: string[] = [];
    // As a page each status comes from one of the platforms.
    const isPageToo = STATUSES.indexOf(answers) % PLATFORMS.length === nth;
    const before = asked.length;
    for (json of isPageToo ? [true, false] : [true]) {
      status = answers;
      const q = task(platform);
      const query = new URLSearchParams({ q, platform, ...credentials(platform) });
      const byQuery = await fetch(`${magpie.url}/automationrpa?${query}`);
      const headers = Object.fromEntries(
        Object.entries(credentials(platform)).map(([name, value]) => [`x-${name}`, value]),
      );
      const byHeader = await fetch(`${magpie.url}/automationrpa?${new URLSearchParams({ q, platform })}`, {
        headers,
      });
      for (const response of [byQuery, byHeader]) {
        const body = await response.text();
        expect([response.status >= 400, body]).toEqual([true, expect.stringContaining('"error"')]);
        said.push(JSON.stringify([...response.headers]), body);
      }
      const result = await client.callTool(
        { name: 'automationrpa', arguments: { q, platform, ...credentials(platform) } },
        { onprogress: ({ message = '' }) => void progress.push(message) },
      );
      expect(result.isError).toBe(true);
      said.push(JSON.stringify(result));
    }
    expect(progress.join()).toContain('whether it exists already');
    said.push(...progress);
    // The platform was sent the keys, and sent them back.
    const heard = asked.slice(before).join();
    expect(secrets.filter((secret) => heard.includes(secret)).length).toBeGreaterThanOrEqual(
      isPageToo ? 6 : 3,
    );
  });
});

test('no credential is in answers, progress notifications, the log, the metrics or the data folder', async () => {
  const metrics = await (await fetch(`${magpie.url}/metrics`)).text();
  expect(metrics).toContain('operation="automationrpa"');
  expect(magpie.stderr()).toContain('"operation":"automationrpa"');
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  expect(files.length).toBeGreaterThan(0);
  const places = { answers: said.join('\n'), log: magpie.stderr(), metrics, files: files.join('\n') };
  for (const [place, text] of Object.entries(places)) {
    // Nor is any without its end.
    expect([place, secrets.filter((secret) => text.includes(secret.slice(0, -3)))]).toEqual([place, []]);
  }
  expect(secrets.length).toBeGreaterThan(150);
  expect(asked.join()).not.toContain('configured-key');
});
