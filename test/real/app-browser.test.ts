import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLoopbackPage } from '../../src/server/app/loopback.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import { makePdf } from '../helpers/pdf.ts';
import { type RoomsStack, startRooms } from '../helpers/rooms-stack.ts';
import { bitmap, makeScans, scanPage } from '../helpers/scans.ts';

/** The page of files as a link opens it over stdio, in a real Chromium: .ci/run installs it and names it in MAGPIE_TEST_BROWSER. */

const SHOTS = fileURLToPath(new URL('../../artifacts/upload-page/', import.meta.url));
const PHONE = { width: 360, height: 740 };
let running: RoomsStack;
let loopback: ReturnType<typeof createLoopbackPage>;
let url: string;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  running = await startRooms({ MAGPIE_DOCUMENT_BYTES: '3000000', MAGPIE_OCR: 'eng' });
  loopback = createLoopbackPage(running.pipe);
  url = await loopback.url();
  browser = await chromium.launch({
    executablePath: process.env.MAGPIE_TEST_BROWSER ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
  });
});
afterAll(async () => {
  await browser.close();
  await loopback.close();
  await running.close();
});

const linkOf = async () =>
  `${url}/app?pass=${await (await running.pipe.services.passes()).issuePass('link', 'tester')}`;
const faults = new WeakMap<Page, string[]>();

/** The page, opened by a link of `pdfload`; every error of its console and every refusal by its policy is noted. */
async function open(options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const noted: string[] = [];
  faults.set(page, noted);
  page.on('pageerror', (error) => noted.push(error.message));
  page.on('console', (message) => {
    // A refused upload is told as a failed resource too.
    if (message.type() === 'error' && !/the server responded with a status of 4/.test(message.text())) {
      noted.push(message.text());
    }
  });
  await page.goto(await linkOf());
  await page.waitForURL(`${url}/app/files`);
  return { context, page };
}
const pdf = (name: string, ...pages: string[]) => ({
  name,
  mimeType: 'application/pdf',
  buffer: makePdf(pages),
});
const row = (page: Page, name: string) => page.locator('#list tbody > tr', { hasText: name });
const shot = (page: Page, name: string) => page.screenshot({ path: `${SHOTS}${name}.png`, fullPage: true });

async function done(page: Page, context: BrowserContext): Promise<void> {
  expect(faults.get(page)).toEqual([]);
  await context.close();
}

/** Files let go over an element, as a hand does it. */
async function dropFiles(page: Page, files: readonly ReturnType<typeof pdf>[]): Promise<void> {
  const transfer = await page.evaluateHandle(
    (given) => {
      const data = new DataTransfer();
      for (const { name, bytes } of given) {
        data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
      }
      return data;
    },
    files.map(({ name, buffer }) => ({ name, bytes: buffer.toString('base64') })),
  );
  await page.dispatchEvent('#drop', 'dragover', { dataTransfer: transfer });
  await expect.poll(() => page.locator('#drop.over').count()).toBe(1);
  await page.dispatchEvent('#drop', 'drop', { dataTransfer: transfer });
}

describe('with scripts', () => {
  test('dropped files show progress, pages and sizes in the list, and error texts', async () => {
    const { page, context } = await open();
    await dropFiles(page, [
      pdf('wind mills.pdf', 'Of wind.', 'Of sails.', 'Of millers.'),
      { name: 'packed.pdf', mimeType: 'application/pdf', buffer: Buffer.from('PK\x03\x04 zip') },
      { name: 'huge.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(3_100_000) },
      pdf('مطاحن 🐦.pdf', 'Of tides.'),
    ]);
    await row(page, 'مطاحن').waitFor();
    expect(await row(page, 'wind mills.pdf').textContent()).toMatch(/3 pages 1 part\s*1\.\d kB/);
    const uploads = await page.locator('#progress > li').allTextContents();
    expect(uploads.join('\n')).toMatch(/wind mills\.pdfadded, 3 pages/);
    expect(uploads.join('\n')).toMatch(/packed\.pdf"packed\.pdf" is a broken ZIP archive/);
    expect(uploads.join('\n')).toMatch(/huge\.pdfover 3 MB, the maximum for one file/);
    expect(await page.getByText(/^2 files · /).count()).toBe(1);
    await shot(page, 'list');
    await done(page, context);
  });

  test('progress is updated while a file is sent, and a cancelled file leaves nothing', async () => {
    const { page, context } = await open();
    const client = await context.newCDPSession(page);
    await client.send('Network.enable');
    await client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 150_000,
    });
    const large = {
      ...pdf('slow.pdf', 'text'),
      buffer: Buffer.concat([makePdf(['text']), Buffer.alloc(2_500_000, 37)]),
    };
    await page.setInputFiles('#files', large);
    await expect.poll(() => page.locator('progress').getAttribute('value').then(Number)).toBeGreaterThan(0);
    await expect.poll(() => page.locator('#progress p').textContent()).toMatch(/^[1-9]\d? %$/);
    await shot(page, 'progress');
    await page.getByRole('button', { name: 'Cancel slow.pdf' }).click();
    await page.getByText('it was cancelled').first().waitFor();
    await page.reload();
    expect(await row(page, 'slow.pdf').count()).toBe(0);
    await done(page, context);
  });

  test('scanned pages are counted while OCR reads them and found afterwards, and a cancelled file leaves nothing', async () => {
    const { page, context } = await open();
    const scans = (name: string, count: number) => ({
      ...pdf(name),
      buffer: makeScans(Array.from({ length: count }, () => scanPage(bitmap(1)))),
    });
    await page.setInputFiles('#files', scans('long scan.pdf', 80));
    const state = page.locator('#progress p');
    await expect
      .poll(() => state.textContent(), { timeout: 120_000 })
      .toMatch(/^reading the scanned pages by OCR, [1-9]\d* of 80 pages$/);
    expect(
      await page.getByRole('progressbar', { name: 'Reading of long scan.pdf' }).getAttribute('max'),
    ).toBe('80');
    await shot(page, 'scanned');
    const other = await context.newPage();
    await other.goto(`${url}/app/files`);
    expect(await other.getByRole('list', { name: 'Files that are being read' }).textContent()).toMatch(
      /long scan\.pdfreading the scanned pages by OCR, \d+ of 80 pages/,
    );
    await page.getByRole('button', { name: 'Cancel long scan.pdf' }).click();
    await expect
      .poll(
        async () => {
          await other.reload();
          return other.getByRole('list', { name: 'Files that are being read' }).count();
        },
        { timeout: 120_000 },
      )
      .toBe(0);
    expect(await row(other, 'long scan.pdf').count()).toBe(0);
    await page.setInputFiles('#files', scans('scan.pdf', 1));
    await row(page, 'scan.pdf').waitFor({ timeout: 120_000 });
    await page.getByLabel('Search names and text').fill('miller works by the moon');
    await expect
      .poll(() => page.locator('#list td > p').allTextContents(), { timeout: 120_000 })
      .toEqual([expect.stringContaining('The miller works by the moon')]);
    await done(page, context);
  });

  test('signing out everywhere asks for confirmation, and also ends the page of another browser', async () => {
    const [here, there] = [await open(), await open({ javaScriptEnabled: false })];
    await here.page.getByText('Sign out everywhere').click();
    await shot(here.page, 'sign-out');
    await here.page.getByRole('button', { name: 'Yes, end them all' }).click();
    await here.page.getByText('All links and open pages of tester are ended.').waitFor();
    await there.page.goto(`${url}/app/file?name=none.pdf`);
    expect(await there.page.locator('[role=alert]').textContent()).toContain('This page is closed');
    await here.context.close();
    await there.context.close();
  });

  test('the search box filters the list during typing; a page can be read; a file is deleted after a confirmation', async () => {
    const { page, context } = await open();
    await page.setInputFiles('#files', [
      pdf('tide.pdf', 'Where eels live.'),
      pdf('wind.pdf', 'Where kites fly.'),
    ]);
    await row(page, 'wind.pdf').waitFor();
    await page.getByLabel('Search names and text').fill('EELS');
    await expect
      .poll(() => page.locator('#list > [role=status]').textContent())
      .toMatch(/^1 file of \d with “EELS”/);
    expect(await page.locator('#list td > p').textContent()).toContain('Page 1: Where eels live.');
    await shot(page, 'search');
    await page.getByRole('link', { name: 'tide.pdf', exact: true }).click();
    expect(await page.getByRole('region', { name: 'Text of page 1' }).textContent()).toBe('Where eels live.');
    await shot(page, 'text');
    await page.getByRole('link', { name: 'All files' }).click();
    const remove = row(page, 'tide.pdf');
    expect(await remove.getByRole('button', { name: 'Yes, delete it' }).isVisible()).toBe(false);
    await remove.getByText('Delete', { exact: true }).click();
    await shot(page, 'delete');
    await remove.getByRole('button', { name: 'Yes, delete it' }).click();
    await page.waitForLoadState();
    expect(await row(page, 'tide.pdf').count()).toBe(0);
    expect(await row(page, 'wind.pdf').count()).toBe(1);
    await done(page, context);
  });

  test('a script in a file name stays text, the address contains no pass, and scripts cannot read the cookie', async () => {
    const { page, context } = await open();
    await page.setInputFiles('#files', pdf('<img src=x onerror=alert(1)>.pdf', '<script>alert(2)</script>'));
    await row(page, 'onerror').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(page.url()).toBe(`${url}/app/files`);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const inline = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "ran"';
      document.body.append(script);
      return document.title;
    });
    expect(inline).not.toBe('ran');
    faults.set(
      page,
      (faults.get(page) ?? []).filter((text) => !text.includes('Content Security Policy')),
    );
    await done(page, context);
  });
});

describe('by keyboard alone', () => {
  test('every control is reached in order, has a name, and shows its focus', async () => {
    const { page, context } = await open();
    await page.setInputFiles('#files', pdf('keys.pdf', 'Of keys.'));
    await row(page, 'keys.pdf').waitFor();
    await page.reload();
    await page.getByLabel('Search names and text').fill('keys.pdf');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=keys/);
    const reached: string[] = [];
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        if (!(element instanceof HTMLElement) || element === document.body) return undefined;
        const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
        const name = element.getAttribute('aria-label') ?? label ?? element.textContent ?? '';
        const { outlineStyle } = getComputedStyle(element);
        // A field with its button shows the focus around both.
        const around = getComputedStyle(element.closest('.field') ?? element).boxShadow;
        return { name: name.trim(), outline: outlineStyle === 'none' ? around : outlineStyle };
      });
      if (!at) break;
      expect(at.name).not.toBe('');
      expect(at.outline).not.toBe('none');
      reached.push(at.name);
    }
    expect(reached).toEqual([
      'Skip to the content',
      'Magpie',
      'Files',
      'Theme: system',
      'Close',
      'Files',
      'Password',
      'Collection',
      'Search names and text',
      'Search',
      'keys.pdf',
      'Download keys.pdf',
      'Delete keys.pdf',
      'Sign out everywhere',
    ]);
    await page.getByText('Delete', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await shot(page, 'keyboard');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/app/files`);
    expect(await row(page, 'keys.pdf').count()).toBe(0);
    await done(page, context);
  });
});

describe('the view of a page', () => {
  test('is drawn with its passage marked, by keyboard and on a phone; a page that cannot be drawn is shown as text', async () => {
    const { page, context } = await open({ viewport: PHONE, hasTouch: true, isMobile: true });
    await page.setInputFiles('#files', [
      pdf('look.pdf', 'Of wind mills.', 'Of tide mills.\nOf millers.'),
      { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n\nOf herons.') },
    ]);
    await row(page, 'notes.md').waitFor();
    await page.goto(`${url}/app/files/look.pdf?page=2&passage=Of%20tide%20mills.`);
    const picture = page.locator('#look img');
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1200);
    expect(await picture.getAttribute('alt')).toContain('with the passage marked');
    expect(await page.locator('mark').textContent()).toBe('Of tide mills');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await shot(page, 'preview-phone');
    await page.getByRole('link', { name: 'Previous page' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Page 1 of 2' }).waitFor();
    expect(await page.locator('mark').count()).toBe(0);
    await page.goto(`${url}/app/file?name=notes.md&page=1`);
    await page.getByRole('heading', { name: 'Section 1 of 1' }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await done(page, context);
  });

  test('an encrypted file asks for its password after the refusal; then only its text is shown', async () => {
    const { page, context } = await open();
    const document = new PDFDocument({ pdfVersion: '1.7', userPassword: 'open sesame', ownerPassword: 'o' });
    document.text('Words under lock and key.');
    document.end();
    const buffer = Buffer.concat(await document.toArray());
    await page.setInputFiles('#files', { name: 'locked.pdf', mimeType: 'application/pdf', buffer });
    const field = page.getByLabel('Password of locked.pdf');
    await field.fill('not this');
    await page.keyboard.press('Enter');
    await page.getByText('does not open with this password').first().waitFor();
    await field.fill('open sesame');
    await shot(page, 'password');
    await page.getByRole('button', { name: 'Upload again' }).click();
    await row(page, 'locked.pdf').getByRole('link', { name: 'locked.pdf', exact: true }).click();
    await page.getByText('Words under lock and key.').waitFor();
    await expect.poll(() => page.locator('#look').count()).toBe(0);
    expect(faults.get(page)).toEqual([]);
    await context.close();
  });
});

describe('appearance', () => {
  const long = `${'a very long name without end '.repeat(8)}${'x'.repeat(120)}.pdf`;

  test.each(['light', 'dark'] as const)(
    'on a phone, %s: the page needs no sideways scrolling and has readable letters',
    async (colorScheme) => {
      const { page, context } = await open({ viewport: PHONE, colorScheme, hasTouch: true, isMobile: true });
      await page.setInputFiles('#files', pdf(long, 'y'.repeat(400)));
      await row(page, 'a very long name').waitFor();
      await page.reload();
      await row(page, 'a very long name').getByText('Delete', { exact: true }).click();
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(await wide()).toBeLessThanOrEqual(0);
      await shot(page, `phone-${colorScheme}`);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('button, summary, a.button, input:not([type=hidden])')]
          .filter((control) => control.getBoundingClientRect().height > 0)
          .filter((control) => control.getBoundingClientRect().height < 40)
          .map((control) => control.outerHTML),
      );
      expect(small).toEqual([]);
      expect(await lowestContrast(page)).toBeGreaterThan(4.5);
      await page.locator('#list tbody a').first().click();
      expect(await wide()).toBeLessThanOrEqual(0);
      await done(page, context);
    },
  );

  test('the two colour schemes differ', async () => {
    const grounds = await Promise.all(
      (['light', 'dark'] as const).map(async (colorScheme) => {
        const { page, context } = await open({ colorScheme });
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        await shot(page, `desk-${colorScheme}`);
        await context.close();
        return ground;
      }),
    );
    expect(grounds).toEqual(['rgb(244, 246, 247)', 'rgb(11, 14, 16)']);
  });

  test('the page has one heading of the first level, labels on every field, landmarks and a language', async () => {
    const { page, context } = await open();
    const found = await page.evaluate(() => ({
      first: document.querySelectorAll('h1').length,
      unnamed: [...document.querySelectorAll('input:not([type=hidden])')].filter(
        (field) => !(field instanceof HTMLInputElement && (field.labels?.length || field.ariaLabel)),
      ).length,
      landmarks: [...document.querySelectorAll('nav.side, main, [role=search]')].length,
      language: document.documentElement.lang,
      twice:
        [...document.querySelectorAll('[id]')].length -
        new Set([...document.querySelectorAll('[id]')].map(({ id }) => id)).size,
    }));
    expect(found).toEqual({ first: 1, unnamed: 0, landmarks: 3, language: 'en', twice: 0 });
    await done(page, context);
  });
});

describe('without scripts', () => {
  test('upload, error text, search and delete work', async () => {
    const { page, context } = await open({ javaScriptEnabled: false });
    await page.setInputFiles('#files', [
      pdf('plain one.pdf', 'Of herons.'),
      pdf('plain two.pdf', 'Of cranes.'),
    ]);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await row(page, 'plain two.pdf').waitFor();
    await shot(page, 'no-script-list');
    expect(await row(page, 'plain one.pdf').count()).toBe(1);
    await page.setInputFiles('#files', {
      name: 'no.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('no'),
    });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    expect(await page.locator('[role=alert]').textContent()).toContain('"no.pdf" is not a PDF');
    await shot(page, 'no-script-error');
    await page.getByLabel('Search names and text').fill('cranes');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await page.locator('#list tbody > tr').count()).toBe(1);
    await row(page, 'plain two.pdf').locator('summary').click();
    await row(page, 'plain two.pdf').getByRole('button', { name: 'Yes, delete it' }).click();
    await page.waitForURL(`${url}/app/files`);
    expect(await row(page, 'plain two.pdf').count()).toBe(0);
    await done(page, context);
  });

  test('a link from another site opens the page with the cookie', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const link = await linkOf();
    await page.route('http://chat.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<a href="${link.replaceAll('&', '&amp;')}">the link</a>`,
      }),
    );
    await page.goto('http://chat.example/');
    await page.getByText('the link').click();
    await page.waitForURL(`${url}/app/files`);
    expect(await page.locator('h1').textContent()).toBe('Files');
    await page.goto(`${url}/app`);
    expect(await page.locator('h1').textContent()).toBe('Files');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.goto(`${url}/app/file?name=none.pdf`);
    expect(await page.locator('[role=alert]').textContent()).toContain('This page is closed');
    await context.close();
  });
});

/** The least contrast (WCAG 2) of the page's texts against what stands behind them. */
function lowestContrast(page: Page): Promise<number> {
  return page.evaluate(() => {
    const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const light = (color: readonly number[]) => {
      const [r = 0, g = 0, b = 0] = color.map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element: Element | null): number[] => {
      for (let at = element; at; at = at.parentElement) {
        const color = channels(getComputedStyle(at).backgroundColor);
        if (color[3] === undefined || color[3] === 1) return color.slice(0, 3);
      }
      return [255, 255, 255];
    };
    const ratios = [...document.querySelectorAll('h1,h2,h3,p,a,label,button,summary,b')].map((element) => {
      const behind = ground(element);
      let opacity = 1;
      for (let at: Element | null = element; at; at = at.parentElement)
        opacity *= Number(getComputedStyle(at).opacity);
      const ink = channels(getComputedStyle(element).color).slice(0, 3);
      const seen = ink.map((value, i) => value * opacity + (behind[i] ?? 0) * (1 - opacity));
      const [a, b] = [light(seen), light(behind)];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    });
    return Math.min(...ratios);
  });
}

describe('links, in the address bar and on a page of another port', () => {
  const folder = temporaryFolder();
  let magpie: RunningProcess;
  beforeAll(async () => {
    magpie = await spawnServer(environment(folder.path));
  });
  afterAll(async () => {
    await magpie.stop();
    folder.remove();
  });
  const records = async () => {
    const answer = await fetch(new URL('/metadatakb?q=', magpie.url));
    const { matches } = (await answer.json()) as { matches: { metadata: { records: number } }[] };
    return matches[0]?.metadata.records;
  };

  test('none writes or resets, and the page says what to do instead; a link to a reading operation works', async () => {
    expect((await fetch(new URL('/insert?q=kept%20by%20the%20user', magpie.url))).status).toBe(200);
    const writes = ['/insert?q=by%20a%20link', '/reset?q='];
    const site = createServer((_, response) => {
      const links = [...writes, '/list'].map((path) => `<a href="${magpie.url}${path}">${path}</a>`);
      const frames = writes.map(
        (path) => `<iframe src="${magpie.url}${path}"></iframe><img src="${magpie.url}${path}">`,
      );
      response.writeHead(200, { 'content-type': 'text/html' }).end(`${links}${frames}`);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const other = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    const context = await browser.newContext();
    const page = await context.newPage();
    for (const path of writes) {
      const typed = await page.goto(magpie.url + path);
      expect(typed?.status()).toBe(403);
      expect(await page.textContent('body')).toContain('run `magpie call');
      await page.goto(other);
      const [followed] = await Promise.all([page.waitForNavigation(), page.click(`a[href$="${path}"]`)]);
      expect(followed?.status()).toBe(403);
    }
    await page.goto(other);
    const [read] = await Promise.all([page.waitForNavigation(), page.click('a[href$="/list"]')]);
    expect(read?.status()).toBe(200);
    expect(await records()).toBe(1);
    await context.close();
    site.close();
  });
});
