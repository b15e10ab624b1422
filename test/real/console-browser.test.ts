import { createRequire } from 'node:module';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** The console in a real Chromium: .ci/run installs it and names it in MAGPIE_TEST_BROWSER. */

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const folder = temporaryFolder();
let web: TestWeb;
let magpie: RunningProcess;
let browser: Browser;

beforeAll(async () => {
  web = await startWeb();
  magpie = await spawnServer(environment(folder.path, web));
  browser = await chromium.launch({
    executablePath: process.env.MAGPIE_TEST_BROWSER ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
  });
});
afterAll(async () => {
  await browser.close();
  await magpie.stop();
  await web.close();
  folder.remove();
});

const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1200, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1200, height: 900 } },
  { colorScheme: 'light', viewport: { width: 360, height: 740 } },
] as const;

test.each(LOOKS)(
  'no violation, no error, no sideways scrolling: $colorScheme, $viewport.width px',
  async (look) => {
    const context = await browser.newContext({ ...look, bypassCSP: true });
    const page = await context.newPage();
    for (const path of [
      '/app/ask',
      '/app/ask?q=magpie+mirror',
      '/app/notes',
      '/app/notes/trash',
      '/app/notes/transfer',
    ]) {
      await page.goto(`${magpie.url}${path}`);
      await page.addScriptTag({ path: AXE });
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as {
          axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        };
        return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      });
      expect(violations, path).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path).toBe(true);
    }
    await context.close();
  },
);

test('by keyboard: a note is added, found, deleted and brought back; the theme stays', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(`${magpie.url}/app/notes`);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
  await page.getByText('Add a note').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Text').fill('Jackdaws mate for life.');
  await page.getByLabel('Title').fill('Jackdaws');
  await page.getByRole('button', { name: 'Add the note' }).press('Enter');
  await page.getByRole('status').getByText(/Kept/).waitFor();
  await page.getByRole('button', { name: 'Delete Jackdaws' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Jackdaws' }).waitFor();
  await page.getByRole('button', { name: /Theme/ }).click();
  await page.reload();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
  expect(errors).toEqual([]);
  await context.close();
});
