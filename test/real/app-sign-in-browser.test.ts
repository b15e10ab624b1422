import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlainApp, type SignInServer, startSignInServer } from '../helpers/app-sign-in.ts';
import { createHolder, needsUser } from '../helpers/oauth-client.ts';

/** An app sends its user to Magpie, in a real Chromium, which keeps to its rules for forms, cookies and windows. */

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
let magpie: SignInServer;
let key = '';
let browser: Browser;
/** The web page of an app at another site, which opens a window for the sign-in, and waits for its answer. */
const app = createServer((request, response) => {
  const isAnswer = request.url?.startsWith('/callback');
  const told =
    '<p id="said">waiting</p><script>addEventListener("message", (e) => { said.textContent = e.data; })</script>';
  const tells = '<p>Back in the app</p><script>opener?.postMessage(location.search, "*")</script>';
  response
    .setHeader('content-type', 'text/html')
    .end(`<!doctype html><title>App</title>${isAnswer ? tells : told}`);
});
const appUrl = () => `http://localhost:${(app.address() as AddressInfo).port}`;

beforeAll(async () => {
  await once(app.listen(0, '127.0.0.1'), 'listening');
  magpie = await startSignInServer();
  ({ key } = await magpie.makeKey('ada'));
  browser = await chromium.launch({
    executablePath: process.env.MAGPIE_TEST_BROWSER ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
  });
});
afterAll(async () => {
  await browser.close();
  await magpie.close();
  app.close();
  app.closeAllConnections();
});

async function openPage(options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', ({ message }) => failures.push(message));
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
  return { context, page, failures };
}

test('a client of MCP is let in by keyboard, without scripts, and calls a tool', async () => {
  const { context, page, failures } = await openPage({ javaScriptEnabled: false });
  const holder = createHolder();
  holder.clientMetadata.redirect_uris.splice(0, 1, `${appUrl()}/callback`);
  Object.assign(holder, { redirectUrl: `${appUrl()}/callback` });
  const connect = async () => {
    const client = new Client({ name: 'magpie-test', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', magpie.url), {
      authProvider: holder,
    });
    return { client, transport, failure: await client.connect(transport).catch((error: unknown) => error) };
  };
  const first = await connect();
  expect(needsUser(first.failure)).toBe(true);

  await page.goto(holder.sent[0]?.href ?? '');
  await page.getByText('Magpie test').waitFor();
  await page.getByLabel('Your key').focus();
  await page.keyboard.type('magpie_wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Your key').focus();
  await page.keyboard.type(key);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${appUrl()}/callback?**`);
  await first.transport.finishAuth(new URL(page.url()).searchParams);
  const { client } = await connect();
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search');
  await client.close();
  expect(failures.filter((text) => !text.includes('status of 401'))).toEqual([]);
  await context.close();
});

test('an app that opened the page in a window of its own gets the answer there', async () => {
  const { context, page, failures } = await openPage();
  const other = await createPlainApp(magpie.url, `${appUrl()}/callback`);
  await page.goto(appUrl());
  const opened = context.waitForEvent('page');
  await page.evaluate((address) => void open(address, 'sign-in', 'popup'), other.address().href);
  const popup = await opened;
  await popup.getByLabel('Your key').fill(key);
  await popup.getByRole('button', { name: 'Allow' }).click();
  await popup.getByText('Back in the app').waitFor();
  const said = page.locator('#said');
  await said.getByText('code=').waitFor();
  expect(await said.textContent()).toContain(`iss=${encodeURIComponent(magpie.url)}`);
  expect(failures).toEqual([]);
  await context.close();
});

test('a refusal leads back to the app without a code', async () => {
  const { context, page } = await openPage();
  const other = await createPlainApp(magpie.url, `${appUrl()}/callback`);
  await page.goto(other.address().href);
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.waitForURL(`${appUrl()}/callback?error=access_denied**`);
  expect(new URL(page.url()).searchParams.has('code')).toBe(false);
  await context.close();
});

test('a page of another site cannot frame the page, and cannot send its form', async () => {
  const { context, page } = await openPage();
  const other = await createPlainApp(magpie.url, `${appUrl()}/callback`);
  await page.goto(appUrl());
  await page.evaluate((address) => {
    const frame = Object.assign(document.createElement('iframe'), { src: address });
    document.body.append(frame);
    return new Promise((loaded) => frame.addEventListener('load', loaded));
  }, other.address().href);
  expect(await page.frameLocator('iframe').getByLabel('Your key').count()).toBe(0);
  const html = await (await fetch(other.address())).text();
  const request = /name="request" value="([^"]+)"/.exec(html)?.[1] ?? '';
  await page.evaluate(
    ([action, fields]) => {
      const form = Object.assign(document.createElement('form'), { action, method: 'post' });
      for (const [name, value] of Object.entries(fields)) {
        form.append(Object.assign(document.createElement('input'), { name, value }));
      }
      document.body.append(form);
      form.submit();
    },
    [`${magpie.url}/authorize`, { request, key, decision: 'allow', 'scope-read': '1' }] as const,
  );
  await page.waitForURL(`${magpie.url}/authorize`);
  expect(await page.content()).not.toContain('mpc_');
  await context.close();
});

test('the page is accessible, and fits a phone', async () => {
  const { context, page } = await openPage({ bypassCSP: true, viewport: { width: 360, height: 740 } });
  await page.goto((await createPlainApp(magpie.url)).address().href);
  await page.addScriptTag({ path: AXE });
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } };
    return (await axe.run()).violations.map(({ id }) => id);
  });
  expect(violations).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
  await context.close();
});
