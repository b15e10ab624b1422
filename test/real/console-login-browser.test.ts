import { createRequire } from 'node:module';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from '../helpers/authorization-server.ts';
import { visitConsole } from '../helpers/console-visit.ts';
import { freePort } from '../helpers/free-port.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import { browse } from '../helpers/oauth-client.ts';

/** Signing in to the console at a real OpenID provider (oidc-provider) in a real Chromium, which keeps to its rules for cookies. */

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const CLIENT = 'magpie';
const folder = temporaryFolder();
let provider: AuthorizationServer;
let magpie: RunningProcess;
let browser: Browser;

beforeAll(async () => {
  const port = await freePort();
  // Another name of this machine than Magpie's: to a browser it is another site.
  provider = await startAuthorizationServer({
    host: 'localhost',
    scopes: ['read', 'write'],
    clients: [
      {
        client_id: CLIENT,
        token_endpoint_auth_method: 'none',
        redirect_uris: [`http://127.0.0.1:${port}/app/oidc/callback`],
      },
    ],
  });
  magpie = await spawnServer({
    ...environment(folder.path),
    MAGPIE_PORT: String(port),
    MAGPIE_OAUTH_ISSUER: provider.issuer,
    MAGPIE_OIDC_CLIENT_ID: CLIENT,
  });
  browser = await chromium.launch({
    executablePath: process.env.MAGPIE_TEST_BROWSER ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
  });
});
afterAll(async () => {
  await browser.close();
  await magpie.stop();
  await provider.close();
  folder.remove();
});

async function openPage() {
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/the server responded with a status of 4/.test(message.text()))
      faults.push(message.text());
  });
  return { context, page, faults };
}

test('a person signs in from the requested page, stores a note, and signs out', async () => {
  const { context, page, faults } = await openPage();
  await page.goto(`${magpie.url}/app/notes?tag=rooks`);
  await page.getByLabel('Key or access token').waitFor();
  await page.addScriptTag({ path: AXE });
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string }[] }> };
    };
    return (await axe.run()).violations.map(({ id }) => id);
  });
  expect(violations).toEqual([]);
  await page.getByRole('link', { name: `Sign in with ${new URL(provider.issuer).host}` }).click();
  await page.waitForURL(`${magpie.url}/app/notes?tag=rooks`);
  // Those behind *More* are hidden at this width.
  await page.getByText(`ada@${provider.issuer}`).last().waitFor();
  const cookies = await context.cookies(`${magpie.url}/app/oidc/`);
  expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
    { name: `magpie_console_${new URL(magpie.url).port}`, httpOnly: true, sameSite: 'Strict' },
  ]);

  await page.goto(`${magpie.url}/app/notes`);
  await page.getByText('Add a note').click();
  await page.getByLabel('Text').fill('Jackdaws mate for life.');
  await page.getByRole('button', { name: 'Add the note' }).click();
  await page.getByRole('status').getByText(/Kept/).waitFor();

  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByRole('heading', { name: 'Signed out' }).waitFor();
  await page.goto(`${magpie.url}/app/notes`);
  await page.getByLabel('Key or access token').waitFor();
  // The session at the provider is still there: one click opens the next.
  await page.getByRole('link', { name: /Sign in with/ }).click();
  await page.getByText('Jackdaws mate for life.').first().waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

test('the sign-out page leads to the logout at the provider, which its own policy allows', async () => {
  const { context, page } = await openPage();
  await page.goto(`${magpie.url}/app`);
  await page.getByRole('link', { name: /Sign in with/ }).click();
  await page.waitForURL(`${magpie.url}/app/ask`);
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByRole('link', { name: /Sign out of/ }).click();
  await page.waitForURL((url) => url.origin === provider.issuer);
  expect(await page.getByRole('button').count()).toBeGreaterThan(0);
  await context.close();
});

test('a callback address from the login of an attacker signs no one in', async () => {
  const attacker = visitConsole(() => magpie.url);
  const begun = await attacker.get('/app/oidc/login');
  const callback = `${magpie.url}/app/oidc/callback`;
  const answer = await browse(new URL(begun.headers.get('location') ?? ''), callback);
  const victim = await openPage();
  await victim.page.goto(`${provider.issuer}/.well-known/openid-configuration`);
  await victim.page.evaluate((address) => location.assign(address), `${callback}?${answer}`);
  await victim.page.getByText(/was not begun in this browser/).waitFor();
  expect(await victim.context.cookies(`${magpie.url}/app/oidc/`)).toEqual([]);
  await victim.context.close();
});
