import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getUiCapability, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/server';
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AppsHost, startAppsHost } from '../helpers/apps-host.ts';
import type { HostPage } from '../helpers/apps-host-page.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';

/**
 * The views of MCP Apps in a real Chromium, within the reference implementation of a host: a page, a sandbox of another origin
 * with the host's policy, and the view in it. .ci/run names Chromium in MAGPIE_TEST_BROWSER.
 */

const SHOTS = fileURLToPath(new URL('../../artifacts/views/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HOSTILE = `"><img src=x onerror="top.pwned=1"><script>top.pwned=1</script>\${pwned} javascript:top.pwned=1 \u202eevil`;
const CAPABILITIES = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } } };

const folder = temporaryFolder();
const sites: Server[] = [];
/** Asked for at these sites. */
const paths: string[] = [];
let magpie: RunningProcess;
let browser: Browser;
let host: AppsHost;
let client: Client;

async function site(status: number): Promise<string> {
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(status).end('x');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  sites.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function writeRepository(path: string): void {
  mkdirSync(path, { recursive: true });
  execFileSync('git', ['init', '-q', '-b', 'main', path]);
  // Made here, so that no file of the project resembles a live secret.
  const key = ['AKIA', 'Q3EGKR5W7ZXCVBNM'].join('');
  writeFileSync(
    join(path, '<img src=x onerror=top.pwned=1>.js'),
    `const key = '${key}'; // </script><b>bold</b>\n`,
  );
  writeFileSync(join(path, 'app.py'), 'import os\nfrom flask import request\nos.system(request.args["x"])\n');
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', path, 'add', '-A']);
  execFileSync('git', ['-C', path, ...who, 'commit', '-q', '-m', 'x']);
}

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  writeRepository(join(folder.path, 'code', 'shop'));
  const file = join(folder.path, 'infrastructure.yaml');
  const [good, bad] = [await site(200), await site(500)];
  writeFileSync(file, `infrastructure:\n  shop: { urls: ['${good}'] }\n  till: { urls: ['${bad}'] }\n`);
  magpie = await spawnServer({
    ...environment(join(folder.path, 'data')),
    MAGPIE_INVENTORY: file,
    MAGPIE_SCAN_ROOTS: join(folder.path, 'code'),
  });
  client = new Client({ name: 'assistant', version: '1' }, { capabilities: CAPABILITIES });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', magpie.url)));
  for (const id of ['shop', 'till']) {
    await client.callTool({ name: 'startMonitoring', arguments: { infrastructure_id: id } });
  }
  const isProbed = async () =>
    JSON.stringify(await client.callTool({ name: 'listMonitors', arguments: {} })).includes('"down"');
  await vi.waitUntil(isProbed, { timeout: 60_000, interval: 200 });
  host = await startAppsHost();
  browser = await chromium.launch({
    executablePath: process.env.MAGPIE_TEST_BROWSER ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
  });
});

afterAll(async () => {
  await browser?.close();
  await client?.close();
  await magpie?.stop();
  await host?.close();
  for (const server of sites) {
    server.closeAllConnections();
    server.close();
  }
  folder.remove();
});

interface Shown {
  readonly page: Page;
  readonly view: Frame;
  /** Errors of the console, refusals by a policy, and dialogs. */
  readonly noted: string[];
  readonly requests: string[];
  /** Calls that the view has made of tools. */
  readonly calls: { name: string; input: Record<string, unknown> }[];
  host<T>(act: (page: HostPage) => T): Promise<T>;
  close(): Promise<void>;
}

/** The view of a tool in a host, with what it answered. */
async function showView(
  tool: string,
  input: Record<string, unknown>,
  result: unknown,
  {
    theme = 'light',
    serverTools = true,
    ...options
  }: BrowserContextOptions & {
    theme?: 'light' | 'dark';
    serverTools?: boolean;
  } = {},
): Promise<Shown> {
  const { tools } = await client.listTools();
  const { _meta } = tools.find(({ name }) => name === tool) ?? {};
  const uri = String((_meta?.ui as { resourceUri?: string } | undefined)?.resourceUri);
  const { contents } = await client.readResource({ uri });
  const [content] = contents as unknown as {
    text: string;
    mimeType: string;
    _meta: { ui: { csp: Record<string, string[]> } };
  }[];
  expect(content?.mimeType).toBe(RESOURCE_MIME_TYPE);
  const context = await browser.newContext({ viewport: { width: 640, height: 900 }, ...options });
  const page = await context.newPage();
  const [noted, requests, calls]: [string[], string[], Shown['calls']] = [[], [], []];
  page.on('pageerror', (error) => noted.push(error.message));
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => noted.push(`dialog ${dialog.message()}`)));
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
      noted.push(message.text());
  });
  await page.exposeFunction('callServerTool', async (name: string, given: Record<string, unknown>) => {
    calls.push({ name, input: given });
    return JSON.stringify(await client.callTool({ name, arguments: given }));
  });
  await page.goto(host.page);
  await page.waitForFunction(() => window.hostPage !== undefined);
  const opening = {
    html: content?.text ?? '',
    csp: content?._meta.ui.csp ?? {},
    sandbox: host.sandbox,
    theme,
    serverTools,
  };
  await page.evaluate((given) => window.hostPage.open(given), opening);
  await page.evaluate(([given, answer]) => window.hostPage.show(given, answer), [input, result] as const);
  // The browser says a moment later which frames it has.
  const view = await vi.waitUntil(() => page.frames().find((frame) => frame.url() === 'about:srcdoc'), {
    timeout: 60_000,
  });
  await view.locator('h1, [role=alert]').first().waitFor();
  return {
    page,
    view,
    noted,
    requests,
    calls,
    host: (act) => page.evaluate(`(${String(act)})(window.hostPage)`) as Promise<never>,
    close: () => context.close(),
  };
}

async function callTool(name: string, input: Record<string, unknown>): Promise<CallToolResult> {
  const answer = (await client.callTool({ name, arguments: input })) as CallToolResult;
  expect(answer.isError ?? false, JSON.stringify(answer.content)).toBe(false);
  return answer;
}

async function violations(view: Frame): Promise<string[]> {
  await view.evaluate(AXE);
  return view.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

const ANSWERS: readonly (readonly [tool: string, input: Record<string, unknown>, words: RegExp])[] = [
  ['listMonitors', {}, /2 watched, 1 down/],
  ['getMonitoringStatus', { infrastructure_id: 'till' }, /open alerts: [1-9]/],
  ['scan', { repository: 'shop', options: {} }, /Findings/],
  ['checkCompliance', { standards: ['owasp-top-10', 'slsa'], scope: 'shop' }, /owasp|OWASP/],
];

test('the capability is parsed as the reference implementation writes it', () => {
  expect(getUiCapability(CAPABILITIES)?.mimeTypes).toEqual([RESOURCE_MIME_TYPE]);
});

test.each(ANSWERS)(
  '%s is shown without violation, error or request to another host, in light, and in dark on a phone',
  async (tool, input, words) => {
    const given = tool === 'scan' || tool === 'checkCompliance' ? inRoots(input) : input;
    const result = await callTool(tool, given);
    for (const look of [
      { theme: 'light', viewport: { width: 640, height: 900 } },
      { theme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const shown = await showView(tool, given, result, look);
      expect(await shown.view.locator('main').innerText()).toMatch(words);
      for (const closed of await shown.view.locator('details').all())
        await closed.evaluate((one) => one.setAttribute('open', ''));
      expect(await violations(shown.view)).toEqual([]);
      expect(await shown.view.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expect(await shown.view.evaluate(() => document.documentElement.dataset.theme)).toBe(look.theme);
      await shown.page.screenshot({
        path: join(SHOTS, `${tool}-${look.theme}-${look.viewport.width}.png`),
        fullPage: true,
      });
      expect(shown.noted).toEqual([]);
      const hosts = new Set(shown.requests.map((url) => new URL(url).host));
      expect([...hosts].sort()).toEqual([new URL(host.page).host, new URL(host.sandbox).host].sort());
      const height = () => shown.page.evaluate(() => window.hostPage.sizes.at(-1)?.height ?? 0);
      await expect.poll(height).toBeGreaterThan(100);
      await shown.close();
    }
  },
);

/** The repository by its path: a scan takes one under the roots. */
function inRoots(input: Record<string, unknown>): Record<string, unknown> {
  const path = join(folder.path, 'code', 'shop');
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, value === 'shop' ? path : value]),
  );
}

/** The same answer with this text in place of every text of it. */
function withTexts(value: unknown, text: string): unknown {
  if (typeof value === 'string')
    return /^(?:critical|high|medium|low|info|completed|fail|pass|\d{4}-)/.test(value) ? value : text;
  if (Array.isArray(value)) return value.map((one) => withTexts(one, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one, text)]));
}

test.each(ANSWERS)('%s: third-party texts are shown as text', async (tool, input) => {
  const given = tool === 'scan' || tool === 'checkCompliance' ? inRoots(input) : input;
  const { structuredContent, _meta } = await callTool(tool, given);
  const hostile = { content: [], structuredContent: withTexts(structuredContent, HOSTILE), _meta };
  const shown = await showView(tool, {}, hostile);
  const { view } = shown;
  await view.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });
  expect(await view.locator('main').innerText()).toContain('<img src=x onerror="top.pwned=1">');
  expect(await view.locator('img, script:not([type=module]), a, b, iframe').count()).toBe(0);
  expect(await shown.page.evaluate(() => 'pwned' in window)).toBe(false);
  expect(shown.noted).toEqual([]);
  await shown.close();
});

test('an injected script in the view and its requests are refused by the policy of the view', async () => {
  const shown = await showView('listMonitors', {}, await callTool('listMonitors', {}));
  const ran = await shown.view.evaluate(async (address) => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.ran = true;';
    document.body.append(script);
    const image = document.createElement('img');
    image.src = `${address}stolen-by-a-picture`;
    document.body.append(image);
    await new Promise((done) => image.addEventListener('error', done));
    await fetch(`${address}stolen-by-fetch`).catch(() => {});
    return 'ran' in globalThis;
  }, sitesUrl());
  expect(ran).toBe(false);
  expect(paths.filter((path) => path.includes('stolen'))).toEqual([]);
  await shown.close();
});

function sitesUrl(): string {
  return `http://127.0.0.1:${((sites[0] as Server).address() as AddressInfo).port}/`;
}

test('the theme follows the host, and the days of each monitor are described in words', async () => {
  const shown = await showView('listMonitors', {}, await callTool('listMonitors', {}));
  const ground = () => shown.view.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await shown.page.evaluate(() => window.hostPage.setTheme('dark'));
  await expect.poll(ground).not.toBe(light);
  const bars = shown.view.getByRole('img');
  expect(await bars.count()).toBe(2);
  expect(await bars.first().getAttribute('aria-label')).toMatch(
    /^\d of 1 watched days without downtime, of the last 90$/,
  );
  await shown.close();
});

test('a key reads a monitor again through the host; without host tools there is no button', async () => {
  const result = await callTool('getMonitoringStatus', { infrastructure_id: 'shop' });
  const shown = await showView('getMonitoringStatus', { infrastructure_id: 'shop' }, result);
  await shown.view.getByRole('button', { name: 'Refresh' }).focus();
  await shown.page.keyboard.press('Enter');
  await expect.poll(() => shown.view.locator('[role=status]').innerText()).toBe('Up to date');
  expect(shown.calls).toEqual([{ name: 'getMonitoringStatus', input: { infrastructure_id: 'shop' } }]);
  expect(await shown.view.getByRole('img').count()).toBe(1);
  await shown.close();

  const without = await showView('getMonitoringStatus', {}, result, { serverTools: false });
  expect(await without.view.getByRole('button').count()).toBe(0);
  await without.close();
});

test('severities are chosen by keyboard, and further findings are read through the host', async () => {
  const first = await callTool('scan', { repository: join(folder.path, 'code', 'shop') });
  const { data } = first.structuredContent as {
    data: { scan_id: string; vulnerabilities: { severity: string }[] };
  };
  const page = await callTool('getScan', { scan_id: data.scan_id, limit: 1 });
  const shown = await showView('getScan', { scan_id: data.scan_id }, page);
  expect(await shown.view.locator('details.finding').count()).toBe(1);
  await shown.view.getByRole('button', { name: 'Show the next' }).press('Enter');
  await expect
    .poll(() => shown.calls)
    .toEqual([{ name: 'getScan', input: { scan_id: data.scan_id, offset: 1 } }]);
  await expect.poll(() => shown.view.locator('[role=status]').innerText()).toBe('Up to date');

  const chip = shown.view.locator('button.chip').first();
  await chip.focus();
  const visible = () => shown.view.locator('details.finding:visible').count();
  const before = await visible();
  await shown.page.keyboard.press('Space');
  expect(await chip.getAttribute('aria-pressed')).toBe('false');
  expect(await visible()).toBeLessThan(before);
  await shown.page.keyboard.press('Space');
  expect(await visible()).toBe(before);
  const summary = shown.view.locator('summary').first();
  await summary.focus();
  await shown.page.keyboard.press('Enter');
  expect(await shown.view.locator('details[open]').count()).toBe(1);
  await shown.close();
});

test('an error, a cancelled call and a running call are shown; the view ends on request', async () => {
  const failed = { isError: true, content: [{ type: 'text', text: `no monitor ${HOSTILE}` }] };
  const shown = await showView('getMonitoringStatus', {}, failed);
  expect(await shown.view.getByRole('alert').innerText()).toContain(`no monitor ${HOSTILE.slice(0, 20)}`);
  expect(await violations(shown.view)).toEqual([]);
  await shown.page.evaluate(() => window.hostPage.cancel());
  await expect.poll(() => shown.view.getByRole('alert').innerText()).toBe('The call was cancelled.');
  expect(await shown.page.evaluate(() => window.hostPage.end())).toEqual({});
  await shown.close();
});

test('the view accepts messages only from the window that embeds it', async () => {
  const result = await callTool('listMonitors', {});
  const shown = await showView('listMonitors', {}, result);
  // The assistant's page is not the sandbox that embeds the view.
  const forged = { jsonrpc: '2.0', method: 'ui/notifications/tool-cancelled', params: { reason: 'forged' } };
  await shown.page.evaluate((message) => {
    const inner = document.querySelector('iframe')?.contentWindow?.frames[0];
    inner?.postMessage(message, '*');
  }, forged);
  await shown.page
    .evaluate(([given, answer]) => window.hostPage.show(given, answer), [{}, result] as const)
    .catch(() => {});
  await shown.view.locator('h1').waitFor();
  expect(await shown.view.getByRole('alert').count()).toBe(0);
  await shown.close();
});
