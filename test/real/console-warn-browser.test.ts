import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workTree } from '../helpers/git.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import { checkPage, LOOKS } from '../helpers/page-checks.ts';

/** The console's pages of Warn, and automations, in a real Chromium: a story for each. */

const folder = temporaryFolder();
const shop = join(folder.path, 'code', 'shop');
let magpie: RunningProcess;
let browser: Browser;
let site: Server;
/** Addresses of what the stories have made. */
const made: string[] = [];

beforeAll(async () => {
  mkdirSync(shop, { recursive: true });
  await workTree(shop, () => {
    const source = 'import os\nfrom flask import request\nos.system("lp " + request.args["title"])\n';
    writeFileSync(join(shop, 'labels.py'), source);
  });
  site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Basket</h1>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const inventory = join(folder.path, 'inventory.yaml');
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  writeFileSync(inventory, `infrastructure:\n  shop: { urls: ['${url}'] }\n`);
  magpie = await spawnServer({
    ...environment(join(folder.path, 'data')),
    MAGPIE_SCAN_ROOTS: join(folder.path, 'code'),
    MAGPIE_INVENTORY: inventory,
    MAGPIE_AUTOMATION_PLATFORM: 'n8n',
    MAGPIE_AUTOMATION_URL: 'n8n=http://127.0.0.1:9',
  });
  browser = await chromium.launch({
    executablePath: process.env.MAGPIE_TEST_BROWSER ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
  });
});
afterAll(async () => {
  await browser.close();
  await magpie.stop();
  site.closeAllConnections();
  site.close();
  folder.remove();
});

/** Runs a story on a page of its own, and fails by any error of scripts, styles or policy. */
async function story(path: string, tell: (page: Page) => Promise<void>, scripts = true): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: scripts });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(`${magpie.url}${path}`);
  await tell(page);
  expect(errors).toEqual([]);
  await context.close();
}

test('a repository is scanned: progress becomes findings without a new page request; one finding is read and downloaded', async () => {
  await story('/app/scans', async (page) => {
    await page.getByText('Nothing is scanned yet').waitFor();
    await page.getByLabel('Git URL, or a folder of this machine').fill(shop);
    await page.getByLabel('Deep: data flow and history').check();
    await page.getByRole('button', { name: 'Start the scan' }).click();
    await page.getByRole('heading', { name: 'Command injection' }).waitFor();
    made.push(page.url());
    const finding = page.getByRole('article').first();
    await finding.getByText('labels.py:3').waitFor();
    await finding.getByText('data from the request').waitFor();
    expect(await finding.getByRole('link', { name: 'CWE-78' }).getAttribute('href')).toContain(
      'cwe.mitre.org',
    );
    await page.getByRole('link', { name: '0 low' }).click();
    await page.getByText('No finding fits.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'SARIF' }).click(),
    ]);
    expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toHaveProperty('runs');
  });
});

test('without scripts the browser reloads the page of a scan until it ends', async () => {
  await story(
    '/app/scans',
    async (page) => {
      await page.getByLabel('Git URL, or a folder of this machine').fill(shop);
      await page.getByRole('button', { name: 'Start the scan' }).click();
      await page.getByRole('heading', { name: 'Command injection' }).waitFor();
      await page.getByRole('link', { name: 'what changed since' }).click();
      await page.getByRole('heading', { name: 'What changed' }).waitFor();
      made.push(page.url());
    },
    false,
  );
});

test('by keyboard, a site is monitored, shown as up, and paused', async () => {
  await story('/app/monitors', async (page) => {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
    await page.getByLabel('What to watch').focus();
    await page.keyboard.type('shop');
    await page.getByText('What the answer has to be').press('Enter');
    await page.getByLabel('Has the text').focus();
    await page.keyboard.type('Basket');
    await page.getByRole('button', { name: 'Watch it' }).press('Enter');
    await page.getByText('Up', { exact: true }).first().waitFor();
    made.push(page.url());
    await page.getByRole('img', { name: /Uptime of 90 days: 100%/ }).waitFor();
    await page.getByRole('link', { name: 'All monitors' }).press('Enter');
    await page.getByRole('link', { name: 'shop' }).waitFor();
    await page.goto(made.at(-1) ?? '');
    await page.getByRole('button', { name: 'Pause' }).press('Enter');
    await page.getByRole('status').getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Watch it again' }).press('Enter');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  });
});

test('compliance is checked, a control is judged, and the report is downloaded as PDF', async () => {
  await story('/app/compliance', async (page) => {
    await page.getByLabel('What to check').fill(shop);
    await page.getByLabel('OWASP Top 10 2025').check();
    await page.getByRole('button', { name: 'Check it' }).click();
    await page.getByRole('link', { name: 'Report as PDF' }).waitFor();
    made.push(page.url());
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Report as PDF' }).click(),
    ]);
    expect(
      readFileSync(await download.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    await page
      .getByRole('navigation', { name: 'Status' })
      .getByRole('link', { name: /^Failed/ })
      .click();
    await page.getByText('Evidence').first().click();
    await page.getByRole('link', { name: 'Judge it yourself' }).first().click();
    await page.getByLabel('Why').fill('Printers take no commands here.');
    await page.getByLabel('Who judges').fill('Ada');
    await page.getByRole('button', { name: 'Keep the judgement' }).click();
    await page.getByRole('button', { name: /^Withdraw OWASP/ }).waitFor();
    made.push(page.url());
  });
});

test('a sentence is shown as a plan', async () => {
  await story('/app/automations', async (page) => {
    await page.getByRole('link', { name: /^Watch https:\/\/example\.com/ }).click();
    await page.getByText('https://example.com/', { exact: true }).waitFor();
    await page.getByLabel('Key of n8n').waitFor();
    made.push(page.url());
  });
});

test.each(LOOKS)(
  'the page has no accessibility violation and no sideways scrolling, and is small: $colorScheme, $viewport.width px',
  async (look) => {
    const context = await browser.newContext({ ...look, bypassCSP: true });
    const page = await context.newPage();
    for (const path of [
      'scans',
      'scans?repository=x',
      'monitors',
      'monitors?new=1',
      'compliance',
      'compliance/attestations',
      'automations',
    ]) {
      await checkPage(page, `${magpie.url}/app/${path}`);
    }
    for (const address of made) await checkPage(page, address);
    await context.close();
  },
);
