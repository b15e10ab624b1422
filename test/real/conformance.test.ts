import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerConsent, createPlainApp, leadsTo, startSignInServer } from '../helpers/app-sign-in.ts';
import { createFixtureServer } from '../helpers/conformance-fixtures.ts';
import { createTaskFixtures } from '../helpers/conformance-tasks.ts';
import { freePort } from '../helpers/free-port.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import { type Stack, startStack } from '../helpers/stack.ts';

/** The official suite, against the product and against its HTTP stack with the suite's own fixtures behind it. */

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const folder = temporaryFolder();
let magpie: RunningProcess;
let fixtures: Stack;
let taskFixtures: Awaited<ReturnType<typeof createTaskFixtures>>;
let tasks: Stack;

beforeAll(async () => {
  magpie = await spawnServer(environment(folder.path));
  fixtures = await startStack({ mcp: createFixtureServer });
  taskFixtures = await createTaskFixtures(join(folder.path, 'tasks'));
  tasks = await startStack({ mcp: taskFixtures.mcp });
});

afterAll(async () => {
  await magpie.stop();
  await fixtures.close();
  await tasks.close();
  await taskFixtures.close();
  folder.remove();
});

async function textOfSuite(url: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [SUITE, 'server', '--url', `${url}/mcp`, ...args], {
    cwd: join(folder.path),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  await once(child, 'close');
  return text;
}

async function suite(url: string, ...args: string[]): Promise<Record<string, string>> {
  const text = await textOfSuite(url, ...args);
  const lines = text.slice(text.indexOf('SUMMARY')).matchAll(/^([✓✗]) ([\w-]+): (\d+ passed, \d+ failed)/gm);
  const results = Object.fromEntries([...lines].map(([, mark, name, counts]) => [name, `${mark} ${counts}`]));
  if (Object.keys(results).length === 0) throw new Error(`the suite said nothing: ${text.slice(-2000)}`);
  return results;
}

const failing = (results: Record<string, string>) =>
  Object.entries(results).filter(([, result]) => result.startsWith('✗'));

/** Scenarios of the extension for tasks, whose tools are behind a server of their own. */
const isExtension = ([name]: [string, string]) => name.startsWith('tasks-');

test('the HTTP stack passes everything that 2025-11-25 requires', async () => {
  const results = await suite(fixtures.url, '--requirements', '2025-11-25');
  expect(Object.keys(results).length).toBeGreaterThanOrEqual(30);
  expect(failing(results)).toEqual([]);
});

test('the HTTP stack passes everything that 2026-07-28 requires', async () => {
  const results = await suite(fixtures.url, '--requirements', '2026-07-28');
  expect(Object.keys(results).length).toBeGreaterThanOrEqual(35);
  expect(failing(results).filter((entry) => !isExtension(entry))).toEqual([]);
  // Pending in the suite. The product's own tools have no such schema and no mirrored argument: its stack serves both.
  expect(results).toMatchObject({
    'json-schema-2020-12': expect.stringMatching(/^✓ [1-9]/),
    'http-custom-header-server-validation': expect.stringMatching(/^✓ [1-9]/),
  });
});

/** The number of checks that each scenario makes; the suite skips that of notifications, which are optional. */
const TASKS = {
  'tasks-lifecycle': 9,
  'tasks-capability-negotiation': 5,
  'tasks-wire-fields': 4,
  'tasks-request-state-removal': 3,
  'tasks-mrtr-input': 4,
  'tasks-request-headers': 5,
  'tasks-dispatch-and-envelope': 9,
  'tasks-status-notifications': 0,
  'tasks-required-task-error': 3,
  'tasks-mrtr-composition': 2,
};

test.each(Object.entries(TASKS))('the product passes %s', async (scenario, checks) => {
  const said = await textOfSuite(tasks.url, '--scenario', scenario);
  expect(said).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`);
});

/** What needs no fixture, and so must hold for the product itself. */
const OWN = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
  ],
};

test.each(Object.entries(OWN))(
  'the product passes the scenarios that need no fixture in %s',
  async (revision, scenarios) => {
    const results = await suite(magpie.url, '--requirements', revision);
    expect(Object.keys(results)).toEqual(expect.arrayContaining(scenarios));
    expect(failing(results).filter(([name]) => scenarios.includes(name))).toEqual([]);
  },
);

/** Runs the suite's scenarios of an authorization server, and is the browser that it asks for. */
test('the built-in authorization server passes the scenarios of authorization', async () => {
  const server = await startSignInServer();
  const [{ key }, port] = [await server.makeKey('ada'), await freePort()];
  const app = await createPlainApp(server.url, `http://127.0.0.1:${port}/callback`);
  const resource = `${server.url}/mcp`;
  const args = ['--url', server.url, '--client-id', app.id, '--resource', resource, '--port', String(port)];
  const child = spawn(process.execPath, [SUITE, 'authorization', ...args], { cwd: folder.path });
  let [text, asked] = ['', false];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const [page] = /http:\S+\/authorize\?\S+(?=\s)/.exec(text) ?? [];
    if (page === undefined || asked) return;
    asked = true;
    void answerConsent(page, { key }).then(leadsTo).then(fetch);
  });
  const [code] = (await once(child, 'close')) as [number];
  expect([code, asked, text]).toEqual([0, true, expect.not.stringMatching(/FAILURE|WARNING/)]);
  await server.close();
});
