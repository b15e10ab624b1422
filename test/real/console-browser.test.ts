import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import { checkPage, LOOKS } from '../helpers/page-checks.ts';
import { makePdf } from '../helpers/pdf.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** The console in a real Chromium: .ci/run installs it and names it in MAGPIE_TEST_BROWSER. */

const folder = temporaryFolder();
let web: TestWeb;
let magpie: RunningProcess;
let browser: Browser;
/** Id of a note that is there. */
let note = '';

beforeAll(async () => {
  web = await startWeb();
  magpie = await spawnServer(environment(folder.path, web));
  const kept = await fetch(`${magpie.url}/upsert?q=Herons+wait+in+shallow+water.`);
  note = ((await kept.json()) as { id: string }).id;
  expect(note).toMatch(/^tester-\d+$/);
  await addFile('nests.pdf', 'Rooks nest in colonies.', 'Magpies build a domed nest.');
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

/** Uploads a file by the link of pdfload, as a script does. */
async function addFile(name: string, ...pages: string[]): Promise<void> {
  const body = (await (await fetch(`${magpie.url}/pdfload`)).json()) as { status: { status: string } };
  const pass = /pass=([\w.%-]+\w)/.exec(body.status.status)?.[1];
  const address = `${magpie.url}/app/files/${name}?pass=${pass}`;
  const sent = await fetch(address, { method: 'PUT', body: new Uint8Array(makePdf(pages)) });
  expect(sent.status).toBe(201);
}

test.each(LOOKS)(
  'the page has no accessibility violation and no sideways scrolling, and is small: $colorScheme, $viewport.width px',
  async (look) => {
    const context = await browser.newContext({ ...look, bypassCSP: true });
    const page = await context.newPage();
    for (const path of [
      'ask',
      'ask?q=magpie+mirror',
      'notes',
      `notes/edit?id=${note}`,
      'notes/trash',
      'notes/transfer',
      'files',
      'file?name=nests.pdf',
      'file?name=nests.pdf&q=nest&page=2',
      'pages',
      'page?url=http%3A%2F%2Fexample.invalid%2F',
      'connect',
      'connect?with=codex',
      'connect?with=openwebui',
      'keys',
      'engines',
      'settings?q=scan',
      'log',
      'scans/one?id=none',
    ]) {
      await checkPage(page, `${magpie.url}/app/${path}`);
    }
    await context.close();
  },
);

test('by keyboard, a note is added, found, deleted and restored; the theme is kept', async () => {
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

test('two files are dropped anywhere on the page, uploaded with progress, searched, opened at the page, and deleted', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(`${magpie.url}/app/files`);
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['The heron waits in shallow water.'], 'heron.txt'));
    transfer.items.add(new File(['The wren is small and loud.'], 'wren.txt'));
    return transfer;
  });
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
  await page.getByRole('list', { name: 'Uploads' }).getByText('added, 1 section').nth(1).waitFor();
  await page.getByRole('link', { name: 'heron.txt', exact: true }).waitFor();
  await page.getByRole('link', { name: 'nests.pdf', exact: true }).click();
  await page.getByLabel('Question to nests.pdf').fill('how do magpies build');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('region', { name: 'Answers' }).getByRole('link', { name: 'Page 2' }).click();
  await page.getByRole('heading', { name: 'Page 2 of 2' }).waitFor();
  expect(await page.locator('mark#passage').textContent()).toBe('Magpies build a domed nest');
  const picture = page.getByRole('img', { name: /Page 2 as it looks/ });
  await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(100);
  await page.getByRole('link', { name: 'All files' }).click();
  await page.getByLabel('Delete wren.txt').click();
  await page.getByRole('button', { name: 'Yes, delete it' }).click();
  await page.getByRole('status').getByText('wren.txt is deleted.').waitFor();
  expect(await page.getByRole('link', { name: 'wren.txt', exact: true }).count()).toBe(0);
  expect(errors).toEqual([]);
  await context.close();
});

test('on a phone five pages are in the bottom bar and the rest is behind More, by keyboard and without scripts', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${magpie.url}/app/ask`);
    const more = page.locator('.more > summary');
    const reference = page.locator('.sheet').getByRole('link', { name: 'Reference' });
    expect(await reference.isVisible()).toBe(false);
    await more.focus();
    await page.keyboard.press('Enter');
    await reference.waitFor();
    if (javaScriptEnabled) {
      await page.keyboard.press('Escape');
      await reference.waitFor({ state: 'hidden' });
    }
    await context.close();
  }
});
